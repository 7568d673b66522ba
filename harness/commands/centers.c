/* skinbench centers FILE -o OUT */
#include "datasets/base/memory.h"
#include "harness/commands/commands.h"

#include "datasets/base/clock.h"
#include "datasets/formats/dataset_open.h"
#include "datasets/io/json_table.h"
#include "methods/registry.h"

#include <stdio.h>
#include <stdlib.h>

static const CommandOption options[] = {
    {"method", "DIRECT", "direct method with a pre-computation (default: the first one: cor)"},
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

/* The method named, or the first that computes something ahead. */
static Status method_choose(const CommandLine *line, const SkinningMethod **method)
{
    const char *name = command_line_value(line, "method");
    const SkinningEntry *entry = name ? skinning_entry_find(name) : NULL;
    for (int i = 0; !name && !entry && i < skinning_entry_count(); i++)
        if (skinning_entry_at(i)->method->precompute)
            entry = skinning_entry_at(i);
    *method = entry ? entry->method : NULL;
    if (!entry && !name)
        return status_make(STATUS_UNAVAILABLE, "no method of this build pre-computes anything");
    if (!entry)
        return status_make(STATUS_USAGE, "no method '%s'; `skinbench list methods` lists them", name);
    return entry->method->precompute ? status_ok()
                                     : status_make(STATUS_USAGE, "%s pre-computes nothing", name);
}

static Status centers_to_json(const SkinningMethod *method, int vertices, const double *counts, double time_s,
                              char **line)
{
    json_t *report = json_pack("{s:s, s:i}", "method", method->name, "vertices", vertices);
    bool made = report != NULL;
    for (int i = 0; i < method->precompute_counter_count && made; i++)
        made = json_set(report, method->precompute_counters[i].name, json_integer((json_int_t)counts[i]));
    made = made && json_set(report, "time_s", json_real(time_s));
    return output_json_line(json_if_made(report, made), line);
}

static void centers_print(const SkinningMethod *method, int vertices, const double *counts, double time_s)
{
    printf("%d vertices", vertices);
    for (int i = 0; i < method->precompute_counter_count; i++)
        printf(", %.0f %s", counts[i], method->precompute_counters[i].meaning);
    printf(", %.3f s\n", time_s);
}

static Status centers_run(const CommandLine *line)
{
    const char *input = command_line_argument(line, 0), *output = NULL;
    const SkinningMethod *method = NULL;
    ParameterValues values;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(free) char *json = NULL;
    double counts[SKINNING_COUNTERS_MAX] = {0.0};
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(method_choose(line, &method));
    STATUS_TRY(
        command_line_parameters(line, method->parameters, method->parameter_count, method->name, &values));
    STATUS_TRY(dataset_load(input, command_line_progress(line), &dataset));
    if (dataset->rig.joint_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no rig", input);
    const SkinningPrecomputation work = {
        .mesh = &dataset->mesh, .parameters = values.values, .threads = command_line_threads(line)};
    double start_s = clock_now_s();
    STATUS_TRY(method->precompute(&work, &dataset->rig, counts));
    double time_s = clock_now_s() - start_s;
    if (command_line_json(line))
        STATUS_TRY(centers_to_json(method, dataset->mesh.vertex_count, counts, time_s, &json));
    STATUS_TRY(dataset_write(dataset, output));
    if (json)
        puts(json);
    else
        centers_print(method, dataset->mesh.vertex_count, counts, time_s);
    return status_ok();
}

const Command command_centers = {
    .name = "centers",
    .synopsis = "FILE -o OUT",
    .summary = "compute the centres of rotation of the method cor and save them with the rig",
    .options = options,
    .arguments = {1, 1},
    .takes = TAKES_THREADS | TAKES_SET,
    .run = centers_run,
};
