/* A contest of methods on one rig, between the files of its stages: contest.c judges poses, views.c chooses
 * the places to look at, advise.c does the rest. */
#pragma once

#include "harness/measure/timing/rounds.h"
#include "harness/records/advice/advice.h"
#include "harness/run/advice/advise_options.h"
#include "harness/run/advice/gauntlet.h"
#include "harness/run/advice/skin_wear.h"
#include "methods/runtime/skinner.h"

/* A method at work. */
typedef struct Contender {
    const Rig *rig;
    Rig helped;            /* with helper joints; empty: it has another's */
    Transform *transforms; /* [F][joints of helped]; NULL: the gauntlet's */
    SkinnerOptions options;
    Skinner *skinner;   /* on simd; NULL: it does not take this rig */
    Skinner *timed;     /* that is timed now; NULL: none */
    float *positions;   /* [BLOCK][N][3] */
    SkinWear *wears;    /* [F] */
    JointWear *joints;  /* [F][P] */
    double *holes;      /* scratch */
    double jump, error; /* error: sum of squares of distances from the reference */
    TimedTask task;
    const struct Contest *contest;
    Status status;
} Contender;

typedef struct Contest {
    const Dataset *dataset;
    const AdviseOptions *options;
    SkinAtRest rest;
    Gauntlet gauntlet;
    Rig pruned; /* its weights are its own, all else is the rig's */
    Contender *contenders;
    int contender_count, block;
    int reference;   /* the method that errors are against; -1: the file's shapes, or none */
    float *elastic;  /* [F][N][3] the reference in all poses; NULL: it is another */
    int error_poses; /* that count in errors */
    int *joints;     /* [joint_used of the advice] which joint of the rig each is */
} Contest;

/* A method that cannot take the rig, or fails on it, is out, for this reason. */
void contender_drop(AdviceMethod *method, Contender *contender, Status failure);

/* Skins `count` poses from `first` on to contender->positions. block_skin by contender->skinner;
 * STATUS_BAD_INPUT: a vertex is not finite. */
Status poses_skin(const Contest *contest, Contender *contender, Skinner *skinner, int first, int count);
Status block_skin(const Contest *contest, Contender *contender, int first, int count);

/* What a pose is compared with, of a block that starts with it: [N][3]; NULL: nothing. */
const float *reference_shape(const Contest *contest, int block, int pose);

/* Skins all poses with all methods, and measures what each does to the skin. */
Status poses_judge(Contest *contest, Advice *advice);

/* Then collapse, bulge and difference of every method at every joint, and the means over poses. */
Status joints_judge(Contest *contest, Advice *advice);

/* The greatest of a joint's wear over the poses, as per cent, by its place in JointWear; in which pose, or
 * NULL. */
double joint_max(const Contest *contest, const Contender *contender, int joint, size_t member, int *pose);

/* Sorts joints by how much the methods that are shown differ there; makes views of the first few. */
Status views_make(Contest *contest, Advice *advice);
