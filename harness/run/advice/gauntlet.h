/* The poses in which methods are compared: the poses of the rig's file, and generated poses (the gauntlet)
 * that test every joint. */
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
    int number; /* frame index of a pose from the file, otherwise the angle in degrees */
    int joint;  /* joint that moves; -1 for a pose from the file */
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

/* Makes the poses. skin [P] is the number of vertices that each joint influences together with other
 * joints. Joints without such vertices are skipped. Each other joint is bent and twisted by 1/2, 1 and 5/4
 * of its range. The range is its largest bend and twist in the file, but at least 60 degrees.
 * STATUS_BAD_INPUT for a rig that has neither frames nor rest frames. Release with gauntlet_clear. */
Status gauntlet_make(const Rig *rig, const int *skin, const GauntletOptions *options, Gauntlet *out);
void gauntlet_clear(Gauntlet *gauntlet);
