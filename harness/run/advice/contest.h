/* Data shared by the stages of comparing methods on one rig: contest.c judges poses, views.c chooses places
 * to show, and advise.c runs these stages and measures costs. */
#pragma once

#include "harness/measure/metrics/skin_damage.h"
#include "harness/measure/timing/rounds.h"
#include "harness/records/advice/advice.h"
#include "harness/run/advice/advise_options.h"
#include "harness/run/advice/gauntlet.h"
#include "methods/runtime/skinner.h"

/* A method that takes part in the comparison. */
typedef struct Contender {
    const Rig *rig;
    Rig helped;            /* copy of the rig with helper joints; empty if none were added */
    Transform *transforms; /* [F][joints of the rig `helped`] transforms including the helpers; NULL: use the
                              transforms of the poses */
    SkinnerOptions options;
    Skinner *skinner;    /* skinner on backend simd; NULL if the method refuses this rig */
    Skinner *timed;      /* skinner for the next timing; NULL if the method is not timed */
    int frames_timed;    /* number of poses that it skins in each round of the timing */
    float *positions;    /* [BLOCK][N][3] */
    SkinDamage *wears;   /* [F] */
    JointDamage *joints; /* [F][P] */
    double *holes;       /* scratch */
    double jump;         /* largest move of a vertex from a twist by 179 degrees to the next pose */
    double error;        /* sum of the squared distances from the reference's shapes */
    TimedTask task;
    const struct Contest *contest;
    Status status;
} Contender;

typedef struct Contest {
    const Dataset *dataset;
    const AdviseOptions *options;
    SkinAtRest rest;
    Gauntlet gauntlet;
    Rig pruned; /* rig with fewer influences; it owns its weights and borrows all other arrays */
    Contender *contenders;
    int contender_count, block;
    int reference;  /* index of the reference method; -1: the reference is the file's shapes, elastic, or none
                     */
    float *elastic; /* [F][N][3] elastic reference in all poses; NULL if the reference is not elastic */
    int error_poses; /* number of poses for which errors are measured */
    int *joints;     /* [Advice.joint_used] the number in the rig of each joint in Advice.joints */
} Contest;

/* Excludes a method that cannot take the rig or fails on it, and notes the reason. */
void contender_drop(AdviceMethod *method, Contender *contender, Status failure);

/* Skin the poses `first` to `first` + `count` - 1 into contender->positions. poses_skin uses the given
 * skinner, and block_skin uses contender->skinner. STATUS_BAD_INPUT if a vertex is not finite. */
Status poses_skin(const Contest *contest, Contender *contender, Skinner *skinner, int first, int count);
Status block_skin(const Contest *contest, Contender *contender, int first, int count);

/* Returns the shape [N][3] with which pose `pose` is compared; NULL if there is none. `block` is the
 * number of the pose in the block that is skinned now. */
const float *reference_shape(const Contest *contest, int block, int pose);

/* Skins all poses with all methods and measures what each does to the skin. */
Status poses_measure(Contest *contest, Advice *advice);

/* Collects collapse, bulge and difference of every method at every joint, and the means over poses. Call
 * poses_measure first. */
Status joints_measure(Contest *contest, Advice *advice);

/* Returns the maximum of a joint's measure over the poses within the joints' ranges, or over the poses
 * beyond them, in per cent; 0 without such poses. `member` is the offset of the measure in JointDamage. *pose
 * (may be NULL) receives the pose of the maximum. */
double joint_max(const Contest *contest, const Contender *contender, int joint, size_t member, bool is_beyond,
                 int *pose);

/* Sorts the joints by how much the shown methods differ there. Makes a view of each of the first few
 * joints. Dominated methods are left out. */
Status views_make(Contest *contest, Advice *advice);
