/* One decomposition, as it is asked for and as the cell of a record. */
#pragma once

#include "harness/records/record/cell.h"
#include "methods/registry.h"

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
