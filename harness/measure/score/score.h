/* Compares a predicted rig with a true one by the metrics of papers on learned rigging (RigNet and its
 * successors). Papers use one name for different numbers, so every option is a parameter, and a variant is
 * a preset of parameters that reproduces one paper's code. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

/* Order of score_parameters. */
enum {
    SCORE_VARIANT,
    SCORE_UNIT,
    SCORE_CLEANUP,
    SCORE_BONES,
    SCORE_TOLERANCE,
    SCORE_INFLUENCE,
    SCORE_POOLING,
    SCORE_PRUNE_BELOW,
    SCORE_PRUNE_RELATIVE,
    SCORE_MATCH,
    SCORE_UNMATCHED,
    SCORE_POSES,
    SCORE_ANGLE,
    SCORE_SEED,
    SCORE_PARAMETERS
};
extern const Parameter score_parameters[SCORE_PARAMETERS + 1];

typedef enum ScoreId {
    SCORE_CD_J2J,
    SCORE_CD_J2B,
    SCORE_CD_B2B,
    SCORE_JOINT_IOU,
    SCORE_JOINT_JACCARD,
    SCORE_JOINT_PRECISION,
    SCORE_JOINT_RECALL,
    SCORE_NEAREST_PRECISION,
    SCORE_NEAREST_RECALL,
    SCORE_TREE_EDIT,
    SCORE_CONNECTIVITY,
    SCORE_MPJPE,
    SCORE_MAE,
    SCORE_J2J_PAIRS,
    SCORE_S_EMD,
    SCORE_WEIGHT_PRECISION,
    SCORE_WEIGHT_RECALL,
    SCORE_L1_ROW,
    SCORE_L1_ENTRY,
    SCORE_L1_MAX,
    SCORE_L1_COLUMN,
    SCORE_SKIN_IOU,                    /* at weights of 0.1, 0.01 and 0.001 */
    SCORE_WITHIN = SCORE_SKIN_IOU + 3, /* 0.001, 0.005, 0.01 and 0.05 */
    SCORE_L1_OUTSIDE = SCORE_WITHIN + 4,
    SCORE_L1_INSIDE,
    SCORE_BLEED,
    SCORE_MISSED,
    SCORE_INFLUENCES_MEAN,
    SCORE_INFLUENCES_MAX,
    SCORE_ABOVE_4,
    SCORE_ACTIVE,
    SCORE_DEFORMATION_MEAN,
    SCORE_DEFORMATION_MAX,
    SCORE_DEFORMATION_WORST,
    SCORE_REPLAY_MEAN,
    SCORE_REPLAY_MAX,
    SCORE_REPLAY_WORST,
    SCORE_PAIRS,
    SCORE_JOINTS,
    SCORE_TRUE_JOINTS,
    SCORE_VERTEX_DISTANCE,
    SCORE_COUNT
} ScoreId;

/* A number of a comparison. */
typedef struct ScoreRow {
    const char *name, *title;
    MetricBetter better;
    unsigned group; /* the kind of number; a variant lists the kinds that its paper's code computes */
} ScoreRow;
extern const ScoreRow score_rows[SCORE_COUNT];

/* Whether the variant has the number. */
bool score_exists(ScoreId id, const ParameterValues *parameters);

typedef struct Score {
    double values[SCORE_COUNT]; /* NAN if a number does not exist or the variant does not have it */
    double box;                 /* longest edge of the mesh's box */
} Score;

enum { SCORE_JOINTS_MAX = 2048, SCORE_POSES_MAX = 1000 };

/* What is compared. Both rigs have the same axes and unit. */
typedef struct ScoreTask {
    const Mesh *mesh; /* mesh of the true rig */
    const Rig *truth;
    const Mesh *rig_mesh; /* mesh of the predicted rig; without vertices, only skeletons are compared */
    const Rig *rig;
    const int32_t *rows; /* [vertices of mesh] row of the predicted rig for each vertex; NULL: that of the
                            nearest vertex of rig_mesh */
    ParameterValues parameters; /* of score_parameters */
    /* [pose_count][true joints] rotation vectors in radians, which replace those that are drawn; or NULL */
    const Vec3 *turns;
    int pose_count;
    int replay_first, replay_count; /* frames of the true rig that both rigs also replay */
} ScoreTask;

/* Whether a rig can be compared. `what` names the rig in the message of STATUS_BAD_INPUT: it has no joints,
 * no bones or too many, all its joints are in one place, or a joint is far outside the mesh. */
Status score_check(const Mesh *mesh, const Rig *rig, const char *what);

/* How score_compare compares: everything; names, distances of joints and weights only; or a prediction that
 * failed, whose single joint has no partner. */
typedef enum ScoreExtent { SCORE_WHOLE, SCORE_QUICK, SCORE_FAILED } ScoreExtent;

/* Compares rigs without score_check, which the caller must replace. */
Status score_compare(const ScoreTask *task, ScoreExtent extent, Score *out);

/* Computes all numbers. The status is that of score_check for either rig, or STATUS_SYSTEM. */
Status score_rigs(const ScoreTask *task, Score *out);

/* Computes the score of a prediction that failed: a rig of one joint without a partner in the middle of the
 * mesh, which has all weights. Numbers of which more is better are 0. */
Status score_failure(const ScoreTask *task, Score *out);
