/* Looks up methods in the generated tables, and checks these tables when the program starts. */
#include "methods/registry.h"

#include "datasets/base/nearest_name.h"

Status registry_check(void)
{
    for (const SkinningEntry *entry = skinning_registry; entry->method; entry++)
        STATUS_TRY(skinning_entry_check(entry));
    for (int i = 0; decomposition_registry[i]; i++)
        STATUS_TRY(decomposition_method_check(decomposition_registry[i], decomposition_names[i]));
    return status_ok();
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

static void skinning_names_add(NearestName *nearest)
{
    for (const SkinningEntry *entry = skinning_registry; entry->method; entry++)
        nearest_name_add_candidate(nearest, entry->name);
}

static void decomposition_names_add(NearestName *nearest)
{
    for (int i = 0; decomposition_registry[i]; i++)
        nearest_name_add_candidate(nearest, decomposition_names[i]);
}

Status skinning_entry_named(const char *name, const SkinningEntry **out)
{
    NearestName nearest = {.given = name};
    *out = skinning_entry_find(name);
    if (*out)
        return status_ok();
    if (decomposition_method_find(name))
        return bad_usage("'%s' is a decomposition method (`skinbench fit`); a direct method is needed here",
                         name);
    skinning_names_add(&nearest);
    return nearest_name_suggest(
        &nearest, bad_usage("no skinning method '%s'; `skinbench list methods` lists them", name));
}

Status decomposition_method_named(const char *name, const DecompositionMethod **out)
{
    NearestName nearest = {.given = name};
    *out = decomposition_method_find(name);
    if (*out)
        return status_ok();
    if (skinning_entry_find(name))
        return bad_usage("'%s' is a direct method (`skinbench skin`); a decomposition method is needed here",
                         name);
    decomposition_names_add(&nearest);
    return nearest_name_suggest(
        &nearest, bad_usage("no decomposition method '%s'; `skinbench list methods` lists them", name));
}

Status method_name_check(const char *name)
{
    NearestName nearest = {.given = name};
    if (skinning_entry_find(name) || decomposition_method_find(name))
        return status_ok();
    skinning_names_add(&nearest);
    decomposition_names_add(&nearest);
    return nearest_name_suggest(&nearest,
                                bad_usage("no method '%s'; `skinbench list methods` lists them", name));
}
