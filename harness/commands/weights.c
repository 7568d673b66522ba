/* skinbench weights prune FILE --influences K -o OUT */
#include "harness/commands/commands.h"

#include "datasets/io/store.h"
#include "datasets/model/prune.h"

#include <string.h>

static const CommandOption options[] = {
    {"influences", "K", "weights to keep per vertex, the largest (default 4)"},
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

static Status prune_run(const char *input, int influences, const char *output)
{
    Dataset *dataset = NULL;
    Status status = dataset_read(input, &dataset);
    if (status.code == STATUS_OK && dataset->rig.joint_count == 0)
        status = status_make(STATUS_BAD_INPUT, "%s: has no rig", input);
    if (status.code == STATUS_OK)
        status = rig_prune(&dataset->rig, dataset->mesh.vertex_count, influences);
    if (status.code == STATUS_OK)
        status = dataset_write(dataset, output);
    dataset_free(dataset);
    return status;
}

static Status weights_run(const CommandLine *line)
{
    const char *action = command_line_argument(line, 0), *output = NULL;
    int influences = 0;
    if (strcmp(action, "prune") != 0)
        return status_make(STATUS_USAGE, "weights can be pruned, not '%s'", action);
    Status status = command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences);
    if (status.code == STATUS_OK)
        status = command_line_required(line, "output", &output);
    if (status.code == STATUS_OK)
        status = prune_run(command_line_argument(line, 1), influences, output);
    return status;
}

const Command command_weights = {
    .name = "weights",
    .synopsis = "prune FILE --influences K -o OUT",
    .summary = "change the weights of a rig: prune keeps the largest of every vertex",
    .options = options,
    .arguments = {2, 2},
    .run = weights_run,
};
