/* skinbench export FORMAT FILE -o OUT */
#include "harness/commands/commands.h"

#include "datasets/formats/formats.h"

static const CommandOption options[] = {
    {"output", "OUT", "where to write: a new folder for obj-sequence"},
    {NULL, NULL, NULL},
};

static Status export_run(const CommandLine *line)
{
    const char *name = command_line_argument(line, 0);
    const Format *format = format_find(name);
    const FormatNotes notes = {output_note_text, (void *)line};
    ExportOptions export = {
        .input = command_line_argument(line, 1), .progress = command_line_progress(line), .notes = &notes};
    if (!format || !format->export)
        return status_make(STATUS_USAGE, "no format '%s' can be exported (list formats)", name);
    Status status = command_line_required(line, "output", &export.output);
    if (status.code == STATUS_OK)
        status = format->export(&export);
    return format_explain(status, export.input);
}

const Command command_export = {
    .name = "export",
    .synopsis = "FORMAT FILE -o OUT",
    .summary = "turn a data set file into another format (list formats)",
    .options = options,
    .arguments = {2, 2},
    .run = export_run,
};
