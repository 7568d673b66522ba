/* Colours vertices by the joints that move them or by how far they are from a target. */
#include "harness/commands/vertex_colors.h"

#include "datasets/base/memory.h"
#include "datasets/formats/dataset_open.h"
#include "harness/metrics/frame_source.h"
#include "harness/render/color_map.h"

#include <math.h>
#include <stdio.h>

static void vertex_mix(const Rig *rig, ptrdiff_t vertex, unsigned char color[3])
{
    double light[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < rig->influence_count; k++) {
        const ptrdiff_t slot = vertex * rig->influence_count + k;
        unsigned char bone[3];
        color_of_index(rig->weight_joints[slot], bone);
        for (int i = 0; i < 3; i++)
            light[i] += (double)rig->weight_values[slot] * srgb_decode(bone[i]);
    }
    for (int i = 0; i < 3; i++)
        color[i] = srgb_encode(light[i]);
}

Status vertex_colors_by_bones(const CommandLine *line, const char *path, VertexColors *out)
{
    DatasetReader *reader = NULL;
    const Dataset *dataset = NULL;
    Status status;
    STATUS_TRY(dataset_open(path, command_line_progress(line), &reader, &dataset));
    STATUS_TRY(dataset_reader_restore_order(reader));
    if (dataset->rig.joint_count == 0)
        STATUS_TRY(status_make(STATUS_BAD_INPUT, "%s: has no rig whose bones could be coloured", path));
    out->rgb = memory_table((size_t)dataset->mesh.vertex_count, 3, 1);
    STATUS_TRY(out->rgb ? status_ok() : status_out_of_memory("colours"));
    for (int v = 0; v < dataset->mesh.vertex_count; v++)
        vertex_mix(&dataset->rig, v, out->rgb + (ptrdiff_t)3 * v);
done:
    dataset_reader_close(reader);
    return status;
}

typedef struct ErrorColors {
    unsigned char **colors;
    double greatest; /* root mean square distance */
} ErrorColors;

static Status distances_color(void *context, int frames, int vertices, const float *distances)
{
    ErrorColors *error = context;
    double *squares = memory_array((size_t)vertices, sizeof *squares);
    unsigned char *colors = memory_table((size_t)vertices, 3, 1);
    if (!squares || !colors) {
        memory_free(squares);
        memory_free(colors);
        return status_out_of_memory("colours");
    }
    for (int f = 0; f < frames; f++)
        for (int v = 0; v < vertices; v++) {
            const double distance = (double)distances[(ptrdiff_t)f * vertices + v];
            squares[v] += distance * distance / frames;
        }
    for (int v = 0; v < vertices; v++)
        error->greatest = fmax(error->greatest, sqrt(squares[v]));
    for (int v = 0; v < vertices; v++)
        color_map_rgb(error->greatest > 0.0 ? sqrt(squares[v]) / error->greatest : 0.0,
                      colors + (ptrdiff_t)3 * v);
    memory_free(squares);
    *error->colors = colors;
    return status_ok();
}

Status vertex_colors_by_error(const CommandLine *line, const char *path, const char *target_path,
                              VertexColors *out)
{
    const Progress *progress = command_line_progress(line);
    const int threads = command_line_threads(line);
    FrameSource *target = NULL, *candidate = NULL;
    ErrorColors error = {.colors = &out->rgb};
    Metrics metrics = {0};
    Status status;
    STATUS_TRY(frame_source_open(target_path, threads, progress, &target));
    STATUS_TRY(frame_source_open(path, threads, progress, &candidate));
    STATUS_TRY(frame_sources_measure_each(target, candidate, progress,
                                          (DistanceSink){distances_color, &error}, &metrics));
    snprintf(out->note, sizeof out->note,
             "%s: colours run from 0 to %.4g (%.4g %% of the diagonal), a vertex' root mean square distance "
             "from %s",
             path, error.greatest, 100.0 * error.greatest / metric_named("diagonal", &metrics), target_path);
done:
    metrics_clear(&metrics);
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}
