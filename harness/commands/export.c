/* skinbench export FORMAT FILE -o OUT */
#include "harness/commands/commands.h"

#include "datasets/formats/formats.h"

static const CommandOption options[] = {
    {"output", "OUT", "where to write: a new folder for obj-sequence"},
    {NULL, NULL, NULL},
};

static Status export_run(const CommandLine *line)
{
    const char *name = command_line_argument(line, 0), *output = NULL;
    const Format *format = format_find(name);
    if (!format || !format->export)
        return status_make(STATUS_USAGE, "no format '%s' can be exported; there is %s", name,
                           format_at(0)->name);
    Status status = command_line_required(line, "output", &output);
    if (status.code == STATUS_OK)
        status = format->export(command_line_argument(line, 1), output, command_line_progress(line));
    return status;
}

const Command command_export = {
    .name = "export",
    .synopsis = "FORMAT FILE -o OUT",
    .summary = "turn a data set file into another format (obj-sequence)",
    .options = options,
    .arguments = {2, 2},
    .run = export_run,
};
