/* The parts of score_rigs, one file each. */
#pragma once

#include "harness/measure/score/score.h"

/* Sets the length that is 1 in the scores, and the middle of the box whose size it is. */
typedef struct ScoreFrame {
    double unit, box; /* unit in use; longest edge of the mesh's box */
    Vec3 middle;
} ScoreFrame;

/* A skeleton in the unit in use, after its clean-up. */
typedef struct BoneGraph {
    int joint_count, bone_count;
    Vec3 *joints;     /* [joint_count] */
    int32_t *parents; /* [joint_count] -1: root. A clean-up may put a parent after its child. */
    int32_t *bones;   /* [bone_count][2] parent and child */
} BoneGraph;

Status bone_graph_init(const Rig *rig, const ScoreFrame *frame, const ParameterValues *parameters,
                       BoneGraph *out);
void bone_graph_clear(BoneGraph *skeleton);

/* Returns the largest distance at which a joint of the skeleton, if it is predicted there, counts as found:
 * tolerances [joint_count]. */
Status bone_graph_tolerances(const BoneGraph *skeleton, const Mesh *mesh, const ScoreFrame *frame,
                             const ParameterValues *parameters, double *tolerances);

/* Weights of the vertices of the true mesh, [vertices][slots]. */
typedef struct ScoreWeights {
    int vertices, slots; /* slots: 0 if there are no weights */
    int32_t *joints;
    double *values;
} ScoreWeights;

/* The joints that belong together. */
typedef struct RigMatch {
    int32_t *partner; /* [predicted joints] true joint, or -1 */
    int32_t *found;   /* [true joints] predicted joint, or -1 */
    /* [predicted joints] column of a joint's weights: a true joint, or true joints + j if it has its own */
    int32_t *column;
    int pairs;
} RigMatch;

/* The distances between joints, bones and skeletons. */
Status score_skeletons(const BoneGraph *skeleton, const BoneGraph *truth, const double *tolerances,
                       const ParameterValues *parameters, ScoreExtent extent, Score *out);
/* Counts the joints that must be inserted or deleted to turn one ordered tree into the other (Zhang and
 * Shasha 1989). NAN if this would take too long. */
Status tree_edit_distance(const BoneGraph *one, const BoneGraph *other, double *distance);
/* Compares weights in columns of joints that belong together. */
Status score_weights(const ScoreTask *task, const ScoreWeights *weights, const ScoreWeights *truth,
                     const RigMatch *match, Score *out);
/* Compares skins under poses. */
Status score_poses(const ScoreTask *task, const ScoreWeights *weights, const ScoreWeights *truth,
                   const RigMatch *match, double box, Score *out);
