/* skinbench export FORMAT FILE -o OUT: converts a data set file to another format. */
#include "harness/commands/commands.h"

#include "harness/commands/name_list.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/show/render/color_map.h"

/* Adds the squared distances of a block of frames to the mean of each vertex. `context` points to the array
 * of means, which the first block allocates. */
static Status squares_add(void *context, const DistanceBlock *block)
{
    double **squares = context;
    if (!*squares)
        *squares = memory_array((size_t)block->vertex_count, sizeof **squares);
    ALLOCATED(*squares, "colours");
    for (int f = 0; f < block->count; f++)
        for (int v = 0; v < block->vertex_count; v++) {
            const double distance = (double)block->distances[(ptrdiff_t)f * block->vertex_count + v];
            (*squares)[v] += distance * distance / block->frame_count;
        }
    return status_ok();
}

const CommandOption export_options[] = {
    {"output", "OUT", "output file, or a new folder for formats with one file per frame"},
    {"into", "FILE", "gltf and glb: file from which the mesh was imported; only its skin is replaced"},
    {"baked", NULL, "gltf and glb: write positions as morph targets instead of a skin"},
    {"color", "bones|error",
     "gltf and glb: write vertex colours that show the bones, or the distance from --target"},
    {"target", "FILE", "animation from which --color error measures the distance of each vertex"},
    {NULL, NULL, NULL},
};

/* Makes the vertex colors rgb [N][3] in sRGB that --color asks for; free with memory_free. `note`, printed
 * at the end, explains the colors; "" if they need no explanation. */
static Status colors_make(const CommandLine *line, const char *input, unsigned char **rgb,
                          char note[STATUS_TEXT_BYTES])
{
    enum { NONE = -1, BY_BONES, BY_ERROR };
    const char *target_path = command_line_value(line, "target");
    const Progress *progress = &line->progress;
    int what = NONE;
    STATUS_TRY(option_choice(line, "color", &what));
    const bool by_error = what == BY_ERROR;
    if (by_error != (target_path != NULL))
        return bad_usage(by_error ? "--color error needs --target FILE"
                                  : "--target works only with --color error");
    if (what == NONE)
        return status_ok();
    if (!by_error) {
        /* mix the colors of the joints that move a vertex (color_of_index) according to their weights, in
         * linear light */
        OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
        const Dataset *dataset = NULL;
        STATUS_TRY(dataset_open(input, progress, &reader, &dataset));
        STATUS_TRY(dataset_reader_restore_order(reader));
        return bone_colors_make(dataset, input, rgb);
    }
    /* Colors show the distance from the target, a file with positions. The color of a vertex depends on its
     * root mean square distance over all frames, divided by the largest such distance of any vertex
     * (color_map_rgb). */
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    OWNED double *squares = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    STATUS_TRY(frame_source_open(target_path, line->threads, progress, &target));
    STATUS_TRY(frame_source_open(input, line->threads, progress, &candidate));
    STATUS_TRY(frame_sources_measure_each(target, candidate, progress, (DistanceSink){squares_add, &squares},
                                          &metrics));
    ALLOCATE_TABLE(*rgb, metrics.vertex_count, 3, "colours");
    double max = 0.0;
    for (int v = 0; v < metrics.vertex_count; v++)
        max = fmax(max, sqrt(squares[v]));
    for (int v = 0; v < metrics.vertex_count; v++)
        color_map_rgb(max > 0.0 ? sqrt(squares[v]) / max : 0.0, *rgb + (ptrdiff_t)3 * v);
    snprintf(
        note, STATUS_TEXT_BYTES,
        "%s: colours run from 0 to %.4g (%.4g %% of the diagonal), the root mean square distance of a vertex "
        "from %s",
        input, max, 100.0 * max / metric_named("diagonal", &metrics), target_path);
    return status_ok();
}

Status export_run(const CommandLine *line)
{
    const char *name = command_line_argument(line, 0);
    const Format *format = format_find(name);
    const FormatNotes notes = {output_note_text, (void *)line};
    OWNED unsigned char *colors = NULL;
    char note[STATUS_TEXT_BYTES] = "";
    ExportOptions export = {.input = command_line_argument(line, 1),
                            .baked = command_line_flag(line, "baked"),
                            .into = command_line_value(line, "into"),
                            .progress = &line->progress,
                            .notes = &notes};
    if (!format || !format->export) {
        char names[STATUS_TEXT_BYTES / 2] = "";
        for (int i = 0; i < format_count(); i++)
            if (format_at(i)->export)
                text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", format_at(i)->name);
        return format_suggest(name, true,
                              bad_usage("'%s' is not an export format; the formats are %s", name, names));
    }
    if ((export.baked || export.into || command_line_value(line, "color")) &&
        !(format->options & FORMAT_SKIN))
        return bad_usage("--baked, --into and --color are for formats with skins, but %s has none", name);
    if (export.baked && export.into)
        return bad_usage("--into replaces a skin and --baked writes none; give only one of them");
    STATUS_TRY(command_line_required(line, "output", &export.output));
    char ending[16]; /* use the format's first extension, except for gltf: its second extension, .glb, can
                        only be read */
    snprintf(ending, sizeof ending, "%.*s", (int)strcspn(format->extensions, " "), format->extensions);
    STATUS_TRY(output_ending_check(export.output, ending));
    STATUS_TRY(format_explain(colors_make(line, export.input, &colors, note), export.input));
    export.colors = colors;
    STATUS_TRY(format_explain(format->export(&export), export.input));
    if (note[0])
        output_note(line, "%s", note);
    return status_ok();
}
