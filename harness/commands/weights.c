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

static Status weights_run(const CommandLine *line)
{
    const char *action = command_line_argument(line, 0), *input = command_line_argument(line, 1), *output;
    Dataset *dataset = NULL;
    int influences = 0;
    if (strcmp(action, "prune") != 0)
        return status_make(STATUS_USAGE, "weights can be pruned, not '%s'", action);
    Status status;
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(dataset_read(input, command_line_progress(line), &dataset));
    if (dataset->rig.joint_count == 0)
        STATUS_TRY(status_make(STATUS_BAD_INPUT, "%s: has no rig", input));
    STATUS_TRY(rig_prune(&dataset->rig, dataset->mesh.vertex_count, influences));
    STATUS_TRY(dataset_write(dataset, output));
done:
    dataset_free(dataset);
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
