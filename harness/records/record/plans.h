/* One way to skin and one decomposition, as they are asked for and as the cells of records. */
#pragma once

#include "harness/records/record/cell.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"

typedef struct SkinningPlan {
    const SkinningEntry *entry; /* the method */
    ParameterValues parameters;
    const Backend *backend;
    char level[CELL_LEVEL_BYTES]; /* instruction-set level; "": the best */
    int threads;
    bool normals;
    bool two_phase; /* SkinnerOptions' two_phase */
} SkinningPlan;

/* A plan of a method under its defaults and `settings` (name=value), for the rest to be filled in:
 * `reference`, one thread. STATUS_USAGE for a method or parameter that is not known. */
Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out);

/* The cell of a plan, without data and poses. Release with cell_clear. */
Status skinning_plan_cell(const SkinningPlan *plan, Cell *out);

/* Whether two plans skin by the same method with the same parameters and phases; and on the same backend,
 * level and threads. */
bool skinning_plan_same_method(const SkinningPlan *a, const SkinningPlan *b);
bool skinning_plan_same(const SkinningPlan *a, const SkinningPlan *b);

/* What ratios are taken against, everything else the same: LBS with its defaults; the same method on one
 * thread without vectors. */
SkinningPlan skinning_plan_of_lbs(const SkinningPlan *plan);
SkinningPlan skinning_plan_of_scalar(const SkinningPlan *plan);

enum { SETTINGS_MAX = 16, SETTING_BYTES = 64, METHOD_NAME_BYTES = CELL_METHOD_BYTES };

typedef struct FitPlan {
    char method[METHOD_NAME_BYTES];
    int bones, influences, iterations, threads;
    double time_limit_s;
    int holdout; /* every K-th frame is kept out of the fit; 0: none */
    double
        error; /* the fewest bones that reach this E_RMS are sought, `bones` at most; 0: `bones` are fitted */
    int seed;  /* of every random choice; 0: the default, 1 */
    int repeats; /* how often the fit is run for its time at least, a cheap one often enough for an interval;
                    0: once, its time does not matter */
    char settings[SETTINGS_MAX][SETTING_BYTES]; /* name=value, beside the method's defaults */
    int setting_count;
} FitPlan;

/* The method and the values of its parameters; STATUS_USAGE for one that is unknown. */
Status fit_plan_resolve(const FitPlan *fit, const DecompositionMethod **method, ParameterValues *values);

/* The cell of a fit, without data. Release with cell_clear. */
Status fit_plan_cell(const FitPlan *fit, Cell *out);
