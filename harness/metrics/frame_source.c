/* Frames of a data set one block at a time, from its animation, its rig or its low-rank model. */
#include "harness/metrics/frame_source.h"

#include "datasets/base/memory.h"
#include "datasets/formats/dataset_open.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/vertex_order.h"
#include "methods/fitting/holdout.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <string.h>

struct FrameSource {
    char *name;
    FrameOrigin origin;
    int frame_count, threads;
    const Mesh *mesh;
    const Rig *rig;
    const LowRank *low_rank;
    const float *positions; /* NULL: read by the reader */
    DatasetReader *reader;
    const Dataset *dataset; /* the reader's */
    Skinner *skinner;
};

const char *frame_origin_name(FrameOrigin origin)
{
    static const char *const names[] = {[FRAMES_STORED] = "stored positions",
                                        [FRAMES_POSED] = "rig",
                                        [FRAMES_CORRECTED] = "rig with corrections",
                                        [FRAMES_LOW_RANK] = "low-rank model"};
    return names[origin];
}

/* Once frames are asked for: sources of different shapes are refused before anything is bound. */
static Status skinner_open(FrameSource *source)
{
    if (source->skinner)
        return status_ok();
    SkinnerOptions options = {.entry = skinning_entry_find("lbs"),
                              .backend = &backend_reference,
                              .two_phase = source->rig->scale != NULL};
    if (!options.entry)
        return status_make(STATUS_UNAVAILABLE, "%s: needs lbs to be posed, which is not built in",
                           source->name);
    options.parameters =
        parameters_default(options.entry->method->parameters, options.entry->method->parameter_count);
    return skinner_create(&options, source->mesh, source->rig, &source->skinner);
}

/* Decides where the frames come from. frame_count of stored positions is set already. */
static Status source_settle(FrameSource *source, int stored_frames)
{
    if (stored_frames > 0) {
        source->origin = FRAMES_STORED;
        source->frame_count = stored_frames;
        return status_ok();
    }
    if (source->rig && source->rig->joint_count > 0 && source->low_rank && source->low_rank->rank > 0) {
        source->origin = FRAMES_CORRECTED;
        source->frame_count = source->rig->frame_count;
        if (source->low_rank->row_count == 3 * source->frame_count)
            return status_ok();
        return status_make(STATUS_BAD_INPUT, "%s: corrections of %d rows for a rig of %d frames",
                           source->name, source->low_rank->row_count, source->frame_count);
    }
    if (source->rig && source->rig->joint_count > 0) {
        source->origin = FRAMES_POSED;
        source->frame_count = source->rig->frame_count;
        return status_ok();
    }
    if (source->low_rank && source->low_rank->rank > 0) {
        source->origin = FRAMES_LOW_RANK;
        source->frame_count = source->low_rank->row_count / 3;
        return status_ok();
    }
    return status_make(STATUS_BAD_INPUT, "%s: has neither animation/positions nor a rig nor a low-rank model",
                       source->name);
}

Status frame_source_of_parts(const char *name, const Mesh *mesh, const Animation *animation, const Rig *rig,
                             const LowRank *low_rank, int threads, FrameSource **out)
{
    FrameSource *source = memory_array(1, sizeof *source);
    Status status;
    *out = NULL;
    if (!source)
        return status_out_of_memory("an animation");
    *source = (FrameSource){.name = memory_text(name),
                            .threads = threads > 1 ? threads : 1,
                            .mesh = mesh,
                            .rig = rig,
                            .low_rank = low_rank,
                            .positions = animation ? animation->positions : NULL};
    STATUS_TRY(source->name ? status_ok() : status_out_of_memory("an animation"));
    STATUS_TRY(source_settle(source, animation ? animation->frame_count : 0));
    *out = source;
    source = NULL;
done:
    frame_source_close(source);
    return status;
}

Status frame_source_open(const char *path, int threads, const Progress *progress, FrameSource **out)
{
    DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    Status status;
    *out = NULL;
    STATUS_TRY(dataset_open(path, progress, &reader, &header));
    STATUS_TRY(dataset_reader_restore_order(reader));
    STATUS_TRY(frame_source_of_parts(path, &header->mesh, &header->animation, &header->rig, &header->low_rank,
                                     threads, out));
    (*out)->reader = reader;
    (*out)->dataset = header;
    reader = NULL;
done:
    dataset_reader_close(reader);
    return status;
}

void frame_source_close(FrameSource *source)
{
    if (!source)
        return;
    skinner_free(source->skinner);
    dataset_reader_close(source->reader);
    memory_free(source->name);
    memory_free(source);
}

const char *frame_source_name(const FrameSource *source)
{
    return source->name;
}

int frame_source_frame_count(const FrameSource *source)
{
    return source->frame_count;
}

FrameOrigin frame_source_origin(const FrameSource *source)
{
    return source->origin;
}

const Dataset *frame_source_dataset(const FrameSource *source)
{
    return source->dataset;
}

static Status posed_read(FrameSource *source, int first, int count, float *positions)
{
    const Rig *rig = source->rig;
    const size_t offset = (size_t)first * (size_t)rig->joint_count;
    Status status = skinner_open(source);
    if (status.code == STATUS_OK)
        status = skinner_pose(source->skinner, rig->transforms + offset,
                              rig->scale ? rig->scale + offset : NULL, count);
    if (status.code == STATUS_OK)
        status = skinner_skin_frames(source->skinner, positions, NULL);
    return status;
}

/* A low-rank model by itself, or as corrections of a rest pose that is skinned by linear blending in double. */
static void low_rank_frames(const FrameSource *source, int first, int count, float *positions)
{
    const int vertices = source->mesh->vertex_count;
    const Rig *rig = source->origin == FRAMES_CORRECTED ? source->rig : NULL;
#pragma omp parallel for schedule(static) num_threads(source->threads)
    for (int f = 0; f < count; f++)
        for (int v = 0; v < vertices; v++)
            point_set(positions, (ptrdiff_t)f * vertices + v,
                      model_point(source->mesh, rig, source->low_rank, first + f, v));
}

Status frame_source_read(FrameSource *source, int first, int count, float *positions)
{
    size_t values = 3 * (size_t)source->mesh->vertex_count;
    if (first < 0 || count < 0 || count > source->frame_count - first)
        return status_make(STATUS_BAD_INPUT, "%s: frames %d to %d asked for, it has %d", source->name, first,
                           first + count - 1, source->frame_count);
    switch (source->origin) {
    case FRAMES_POSED:
        return posed_read(source, first, count, positions);
    case FRAMES_CORRECTED:
    case FRAMES_LOW_RANK:
        low_rank_frames(source, first, count, positions);
        return status_ok();
    case FRAMES_STORED:
        break;
    }
    if (source->reader)
        return dataset_read_frames(source->reader, first, count, positions);
    memcpy(positions, source->positions + (size_t)first * values, (size_t)count * values * sizeof *positions);
    return status_ok();
}

static Status counts_compare(const FrameSource *target, const FrameSource *candidate)
{
    if (target->origin != FRAMES_STORED)
        return status_make(STATUS_BAD_INPUT, "%s: has no animation/positions, so it cannot be a target",
                           target->name);
    if (target->mesh->vertex_count != candidate->mesh->vertex_count)
        return status_make(STATUS_BAD_INPUT, "%s has %d vertices, %s has %d", target->name,
                           target->mesh->vertex_count, candidate->name, candidate->mesh->vertex_count);
    if (target->frame_count != candidate->frame_count)
        return status_make(STATUS_BAD_INPUT, "%s has %d frames, %s has %d", target->name, target->frame_count,
                           candidate->name, candidate->frame_count);
    return status_ok();
}

/* Which frames are measured: all (every 0), or those that are or are not held out. */
typedef struct FramePart {
    int every;
    bool held;
} FramePart;

/* How many frames are read at a time. */
static int block_frames(const FrameSource *target)
{
    enum { FRAMES_MAX = 16, BYTES = 32 << 20 };
    const size_t frame_bytes = 3 * sizeof(float) * (size_t)target->mesh->vertex_count;
    const size_t frames = frame_bytes > 0 ? BYTES / frame_bytes : FRAMES_MAX;
    const size_t least = target->threads > 1 ? (size_t)target->threads : 1;
    return (int)(frames > FRAMES_MAX ? FRAMES_MAX : frames < least ? least : frames);
}

/* Reads the next frames of a part, `most` of them, from *frame on; neighbours in one go. */
static Status part_read(FrameSource *source, FramePart part, int most, int *frame, float *positions,
                        int *count)
{
    size_t values = 3 * (size_t)source->mesh->vertex_count;
    Status status = status_ok();
    int at = *frame;
    *count = 0;
    while (at < source->frame_count && *count < most && status.code == STATUS_OK) {
        int run = 0;
        while (at + run < source->frame_count && *count + run < most &&
               frame_is_held(at + run, part.every) == part.held)
            run++;
        if (run > 0)
            status = frame_source_read(source, at, run, positions + (size_t)*count * values);
        *count += run;
        at += run > 0 ? run : 1;
    }
    *frame = at;
    return status;
}

static Status part_measure(FrameSource *target, FrameSource *candidate, FramePart part,
                           const Progress *progress, DistanceSink sink, Metrics *out)
{
    MetricsStream *stream = NULL;
    size_t values = 3 * (size_t)target->mesh->vertex_count;
    const int held = held_frame_count(target->frame_count, part.every);
    const int frames = part.held ? held : target->frame_count - held;
    const int vertices = target->mesh->vertex_count;
    int32_t *map = NULL; /* the candidate's vertices in the target's order */
    float *moved = NULL;
    const int most = block_frames(target);
    float *a = memory_table((size_t)most, values, sizeof *a);
    float *b = memory_table((size_t)most, values, sizeof *b);
    Status status;
    if (!a || !b) {
        status = status_out_of_memory("frames to compare");
        goto done;
    }
    STATUS_TRY(vertex_order_map(candidate->mesh->original_vertices, target->mesh->original_vertices, vertices,
                                &map));
    if (map && !(moved = memory_table((size_t)most, values, sizeof *moved)))
        STATUS_TRY(status_out_of_memory("frames to compare"));
    STATUS_TRY(frame_source_read(target, 0, 1, a));
    STATUS_TRY(metrics_stream_open(target->mesh, a, frames, target->threads, &stream));
    for (int first = 0, other = 0, done = 0; first < target->frame_count;) {
        int count = 0;
        if (!progress_report(progress, "measuring", (double)first / target->frame_count)) {
            status = status_make(STATUS_STOPPED, "stopped while measuring %s", candidate->name);
            goto done;
        }
        STATUS_TRY(part_read(target, part, most, &first, a, &count));
        STATUS_TRY(part_read(candidate, part, most, &other, b, &count));
        for (size_t f = 0; map && f < (size_t)count; f++)
            rows_gather(b + f * values, 3 * sizeof *b, map, vertices, moved + f * values);
        STATUS_TRY(metrics_stream_add(stream, count, a, map ? moved : b));
        if (sink.take && count > 0)
            STATUS_TRY(sink.take(sink.context, &(DistanceBlock){frames, vertices, done, count,
                                                                metrics_stream_distances(stream)}));
        done += count;
    }
    STATUS_TRY(metrics_stream_finish(stream, out));
done:
    metrics_stream_close(stream);
    memory_free(map);
    memory_free(moved);
    memory_free(a);
    memory_free(b);
    return status;
}

Status frame_sources_measure_apart(FrameSource *target, FrameSource *candidate, int every,
                                   const Progress *progress, Metrics *fitted, Metrics *held)
{
    *fitted = *held = (Metrics){0};
    Status status;
    STATUS_TRY(counts_compare(target, candidate));
    STATUS_TRY(
        part_measure(target, candidate, (FramePart){every, false}, progress, (DistanceSink){0}, fitted));
    if (held_frame_count(target->frame_count, every) > 0)
        status = part_measure(target, candidate, (FramePart){every, true}, progress, (DistanceSink){0}, held);
done:
    return status;
}

Status frame_sources_measure_each(FrameSource *target, FrameSource *candidate, const Progress *progress,
                                  DistanceSink sink, Metrics *out)
{
    *out = (Metrics){0};
    Status status = counts_compare(target, candidate);
    if (status.code == STATUS_OK)
        status = part_measure(target, candidate, (FramePart){0, false}, progress, sink, out);
    return status;
}

Status frame_sources_measure(FrameSource *target, FrameSource *candidate, Metrics *out)
{
    return frame_sources_measure_each(target, candidate, NULL, (DistanceSink){0}, out);
}
