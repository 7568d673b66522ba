/* The poses in which methods are compared: the poses of the rig's file, and generated poses (the gauntlet)
 * that test every joint. Poses within the ranges of the joints decide the advice. Poses beyond them are a
 * stress test. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum PoseKind {
    POSE_OWN,      /* a frame of the file */
    POSE_BEND,     /* one joint bent about an axis across its bone */
    POSE_TWIST,    /* one joint twisted about its bone */
    POSE_CHAIN,    /* a chain of joints, each twisted further than the one before */
    POSE_TIE,      /* one joint twisted by 179 degrees, so that both directions of rotation are almost equally
                      short */
    POSE_AFTER_TIE /* the joint twisted by 181 degrees; always follows POSE_TIE */
} PoseKind;

typedef struct Pose {
    PoseKind kind;
    int number;     /* frame index of a pose from the file, otherwise the angle in degrees */
    int joint;      /* joint that moves; -1 for a pose from the file */
    bool is_beyond; /* whether a joint is turned beyond its range */
} Pose;

/* Poses [F][P]: F frames of P joints. */
typedef struct Gauntlet {
    int pose_count, joint_count;
    Pose *poses;           /* [F] */
    Transform *transforms; /* [F][P] */
    Mat3 *scale;           /* [F][P]; NULL if the rig has no scale */
} Gauntlet;

typedef struct GauntletOptions {
    bool own_only;  /* use only the frames of the file */
    int frames_cap; /* maximum number of frames taken from the file, evenly spaced */
    int joints_cap; /* maximum number of joints in the gauntlet; those with the most blended skin are chosen
                     */
    uint64_t seed;
} GauntletOptions;

/* Returns how far a joint bends and twists, in degrees, if the file does not move it. The kind of joint
 * (elbow, neck, tail and so on) is read from its name. is_hinge: whether the joint bends in the plane of its
 * bone and its parent's bone, as elbows and knees do. */
typedef struct JointRange {
    double bend_degrees, twist_degrees;
    bool is_hinge;
} JointRange;
JointRange joint_range_default(const char *name);

/* Makes the poses. skin [P] is the number of vertices that each joint influences together with other
 * joints. Joints without such vertices are skipped. Each other joint is bent and twisted by 1/2 and by all
 * of its range: its largest bend and twist in the file, but at least those of joint_range_default. Poses
 * beyond the range are a bend and a twist by 5/4 of it, at least 75 degrees, and twisted chains of joints.
 * STATUS_BAD_INPUT for a rig that has neither frames nor rest frames. Release with gauntlet_clear. */
Status gauntlet_make(const Rig *rig, const int *skin, const GauntletOptions *options, Gauntlet *out);
void gauntlet_clear(Gauntlet *gauntlet);
