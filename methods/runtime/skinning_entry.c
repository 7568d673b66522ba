/* Checks a method's table and its kernel, which must not read more values than the table announces. */
#include "methods/runtime/skinning_entry.h"

#include "methods/kernel/kernel_reads.h"

Status skinning_entry_check(const SkinningEntry *entry)
{
    const SkinningMethod *method = entry->method;
    const int variants = method->variant_count > 1 ? method->variant_count : 1;
    STATUS_TRY(skinning_method_check(method));
    if (strcmp(entry->name, method->name) != 0)
        return bad_usage("method %s: its table is named '%s'; the two names must be the same", entry->name,
                         method->name);
    if (entry->reference->variant_count != variants)
        return bad_usage("method %s: its table has %d variants, but its kernel has %d", method->name,
                         variants, entry->reference->variant_count);
    if (entry->reference->influence_values != method->floats_per_influence)
        return bad_usage("method %s: its table has %d floats_per_influence, but its kernel has %d",
                         method->name, method->floats_per_influence, entry->reference->influence_values);
    return status_ok();
}

Status kernel_misread_status(const SkinningMethod *method, int64_t misread)
{
    static const char *const kinds[READS_COUNT] = {
        [READS_JOINT] = "value %d of a joint, but floats_per_joint is %d",
        [READS_INFLUENCE] = "influence %d of a vertex that has fewer influences",
        [READS_SET] = "value %d of a joint set, but floats_per_set is %d",
        [READS_VERTEX] = "value %d of a vertex, but floats_per_vertex is %d",
        [READS_PARAMETER] = "parameter %d, but the number of parameters is %d"};
    const int counts[READS_COUNT] = {method->floats_per_joint, 0, method->floats_per_set,
                                     method->floats_per_vertex, parameters_count(method->parameters)};
    if (misread == 0)
        return status_ok();
    const int kind = (int)(misread >> 32) - 1;
    char what[128];
    snprintf(what, sizeof what, kinds[kind], (int)(int32_t)(misread & UINT32_MAX), counts[kind]);
    return status_make(STATUS_CHECK_FAILED, "method %s: its kernel reads a value that does not exist (%s)",
                       method->name, what);
}

Status skinning_entry_read_check(const SkinningEntry *entry)
{
    enum { INFLUENCES = 2, ROOM = 8 };
    const SkinningMethod *method = entry->method;
    const size_t max = size_max((size_t)method->floats_per_joint + (size_t)method->floats_per_set + ROOM +
                                    (size_t)method->floats_per_vertex +
                                    INFLUENCES * (1 + (size_t)method->floats_per_influence),
                                PARAMETERS_MAX);
    static const int32_t joints[INFLUENCES];
    int64_t misread = 0;
    double out[6];
    LOCAL_ARRAY(double, zeros, max, "a check of a kernel");
    const HostBlock block = {.set_count = 1, .vertex_count = 1};
    for (int variant = 0; variant < int_max(method->variant_count, 1); variant++) {
        const uint8_t set_variant = (uint8_t)variant;
        const HostRun run = {.count = INFLUENCES, .block_count = 1};
        const HostTask task = {.runs = &run,
                               .run_count = 1,
                               .blocks = &block,
                               .values_per_vertex = method->floats_per_vertex,
                               .values_per_influence = method->floats_per_influence,
                               .values_per_joint = method->floats_per_joint,
                               .values_per_set = method->floats_per_set,
                               .parameter_count = parameters_count(method->parameters),
                               .misread = &misread,
                               .normals = true,
                               .data = zeros,
                               .joints = joints,
                               .joint_values = zeros,
                               .set_values = zeros,
                               .set_variants = &set_variant,
                               .parameters = zeros,
                               .out = out,
                               .frames = 1};
        entry->reference->skin(&task);
    }
    return kernel_misread_status(method, misread);
}
