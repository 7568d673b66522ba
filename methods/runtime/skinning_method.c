/* Checks a method's table for faults before it is used. */
#include "methods/runtime/skinning_method.h"

#include "methods/runtime/backends/host_kernel.h"

const double SKINNING_TOLERANCE_MAX = 1e-4;

const char *const skinning_engine_names[ENGINE_COUNT] = {
    [ENGINE_BLENDER] = "Blender", [ENGINE_MAYA] = "Maya",   [ENGINE_UNREAL] = "Unreal",
    [ENGINE_UNITY] = "Unity",     [ENGINE_GODOT] = "Godot", [ENGINE_THREE_JS] = "three.js"};

static Status counters_check(const SkinningMethod *method, const SkinningCounter *counters, int count,
                             bool counted, const char *what)
{
    if (count < 0 || count > SKINNING_COUNTERS_MAX)
        return bad_usage("method %s: the number of its %s is %d, expected 0 to %d", method->name, what, count,
                         SKINNING_COUNTERS_MAX);
    if (count > 0 && (!counters || !counted))
        return bad_usage("method %s: its table lacks the rows of its %s, or the function that fills them in",
                         method->name, what);
    for (int i = 0; i < count; i++)
        if (!counters[i].name || !counters[i].name[0] || !counters[i].meaning || !counters[i].meaning[0])
            return bad_usage("method %s: row %d of its %s lacks a name or an explanation", method->name, i,
                             what);
        else if (strspn(counters[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
                 strlen(counters[i].name))
            return bad_usage("method %s: '%s' among its %s must consist of lower-case letters, digits and _",
                             method->name, counters[i].name, what);
    return status_ok();
}

Status skinning_method_check(const SkinningMethod *method)
{
    const struct {
        const char *member;
        int value, min, max;
    } ranges[] = {
        {"floats_per_joint", method->floats_per_joint, 0, INT16_MAX},
        {"floats_per_set", method->floats_per_set, 0, INT16_MAX},
        {"floats_per_vertex", method->floats_per_vertex, 0, INT16_MAX},
        {"floats_per_influence", method->floats_per_influence, 0, INT16_MAX},
        {"max_influences", method->max_influences, 0, INT16_MAX},
        {"variant_count", method->variant_count, 0, KERNEL_VARIANTS_MAX},
    };
    if (!name_is_plain(method->name))
        return bad_usage("method '%s': its name must consist of lower-case letters, digits and -",
                         method->name ? method->name : "");
    if (!method->title || !method->title[0] || !method->citation || !method->citation[0])
        return bad_usage("method %s: its table has no title or no citation", method->name);
    if (!method->pose)
        return bad_usage("method %s: its table has no pose stage", method->name);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
            return bad_usage("method %s: its %s is %d, expected %d to %d", method->name, ranges[i].member,
                             ranges[i].value, ranges[i].min, ranges[i].max);
    if (method->floats_per_vertex > 0 && !method->bind && !method->influences)
        return bad_usage("method %s: its table has %d floats_per_vertex and no bind stage to fill them",
                         method->name, method->floats_per_vertex);
    if (method->floats_per_influence > 0 && (!method->influences || method->influence_order))
        return bad_usage("method %s: its table has %d floats_per_influence, which requires `influences` "
                         "without influence_order",
                         method->name, method->floats_per_influence);
    if (method->allows_zero_weight_padding && method->floats_per_set > 0)
        return bad_usage("method %s: allows_zero_weight_padding is only for methods without floats_per_set",
                         method->name);
    if (!(method->tolerance > 0.0 && method->tolerance <= SKINNING_TOLERANCE_MAX))
        return bad_usage("method %s: its tolerance is %g, expected more than 0 and at most %g", method->name,
                         method->tolerance, SKINNING_TOLERANCE_MAX);
    STATUS_TRY(parameters_check(method->parameters, method->name));
    STATUS_TRY(
        counters_check(method, method->counters, method->counter_count, method->count != NULL, "counters"));
    return counters_check(method, method->precompute_counters, method->precompute_counter_count,
                          method->precompute != NULL, "precompute_counters");
}
