#include "harness/run/bench/group.h"

SkinningCell *group_cell_find(const Group *group, const SkinningPlan *plan)
{
    for (int i = 0; i < group->cell_count; i++)
        if (skinning_plan_same(&group->cells[i].plan, plan))
            return &group->cells[i];
    return NULL;
}

Status group_reference_make(Group *group, const SkinningPlan *wanted)
{
    if (group->reference_of && skinning_plan_same_method(group->reference_of, wanted))
        return group->reference_status;
    SkinningPlan plan = *wanted;
    plan.backend = &backend_reference;
    plan.level[0] = '\0';
    plan.threads = group->bench->threads;
    skinner_free(group->reference);
    skinner_cache_clear(&group->cache);
    group->reference = NULL;
    group->reference_of = wanted;
    group->counter_count = 0;
    group->reference_status =
        skinner_run_once(&plan, group->subject, &group->posing, &group->cache, &group->reference);
    if (group->reference_status.code == STATUS_OK)
        group->reference_status = skinning_counters(group->reference, plan.entry->method, &group->posing,
                                                    group->counters, &group->counter_count);
    return group->reference_status;
}
