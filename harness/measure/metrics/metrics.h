/* How far a candidate animation is from its target, in numbers (metrics_stream.h finds the sums that they are
 * made of). A is the target, B the candidate, both F frames of N vertices. */
#pragma once

#include "datasets/base/base.h"

enum { METRICS_MAX = 32 };

typedef struct Metrics {
    int frame_count, vertex_count;
    bool has_further;           /* whether those were measured that take longer (Metric.further) */
    double values[METRICS_MAX]; /* of metric_rows, in their order */
    double *e_rms_per_frame;    /* [F] */
    double *volume_change_percent_per_frame; /* [F] */
} Metrics;

typedef enum MetricBetter { METRIC_NEITHER, METRIC_LOWER, METRIC_HIGHER } MetricBetter;

/* A metric is one row in metrics.c and the line there that computes it: `measure`, the records, tables
 * (columns of the quantity `metrics.NAME`), `compare` and `report` walk the rows. */
typedef struct Metric {
    const char *name;    /* member of `metrics` in a record */
    const char *title;   /* for people */
    const char *unit;    /* "" for a plain number */
    MetricBetter better; /* of two values */
    bool guarded;        /* whether `compare`, and so the nightly run, fails where it changed */
    bool further;        /* measured where it is asked for: by `measure`, the library and fits of `bench` */
    double slack;        /* numbers below this are rounding alone, in the metric's unit */
    /* Its column in the report's table of decompositions: title (NULL: it has none), factor, digits. */
    const char *column_title;
    double column_factor;
    int column_digits;
} Metric;

/* All metrics, in the order in which they are printed; `count` rows. */
const Metric *metric_rows(int *count);

/* The row of this name; NULL: there is none. */
const Metric *metric_find(const char *name);

/* The value of a row, and of the row of a name that exists. */
double metric_value(const Metric *metric, const Metrics *metrics);
double metric_named(const char *name, const Metrics *metrics);

/* What the metrics of further.h sum, over a frame or all of them. */
typedef struct FurtherSums {
    double velocity, velocity_count, acceleration, acceleration_count;
    double edge_change, edge_length, area_change, area, inverted, triangles;
    double seam_angle, seam_count, inner_angle, inner_count;
    double sted_space, sted_space_count, sted_time, sted_time_count;
} FurtherSums;

/* A rig against the true one. */
typedef struct RigTruth {
    double precision, recall, l1, joint_distance;
} RigTruth;

/* What is summed over all frames, or their greatest and least. */
typedef struct MetricSums {
    double squared_error;       /* ||A - B||_F^2 */
    double squared_frame_mean;  /* ||A - mean over frames||_F^2 */
    double squared_vertex_mean; /* ||A - mean over the vertices of each frame||_F^2 */
    double angle_sum, angle_count, angle_max;
    double distance_max, distance_p95, distance_p99, distance_sum;
    double stretch_max, collapse_min; /* not finite: there are no edges */
    double volume_min, volume_max;    /* changes in per cent; not finite: there is no volume */
    double radius, diagonal;          /* of the target's first frame */
    double rest_diagonal;             /* of its rest pose */
    FurtherSums further;
    RigTruth truth;
} MetricSums;

/* Computes the values of `out`, whose counts are known. A value that does not exist (a static target has no
 * kg_percent, a flat mesh no volume) is NAN and written as null. */
void metrics_compute(const MetricSums *sums, Metrics *out);

/* Frees the curves. */
void metrics_clear(Metrics *metrics);
