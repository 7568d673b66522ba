/* Makes plans from names, compares them, and converts them to cells. */
#include "harness/records/record/plans.h"

Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out)
{
    SkinningPlan plan = {.backend = &backend_reference, .threads = 1};
    STATUS_TRY(skinning_entry_named(method, &plan.entry));
    const SkinningMethod *rows = plan.entry->method;
    plan.parameters = parameters_default(rows->parameters);
    for (int i = 0; i < setting_count; i++)
        STATUS_TRY(parameters_set(rows->parameters, method, settings[i], &plan.parameters));
    *out = plan;
    return status_ok();
}

Status skinning_plan_cell(const SkinningPlan *plan, Cell *out)
{
    const SkinningMethod *method = plan->entry->method;
    *out = (Cell){.kind = CELL_SKINNING,
                  .threads = plan->threads,
                  .normals = plan->normals,
                  .two_phase = plan->two_phase};
    snprintf(out->method, sizeof out->method, "%s", method->name);
    snprintf(out->backend, sizeof out->backend, "%s", plan->backend->name);
    snprintf(out->level, sizeof out->level, "%s", plan->level);
    return arguments_of(method->parameters, &plan->parameters, &out->parameters);
}

bool skinning_plan_same_method(const SkinningPlan *a, const SkinningPlan *b)
{
    bool same = a->entry == b->entry && a->normals == b->normals && a->two_phase == b->two_phase &&
                strcmp(a->parameters.attribute, b->parameters.attribute) == 0;
    for (int i = 0; same && i < PARAMETERS_MAX; i++)
        same = a->parameters.values[i] == b->parameters.values[i];
    return same;
}

bool skinning_plan_same(const SkinningPlan *a, const SkinningPlan *b)
{
    return skinning_plan_same_method(a, b) && a->backend == b->backend && a->threads == b->threads &&
           strcmp(a->level, b->level) == 0;
}

SkinningPlan skinning_plan_of_lbs(const SkinningPlan *plan)
{
    SkinningPlan lbs = *plan;
    const SkinningEntry *entry = skinning_entry_find("lbs");
    if (entry) {
        lbs.entry = entry;
        lbs.parameters = parameters_default(entry->method->parameters);
    }
    return lbs;
}

SkinningPlan skinning_plan_of_scalar(const SkinningPlan *plan)
{
    SkinningPlan scalar = *plan;
    scalar.backend = &backend_scalar;
    scalar.threads = 1;
    scalar.level[0] = '\0';
    return scalar;
}

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
    *out = (Cell){.kind = CELL_DECOMPOSITION, .threads = fit->threads};
    snprintf(out->backend, sizeof out->backend, "%s", fit->external ? CELL_BACKEND_EXTERNAL : "host");
    snprintf(out->method, sizeof out->method, "%s", fit->method);
    if (!fit->external) {
        STATUS_TRY(fit_plan_resolve(fit, &method, &values));
        STATUS_TRY(arguments_of(method->parameters, &values, parameters));
    }
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
