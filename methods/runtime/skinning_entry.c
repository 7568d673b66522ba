#include "methods/runtime/skinning_entry.h"

Status skinning_entry_check(const SkinningEntry *entry)
{
    const SkinningMethod *method = entry->method;
    const int variants = method->variant_count > 1 ? method->variant_count : 1;
    STATUS_TRY(skinning_method_check(method));
    if (strcmp(entry->name, method->name) != 0)
        return status_make(STATUS_USAGE, "method %s: its table is named '%s'; both must be one name",
                           entry->name, method->name);
    if (entry->reference->variant_count != variants)
        return status_make(STATUS_USAGE, "method %s: its table has %d variants, its kernel %d", method->name,
                           variants, entry->reference->variant_count);
    if (entry->reference->influence_values != method->floats_per_influence)
        return status_make(STATUS_USAGE, "method %s: its table has %d floats_per_influence, its kernel %d",
                           method->name, method->floats_per_influence, entry->reference->influence_values);
    return status_ok();
}
