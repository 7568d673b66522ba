#include "datasets/base/grouping.h"

#include "datasets/base/memory.h"

Status grouping_init(const int32_t *group_of, size_t item_count, int group_count, const char *what,
                     Grouping *out)
{
    size_t used = 0;
    *out = (Grouping){0};
    if (item_count > INT32_MAX)
        return status_make(STATUS_SYSTEM, "%s: %zu items, expected at most %d", what, item_count, INT32_MAX);
    for (size_t i = 0; i < item_count; i++)
        used += group_of[i] >= 0;
    *out = (Grouping){.group_count = group_count,
                      .first = memory_array((size_t)group_count + 2, sizeof *out->first),
                      .members = memory_array(used, sizeof *out->members)};
    if (!out->first || !out->members) {
        grouping_clear(out);
        return status_out_of_memory(what);
    }
    /* next[g] is the place for the next member of group g; when the group is complete, it is first[g + 1] */
    int64_t *next = out->first + 1;
    for (size_t i = 0; i < item_count; i++)
        if (group_of[i] >= 0)
            next[group_of[i] + 1]++;
    for (int g = 0; g < group_count; g++)
        next[g + 1] += next[g];
    for (size_t i = 0; i < item_count; i++)
        if (group_of[i] >= 0)
            out->members[next[group_of[i]]++] = (int32_t)i;
    return status_ok();
}

void grouping_clear(Grouping *grouping)
{
    FREE_ALL(grouping->first, grouping->members);
    *grouping = (Grouping){0};
}
