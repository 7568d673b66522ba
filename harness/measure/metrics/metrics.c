/* Defines the metrics. Each metric is a row of a table, and is computed by one line of metrics_compute. */
#include "harness/measure/metrics/metrics.h"

#include <assert.h>

enum {
    E_RMS,
    E_RMS_HALF_DIAGONAL,
    KG_PERCENT,
    KG_PERCENT_VERTEX_MEAN,
    DISTANCE_MAX,
    DISTANCE_P95,
    DISTANCE_P99,
    DISTANCE_MEAN,
    DISTANCE_MAX_UNITS,
    DISTANCE_MEAN_UNITS,
    NORMAL_DEVIATION_MEAN,
    NORMAL_DEVIATION_MAX,
    NORMAL_DEVIATION_OVER,
    VOLUME_CHANGE_MIN,
    VOLUME_CHANGE_MAX,
    EDGE_STRETCH_MAX,
    EDGE_COLLAPSE_MIN,
    EDGE_DISTORTION,
    AREA_DISTORTION,
    INVERTED,
    ROUGHNESS,
    SEAM_ROUGHNESS,
    VELOCITY_ERROR,
    ACCELERATION_ERROR,
    STED,
    STED_SPATIAL,
    STED_TEMPORAL,
    WEIGHT_PRECISION,
    WEIGHT_RECALL,
    WEIGHT_L1,
    CD_J2J,
    UNIT_RADIUS,
    DIAGONAL,
    ROW_COUNT
};
_Static_assert((int)ROW_COUNT <= (int)METRICS_MAX, "METRICS_MAX is too small");

#define LOWER METRIC_LOWER, .guarded = true
#define HIGHER METRIC_HIGHER, .guarded = true
#define NEITHER METRIC_NEITHER, .guarded = true
#define SIZE METRIC_NEITHER, .guarded = false
#define FURTHER .further = true
#define COLUMN(title, factor, digits) .column_title = title, .column_factor = factor, .column_digits = digits

static const Metric rows[ROW_COUNT] = {
    [E_RMS] = {"e_rms", "E_RMS", "", LOWER, .slack = 1e-4, COLUMN("E_RMS", 1.0, 4)},
    [E_RMS_HALF_DIAGONAL] = {"e_rms_half_diagonal", "E_RMS relative to half the rest pose's diagonal", "",
                             LOWER, .slack = 1e-4},
    [KG_PERCENT] = {"kg_percent", "KG error", "%", LOWER, .slack = 1e-4, COLUMN("KG %", 1.0, 4)},
    [KG_PERCENT_VERTEX_MEAN] = {"kg_percent_vertex_mean", "KG error, relative to frame means", "%", LOWER,
                                .slack = 1e-4},
    [DISTANCE_MAX] = {"distance_max", "greatest distance", "diagonals", LOWER, .slack = 1e-6,
                      COLUMN("max % of diagonal", 100.0, 3)},
    [DISTANCE_P95] = {"distance_p95", "distance, 95th percentile", "diagonals", LOWER, .slack = 1e-6},
    [DISTANCE_P99] = {"distance_p99", "distance, 99th percentile", "diagonals", LOWER, .slack = 1e-6},
    [DISTANCE_MEAN] = {"distance_mean", "mean distance (MAE)", "diagonals", LOWER, .slack = 1e-6},
    [DISTANCE_MAX_UNITS] = {"distance_max_units", "greatest distance", "units", LOWER},
    [DISTANCE_MEAN_UNITS] = {"distance_mean_units", "mean distance", "units", LOWER},
    [NORMAL_DEVIATION_MEAN] = {"normal_deviation_mean_degrees", "normal deviation, mean", "degrees", LOWER,
                               .slack = 1e-3, COLUMN("normals deg", 1.0, 3)},
    [NORMAL_DEVIATION_MAX] = {"normal_deviation_max_degrees", "normal deviation, maximum", "degrees", LOWER,
                              .slack = 1e-3},
    [NORMAL_DEVIATION_OVER] = {"normal_deviation_over_30_percent", "normals off by more than 30 degrees", "%",
                               METRIC_LOWER, .guarded = false, .slack = 1e-3},
    [VOLUME_CHANGE_MIN] = {"volume_change_percent_min", "volume change, minimum", "%", NEITHER,
                           .slack = 1e-4},
    [VOLUME_CHANGE_MAX] = {"volume_change_percent_max", "volume change, maximum", "%", NEITHER,
                           .slack = 1e-4},
    [EDGE_STRETCH_MAX] = {"edge_stretch_max", "worst edge stretch", "x", LOWER},
    [EDGE_COLLAPSE_MIN] = {"edge_collapse_min", "worst edge collapse", "x", HIGHER},
    [EDGE_DISTORTION] = {"edge_distortion_percent", "edge-length distortion, mean", "%", LOWER, FURTHER},
    [AREA_DISTORTION] = {"area_distortion_percent", "area distortion, mean", "%", LOWER, FURTHER},
    [INVERTED] = {"inverted_percent", "inverted triangles", "%", LOWER, FURTHER},
    [ROUGHNESS] = {"roughness_degrees", "dihedral roughness", "degrees", LOWER, FURTHER},
    [SEAM_ROUGHNESS] = {"seam_roughness_degrees", "dihedral roughness across seams", "degrees", LOWER,
                        FURTHER},
    [VELOCITY_ERROR] = {"velocity_error", "velocity error, mean", "diagonals per frame", LOWER, FURTHER},
    [ACCELERATION_ERROR] = {"acceleration_error", "acceleration error, mean", "diagonals per frame^2", LOWER,
                            FURTHER},
    [STED] = {"sted", "STED", "", LOWER, FURTHER},
    [STED_SPATIAL] = {"sted_spatial", "STED, spatial", "", LOWER, FURTHER},
    [STED_TEMPORAL] = {"sted_temporal", "STED, temporal", "", LOWER, FURTHER},
    [WEIGHT_PRECISION] = {"weight_precision_percent", "weights, precision", "%", HIGHER, FURTHER},
    [WEIGHT_RECALL] = {"weight_recall_percent", "weights, recall", "%", HIGHER, FURTHER},
    [WEIGHT_L1] = {"weight_l1", "weights, L1", "", LOWER, FURTHER},
    [CD_J2J] = {"cd_j2j", "joints, Chamfer distance (CD-J2J)", "box edges", LOWER, FURTHER},
    [UNIT_RADIUS] = {"unit_radius", "enclosing radius", "units", SIZE},
    [DIAGONAL] = {"diagonal", "bounding-box diagonal", "units", SIZE},
};

static double value_if(bool present, double value)
{
    return present ? value : NAN;
}

void metrics_compute(const MetricSums *sums, Metrics *out)
{
    const double elements = 3.0 * out->vertex_count;
    const double spread = sums->squared_frame_mean, vertex_mean = sums->squared_vertex_mean;
    /* The positions of a target that does not move still differ by rounding. A sum of squares up to this
     * bound is therefore treated as zero. */
    const double nothing = elements * out->frame_count * pow(1e-9 * sums->diagonal, 2.0);
    double *values = out->values;
    /* FESAM section 5: 1000 ||A - B||_F / (radius sqrt(3NF)). */
    values[E_RMS] = 1000.0 * sqrt(sums->squared_error / (elements * out->frame_count)) / sums->radius;
    /* The unit of Liu et al. 2020 (Hyperspectral Inverse Skinning). */
    values[E_RMS_HALF_DIAGONAL] = values[E_RMS] * sums->radius / (0.5 * sums->rest_diagonal);
    /* Karni and Gotsman 2004: 100 ||A - B||_F / ||A - mean over frames||_F. The compression community
     * subtracts each frame's mean over the vertices instead. */
    values[KG_PERCENT] = value_if(spread > nothing, 100.0 * sqrt(sums->squared_error / spread));
    values[KG_PERCENT_VERTEX_MEAN] =
        value_if(vertex_mean > nothing, 100.0 * sqrt(sums->squared_error / vertex_mean));
    /* Largest distance and percentiles, relative to the diagonal. */
    values[DISTANCE_MAX] = sums->distance_max / sums->diagonal;
    values[DISTANCE_P99] = sums->distance_p99 / sums->diagonal;
    values[DISTANCE_P95] = sums->distance_p95 / sums->diagonal;
    /* Distances in the unit of the data set. */
    values[DISTANCE_MAX_UNITS] = sums->distance_max;
    values[DISTANCE_MEAN_UNITS] = sums->distance_sum / ((double)out->vertex_count * out->frame_count);
    values[DISTANCE_MEAN] = values[DISTANCE_MEAN_UNITS] / sums->diagonal;
    /* Angles between vertex normals; there are none without triangles. */
    values[NORMAL_DEVIATION_MEAN] = value_if(sums->angle_count > 0.0, sums->angle_sum / sums->angle_count);
    values[NORMAL_DEVIATION_MAX] = value_if(sums->angle_count > 0.0, sums->angle_max);
    values[NORMAL_DEVIATION_OVER] = 100.0 * sums->angle_over / sums->angle_count;
    /* Change of the signed volume in each frame, relative to the target's volume in that frame. */
    values[VOLUME_CHANGE_MIN] = value_if(isfinite(sums->volume_min), sums->volume_min);
    values[VOLUME_CHANGE_MAX] = value_if(isfinite(sums->volume_max), sums->volume_max);
    /* Ratio of an edge's length to its length in the target. */
    values[EDGE_STRETCH_MAX] = value_if(isfinite(sums->stretch_max), sums->stretch_max);
    values[EDGE_COLLAPSE_MIN] = value_if(isfinite(sums->collapse_min), sums->collapse_min);
    values[UNIT_RADIUS] = sums->radius;
    /* 0 / 0 gives NAN, which means that there is no value. */
    const FurtherSums *further = &sums->further;
    /* |length - target length| over target lengths, and the same for areas */
    values[EDGE_DISTORTION] = 100.0 * further->edge_change / further->edge_length;
    values[AREA_DISTORTION] = 100.0 * further->area_change / further->area;
    values[INVERTED] = 100.0 * further->inverted / further->triangles;
    values[ROUGHNESS] = further->inner_angle / further->inner_count;
    values[SEAM_ROUGHNESS] = further->seam_angle / further->seam_count;
    values[VELOCITY_ERROR] = further->velocity / further->velocity_count / sums->diagonal;
    values[ACCELERATION_ERROR] = further->acceleration / further->acceleration_count / sums->diagonal;
    /* Váša and Skala 2011, with equal weight of space and time */
    values[STED_SPATIAL] = further->sted_space / further->sted_space_count;
    values[STED_TEMPORAL] = further->sted_time / further->sted_time_count;
    values[STED] = hypot(values[STED_SPATIAL], values[STED_TEMPORAL]);
    /* variant `rignet` of score.h */
    values[WEIGHT_PRECISION] = sums->truth.precision;
    values[WEIGHT_RECALL] = sums->truth.recall;
    values[WEIGHT_L1] = sums->truth.l1;
    values[CD_J2J] = sums->truth.cd_j2j;
    values[DIAGONAL] = sums->diagonal;
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

void metrics_clear(Metrics *metrics)
{
    FREE_ALL(metrics->e_rms_per_frame, metrics->volume_change_percent_per_frame);
    *metrics = (Metrics){0};
}
