/* skinbench import FORMAT INPUT... -o FILE */
#include "harness/commands/commands.h"

#include "datasets/base/memory.h"
#include "datasets/formats/formats.h"

static const CommandOption options[] = {
    {"output", "FILE", "the data set file to write"},
    {"rest", "NAME",
     "the file with the rest pose, in the input or elsewhere (default: rest.obj, else frame 1)"},
    {"fps", "NUMBER", "frames per second (default 30)"},
    {"scale", "NUMBER", "multiply every coordinate (default 1)"},
    {"name", "NAME", "short name of the data set (default: after the input)"},
    {"title", "TEXT", "what it shows, in a line"},
    {"source", "TEXT", "where it comes from"},
    {"license", "TEXT", "under which licence"},
    {NULL, NULL, NULL},
};

static Status import_run(const CommandLine *line)
{
    const char *name = command_line_argument(line, 0), *output = NULL;
    const Format *format = format_find(name);
    ImportOptions import = {.input_count = command_line_argument_count(line) - 1,
                            .rest = command_line_value(line, "rest"),
                            .name = command_line_value(line, "name"),
                            .title = command_line_value(line, "title"),
                            .source = command_line_value(line, "source"),
                            .license = command_line_value(line, "license"),
                            .progress = command_line_progress(line)};
    const char **inputs = memory_array((size_t)import.input_count, sizeof *inputs);
    if (!inputs)
        return status_out_of_memory("file names");
    for (int i = 0; i < import.input_count; i++)
        inputs[i] = command_line_argument(line, i + 1);
    import.inputs = inputs;
    Status status;
    if (!format || !format->import)
        STATUS_TRY(status_make(STATUS_USAGE, "no format '%s' can be imported; there is %s", name,
                               format_at(0)->name));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_real(line, "fps", 30.0, 1e-6, 1e6, &import.fps));
    STATUS_TRY(command_line_real(line, "scale", 1.0, 1e-30, 1e30, &import.scale));
    STATUS_TRY(format->import(&import, output));
done:
    memory_free((void *)inputs);
    return status;
}

const Command command_import = {
    .name = "import",
    .synopsis = "FORMAT INPUT... -o FILE",
    .summary = "turn meshes of another format (obj-sequence) into a data set file",
    .options = options,
    .arguments = {2, -1},
    .run = import_run,
};
