/* Looks methods up in the generated tables, and checks at the start that their tables are in order. */
#include "methods/registry.h"

#include "methods/fitting/decomposition_method.h"

#include <stddef.h>
#include <string.h>

Status registry_check(void)
{
    Status status = status_ok();
    for (const SkinningEntry *entry = skinning_registry; entry->method; entry++)
        STATUS_TRY(skinning_entry_check(entry));
    for (int i = 0; decomposition_registry[i]; i++)
        STATUS_TRY(decomposition_method_check(decomposition_registry[i], decomposition_names[i]));
done:
    return status;
}

int skinning_entry_count(void)
{
    int count = 0;
    while (skinning_registry[count].method)
        count++;
    return count;
}

const SkinningEntry *skinning_entry_at(int index)
{
    return &skinning_registry[index];
}

const SkinningEntry *skinning_entry_find(const char *name)
{
    for (const SkinningEntry *entry = skinning_registry; entry->method; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

const SkinningEntry *skinning_first_phase(void)
{
    return skinning_entry_find("lbs");
}

int decomposition_method_count(void)
{
    int count = 0;
    while (decomposition_registry[count])
        count++;
    return count;
}

const DecompositionMethod *decomposition_method_at(int index)
{
    return decomposition_registry[index];
}

const DecompositionMethod *decomposition_method_find(const char *name)
{
    for (int i = 0; decomposition_registry[i]; i++)
        if (strcmp(decomposition_names[i], name) == 0)
            return decomposition_registry[i];
    return NULL;
}
