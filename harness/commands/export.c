/* skinbench export FORMAT FILE -o OUT */
#include "harness/commands/commands.h"

#include "datasets/base/memory.h"
#include "datasets/formats/formats.h"
#include "harness/commands/vertex_colors.h"
#include <string.h>

static const CommandOption options[] = {
    {"output", "OUT", "output file, or a new folder for formats with one file per frame"},
    {"baked", NULL, "gltf and glb: positions as morph targets instead of a skin"},
    {"color", "bones|error", "gltf and glb: vertex colours by bones, or by the error against --target"},
    {"target", "FILE", "the target of --color error"},
    {NULL, NULL, NULL},
};

static Status colors_make(const CommandLine *line, const char *input, VertexColors *colors)
{
    const char *what = command_line_value(line, "color"), *target = command_line_value(line, "target");
    const bool by_error = what && strcmp(what, "error") == 0;
    if (what && !by_error && strcmp(what, "bones") != 0)
        return status_make(STATUS_USAGE, "--color is '%s', expected bones or error", what);
    if (by_error != (target != NULL))
        return status_make(STATUS_USAGE,
                           by_error ? "--color error needs --target FILE" : "--target is for --color error");
    return by_error ? vertex_colors_by_error(line, input, target, colors)
           : what   ? vertex_colors_by_bones(line, input, colors)
                    : status_ok();
}

static void vertex_colors_clear(VertexColors *colors)
{
    memory_free(colors->rgb);
}

static Status export_run(const CommandLine *line)
{
    const char *name = command_line_argument(line, 0);
    const Format *format = format_find(name);
    const FormatNotes notes = {output_note_text, (void *)line};
    CLEANUP(vertex_colors_clear) VertexColors colors = {0};
    ExportOptions export = {.input = command_line_argument(line, 1),
                            .baked = command_line_flag(line, "baked"),
                            .progress = &line->progress,
                            .notes = &notes};
    if (!format || !format->export)
        return status_make(STATUS_USAGE, "no format '%s' can be exported (list formats)", name);
    if ((export.baked || command_line_value(line, "color")) && !(format->options & FORMAT_SKIN))
        return status_make(STATUS_USAGE, "--baked and --color are for formats with skins, but %s has none",
                           name);
    STATUS_TRY(command_line_required(line, "output", &export.output));
    STATUS_TRY(format_explain(colors_make(line, export.input, &colors), export.input));
    export.colors = colors.rgb;
    STATUS_TRY(format_explain(format->export(&export), export.input));
    if (colors.note[0])
        output_note(line, "%s", colors.note);
    return status_ok();
}

const Command command_export = {
    .name = "export",
    .synopsis = "FORMAT FILE -o OUT",
    .summary = "convert a data set file to another format (see list formats)",
    .options = options,
    .arguments = {2, 2},
    .takes = TAKES_THREADS,
    .run = export_run,
};
