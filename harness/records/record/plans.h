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
    bool two_phase; /* two-phase skinning, as in SkinnerOptions */
} SkinningPlan;

/* Plans a method with its defaults and `settings` (name=value), on backend `reference` with one thread. The
 * caller sets the other members. STATUS_USAGE for an unknown method or parameter. */
Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out);

/* Makes the cell of a plan, without data and poses. Release with cell_clear. */
Status skinning_plan_cell(const SkinningPlan *plan, Cell *out);

/* Whether two plans use the same method, parameters and phases. skinning_plan_same also compares backend,
 * level and threads. */
bool skinning_plan_same_method(const SkinningPlan *a, const SkinningPlan *b);
bool skinning_plan_same(const SkinningPlan *a, const SkinningPlan *b);

/* Return the plans with which a plan is compared: LBS with its defaults, and the same method on one thread
 * without vector instructions. All other members are equal. */
SkinningPlan skinning_plan_of_lbs(const SkinningPlan *plan);
SkinningPlan skinning_plan_of_scalar(const SkinningPlan *plan);

enum { SETTINGS_MAX = 16, SETTING_BYTES = 64, METHOD_NAME_BYTES = CELL_METHOD_BYTES };

typedef struct FitPlan {
    char method[METHOD_NAME_BYTES];
    int bones, influences, iterations, threads;
    double time_limit_s;
    int holdout;  /* every K-th frame is left out of the fit; 0: none */
    double error; /* E_RMS to reach with the fewest bones, at most `bones`; 0: fit exactly `bones` bones */
    int seed;     /* seed of all random choices; 0: the default, 1 */
    int repeats;  /* minimum number of timed runs; cheap fits run more often, until an interval is known; 0:
                     one run, whose time is not needed */
    char settings[SETTINGS_MAX][SETTING_BYTES]; /* name=value texts that override the method's defaults */
    int setting_count;
    bool external; /* whether `method` is the name of an external program, which has no settings */
} FitPlan;

/* Looks up the method of a fit and its parameter values. STATUS_USAGE for an unknown method or
 * parameter. */
Status fit_plan_resolve(const FitPlan *fit, const DecompositionMethod **method, ParameterValues *values);

/* Makes the cell of a fit, without data. Release with cell_clear. */
Status fit_plan_cell(const FitPlan *fit, Cell *out);
