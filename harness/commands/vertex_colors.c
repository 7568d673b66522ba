/* Colours vertices by the joints that move them or by how far they are from a target. */
#include "harness/commands/vertex_colors.h"

#include "datasets/base/memory.h"
#include "datasets/formats/dataset_open.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/show/render/bone_colors.h"
#include "harness/show/render/color_map.h"

#include <math.h>
#include <stdio.h>

Status vertex_colors_by_bones(const CommandLine *line, const char *path, VertexColors *out)
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

Status vertex_colors_by_error(const CommandLine *line, const char *path, const char *target_path,
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
