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

#define SCORE_ROW(id, name, title, better, kind) {name, title, METRIC_##better, kind},
const ScoreRow score_rows[SCORE_COUNT] = {SCORE_LIST(SCORE_ROW)};

bool score_exists(ScoreId id, const ParameterValues *parameters)
{
    const unsigned group = score_rows[id].group;
    return group == 0 || (group & variant_groups[(int)parameters->values[SCORE_VARIANT]]);
}
