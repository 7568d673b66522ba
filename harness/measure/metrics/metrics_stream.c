/* Computes the errors of a candidate against its target: sums per frame first, then sums over all
 * frames. */
#include "harness/measure/metrics/metrics_stream.h"

#include "datasets/geometry/enclosing_ball.h"
#include "datasets/model/validate.h"
#include "harness/measure/metrics/block_errors.h"
#include "harness/measure/metrics/float_histogram.h"
#include "harness/measure/metrics/greatest.h"
#include <omp.h>

/* Sums within one frame, in the order of its blocks of vertices. */
typedef struct FrameSums {
    double squared_error;       /* ||A_f - B_f||^2 for frame f of target A and candidate B */
    double squared_vertex_mean; /* ||A_f - mean over vertices||^2 for frame f of target A */
    double angle_sum, angle_max, angle_count, angle_over;
    double volume_change_percent;
    double stretch_max, collapse_min;
    double distance_max, distance_sum;
} FrameSums;

/* Percentiles to find, as fractions in ascending order. */
static const double SHARES[] = {0.95, 0.99};
enum { SHARE_COUNT = sizeof SHARES / sizeof *SHARES };
_Static_assert((int)SHARE_COUNT <= (int)QUANTILES_MAX, "QUANTILES_MAX is too small");

struct MetricsStream {
    const Mesh *mesh;
    Surface surface;
    SurfaceBlocks blocks;
    BlockErrors *errors;                        /* [blocks] errors in the frames that are measured together */
    int frame_count, frames_seen, thread_count; /* frames_seen: number of frames added so far; on later ranks
                                                   it also counts the frames of earlier ranks */
    const Ranks *ranks;
    VertexShare share; /* this rank's share of the frames */
    double unit_radius, diagonal, rest_diagonal;
    double *mean;          /* [N][3] mean over the frames of this rank so far (Welford) */
    double *spread;        /* [N][3] sum of squared deviations from that mean */
    float *distances;      /* [block][N] distances in the latest frames */
    int block;             /* capacity of `distances` in frames */
    Greatest max;          /* largest distances so far; not used if is_counted */
    FloatHistogram counts; /* histogram of all distances, used instead of `max` if is_counted */
    bool is_counted; /* Memory is limited, so distances are counted in the histogram instead of being stored.
                      */
    float percentiles[SHARE_COUNT]; /* values of the percentiles, set by metrics_stream_resolve */
    FrameSums *frames;              /* [F] */
    Further *further;               /* slower metrics; NULL if not requested */
    FurtherSums *further_frames;    /* [F] */
    double *scratch; /* [threads][scratch_stride] workspace of each thread, for a block or for the holes of
                        the mesh */
    size_t scratch_stride;
};

static Status first_frame_radius(const float *positions, int vertex_count, double *radius)
{
    if (vertex_count < 1)
        return bad_input("the animation has no vertices, so errors cannot be measured relative to its size");
    const int64_t bad = float_not_finite(positions, 3 * (int64_t)vertex_count);
    if (bad >= 0)
        return bad_input("frame 0, vertex %lld of the target is not finite", (long long)bad / 3);
    Ball ball;
    STATUS_TRY(enclosing_ball(positions, vertex_count, &ball));
    if (!(ball.radius > 0.0))
        return bad_input("all vertices of the first frame coincide");
    *radius = ball.radius;
    return status_ok();
}

Status metrics_unit_radius(const Animation *target, int vertex_count, double *radius)
{
    *radius = NAN;
    if (target->frame_count < 1 || !target->positions)
        return bad_input("the animation has no frames, so errors cannot be measured relative to its size");
    return first_frame_radius(target->positions, vertex_count, radius);
}

Status metrics_stream_open(const Mesh *mesh, const float *first_frame, int frame_count, int threads,
                           const Ranks *ranks, MetricsStream **out)
{
    *out = NULL;
    if (frame_count < 1)
        return bad_input("there are no frames to compare");
    OWNED_BY(metrics_stream_close) MetricsStream *stream = NULL;
    ALLOCATE(stream, 1, "the metrics");
    const size_t vertices = (size_t)mesh->vertex_count;
    stream->mesh = mesh;
    stream->frame_count = frame_count;
    stream->thread_count = int_max(threads, 1);
    stream->ranks = ranks;
    stream->share = ranks_even_share(ranks, frame_count);
    stream->frames_seen = stream->share.first;
    STATUS_TRY(first_frame_radius(first_frame, mesh->vertex_count, &stream->unit_radius));
    stream->diagonal = bounds_of(first_frame, mesh->vertex_count).diagonal;
    stream->rest_diagonal =
        mesh->rest ? bounds_of(mesh->rest, mesh->vertex_count).diagonal : stream->diagonal;
    STATUS_TRY(surface_init(mesh, &stream->surface));
    STATUS_TRY(surface_blocks_init(&stream->surface, &stream->blocks));
    surface_drop_edges(&stream->surface);
    stream->scratch_stride =
        size_max(block_errors_scratch(&stream->blocks), 4 * (size_t)stream->surface.hole_count);
    ALLOCATE(stream->errors, stream->blocks.block_count, "the metrics");
    ALLOCATE_TABLE(stream->mean, vertices, 3, "the metrics");
    ALLOCATE_TABLE(stream->spread, vertices, 3, "the metrics");
    ALLOCATE(stream->frames, frame_count, "the metrics");
    ALLOCATE_TABLE(stream->scratch, stream->thread_count, stream->scratch_stride, "the metrics");
    *out = TAKE(stream);
    return status_ok();
}

void metrics_stream_close(MetricsStream *stream)
{
    if (!stream)
        return;
    surface_clear(&stream->surface);
    surface_blocks_clear(&stream->blocks);
    FREE_ALL(stream->errors, stream->mean, stream->spread, stream->distances);
    greatest_clear(&stream->max);
    float_histogram_clear(&stream->counts);
    memory_free(stream->frames);
    further_close(stream->further);
    FREE_ALL(stream->further_frames, stream->scratch, stream);
}

const float *metrics_stream_distances(const MetricsStream *stream)
{
    return stream->distances;
}

/* Returns the number of all distances, at most the number of positions. */
static size_t distance_count(const MetricsStream *stream)
{
    return (size_t)stream->frame_count * (size_t)stream->mesh->vertex_count;
}

/* Returns the position of a percentile among all distances, counted from the largest, which has position 1.
 * The nearest-rank percentile is the smallest distance that is not exceeded by the given fraction of all
 * distances. */
static size_t percentile_from_top(const MetricsStream *stream, int percentile)
{
    const size_t count = distance_count(stream);
    /* 1-based position of the percentile in ascending order */
    const size_t rank = (size_t)ceil(SHARES[percentile] * (double)count);
    return count - (rank > 0 ? rank - 1 : 0);
}

Status metrics_stream_further(MetricsStream *stream, const FurtherRigs *rigs)
{
    ALLOCATE(stream->further_frames, stream->frame_count, "the metrics");
    return further_open(stream->mesh, rigs, stream->frame_count, stream->diagonal, stream->thread_count,
                        &stream->further);
}

int metrics_stream_wants_lead(const MetricsStream *stream)
{
    return stream->further ? int_min(stream->share.first, WINDOW_FRAMES - 1) : 0;
}

void metrics_stream_lead(MetricsStream *stream, int first, int count, const float *target,
                         const float *candidate)
{
    further_add(stream->further, first, count, target, candidate, NULL);
}

Status metrics_stream_bound(MetricsStream *stream)
{
    const double KEPT_BYTES = 0x1p23, PAGES_BYTES = 0x1p25;
    const size_t limit = memory_limit(), live = memory_live();
    const double left = limit == 0 ? INFINITY : limit > live ? (double)(limit - live) : 0.0;
    double min = -left / 8.0; /* minimum over the ranks, found as a maximum of negative values */
    ranks_max(stream->ranks, &min, 1);
    if (2.0 * sizeof(float) * (double)percentile_from_top(stream, 0) <= fmin(KEPT_BYTES, -min))
        return status_ok();
    stream->is_counted = true;
    return float_histogram_init((double)stream->share.count * stream->mesh->vertex_count,
                                (size_t)fmin(PAGES_BYTES, -min), stream->thread_count, &stream->counts);
}

bool metrics_stream_wants_sample(const MetricsStream *stream)
{
    return stream->is_counted;
}

void metrics_stream_aim(MetricsStream *stream)
{
    double shares[SHARE_COUNT];
    for (int i = 0; i < SHARE_COUNT; i++)
        shares[i] = (double)percentile_from_top(stream, i) / (double)distance_count(stream);
    float_histogram_refine(&stream->counts, stream->ranks, shares, SHARE_COUNT);
}

bool metrics_stream_resolve(MetricsStream *stream)
{
    bool found = true;
    for (int i = 0; i < SHARE_COUNT; i++) {
        const size_t from_top = percentile_from_top(stream, i);
        if (stream->is_counted)
            found &= float_histogram_find(&stream->counts, stream->ranks, (double)from_top,
                                          &stream->percentiles[i]);
        else
            stream->percentiles[i] = greatest_from_top(&stream->max, stream->ranks, from_top);
    }
    return found;
}

/* Allocates memory for the distances of a block and for the largest distances. */
static Status distances_reserve(MetricsStream *stream, int count)
{
    const size_t vertices = (size_t)stream->mesh->vertex_count,
                 share_size = (size_t)stream->share.count * vertices, kept = percentile_from_top(stream, 0);
    if (count > stream->block) {
        memory_free(stream->distances);
        ALLOCATE_TABLE(stream->distances, count, vertices, "the distances");
        stream->block = stream->distances ? count : 0;
    }
    return stream->is_counted || stream->max.values
               ? status_ok()
               : greatest_init(&stream->max, kept < share_size ? kept : share_size);
}

Status metrics_stream_count(MetricsStream *stream, int count, const float *target, const float *candidate)
{
    const int64_t points = (int64_t)count * stream->mesh->vertex_count, piece = 1 << 14;
    STATUS_TRY(distances_reserve(stream, count));
#pragma omp parallel for schedule(static) num_threads(stream->thread_count)
    for (int64_t first = 0; first < points; first += piece)
        distances_find(target + 3 * first, candidate + 3 * first,
                       (size_t)(points - first < piece ? points - first : piece), stream->distances + first);
    float_histogram_add(&stream->counts, stream->distances, (size_t)points);
    return status_ok();
}

/* Updates each coordinate's mean over the frames and its squared deviation by Welford's method, for `count`
 * frames in order. The first of them has number `number` among all frames, counted from 1. */
WIDEST_VECTORS
static void spread_add(double *restrict mean, double *restrict spread, int size, const float *const *rows,
                       int count, int number)
{
    for (int f = 0; f < count; f++) {
        const float *position = rows[f];
        const double share = 1.0 / (number + f);
        for (int i = 0; i < size; i++) {
            const double before = (double)position[i] - mean[i];
            mean[i] += before * share;
            spread[i] += before * ((double)position[i] - mean[i]);
        }
    }
}

/* Measures `count` frames together, at most LANES. Unused lanes repeat the last frame. */
static void frames_measure(MetricsStream *stream, int frame, int count, float *distances, const float *target,
                           const float *candidate)
{
    const size_t vertices = (size_t)stream->mesh->vertex_count;
    const float *const sides[] = {[TARGET] = target, [CANDIDATE] = candidate};
    LaneFrames frames = {0};
    for (int l = 0; l < LANES; l++) {
        const size_t row = (size_t)int_min(l, count - 1) * vertices;
        frames.distances[l] = distances + row;
        for (int side = 0; side < SIDE_COUNT; side++) {
            const float *positions = frames.rows[side][l] = sides[side] + 3 * row;
            const Vec3 origin = stream->surface.triangle_count > 0
                                    ? surface_origin(&stream->surface, positions)
                                    : vec3_make(0.0, 0.0, 0.0);
            frames.origins[side][0][l] = origin.x;
            frames.origins[side][1][l] = origin.y;
            frames.origins[side][2][l] = origin.z;
        }
    }
#pragma omp parallel for schedule(dynamic) num_threads(stream->thread_count)
    for (int b = 0; b < stream->blocks.block_count; b++) {
        const SurfaceBlock *block = &stream->blocks.blocks[b];
        const size_t first = 3 * (size_t)block->first_vertex;
        const float *rows[LANES];
        for (int l = 0; l < LANES; l++)
            rows[l] = frames.rows[TARGET][l] + first;
        block_errors_find(&stream->blocks, block, &frames,
                          stream->scratch + (size_t)omp_get_thread_num() * stream->scratch_stride,
                          &stream->errors[b]);
        spread_add(stream->mean + first, stream->spread + first, 3 * block->own_count, rows, count,
                   frame - stream->share.first + 1);
    }
    BlockErrors sum;
    block_errors_start(&sum);
    for (int b = 0; b < stream->blocks.block_count; b++)
        block_errors_add(&sum, &stream->errors[b]);
#pragma omp parallel for schedule(static) num_threads(stream->thread_count)
    for (int l = 0; l < count; l++) {
        double volumes[SIDE_COUNT],
            *holes = stream->scratch + (size_t)omp_get_thread_num() * stream->scratch_stride;
        for (int side = 0; side < SIDE_COUNT; side++)
            volumes[side] = surface_volume_closed(&stream->surface, frames.rows[side][l],
                                                  sum.six_volumes[side][l], sum.spans[side][l], holes);
        stream->frames[frame + l] = (FrameSums){
            .squared_error = sum.squared[l],
            .squared_vertex_mean = sum.deviation[l],
            .angle_sum = sum.angle_sum[l],
            .angle_max = sum.angle_max[l],
            .angle_count = sum.angle_count[l],
            .angle_over = sum.angle_over[l],
            .volume_change_percent = 100.0 * (volumes[CANDIDATE] / volumes[TARGET] - 1.0),
            .distance_max = sum.distance[l],
            .distance_sum = sum.distance_sum[l],
            .stretch_max = sum.stretch[l] < 0.0 ? -INFINITY : sqrt(sum.stretch[l]),
            .collapse_min = sqrt(sum.collapse[l]),
        };
    }
}

Status metrics_stream_add(MetricsStream *stream, int count, const float *target, const float *candidate)
{
    int first = stream->frames_seen, vertex_count = stream->mesh->vertex_count;
    size_t stride = 3 * (size_t)vertex_count;
    if (count < 0 || count > stream->share.first + stream->share.count - first)
        return bad_input("%d frames were added after %d frames, but the animation has only %d", count,
                         first - stream->share.first, stream->share.count);
    STATUS_TRY(distances_reserve(stream, count));
    for (int f = 0; f < count; f += LANES)
        frames_measure(stream, first + f, int_min(count - f, LANES),
                       stream->distances + (size_t)f * (size_t)vertex_count, target + (size_t)f * stride,
                       candidate + (size_t)f * stride);
    for (int f = 0; f < count; f++)
        if (!isfinite(stream->frames[first + f].squared_error)) {
            /* name the first vertex whose position is not finite */
            const int64_t values = 3 * (int64_t)stream->mesh->vertex_count;
            const int64_t of_target = float_not_finite(target + (size_t)f * stride, values),
                          of_candidate = float_not_finite(candidate + (size_t)f * stride, values);
            const bool in_target = of_target >= 0 && (of_candidate < 0 || of_target <= of_candidate);
            return bad_input("frame %d, vertex %lld of the %s is not finite", first + f,
                             (long long)(in_target ? of_target : of_candidate) / 3,
                             in_target ? "target" : "candidate");
        }
    const size_t distances = (size_t)count * (size_t)vertex_count;
    if (stream->is_counted)
        float_histogram_add(&stream->counts, stream->distances, distances);
    else
        greatest_add(&stream->max, stream->distances, distances);
    if (stream->further)
        further_add(stream->further, first, count, target, candidate, stream->further_frames + first);
    stream->frames_seen += count;
    return status_ok();
}

/* Gives all ranks the sums of all frames. Each vertex's squared deviation is relative to the mean over the
 * frames of a rank. To make it relative to the mean over all frames, the squared distance between both
 * means is added. */
static Status ranks_join(MetricsStream *stream)
{
    const size_t size = 3 * (size_t)stream->mesh->vertex_count;
    if (!ranks_are_many(stream->ranks))
        return status_ok();
    double *means =
        memory_table(2, size, sizeof *means); /* means, followed by the rounding errors of their sums */
    ALLOCATED(means, "the metrics");
    for (size_t i = 0; i < size; i++)
        means[i] = stream->share.count * stream->mean[i];
    ranks_sum(stream->ranks, means, means + size, (ptrdiff_t)size);
    for (size_t i = 0; i < size; i++)
        stream->spread[i] += stream->share.count * pow(stream->mean[i] - means[i] / stream->frame_count, 2.0);
    memory_free(means);
    ranks_gather_even(stream->ranks, stream->frame_count, sizeof *stream->frames,
                      stream->frames + stream->share.first, stream->frames);
    if (stream->further)
        ranks_gather_even(stream->ranks, stream->frame_count, sizeof *stream->further_frames,
                          stream->further_frames + stream->share.first, stream->further_frames);
    return status_ok();
}

Status metrics_stream_finish(MetricsStream *stream, Metrics *out)
{
    *out = (Metrics){.frame_count = stream->frame_count, .vertex_count = stream->mesh->vertex_count};
    if (stream->frames_seen != stream->share.first + stream->share.count)
        return bad_input("%d frames were added, but %d were declared",
                         stream->frames_seen - stream->share.first, stream->share.count);
    ALLOCATE(out->e_rms_per_frame, out->frame_count, "the metrics");
    ALLOCATE(out->volume_change_percent_per_frame, out->frame_count, "the metrics");
    if (!stream->is_counted)
        (void)metrics_stream_resolve(stream);
    STATUS_TRY(ranks_join(stream));
    /* sum over the frames in order and compute the metrics */
    const double elements = 3.0 * out->vertex_count;
    double rest = 0.0;
    MetricSums sums = {.distance_p95 = (double)stream->percentiles[0],
                       .distance_p99 = (double)stream->percentiles[1],
                       .stretch_max = -INFINITY,
                       .collapse_min = INFINITY,
                       .volume_min = INFINITY,
                       .volume_max = -INFINITY,
                       .radius = stream->unit_radius,
                       .diagonal = stream->diagonal,
                       .rest_diagonal = stream->rest_diagonal};
    for (int f = 0; f < stream->frame_count; f++) {
        const FrameSums *frame = &stream->frames[f];
        sums.squared_error += frame->squared_error;
        sums.squared_vertex_mean += frame->squared_vertex_mean;
        sums.angle_sum += frame->angle_sum;
        sums.angle_count += frame->angle_count;
        sums.angle_over += frame->angle_over;
        sums.angle_max = fmax(sums.angle_max, frame->angle_max);
        sums.distance_max = fmax(sums.distance_max, frame->distance_max);
        sums.distance_sum += frame->distance_sum;
        sums.stretch_max = fmax(sums.stretch_max, frame->stretch_max);
        sums.collapse_min = fmin(sums.collapse_min, frame->collapse_min);
        /* fmin and fmax ignore NAN */
        sums.volume_min = fmin(sums.volume_min, frame->volume_change_percent);
        sums.volume_max = fmax(sums.volume_max, frame->volume_change_percent);
        out->e_rms_per_frame[f] = 1000.0 * sqrt(frame->squared_error / elements) / sums.radius;
        out->volume_change_percent_per_frame[f] = frame->volume_change_percent;
    }
    for (int f = 0; stream->further && f < stream->frame_count; f++)
        further_sum(&sums.further, &stream->further_frames[f]);
    if (stream->further)
        sums.truth = *further_truth(stream->further);
    out->has_further = stream->further != NULL;
    for (size_t i = 0; i < 3 * (size_t)out->vertex_count; i++)
        sums.squared_frame_mean += stream->spread[i];
    ranks_sum(stream->ranks, &sums.squared_frame_mean, &rest, 1);
    metrics_compute(&sums, out);
    return status_ok();
}
