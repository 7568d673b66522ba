/* skinbench export FORMAT FILE -o OUT */
#include "harness/commands/commands.h"

#include "datasets/formats/dataset_open.h"
#include "datasets/formats/formats.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/show/render/bone_colors.h"
#include "harness/show/render/color_map.h"

typedef struct VertexColors {
    unsigned char *rgb;           /* [N][3] sRGB, for memory_free */
    char note[STATUS_TEXT_BYTES]; /* what the colours mean, to be stated once all is done; "" where that is
                                     clear */
} VertexColors;

/* By bones: the colours of the joints that move a vertex (color_of_index), mixed as light by their weights.
 * STATUS_BAD_INPUT where there is no rig. */
static Status vertex_colors_by_bones(const CommandLine *line, const char *path, VertexColors *out)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *dataset = NULL;
    STATUS_TRY(dataset_open(path, &line->progress, &reader, &dataset));
    STATUS_TRY(dataset_reader_restore_order(reader));
    return bone_colors_make(dataset, path, &out->rgb);
}

/* Adds a block to the mean square distance of each vertex: context is the array of these, made with the first
 * block. */
static Status squares_add(void *context, const DistanceBlock *block)
{
    double **squares = context;
    if (!*squares)
        *squares = memory_array((size_t)block->vertex_count, sizeof **squares);
    if (!*squares)
        return status_out_of_memory("colours");
    for (int f = 0; f < block->count; f++)
        for (int v = 0; v < block->vertex_count; v++) {
            const double distance = (double)block->distances[(ptrdiff_t)f * block->vertex_count + v];
            (*squares)[v] += distance * distance / block->frame_count;
        }
    return status_ok();
}

/* Colours from nothing to the greatest root mean square distance, which is returned; `rgb` [vertices][3]. */
static double distances_color(const double *squares, int vertices, unsigned char *rgb)
{
    double greatest = 0.0;
    for (int v = 0; v < vertices; v++)
        greatest = fmax(greatest, sqrt(squares[v]));
    for (int v = 0; v < vertices; v++)
        color_map_rgb(greatest > 0.0 ? sqrt(squares[v]) / greatest : 0.0, rgb + (ptrdiff_t)3 * v);
    return greatest;
}

/* By error: the root mean square over all frames of a vertex' distance from the target (a file with
 * positions), from 0 to the greatest of all vertices (color_map_rgb). */
static Status vertex_colors_by_error(const CommandLine *line, const char *path, const char *target_path,
                                     VertexColors *out)
{
    const Progress *progress = &line->progress;
    const int threads = line->threads;
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    OWNED double *squares = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    STATUS_TRY(frame_source_open(target_path, threads, progress, &target));
    STATUS_TRY(frame_source_open(path, threads, progress, &candidate));
    STATUS_TRY(frame_sources_measure_each(target, candidate, progress, (DistanceSink){squares_add, &squares},
                                          &metrics));
    out->rgb = memory_table((size_t)metrics.vertex_count, 3, 1);
    if (!out->rgb)
        return status_out_of_memory("colours");
    const double greatest = distances_color(squares, metrics.vertex_count, out->rgb);
    snprintf(out->note, sizeof out->note,
             "%s: colours run from 0 to %.4g (%.4g %% of the diagonal), a vertex' root mean square distance "
             "from %s",
             path, greatest, 100.0 * greatest / metric_named("diagonal", &metrics), target_path);
    return status_ok();
}

static const CommandOption options[] = {
    {"output", "OUT", "output file, or a new folder for formats with one file per frame"},
    {"into", "FILE", "gltf and glb: the file that the mesh came from, with this skin and all else as it was"},
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
                            .into = command_line_value(line, "into"),
                            .progress = &line->progress,
                            .notes = &notes};
    if (!format || !format->export)
        return format_suggest(
            name, true, status_make(STATUS_USAGE, "no format '%s' can be exported (list formats)", name));
    if ((export.baked || export.into || command_line_value(line, "color")) &&
        !(format->options & FORMAT_SKIN))
        return status_make(STATUS_USAGE,
                           "--baked, --into and --color are for formats with skins, but %s has none", name);
    if (export.baked && export.into)
        return status_make(STATUS_USAGE, "--into replaces a skin, --baked writes none: give one of them");
    STATUS_TRY(command_line_required(line, "output", &export.output));
    if (export.into)
        STATUS_TRY(command_line_keep_input(export.into, export.output));
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
    .takes = TAKES_THREADS | PRINTS_OUTPUT,
    .run = export_run,
};
