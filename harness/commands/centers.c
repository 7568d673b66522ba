/* skinbench centers FILE -o OUT */
#include "harness/commands/commands.h"

#include "datasets/base/memory.h"
#include "datasets/io/store.h"
#include "harness/timing/clock.h"
#include "methods/cor/cor.h"

#include <inttypes.h>
#include <stdio.h>

static const CommandOption options[] = {
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

static void report_print(const CommandLine *line, const Dataset *dataset, const CentersReport *report,
                         double time_s)
{
    const char *format = command_line_json(line)
                             ? "{\"vertices\":%d,\"with_center\":%d,\"pieces\":%d,\"evaluated\":%" PRId64
                               ",\"time_s\":%.6f}\n"
                             : "%d vertices, %d with a centre of rotation, %d pieces of surface, %" PRId64
                               " terms looked at, %.3f s\n";
    printf(format, dataset->mesh.vertex_count, report->with_center, report->sample_count, report->evaluated,
           time_s);
}

/* Puts the centres into the rig, as floats. */
static Status centers_put(const CommandLine *line, const CentersOptions *how, Dataset *dataset)
{
    const size_t vertices = (size_t)dataset->mesh.vertex_count;
    double *centers = memory_table(vertices, 3, sizeof *centers);
    float *saved = memory_table(vertices, 3, sizeof *saved);
    CentersReport report = {0};
    Status status = status_ok();
    if (!centers || !saved) {
        status = status_out_of_memory("the centres of rotation");
        goto done;
    }
    double start_s = clock_now_s();
    STATUS_TRY(centers_compute(&dataset->mesh, &dataset->rig, how, centers, &report));
    report_print(line, dataset, &report, clock_now_s() - start_s);
    for (size_t i = 0; i < 3 * vertices; i++)
        saved[i] = (float)centers[i];
    memory_free(dataset->rig.centers);
    dataset->rig.centers = saved;
    saved = NULL;
done:
    memory_free(centers);
    memory_free(saved);
    return status;
}

static Status centers_run(const CommandLine *line)
{
    const char *input = command_line_argument(line, 0), *output = NULL;
    ParameterValues values;
    Dataset *dataset = NULL;
    Status status = status_ok();
    STATUS_TRY(command_line_required(line, "output", &output));
    STATUS_TRY(command_line_parameters(line, cor_method.parameters, cor_method.parameter_count,
                                       cor_method.name, &values));
    STATUS_TRY(dataset_read(input, &dataset));
    if (dataset->rig.joint_count == 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: has no rig", input);
        goto done;
    }
    CentersOptions how = cor_centers_options(values.values, command_line_threads(line));
    STATUS_TRY(centers_put(line, &how, dataset));
    STATUS_TRY(dataset_write(dataset, output));
done:
    dataset_free(dataset);
    return status;
}

const Command command_centers = {
    .name = "centers",
    .synopsis = "FILE -o OUT",
    .summary = "compute the centres of rotation of the method cor and save them with the rig",
    .options = options,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = centers_run,
};
