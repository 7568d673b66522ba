/* The parameters and numbers of a comparison, and which numbers each paper's code computes. */
#include "harness/measure/score/score.h"

/* Kinds of numbers. Those that no paper defines alone are in every variant. */
enum { CHAMFER = 1, JOINTS = 2, WEIGHTS = 4, ROW = 8, ENTRY = 16, COLUMN = 32, SKIN_IOU = 64, ALL = 127 };

static const char *const variant_words[] = {
    "rignet",
    "",
    "exact",
    "bones=exact",
    "magicarticulate",
    "cleanup=clip-merge",
    "puppeteer",
    "cleanup=clip-merge influence=0 prune-below=0.001 prune-relative=0.15",
    "unirig",
    "unit=box-joints bones=count",
    "nbs",
    "unit=file bones=squared",
    "anymate",
    "unit=box2 tolerance=0.1 influence=0.05 pooling=vertex",
    NULL};
static const unsigned variant_groups[] = {ALL,
                                          ALL,
                                          CHAMFER | ROW,
                                          CHAMFER | WEIGHTS | ROW,
                                          CHAMFER | SKIN_IOU | ENTRY,
                                          CHAMFER | COLUMN,
                                          CHAMFER | JOINTS | WEIGHTS | ROW | ENTRY};
static const char *const unit_words[] = {"box", "box-joints", "box2", "file", "diagonal", NULL};
static const char *const cleanup_words[] = {"none", "clip", "merge", "clip-merge", NULL};
static const char *const bones_words[] = {"step", "count", "exact", "squared", NULL};
static const char *const pooling_words[] = {"pooled", "vertex", NULL};
static const char *const match_words[] = {"auto", "names", "order", "hungarian", NULL};
static const char *const unmatched_words[] = {"own", "parent", NULL};

const Parameter score_parameters[SCORE_PARAMETERS + 1] = {
    {"variant", "the paper whose code the other parameters imitate", PARAMETER_PRESET, 0, 0, 0,
     variant_words},
    {"unit", "length that counts as 1", PARAMETER_CHOICE, 0, 0, 0, unit_words},
    {"cleanup", "whether joints are clipped to the box, and near joints merged", PARAMETER_CHOICE, 0, 0, 0,
     cleanup_words},
    {"bones", "what a bone is: points every 0.005, 100 points, the segment, or squared distances to it",
     PARAMETER_CHOICE, 0, 0, 0, bones_words},
    {"tolerance", "distance below which a joint is found; 0: half the diameter of the mesh there",
     PARAMETER_REAL, 0, 0, 1e6, NULL},
    {"influence", "weight above which a joint influences a vertex", PARAMETER_REAL, 1e-4, 0, 1, NULL},
    {"pooling", "precision and recall over all weights, or the mean over vertices", PARAMETER_CHOICE, 0, 0, 0,
     pooling_words},
    {"prune-below", "predicted weights below this are dropped first", PARAMETER_REAL, 0, 0, 1, NULL},
    {"prune-relative", "predicted weights below this share of a vertex's largest are dropped first",
     PARAMETER_REAL, 0, 0, 1, NULL},
    {"match", "how joints are paired; auto: by names if both rigs have the same", PARAMETER_CHOICE, 0, 0, 0,
     match_words},
    {"unmatched", "weights of joints without a partner: a column of their own, or their ancestor's",
     PARAMETER_CHOICE, 0, 0, 0, unmatched_words},
    {"poses", "number of random poses", PARAMETER_INTEGER, 10, 0, SCORE_POSES_MAX, NULL},
    {"angle", "bound of each component of a random rotation vector, in degrees", PARAMETER_REAL, 60, 0, 180,
     NULL},
    {"seed", "seed of the random poses", PARAMETER_INTEGER, 1, 0, 1 << 30, NULL},
    {NULL, NULL, PARAMETER_REAL, 0, 0, 0, NULL}};

#define LOWER METRIC_LOWER
#define HIGHER METRIC_HIGHER
const ScoreRow score_rows[SCORE_COUNT] = {
    [SCORE_CD_J2J] = {"cd_j2j", "CD-J2J", LOWER, CHAMFER},
    [SCORE_CD_J2B] = {"cd_j2b", "CD-J2B", LOWER, CHAMFER},
    [SCORE_CD_B2B] = {"cd_b2b", "CD-B2B", LOWER, CHAMFER},
    [SCORE_JOINT_IOU] = {"joint_iou", "joint IoU", HIGHER, JOINTS},
    [SCORE_JOINT_JACCARD] = {"joint_jaccard", "joints, Jaccard index", HIGHER, JOINTS},
    [SCORE_JOINT_PRECISION] = {"joint_precision", "joint precision", HIGHER, JOINTS},
    [SCORE_JOINT_RECALL] = {"joint_recall", "joint recall", HIGHER, JOINTS},
    [SCORE_NEAREST_PRECISION] = {"nearest_precision", "joint precision, many to one", HIGHER, JOINTS},
    [SCORE_NEAREST_RECALL] = {"nearest_recall", "joint recall, many to one", HIGHER, JOINTS},
    [SCORE_TREE_EDIT] = {"tree_edit_distance", "tree edit distance", LOWER, JOINTS},
    [SCORE_CONNECTIVITY] = {"connectivity", "joints with a true neighbour as parent", HIGHER, JOINTS},
    [SCORE_MPJPE] = {"mpjpe", "MPJPE, joints of one name", LOWER, 0},
    [SCORE_MAE] = {"mae", "MAE, joints of one name", LOWER, 0},
    [SCORE_J2J_PAIRS] = {"j2j_pairs", "mean distance of Hungarian pairs", LOWER, 0},
    [SCORE_S_EMD] = {"s_emd", "S-EMD", LOWER, 0},
    [SCORE_WEIGHT_PRECISION] = {"weight_precision", "weight precision", HIGHER, WEIGHTS},
    [SCORE_WEIGHT_RECALL] = {"weight_recall", "weight recall", HIGHER, WEIGHTS},
    [SCORE_L1_ROW] = {"l1_row", "weight L1 by vertex", LOWER, ROW},
    [SCORE_L1_ENTRY] = {"l1_entry", "weight L1 by entry", LOWER, ENTRY},
    [SCORE_L1_MAX] = {"l1_max", "weight L1, greatest", LOWER, ROW},
    [SCORE_L1_COLUMN] = {"l1_column", "weight L1 by nearest column", LOWER, COLUMN},
    [SCORE_SKIN_IOU] = {"skin_iou_0.1", "skin IoU at 0.1", HIGHER, SKIN_IOU},
    [SCORE_SKIN_IOU + 1] = {"skin_iou_0.01", "skin IoU at 0.01", HIGHER, SKIN_IOU},
    [SCORE_SKIN_IOU + 2] = {"skin_iou_0.001", "skin IoU at 0.001", HIGHER, SKIN_IOU},
    [SCORE_WITHIN] = {"within_0.001", "entries within 0.001", HIGHER, SKIN_IOU},
    [SCORE_WITHIN + 1] = {"within_0.005", "entries within 0.005", HIGHER, SKIN_IOU},
    [SCORE_WITHIN + 2] = {"within_0.01", "entries within 0.01", HIGHER, SKIN_IOU},
    [SCORE_WITHIN + 3] = {"within_0.05", "entries within 0.05", HIGHER, SKIN_IOU},
    [SCORE_L1_OUTSIDE] = {"l1_outside", "weight L1 where the true weight is 0", LOWER, SKIN_IOU},
    [SCORE_L1_INSIDE] = {"l1_inside", "weight L1 where it is not", LOWER, SKIN_IOU},
    [SCORE_BLEED] = {"bleed", "weight on wrong joints", LOWER, 0},
    [SCORE_MISSED] = {"missed", "true weight on joints that have none", LOWER, 0},
    [SCORE_INFLUENCES_MEAN] = {"influences_mean", "influences, mean", METRIC_NEITHER, 0},
    [SCORE_INFLUENCES_MAX] = {"influences_max", "influences, greatest", METRIC_NEITHER, 0},
    [SCORE_ABOVE_4] = {"above_4", "vertices with more than 4 influences", METRIC_NEITHER, 0},
    [SCORE_ACTIVE] = {"active", "active entries", METRIC_NEITHER, 0},
    [SCORE_DEFORMATION_MEAN] = {"deformation_mean", "random poses, mean distance", LOWER, 0},
    [SCORE_DEFORMATION_MAX] = {"deformation_max", "random poses, greatest distance, mean", LOWER, 0},
    [SCORE_DEFORMATION_WORST] = {"deformation_worst", "random poses, greatest distance", LOWER, 0},
    [SCORE_REPLAY_MEAN] = {"replay_mean", "true frames, mean distance", LOWER, 0},
    [SCORE_REPLAY_MAX] = {"replay_max", "true frames, greatest distance, mean", LOWER, 0},
    [SCORE_REPLAY_WORST] = {"replay_worst", "true frames, greatest distance", LOWER, 0},
    [SCORE_PAIRS] = {"pairs", "joints with a partner", METRIC_NEITHER, 0},
    [SCORE_JOINTS] = {"joints", "predicted joints", METRIC_NEITHER, 0},
    [SCORE_TRUE_JOINTS] = {"true_joints", "true joints", METRIC_NEITHER, 0},
    [SCORE_VERTEX_DISTANCE] = {"vertex_distance", "farthest vertex from its counterpart", METRIC_NEITHER, 0},
};

bool score_exists(ScoreId id, const ParameterValues *parameters)
{
    const unsigned group = score_rows[id].group;
    return group == 0 || (group & variant_groups[(int)parameters->values[SCORE_VARIANT]]);
}
