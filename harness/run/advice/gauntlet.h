/* The poses that methods are compared in: those of the rig's file, and a gauntlet of poses that try every
 * joint. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum PoseKind {
    POSE_OWN,      /* a frame of the file */
    POSE_BEND,     /* one joint about an axis across its bone */
    POSE_TWIST,    /* one joint about its bone */
    POSE_CHAIN,    /* the joints of a chain, each twisted further than the one before */
    POSE_TIE,      /* one joint twisted by 179 degrees, where the two ways around are all but as long; */
    POSE_AFTER_TIE /* and by 181: always the next pose */
} PoseKind;

typedef struct Pose {
    PoseKind kind;
    int number; /* of an own pose the frame, else the degrees */
    int joint;  /* -1: an own pose */
} Pose;

/* F poses of P joints. */
typedef struct Gauntlet {
    int pose_count, joint_count;
    Pose *poses;           /* [F] */
    Transform *transforms; /* [F][P] */
    Mat3 *scale;           /* [F][P]; NULL: the rig has none */
} Gauntlet;

typedef struct GauntletOptions {
    bool own_only;  /* the frames of the file alone */
    int frames_cap; /* of the file: that many at most, spread evenly */
    int joints_cap; /* of the gauntlet: those with the most skin */
    uint64_t seed;
} GauntletOptions;

/* Makes the poses. skin [P]: how many vertices each joint's skin blends; joints without any are not tried. A
 * joint is bent and twisted by a half, all and 5/4 of its range, the greatest bend and twist in the file, of
 * which 60 degrees are taken at least. STATUS_BAD_INPUT for a rig that has neither frames nor rest frames.
 * Release with gauntlet_clear. */
Status gauntlet_make(const Rig *rig, const int *skin, const GauntletOptions *options, Gauntlet *out);
void gauntlet_clear(Gauntlet *gauntlet);
