/* Numbers that say how far a candidate animation is from its target; metrics_stream.h computes the sums
 * from which they are derived. A is the target, B the candidate, both with F frames of N vertices. */
#pragma once

#include "datasets/base/base.h"

enum { METRICS_MAX = 40 };

typedef struct Metrics {
    int frame_count, vertex_count;
    bool has_further;                        /* whether the slower metrics (Metric.further) were measured */
    double values[METRICS_MAX];              /* values in the order of metric_rows */
    double *e_rms_per_frame;                 /* [F] */
    double *volume_change_percent_per_frame; /* [F] */
} Metrics;

typedef enum MetricBetter { METRIC_NEITHER, METRIC_LOWER, METRIC_HIGHER } MetricBetter;

/* A metric: a row of the table in metrics.c. `measure`, the records, tables (columns of the quantity
 * `metrics.NAME`), `compare` and `report` iterate over the rows. */
typedef struct Metric {
    const char *name;    /* name in the `metrics` of a record */
    const char *title;   /* for people */
    const char *unit;    /* unit; "" for a number without unit */
    MetricBetter better; /* whether a smaller or a larger value is better */
    bool guarded;        /* `compare`, and thus the nightly run, fails if the value changed */
    bool further; /* slow metric, measured only on request: by `measure`, the library, and fits in `bench` */
    double slack; /* value, in the metric's unit, below which the metric is only rounding */
    /* Column in the report's table of decompositions: title (NULL for no column), factor, digits. */
    const char *column_title;
    double column_factor;
    int column_digits;
} Metric;

/* Returns all metrics in the order of printing, and sets *count to their number. */
const Metric *metric_rows(int *count);

/* Returns the metric with this name; NULL if there is none. */
const Metric *metric_find(const char *name);

/* Return the value of a metric, given its row or its name, which must exist. */
double metric_value(const Metric *metric, const Metrics *metrics);
double metric_named(const char *name, const Metrics *metrics);

/* Sums of the metrics in further.h, over one frame or all frames. */
typedef struct FurtherSums {
    double velocity, velocity_count, acceleration, acceleration_count;
    double edge_change, edge_length, area_change, area, inverted, triangles;
    double seam_angle, seam_count, inner_angle, inner_count;
    double sted_space, sted_space_count, sted_time, sted_time_count;
} FurtherSums;

/* Comparison of a rig with the true one. */
typedef struct RigTruth {
    double precision, recall, l1;
    double cd_j2j, box; /* Chamfer distance of the joints in longest edges of the mesh's box, and that edge */
} RigTruth;

/* Sums, maxima and minima over all frames. */
typedef struct MetricSums {
    double squared_error;       /* ||A - B||_F^2 for target A and candidate B */
    double squared_frame_mean;  /* ||A - mean over frames||_F^2 for target A */
    double squared_vertex_mean; /* ||A - mean over the vertices of each frame||_F^2 for target A */
    double angle_sum, angle_count, angle_max, angle_over;
    double distance_max, distance_p95, distance_p99, distance_sum;
    double stretch_max, collapse_min; /* not finite without edges */
    double volume_min,
        volume_max; /* changes of the volume in per cent; not finite if the mesh encloses no volume */
    double radius, diagonal; /* radius and diagonal of the target's first frame */
    double rest_diagonal;    /* diagonal of the target's rest pose */
    FurtherSums further;
    RigTruth truth;
} MetricSums;

/* Computes the values of `out`, whose counts must be set. Values that do not exist (kg_percent of a static
 * target, volume of a flat mesh) are NAN and written as null. */
void metrics_compute(const MetricSums *sums, Metrics *out);

/* Frees the curves of the metrics. */
void metrics_clear(Metrics *metrics);
