/* Reads or computes the frames of a data set block by block, from its animation, its rig or its low-rank
 * model. */
#include "harness/measure/metrics/frame_source.h"

#include "datasets/base/lanes.h"
#include "datasets/formats/formats.h"
#include "datasets/model/check.h"
#include "datasets/model/evaluate.h"
#include "harness/measure/metrics/metrics_stream.h"
#include "methods/fitting/holdout.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"

/* Number of values in the palette of a joint: the elements of its transformation, each in LANES frames. */
enum { POSE_LANES_JOINT = 12 * LANES };

/* Fills the palette [joints][POSE_LANES_JOINT] with `count` frames, at most LANES, from index `first` on.
 * Unused lanes repeat the last frame. */
static void pose_lanes_palette(const Rig *rig, int first, int count, double *palette)
{
    for (int l = 0; l < LANES; l++) {
        const Transform *transforms =
            rig->transforms + (ptrdiff_t)(first + (l < count ? l : count - 1)) * rig->joint_count;
        for (int j = 0; j < rig->joint_count; j++) {
            double entries[12];
            memcpy(entries, &transforms[j], sizeof entries);
            for (int i = 0; i < 12; i++)
                palette[(ptrdiff_t)j * POSE_LANES_JOINT + i * LANES + l] = entries[i];
        }
    }
}

/* Skins vertices first to first + count - 1 by linear blending (SBS eq. 1), in double and in LANES frames
 * at once. Reads rest positions `rest` [N][3] and writes rows[f] [N][3]. Lanes are frames, because rest
 * position and weights are the same in all of them. The result equals that of rig_skin_point (evaluate.h)
 * bit by bit. */
WIDEST_VECTORS
static void pose_lanes_skin(const Rig *rig, const double *palette, const float *rest, int first, int count,
                            float *const *rows)
{
    for (ptrdiff_t v = first; v < (ptrdiff_t)first + count; v++) {
        const double x = (double)rest[3 * v], y = (double)rest[3 * v + 1], z = (double)rest[3 * v + 2];
        double point[3][LANES] = {{0.0}};
        float rounded[3][LANES];
        for (ptrdiff_t slot = v * rig->influence_count; slot < (v + 1) * rig->influence_count; slot++) {
            const double weight = (double)rig->weight_values[slot];
            const double *joint = palette + (ptrdiff_t)rig->weight_joints[slot] * POSE_LANES_JOINT;
            for (int k = 0; k < 3; k++) {
                const double *row = joint + (ptrdiff_t)(4 * k) * LANES;
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    point[k][l] +=
                        (row[l] * x + row[LANES + l] * y + row[2 * LANES + l] * z + row[3 * LANES + l]) *
                        weight;
            }
        }
        for (int k = 0; k < 3; k++) {
#pragma omp simd
            for (int l = 0; l < LANES; l++)
                rounded[k][l] = (float)point[k][l];
        }
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < 3; k++)
                rows[l][3 * v + k] = rounded[k][l];
    }
}
const char *frame_origin_name(FrameOrigin origin)
{
    static const char *const names[] = {[FRAMES_STORED] = "stored positions",
                                        [FRAMES_POSED] = "rig",
                                        [FRAMES_CORRECTED] = "rig with corrections",
                                        [FRAMES_LOW_RANK] = "low-rank model"};
    return names[origin];
}

/* Binds the skinner. This is done when frames are first needed, so that two sources with different numbers
 * of vertices or frames are refused without binding a rig. */
static Status skinner_open(FrameSource *source)
{
    if (source->skinner)
        return status_ok();
    SkinnerOptions options = {
        .entry = skinning_entry_find("lbs"), .backend = &backend_reference, .two_phase = true};
    if (!options.entry)
        return status_make(STATUS_UNAVAILABLE, "%s: posing it needs lbs, which this build does not have",
                           source->name);
    options.parameters = parameters_default(options.entry->method->parameters);
    return skinner_create(&options, source->mesh, source->rig, &source->skinner);
}

/* Decides whether the frames come from positions, a rig or a low-rank model. For stored positions,
 * frame_count must already be set. */
static Status origin_choose(FrameSource *source, int stored_frames)
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
            return status_in(source->name, weight_sums_check(source->mesh, source->rig));
        return bad_input("%s: the corrections have %d rows, but the rig has %d frames", source->name,
                         source->low_rank->row_count, source->frame_count);
    }
    if (source->rig && source->rig->joint_count > 0) {
        source->origin = FRAMES_POSED;
        source->frame_count = source->rig->frame_count;
        return status_in(source->name, weight_sums_check(source->mesh, source->rig));
    }
    if (source->low_rank && source->low_rank->rank > 0) {
        source->origin = FRAMES_LOW_RANK;
        source->frame_count = source->low_rank->row_count / 3;
        return status_ok();
    }
    return bad_input("%s: has neither animation/positions nor a rig nor a low-rank model", source->name);
}

Status frame_source_of_parts(const char *name, const Mesh *mesh, const Animation *animation, const Rig *rig,
                             const LowRank *low_rank, int threads, FrameSource **out)
{
    OWNED_BY(frame_source_close) FrameSource *source = memory_array(1, sizeof *source);
    *out = NULL;
    ALLOCATED(source, "an animation");
    *source = (FrameSource){.name = memory_text(name),
                            .threads = int_max(threads, 1),
                            .mesh = mesh,
                            .rig = rig,
                            .low_rank = low_rank,
                            .positions = animation ? animation->positions : NULL};
    ALLOCATED(source->name, "an animation");
    STATUS_TRY(origin_choose(source, animation ? animation->frame_count : 0));
    *out = TAKE(source);
    return status_ok();
}

Status frame_source_open(const char *path, int threads, const Progress *progress, FrameSource **out)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    *out = NULL;
    STATUS_TRY(dataset_open(path, progress, &reader, &header));
    STATUS_TRY(dataset_reader_restore_order(reader));
    STATUS_TRY(frame_source_of_parts(path, &header->mesh, &header->animation, &header->rig, &header->low_rank,
                                     threads, out));
    (*out)->reader = reader;
    (*out)->dataset = header;
    reader = NULL;
    return status_ok();
}

void frame_source_close(FrameSource *source)
{
    if (!source)
        return;
    skinner_free(source->skinner);
    dataset_reader_close(source->reader);
    FREE_ALL(source->name, source);
}

static Status posed_read(FrameSource *source, int first, int count, float *positions)
{
    enum { PIECE = 1024 };
    const Rig *rig = source->rig;
    const int vertices = source->mesh->vertex_count, pieces = (vertices + PIECE - 1) / PIECE;
    LOCAL_TABLE(double, palette, rig->joint_count, POSE_LANES_JOINT, "the posed frames");
    for (int f = 0; f < count; f += LANES) {
        const int frames = int_min(count - f, LANES);
        float *rows[LANES];
        for (int l = 0; l < LANES; l++)
            rows[l] = positions + 3 * (size_t)vertices * (size_t)(f + int_min(l, frames - 1));
        pose_lanes_palette(rig, first + f, frames, palette);
#pragma omp parallel for schedule(static) num_threads(source->threads)
        for (int i = 0; i < pieces; i++)
            pose_lanes_skin(rig, palette, source->mesh->rest, i * PIECE,
                            vertices - i * PIECE < PIECE ? vertices - i * PIECE : PIECE, rows);
    }
    return status_ok();
}

Status frame_source_read(FrameSource *source, int first, int count, float *positions)
{
    const int vertices = source->mesh->vertex_count;
    const size_t values = 3 * (size_t)vertices;
    const Rig *rig = source->origin == FRAMES_CORRECTED ? source->rig : NULL;
    if (first < 0 || count < 0 || count > source->frame_count - first)
        return bad_input("%s: frames %d to %d are requested, but there are only %d", source->name, first,
                         first + count - 1, source->frame_count);
    switch (source->origin) {
    case FRAMES_POSED:
        if (!source->rig->scale)
            return posed_read(source, first, count, positions);
        STATUS_TRY(skinner_open(source)); /* skins in two phases */
        return skinner_skin_rig(source->skinner, first, count, positions, NULL);
    case FRAMES_CORRECTED: /* a low-rank model corrects the rest pose; skinned in double */
    case FRAMES_LOW_RANK:
#pragma omp parallel for schedule(static) num_threads(source->threads)
        for (int f = 0; f < count; f++)
            for (int v = 0; v < vertices; v++)
                point_set(positions, (ptrdiff_t)f * vertices + v,
                          model_point(source->mesh, rig, source->low_rank, first + f, v));
        return status_ok();
    case FRAMES_STORED:
        break;
    }
    if (source->reader)
        return dataset_read_frames(source->reader, first, count, positions);
    memcpy(positions, source->positions + (size_t)first * values, (size_t)count * values * sizeof *positions);
    return status_ok();
}

Status frame_source_read_every(FrameSource *source, int step, int count, float *positions)
{
    const size_t values = 3 * (size_t)source->mesh->vertex_count;
    for (int f = 0; f < count; f++)
        STATUS_TRY(frame_source_read(source, f * step, 1, positions + (size_t)f * values));
    return status_ok();
}

static Status counts_compare(const FrameSource *target, const FrameSource *candidate)
{
    if (target->origin != FRAMES_STORED)
        return bad_input("%s: has no animation/positions, so it cannot be a target", target->name);
    if (target->mesh->vertex_count != candidate->mesh->vertex_count)
        return bad_input("%s has %d vertices, but %s has %d", target->name, target->mesh->vertex_count,
                         candidate->name, candidate->mesh->vertex_count);
    if (target->frame_count != candidate->frame_count)
        return bad_input("%s has %d frames, but %s has %d", target->name, target->frame_count,
                         candidate->name, candidate->frame_count);
    return status_ok();
}

/* Which frames to measure. If `every` is 0, these are all frames; otherwise they are either the held-out
 * frames or all other frames. */
typedef struct FramePart {
    int every;
    bool held;
} FramePart;

/* Reads the next selected frames, at most `max`, starting at index *frame and ending before `end`.
 * Consecutive frames are read together. */
static Status part_read(FrameSource *source, FramePart part, int end, int max, int *frame, float *positions,
                        int *count)
{
    size_t values = 3 * (size_t)source->mesh->vertex_count;
    int next = *frame;
    *count = 0;
    while (next < end && *count < max) {
        int run = 0;
        while (next + run < end && *count + run < max && frame_is_held(next + run, part.every) == part.held)
            run++;
        if (run > 0)
            STATUS_TRY(frame_source_read(source, next, run, positions + (size_t)*count * values));
        *count += run;
        next += run > 0 ? run : 1;
    }
    *frame = next;
    return status_ok();
}

/* The frames of a target and a candidate that are compared with each other. */
typedef struct FramePairs {
    FrameSource *target, *candidate;
    FramePart part;
    const Progress *progress;
    int32_t *map; /* candidate vertex for each vertex of the target; NULL if the order is the same */
    int max;      /* largest number of frames in a block */
    float *a, *b; /* [max][N][3] positions of target (a) and candidate (b) */
    float *moved; /* positions of the candidate in the target's order, if there is a map */
} FramePairs;

static void pairs_clear(FramePairs *pairs)
{
    FREE_ALL(pairs->map, pairs->a, pairs->b, pairs->moved);
}

static Status pairs_reserve(FramePairs *pairs)
{
    const int vertices = pairs->target->mesh->vertex_count;
    const size_t values = 3 * (size_t)vertices;
    STATUS_TRY(vertex_order_map(pairs->candidate->mesh->original_vertices,
                                pairs->target->mesh->original_vertices, vertices, &pairs->map));
    const size_t frame_bytes =
        ((pairs->map ? 3 : 2) * values + (size_t)vertices) * sizeof(float); /* and distances */
    /* A block has 32 MB of positions of each source. If the mesh is large, a block has at least LANES
     * frames, because measuring that many takes as long as measuring one. In addition, measuring needs
     * about 240 bytes per vertex, and the memory described at metrics_stream_bound.
     *
     * With a memory limit (memory.h), a block has fewer frames, at least one. Its memory is then at most
     * half of what is left, at `frame_bytes` per frame. Frames are usually read once
     * (metrics_stream_wants_sample). */
    enum { FRAMES_MAX = 2 * LANES, BYTES = 32 << 20 };
    const double positions = 3.0 * sizeof(float) * vertices;
    const size_t limit = memory_limit(), live = memory_live();
    const double fast = fmin(FRAMES_MAX, fmax(LANES, BYTES / positions));
    const double left = limit == 0 ? INFINITY : limit > live ? (double)(limit - live) : 0.0;
    const int max = (int)fmax(1.0, fmin(fast, left / 2.0 / (double)frame_bytes));
    pairs->max = max < LANES ? max : max / LANES * LANES;
    ALLOCATE_TABLE(pairs->a, pairs->max, values, "frames to compare");
    ALLOCATE_TABLE(pairs->b, pairs->max, values, "frames to compare");
    if (pairs->map)
        ALLOCATE_TABLE(pairs->moved, pairs->max, values, "frames to compare");
    return status_ok();
}

/* Reads the next frames of both sources, at most `max`, from index *frame on and before `end`. *candidate
 * points to the frames of the candidate. */
static Status pairs_read(FramePairs *pairs, int end, int max, int *frame, int *count, const float **candidate)
{
    const int vertices = pairs->target->mesh->vertex_count;
    const size_t values = 3 * (size_t)vertices;
    int other = *frame;
    STATUS_TRY(part_read(pairs->target, pairs->part, end, max, frame, pairs->a, count));
    STATUS_TRY(part_read(pairs->candidate, pairs->part, end, max, &other, pairs->b, count));
    for (size_t f = 0; pairs->map && f < (size_t)*count; f++)
        rows_gather(pairs->b + f * values, 3 * sizeof(float), pairs->map, vertices,
                    pairs->moved + f * values);
    *candidate = pairs->map ? pairs->moved : pairs->b;
    return status_ok();
}

static Status stop_check(const FramePairs *pairs, const char *what, double share)
{
    return progress_report(pairs->progress, what, share)
               ? status_ok()
               : status_make(STATUS_STOPPED, "stopped while measuring %s", pairs->candidate->name);
}

/* Counts the distances in frames first to end - 1 for the percentiles. If `step` is not 0, counts a sample:
 * only every `step`-th frame. */
static Status pairs_count(FramePairs *pairs, MetricsStream *stream, int first, int end, int step)
{
    for (int frame = first, next; frame < end; frame = next) {
        const float *candidate = NULL;
        int count = 0;
        next = frame;
        STATUS_TRY(stop_check(pairs, "counting distances", (double)(frame - first) / (end - first)));
        STATUS_TRY(pairs_read(pairs, end, step > 0 ? 1 : pairs->max, &next, &count, &candidate));
        STATUS_TRY(metrics_stream_count(stream, count, pairs->a, candidate));
        next = step > 0 && frame + step > next ? frame + step : next;
    }
    return status_ok();
}

static Status part_measure(FrameSource *target, FrameSource *candidate, FramePart part,
                           const Progress *progress, DistanceSink sink, Metrics *out)
{
    enum { SAMPLE_FRAMES = 16, SAMPLE_STEP = 16 };
    OWNED_BY(metrics_stream_close) MetricsStream *stream = NULL;
    CLEANUP(pairs_clear)
    FramePairs pairs = {.target = target, .candidate = candidate, .part = part, .progress = progress};
    const int held = held_frame_count(target->frame_count, part.every);
    const int frames = part.held ? held : target->frame_count - held;
    const int vertices = target->mesh->vertex_count;
    /* With several ranks, each measures a part of the frames, and no frames are held out. */
    const VertexShare shared = ranks_even_share(target->ranks, target->frame_count);
    const int end = shared.first + shared.count;
    LOCAL_TABLE(float, start, vertices, 3, "frames to compare");
    STATUS_TRY(frame_source_read(target, 0, 1, start));
    STATUS_TRY(metrics_stream_open(target->mesh, start, frames, target->threads, target->ranks, &stream));
    memory_release(&start);
    STATUS_TRY(metrics_stream_bound(stream));
    STATUS_TRY(pairs_reserve(&pairs));
    if (target->further && part.every == 0) {
        /* also measure the slower metrics, which need the frames before the first frame of this rank */
        const FurtherRigs rigs = {target->rig, candidate->rig, pairs.map};
        STATUS_TRY(metrics_stream_further(stream, &rigs));
        for (int frame = shared.first - metrics_stream_wants_lead(stream), count = 0; frame < shared.first;) {
            const float *positions = NULL;
            STATUS_TRY(pairs_read(&pairs, shared.first, pairs.max, &frame, &count, &positions));
            metrics_stream_lead(stream, frame - count, count, pairs.a, positions);
        }
    }
    if (metrics_stream_wants_sample(stream)) {
        const int step = shared.count / SAMPLE_FRAMES;
        STATUS_TRY(pairs_count(&pairs, stream, shared.first, end, int_max(step, SAMPLE_STEP)));
        metrics_stream_aim(stream);
    }
    for (int frame = shared.first, done = 0; frame < end;) {
        const float *positions = NULL;
        int count = 0;
        STATUS_TRY(stop_check(&pairs, "measuring", (double)(frame - shared.first) / shared.count));
        STATUS_TRY(pairs_read(&pairs, end, pairs.max, &frame, &count, &positions));
        STATUS_TRY(metrics_stream_add(stream, count, pairs.a, positions));
        if (sink.take && count > 0)
            STATUS_TRY(sink.take(sink.context, &(DistanceBlock){frames, vertices, done, count,
                                                                metrics_stream_distances(stream)}));
        done += count;
    }
    while (metrics_stream_wants_sample(stream) && !metrics_stream_resolve(stream)) {
        metrics_stream_aim(stream);
        STATUS_TRY(pairs_count(&pairs, stream, shared.first, end, 0));
    }
    return metrics_stream_finish(stream, out);
}

Status frame_sources_measure_apart(FrameSource *target, FrameSource *candidate, int every,
                                   const Progress *progress, Metrics *fitted, Metrics *held)
{
    *fitted = *held = (Metrics){0};
    STATUS_TRY(counts_compare(target, candidate));
    STATUS_TRY(
        part_measure(target, candidate, (FramePart){every, false}, progress, (DistanceSink){0}, fitted));
    if (held_frame_count(target->frame_count, every) > 0)
        return part_measure(target, candidate, (FramePart){every, true}, progress, (DistanceSink){0}, held);
    return status_ok();
}

Status frame_sources_measure_each(FrameSource *target, FrameSource *candidate, const Progress *progress,
                                  DistanceSink sink, Metrics *out)
{
    *out = (Metrics){0};
    STATUS_TRY(counts_compare(target, candidate));
    return part_measure(target, candidate, (FramePart){0, false}, progress, sink, out);
}

Status frame_sources_measure(FrameSource *target, FrameSource *candidate, Metrics *out)
{
    return frame_sources_measure_each(target, candidate, NULL, (DistanceSink){0}, out);
}
