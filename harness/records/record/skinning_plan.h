/* One way to skin, as it is asked for and as the cell of a record. */
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
