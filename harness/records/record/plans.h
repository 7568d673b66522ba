/* Plans of skinning and of decompositions, as requested by users, and their conversion to cells. */
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
    bool two_phase; /* as in SkinnerOptions */
} SkinningPlan;

/* Plans a method on `reference` with one thread, its defaults and `settings` (name=value). The caller sets
 * the other members. STATUS_USAGE for an unknown method or parameter. */
Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out);

/* The cell of a plan, without data and poses. Release with cell_clear. */
Status skinning_plan_cell(const SkinningPlan *plan, Cell *out);

/* Whether two plans use the same method, parameters and phases; skinning_plan_same also compares backend,
 * level and threads. */
bool skinning_plan_same_method(const SkinningPlan *a, const SkinningPlan *b);
bool skinning_plan_same(const SkinningPlan *a, const SkinningPlan *b);

/* The plans that ratios compare with: LBS with its defaults, and the same method on one thread without
 * vectors. All else is equal. */
SkinningPlan skinning_plan_of_lbs(const SkinningPlan *plan);
SkinningPlan skinning_plan_of_scalar(const SkinningPlan *plan);

enum { SETTINGS_MAX = 16, SETTING_BYTES = 64, METHOD_NAME_BYTES = CELL_METHOD_BYTES };

typedef struct FitPlan {
    char method[METHOD_NAME_BYTES];
    int bones, influences, iterations, threads;
    double time_limit_s;
    int holdout;  /* keep every K-th frame out of the fit; 0: none */
    double error; /* find the fewest bones, up to `bones`, that reach this E_RMS; 0: fit `bones` bones */
    int seed;     /* seed of all random choices; 0: the default, 1 */
    int repeats;  /* smallest number of runs for the time; cheap fits run often enough for an interval; 0:
                     once, the time does not matter */
    char settings[SETTINGS_MAX][SETTING_BYTES]; /* name=value texts that override the method's defaults */
    int setting_count;
} FitPlan;

/* Looks up the method and its parameter values. STATUS_USAGE for an unknown one. */
Status fit_plan_resolve(const FitPlan *fit, const DecompositionMethod **method, ParameterValues *values);

/* The cell of a fit, without data. Release with cell_clear. */
Status fit_plan_cell(const FitPlan *fit, Cell *out);
