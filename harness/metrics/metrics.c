/* Errors of a candidate against its target: sums per frame, then the metrics over all of them. */
#include "harness/metrics/metrics.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/enclosing_ball.h"
#include "datasets/geometry/points.h"
#include "datasets/model/validate.h"
#include "harness/metrics/surface.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

/* What is summed within one frame, in the order of its vertices. */
typedef struct FrameSums {
    double squared_error;       /* ||A_f - B_f||^2 */
    double squared_vertex_mean; /* ||A_f - mean over vertices||^2 */
    double angle_sum, angle_max;
    int angle_count;
    double volume_change_percent;
    double stretch_max, collapse_min;
    int bad_vertex; /* first vertex with a value that is not finite, -1: none */
    bool bad_in_candidate;
} FrameSums;

/* The greatest values of many: those that percentiles from LOWEST_SHARE up are among. */
typedef struct Greatest {
    float *values; /* [2 kept] */
    size_t kept, count;
    float bound; /* no value up to it is needed any more */
} Greatest;

static const double LOWEST_SHARE = 0.95;

struct MetricsStream {
    const Mesh *mesh;
    Surface surface;
    int frame_count, frames_seen, thread_count;
    double unit_radius, diagonal;
    double *mean;      /* [N][3] over the frames so far (Welford) */
    double *spread;    /* [N] squared deviation from it so far */
    float *distances;  /* [block][N] of the frames that came last */
    int block;         /* frames that there is space for */
    Greatest greatest; /* of all distances so far */
    FrameSums *frames; /* [F] */
    double *scratch;   /* [threads][6N + 4 holes] */
    size_t scratch_stride;
};

/* Hoare's selection: the element that would stand at `rank` were the values sorted. Reorders the values. */
static float value_of_rank(float *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i >= j)
                break;
            float swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

/* The place, from 0, of the least of `count` ascending values that `share` of them do not exceed. */
static size_t rank_of(double share, size_t count)
{
    const size_t rank = (size_t)ceil(share * (double)count);
    return rank > 0 ? rank - 1 : 0;
}

/* Where there is no more space, the lower ones of what is there are dropped: they are not among the greatest of all. */
static void greatest_add(Greatest *greatest, const float *values, size_t count)
{
    const size_t kept = greatest->kept;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > greatest->bound))
            continue;
        if (greatest->count == 2 * kept) {
            greatest->bound = value_of_rank(greatest->values, 2 * kept, kept);
            memcpy(greatest->values, greatest->values + kept, kept * sizeof *values);
            greatest->count = kept;
        }
        greatest->values[greatest->count++] = values[i];
    }
}

static Status first_frame_radius(const float *positions, int vertex_count, double *radius)
{
    if (vertex_count < 1)
        return status_make(STATUS_BAD_INPUT, "an animation without vertices has no size to measure by");
    const int64_t bad = float_not_finite(positions, 3 * (int64_t)vertex_count);
    if (bad >= 0)
        return status_make(STATUS_BAD_INPUT, "frame 0, vertex %lld of the target is not finite",
                           (long long)bad / 3);
    Ball ball;
    Status status = enclosing_ball(positions, vertex_count, &ball);
    if (status.code == STATUS_OK && !(ball.radius > 0.0))
        status = status_make(STATUS_BAD_INPUT, "all vertices of the first frame are one point");
    *radius = ball.radius;
    return status;
}

Status metrics_unit_radius(const Animation *target, int vertex_count, double *radius)
{
    *radius = NAN;
    if (target->frame_count < 1 || !target->positions)
        return status_make(STATUS_BAD_INPUT, "an animation without frames has no size to measure by");
    return first_frame_radius(target->positions, vertex_count, radius);
}

Status metrics_stream_open(const Mesh *mesh, const float *first_frame, int frame_count, int threads,
                           MetricsStream **out)
{
    *out = NULL;
    if (frame_count < 1)
        return status_make(STATUS_BAD_INPUT, "there are no frames to compare");
    MetricsStream *stream = memory_array(1, sizeof *stream);
    if (!stream)
        return status_out_of_memory("the metrics");
    Status status;
    size_t vertices = (size_t)mesh->vertex_count, frames = (size_t)frame_count;
    stream->mesh = mesh;
    stream->frame_count = frame_count;
    stream->thread_count = threads > 1 ? threads : 1;
    STATUS_TRY(first_frame_radius(first_frame, mesh->vertex_count, &stream->unit_radius));
    stream->diagonal = bounds_of(first_frame, mesh->vertex_count).diagonal;
    STATUS_TRY(surface_build(mesh, &stream->surface));
    stream->scratch_stride = 6 * vertices + 4 * (size_t)stream->surface.hole_count;
    stream->mean = memory_table(vertices, 3, sizeof *stream->mean);
    stream->spread = memory_array(vertices, sizeof *stream->spread);
    const size_t all = frames * vertices; /* no more than there are positions */
    stream->greatest.kept = all - rank_of(LOWEST_SHARE, all);
    stream->greatest.bound = -1.0f;
    stream->greatest.values = memory_table(2, stream->greatest.kept, sizeof *stream->greatest.values);
    stream->frames = memory_array(frames, sizeof *stream->frames);
    stream->scratch =
        memory_table((size_t)stream->thread_count, stream->scratch_stride, sizeof *stream->scratch);
    if (!stream->mean || !stream->spread || !stream->greatest.values || !stream->frames || !stream->scratch)
        status = status_out_of_memory("the metrics");
done:
    if (status.code == STATUS_OK)
        *out = stream;
    else
        metrics_stream_close(stream);
    return status;
}

void metrics_stream_close(MetricsStream *stream)
{
    if (!stream)
        return;
    surface_clear(&stream->surface);
    memory_free(stream->mean);
    memory_free(stream->spread);
    memory_free(stream->distances);
    memory_free(stream->greatest.values);
    memory_free(stream->frames);
    memory_free(stream->scratch);
    memory_free(stream);
}

const float *metrics_stream_distances(const MetricsStream *stream)
{
    return stream->distances;
}

/* Errors and distances of one frame. Returns false at the first value that is not finite. */
static bool frame_measure_points(const float *target, const float *candidate, int vertex_count,
                                 float *distances, FrameSums *sums)
{
    double mean[3] = {0.0, 0.0, 0.0};
    sums->bad_vertex = -1;
    for (int v = 0; v < vertex_count; v++) {
        double squared = 0.0;
        for (int k = 0; k < 3; k++) {
            double a = (double)target[3 * (size_t)v + (size_t)k];
            double b = (double)candidate[3 * (size_t)v + (size_t)k];
            if (!isfinite(a) || !isfinite(b)) {
                sums->bad_vertex = v;
                sums->bad_in_candidate = isfinite(a);
                return false;
            }
            mean[k] += a;
            squared += (a - b) * (a - b);
        }
        sums->squared_error += squared;
        distances[v] = (float)sqrt(squared);
    }
    for (int k = 0; k < 3; k++)
        mean[k] /= vertex_count;
    for (int v = 0; v < vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            double difference = (double)target[3 * (size_t)v + (size_t)k] - mean[k];
            sums->squared_vertex_mean += difference * difference;
        }
    return true;
}

static void frame_measure_normals(const Surface *surface, const float *target, const float *candidate,
                                  double *scratch, FrameSums *sums)
{
    double *normals_a = scratch, *normals_b = scratch + 3 * (size_t)surface->vertex_count;
    vertex_normals(surface->triangles, surface->triangle_count, surface->vertex_count, target, normals_a);
    vertex_normals(surface->triangles, surface->triangle_count, surface->vertex_count, candidate, normals_b);
    for (int v = 0; v < surface->vertex_count; v++) {
        const double *a = normals_a + 3 * (size_t)v, *b = normals_b + 3 * (size_t)v;
        Vec3 left = vec3_make(a[0], a[1], a[2]), right = vec3_make(b[0], b[1], b[2]);
        double sine = vec3_length(vec3_cross(left, right)), cosine = vec3_dot(left, right);
        if (sine == 0.0 && cosine == 0.0)
            continue; /* a vertex of no triangle, or of triangles without area */
        double angle = 180.0 / PI * atan2(sine, cosine);
        sums->angle_sum += angle;
        sums->angle_max = fmax(sums->angle_max, angle);
        sums->angle_count++;
    }
}

static double edge_length(const float *positions, const MeshEdge *edge)
{
    return vec3_length(vec3_sub(point_at(positions, edge->low), point_at(positions, edge->high)));
}

static void frame_measure_edges(const Surface *surface, const float *target, const float *candidate,
                                FrameSums *sums)
{
    sums->stretch_max = -INFINITY;
    sums->collapse_min = INFINITY;
    for (int i = 0; i < surface->edge_count; i++) {
        const MeshEdge *edge = &surface->edges[i];
        double length = edge_length(target, edge);
        if (length > 0.0) {
            double ratio = edge_length(candidate, edge) / length;
            sums->stretch_max = fmax(sums->stretch_max, ratio);
            sums->collapse_min = fmin(sums->collapse_min, ratio);
        }
    }
}

static void frame_measure(MetricsStream *stream, int frame, float *distances, const float *target,
                          const float *candidate)
{
    FrameSums *sums = &stream->frames[frame];
    int vertex_count = stream->mesh->vertex_count;
    double *scratch = stream->scratch + (size_t)omp_get_thread_num() * stream->scratch_stride;
    if (!frame_measure_points(target, candidate, vertex_count, distances, sums))
        return;
    frame_measure_normals(&stream->surface, target, candidate, scratch, sums);
    frame_measure_edges(&stream->surface, target, candidate, sums);
    double *holes = scratch + 6 * (size_t)vertex_count;
    double before = surface_volume(&stream->surface, target, holes);
    double after = isnan(before) ? NAN : surface_volume(&stream->surface, candidate, holes);
    sums->volume_change_percent = 100.0 * (after / before - 1.0);
}

/* Welford's update of one vertex' mean over the frames and its squared deviation. */
static void vertex_spread_add(MetricsStream *stream, int vertex, int first, int count, const float *target)
{
    double *mean = stream->mean + 3 * (size_t)vertex;
    size_t stride = 3 * (size_t)stream->mesh->vertex_count;
    for (int f = 0; f < count; f++) {
        const float *position = target + (size_t)f * stride + 3 * (size_t)vertex;
        for (int k = 0; k < 3; k++) {
            double before = (double)position[k] - mean[k];
            mean[k] += before / (first + f + 1);
            stream->spread[vertex] += before * ((double)position[k] - mean[k]);
        }
    }
}

Status metrics_stream_add(MetricsStream *stream, int count, const float *target, const float *candidate)
{
    int first = stream->frames_seen, vertex_count = stream->mesh->vertex_count;
    size_t stride = 3 * (size_t)vertex_count;
    if (count < 0 || count > stream->frame_count - first)
        return status_make(STATUS_BAD_INPUT, "%d frames come after %d, but only %d were announced", count,
                           first, stream->frame_count);
    if (count > stream->block) {
        memory_free(stream->distances);
        stream->distances = memory_table((size_t)count, (size_t)vertex_count, sizeof *stream->distances);
        stream->block = stream->distances ? count : 0;
        if (!stream->distances)
            return status_out_of_memory("the distances");
    }
#pragma omp parallel for schedule(dynamic) num_threads(stream->thread_count)
    for (int f = 0; f < count; f++)
        frame_measure(stream, first + f, stream->distances + (size_t)f * (size_t)vertex_count,
                      target + (size_t)f * stride, candidate + (size_t)f * stride);
    for (int f = first; f < first + count; f++)
        if (stream->frames[f].bad_vertex >= 0)
            return status_make(STATUS_BAD_INPUT, "frame %d, vertex %d of the %s is not finite", f,
                               stream->frames[f].bad_vertex,
                               stream->frames[f].bad_in_candidate ? "candidate" : "target");
#pragma omp parallel for schedule(static) num_threads(stream->thread_count)
    for (int v = 0; v < vertex_count; v++)
        vertex_spread_add(stream, v, first, count, target);
    greatest_add(&stream->greatest, stream->distances, (size_t)count * (size_t)vertex_count);
    stream->frames_seen += count;
    return status_ok();
}

/* Nearest rank: the least of the `count` distances that `share` of them do not exceed; share is LOWEST_SHARE or more. */
static double percentile(Greatest *greatest, size_t count, double share)
{
    const size_t from_top = count - rank_of(share, count);
    return (double)value_of_rank(greatest->values, greatest->count, greatest->count - from_top);
}

static double value_if(bool present, double value)
{
    return present ? value : NAN;
}

enum {
    E_RMS,
    KG_PERCENT,
    KG_PERCENT_VERTEX_MEAN,
    DISTANCE_MAX,
    DISTANCE_P95,
    DISTANCE_P99,
    NORMAL_DEVIATION_MEAN,
    NORMAL_DEVIATION_MAX,
    VOLUME_CHANGE_MIN,
    VOLUME_CHANGE_MAX,
    EDGE_STRETCH_MAX,
    EDGE_COLLAPSE_MIN,
    UNIT_RADIUS,
    DIAGONAL,
    ROW_COUNT
};
_Static_assert((int)ROW_COUNT <= (int)METRICS_MAX, "METRICS_MAX is too small");

static const Metric rows[ROW_COUNT] = {
    [E_RMS] = {"e_rms", "E_RMS", "", METRIC_LOWER, true, 1e-4, "E_RMS", 1.0, 4},
    [KG_PERCENT] = {"kg_percent", "KG error", "%", METRIC_LOWER, true, 1e-4, "KG %", 1.0, 4},
    [KG_PERCENT_VERTEX_MEAN] = {"kg_percent_vertex_mean", "KG error, vertex mean", "%", METRIC_LOWER, true,
                                1e-4, NULL, 0.0, 0},
    [DISTANCE_MAX] = {"distance_max", "greatest distance", "diagonals", METRIC_LOWER, true, 1e-6,
                      "max % of diagonal", 100.0, 3},
    [DISTANCE_P95] = {"distance_p95", "distance, 95th percentile", "diagonals", METRIC_LOWER, true, 1e-6,
                      NULL, 0.0, 0},
    [DISTANCE_P99] = {"distance_p99", "distance, 99th percentile", "diagonals", METRIC_LOWER, true, 1e-6,
                      NULL, 0.0, 0},
    [NORMAL_DEVIATION_MEAN] = {"normal_deviation_mean_degrees", "normal deviation, mean", "degrees",
                               METRIC_LOWER, true, 1e-3, "normals deg", 1.0, 3},
    [NORMAL_DEVIATION_MAX] = {"normal_deviation_max_degrees", "normal deviation, greatest", "degrees",
                              METRIC_LOWER, true, 0.0, NULL, 0.0, 0},
    [VOLUME_CHANGE_MIN] = {"volume_change_percent_min", "volume change, least", "%", METRIC_NEITHER, true,
                           0.0, NULL, 0.0, 0},
    [VOLUME_CHANGE_MAX] = {"volume_change_percent_max", "volume change, greatest", "%", METRIC_NEITHER, true,
                           0.0, NULL, 0.0, 0},
    [EDGE_STRETCH_MAX] = {"edge_stretch_max", "worst edge stretch", "x", METRIC_LOWER, true, 0.0, NULL, 0.0,
                          0},
    [EDGE_COLLAPSE_MIN] = {"edge_collapse_min", "worst edge collapse", "x", METRIC_HIGHER, true, 0.0, NULL,
                           0.0, 0},
    [UNIT_RADIUS] = {"unit_radius", "enclosing radius", "units", METRIC_NEITHER, false, 0.0, NULL, 0.0, 0},
    [DIAGONAL] = {"diagonal", "bounding-box diagonal", "units", METRIC_NEITHER, false, 0.0, NULL, 0.0, 0},
};

/* Sums over the frames, in their order, and the metrics that they make. */
static void frames_sum(MetricsStream *stream, Metrics *out)
{
    double squared = 0.0, vertex_mean = 0.0, spread = 0.0, angles = 0.0, angle_max = 0.0;
    double stretch = -INFINITY, collapse = INFINITY, volume_min = INFINITY, volume_max = -INFINITY;
    double elements = 3.0 * out->vertex_count, radius = stream->unit_radius, diagonal = stream->diagonal;
    size_t count = (size_t)out->frame_count * (size_t)out->vertex_count;
    long angle_count = 0;
    for (int f = 0; f < stream->frame_count; f++) {
        const FrameSums *sums = &stream->frames[f];
        squared += sums->squared_error;
        vertex_mean += sums->squared_vertex_mean;
        angles += sums->angle_sum;
        angle_count += sums->angle_count;
        angle_max = fmax(angle_max, sums->angle_max);
        stretch = fmax(stretch, sums->stretch_max);
        collapse = fmin(collapse, sums->collapse_min);
        volume_min = fmin(volume_min, sums->volume_change_percent); /* fmin and fmax pass over NAN */
        volume_max = fmax(volume_max, sums->volume_change_percent);
        out->e_rms_per_frame[f] = 1000.0 * sqrt(sums->squared_error / elements) / radius;
        out->volume_change_percent_per_frame[f] = sums->volume_change_percent;
    }
    for (int v = 0; v < out->vertex_count; v++)
        spread += stream->spread[v];
    /* Rounding leaves a static target with a spread of the order of its own resolution, squared. */
    double nothing = elements * out->frame_count * pow(1e-9 * diagonal, 2.0);
    double *values = out->values;
    /* FESAM section 5: 1000 ||A - B||_F / (radius sqrt(3NF)). */
    values[E_RMS] = 1000.0 * sqrt(squared / (elements * out->frame_count)) / radius;
    /* Karni and Gotsman 2004: 100 ||A - B||_F / ||A - mean over frames||_F; the compression community subtracts
     * each frame's mean over the vertices instead. */
    values[KG_PERCENT] = value_if(spread > nothing, 100.0 * sqrt(squared / spread));
    values[KG_PERCENT_VERTEX_MEAN] = value_if(vertex_mean > nothing, 100.0 * sqrt(squared / vertex_mean));
    /* The least distance that this share of all vertices does not exceed. */
    values[DISTANCE_MAX] = percentile(&stream->greatest, count, 1.0) / diagonal;
    values[DISTANCE_P99] = percentile(&stream->greatest, count, 0.99) / diagonal;
    values[DISTANCE_P95] = percentile(&stream->greatest, count, 0.95) / diagonal;
    /* Of area-weighted vertex normals. */
    values[NORMAL_DEVIATION_MEAN] = value_if(angle_count > 0, angles / (double)angle_count);
    values[NORMAL_DEVIATION_MAX] = value_if(angle_count > 0, angle_max);
    /* Signed volume against the target's, by frame. */
    values[VOLUME_CHANGE_MIN] = value_if(isfinite(volume_min), volume_min);
    values[VOLUME_CHANGE_MAX] = value_if(isfinite(volume_max), volume_max);
    /* An edge's length over its length in the target. */
    values[EDGE_STRETCH_MAX] = value_if(isfinite(stretch), stretch);
    values[EDGE_COLLAPSE_MIN] = value_if(isfinite(collapse), collapse);
    values[UNIT_RADIUS] = radius;
    values[DIAGONAL] = diagonal;
}

const Metric *metric_rows(int *count)
{
    *count = ROW_COUNT;
    return rows;
}

const Metric *metric_find(const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

double metric_value(const Metric *metric, const Metrics *metrics)
{
    return metrics->values[metric - rows];
}

double metric_named(const char *name, const Metrics *metrics)
{
    const Metric *metric = metric_find(name);
    assert(metric);
    return metric_value(metric, metrics);
}

Status metrics_stream_finish(MetricsStream *stream, Metrics *out)
{
    *out = (Metrics){.frame_count = stream->frame_count, .vertex_count = stream->mesh->vertex_count};
    if (stream->frames_seen != stream->frame_count)
        return status_make(STATUS_BAD_INPUT, "%d frames came, %d were announced", stream->frames_seen,
                           stream->frame_count);
    out->e_rms_per_frame = memory_array((size_t)out->frame_count, sizeof(double));
    out->volume_change_percent_per_frame = memory_array((size_t)out->frame_count, sizeof(double));
    if (!out->e_rms_per_frame || !out->volume_change_percent_per_frame) {
        metrics_clear(out);
        return status_out_of_memory("the metrics");
    }
    frames_sum(stream, out);
    return status_ok();
}

void metrics_clear(Metrics *metrics)
{
    memory_free(metrics->e_rms_per_frame);
    memory_free(metrics->volume_change_percent_per_frame);
    *metrics = (Metrics){0};
}
