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

/* The numbers: X(id, name, title, which is better, kind). */
/* clang-format off */
#define SCORE_LIST(X) \
    X(CD_J2J, "cd_j2j", "CD-J2J", LOWER, CHAMFER) \
    X(CD_J2B, "cd_j2b", "CD-J2B", LOWER, CHAMFER) \
    X(CD_B2B, "cd_b2b", "CD-B2B", LOWER, CHAMFER) \
    X(JOINT_IOU, "joint_iou", "joint IoU", HIGHER, JOINTS) \
    X(JOINT_JACCARD, "joint_jaccard", "joints, Jaccard index", HIGHER, JOINTS) \
    X(JOINT_PRECISION, "joint_precision", "joint precision", HIGHER, JOINTS) \
    X(JOINT_RECALL, "joint_recall", "joint recall", HIGHER, JOINTS) \
    X(NEAREST_PRECISION, "nearest_precision", "joint precision, many to one", HIGHER, JOINTS) \
    X(NEAREST_RECALL, "nearest_recall", "joint recall, many to one", HIGHER, JOINTS) \
    X(TREE_EDIT, "tree_edit_distance", "tree edit distance", LOWER, JOINTS) \
    X(CONNECTIVITY, "connectivity", "joints with a true neighbour as parent", HIGHER, JOINTS) \
    X(MPJPE, "mpjpe", "MPJPE, joints of one name", LOWER, 0) \
    X(MAE, "mae", "MAE, joints of one name", LOWER, 0) \
    X(J2J_PAIRS, "j2j_pairs", "mean distance of Hungarian pairs", LOWER, 0) \
    X(S_EMD, "s_emd", "S-EMD", LOWER, 0) \
    X(WEIGHT_PRECISION, "weight_precision", "weight precision", HIGHER, WEIGHTS) \
    X(WEIGHT_RECALL, "weight_recall", "weight recall", HIGHER, WEIGHTS) \
    X(L1_ROW, "l1_row", "weight L1 by vertex", LOWER, ROW) \
    X(L1_ENTRY, "l1_entry", "weight L1 by entry", LOWER, ENTRY) \
    X(L1_MAX, "l1_max", "weight L1, greatest", LOWER, ROW) \
    X(L1_COLUMN, "l1_column", "weight L1 by nearest column", LOWER, COLUMN) \
    X(SKIN_IOU, "skin_iou_0.1", "skin IoU at 0.1", HIGHER, SKIN_IOU) \
    X(SKIN_IOU_1, "skin_iou_0.01", "skin IoU at 0.01", HIGHER, SKIN_IOU) \
    X(SKIN_IOU_2, "skin_iou_0.001", "skin IoU at 0.001", HIGHER, SKIN_IOU) \
    X(WITHIN, "within_0.001", "entries within 0.001", HIGHER, SKIN_IOU) \
    X(WITHIN_1, "within_0.005", "entries within 0.005", HIGHER, SKIN_IOU) \
    X(WITHIN_2, "within_0.01", "entries within 0.01", HIGHER, SKIN_IOU) \
    X(WITHIN_3, "within_0.05", "entries within 0.05", HIGHER, SKIN_IOU) \
    X(L1_OUTSIDE, "l1_outside", "weight L1 where the true weight is 0", LOWER, SKIN_IOU) \
    X(L1_INSIDE, "l1_inside", "weight L1 where it is not", LOWER, SKIN_IOU) \
    X(BLEED, "bleed", "weight on wrong joints", LOWER, 0) \
    X(MISSED, "missed", "true weight on joints that have none", LOWER, 0) \
    X(INFLUENCES_MEAN, "influences_mean", "influences, mean", NEITHER, 0) \
    X(INFLUENCES_MAX, "influences_max", "influences, greatest", NEITHER, 0) \
    X(ABOVE_4, "above_4", "vertices with more than 4 influences", NEITHER, 0) \
    X(ACTIVE, "active", "active entries", NEITHER, 0) \
    X(DEFORMATION_MEAN, "deformation_mean", "random poses, mean distance", LOWER, 0) \
    X(DEFORMATION_MAX, "deformation_max", "random poses, greatest distance, mean", LOWER, 0) \
    X(DEFORMATION_WORST, "deformation_worst", "random poses, greatest distance", LOWER, 0) \
    X(REPLAY_MEAN, "replay_mean", "true frames, mean distance", LOWER, 0) \
    X(REPLAY_MAX, "replay_max", "true frames, greatest distance, mean", LOWER, 0) \
    X(REPLAY_WORST, "replay_worst", "true frames, greatest distance", LOWER, 0) \
    X(PAIRS, "pairs", "joints with a partner", NEITHER, 0) \
    X(JOINTS, "joints", "predicted joints", NEITHER, 0) \
    X(TRUE_JOINTS, "true_joints", "true joints", NEITHER, 0) \
    X(VERTEX_DISTANCE, "vertex_distance", "farthest vertex from its counterpart", NEITHER, 0)
/* clang-format on */

#define SCORE_ID(id, ...) SCORE_##id,
typedef enum ScoreId { SCORE_LIST(SCORE_ID) SCORE_COUNT } ScoreId;

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

/* Fills transforms [frame_count][joints] with random poses. Each joint turns about its place at rest by a
 * rotation vector whose components are uniform within the angle (score_poses.c). */
Status rig_pose_randomly(const Rig *rig, double angle_rad, uint64_t seed, Transform *transforms);

/* Computes all numbers. The status is that of score_check for either rig, or STATUS_SYSTEM. */
Status score_rigs(const ScoreTask *task, Score *out);

/* Computes the score of a prediction that failed: a rig of one joint without a partner in the middle of the
 * mesh, which has all weights. Numbers of which more is better are 0. */
Status score_failure(const ScoreTask *task, Score *out);
