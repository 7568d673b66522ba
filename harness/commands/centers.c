/* skinbench centers FILE -o OUT: computes what a skinning method needs in advance, such as centres of
 * rotation, and saves it with the rig. */
#include "harness/commands/commands.h"

#include "methods/registry.h"

const CommandOption centers_options[] = {
    {"method", "DIRECT", "the direct method whose precomputed values are stored (default: cor)"},
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

Status centers_run(const CommandLine *line)
{
    const char *input = command_line_argument(line, 0), *output = NULL;
    ParameterValues values;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(free) char *json = NULL;
    double counts[SKINNING_COUNTERS_MAX] = {0.0};
    STATUS_TRY(command_line_output(line, &output));
    /* use the method that --method names, or the first method that has something to compute in advance */
    const char *name = command_line_value(line, "method");
    const SkinningEntry *entry = name ? skinning_entry_find(name) : NULL;
    for (int i = skinning_entry_count() - 1; i >= 0; i--)
        if (!name && skinning_entry_at(i)->method->precompute)
            entry = skinning_entry_at(i);
    if (!entry && !name)
        return status_make(STATUS_UNAVAILABLE, "no method in this build precomputes anything");
    if (!entry)
        return bad_usage("no method '%s'; `skinbench list methods` lists them", name);
    const SkinningMethod *method = entry->method;
    if (!method->precompute)
        return bad_usage("%s precomputes nothing", name);
    STATUS_TRY(command_line_parameters(line, method->parameters, method->name, &values));
    STATUS_TRY(dataset_load(input, &line->progress, &dataset));
    if (dataset->rig.joint_count == 0)
        return bad_input("%s: has no rig", input);
    /* compute and write the result, and print a summary */
    const SkinningPrecomputation work = {.mesh = &dataset->mesh,
                                         .parameters = values.values,
                                         .threads = line->threads,
                                         .progress = &line->progress};
    double start_s = clock_now_s();
    STATUS_TRY(method->precompute(&work, &dataset->rig, counts));
    double time_s = clock_now_s() - start_s;
    if (line->json) {
        json_t *report =
            json_pack("{s:s, s:i}", "method", method->name, "vertices", dataset->mesh.vertex_count);
        for (int i = 0; i < method->precompute_counter_count; i++)
            json_set(report, method->precompute_counters[i].name, json_integer((json_int_t)counts[i]));
        json_set(report, "time_s", json_real(time_s));
        STATUS_TRY(output_json_line(report, &json));
    }
    STATUS_TRY(dataset_write(dataset, output));
    if (json)
        puts(json);
    else {
        terminal_print("%d vertices", dataset->mesh.vertex_count);
        for (int i = 0; i < method->precompute_counter_count; i++)
            terminal_print(", %.0f %s", counts[i], method->precompute_counters[i].meaning);
        terminal_print(", %.3f s\n", time_s);
    }
    return status_ok();
}
