#include "harness/records/record/fit_plan.h"

Status fit_plan_resolve(const FitPlan *fit, const DecompositionMethod **method, ParameterValues *values)
{
    STATUS_TRY(decomposition_method_named(fit->method, method));
    *values = parameters_default((*method)->parameters);
    for (int i = 0; i < fit->setting_count; i++)
        STATUS_TRY(parameters_set((*method)->parameters, fit->method, fit->settings[i], values));
    return status_ok();
}

Status fit_plan_cell(const FitPlan *fit, Cell *out)
{
    const DecompositionMethod *method = NULL;
    ParameterValues values;
    Argument **parameters = &out->parameters;
    *out = (Cell){.kind = CELL_DECOMPOSITION, .threads = fit->threads, .backend = "host"};
    STATUS_TRY(fit_plan_resolve(fit, &method, &values));
    snprintf(out->method, sizeof out->method, "%s", fit->method);
    STATUS_TRY(arguments_of(method->parameters, &values, parameters));
    STATUS_TRY(argument_set_number(parameters, "bones", true, fit->bones));
    STATUS_TRY(argument_set_number(parameters, "influences", true, fit->influences));
    STATUS_TRY(argument_set_number(parameters, "iterations", true, fit->iterations));
    STATUS_TRY(argument_set_number(parameters, "time_limit_s", false, fit->time_limit_s));
    if (fit->holdout > 0)
        STATUS_TRY(argument_set_number(parameters, "holdout", true, fit->holdout));
    if (fit->error > 0.0)
        STATUS_TRY(argument_set_number(parameters, "error", false, fit->error));
    if (fit->seed > 1)
        STATUS_TRY(argument_set_number(parameters, "seed", true, fit->seed));
    return status_ok();
}
