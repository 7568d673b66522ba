#include "harness/metrics/metrics_json.h"

#include "harness/records/results.h"
#include <stddef.h>

const MetricRow *metric_rows(int *count)
{
    static const MetricRow rows[] = {
        {"e_rms", "E_RMS", "", offsetof(Metrics, e_rms), true, 1e-4},
        {"kg_percent", "KG error", "%", offsetof(Metrics, kg_percent), true, 1e-4},
        {"kg_percent_vertex_mean", "KG error, vertex mean", "%", offsetof(Metrics, kg_percent_vertex_mean),
         true, 1e-4},
        {"distance_max", "greatest distance", "diagonals", offsetof(Metrics, distance_max), true, 1e-6},
        {"distance_p95", "distance, 95th percentile", "diagonals", offsetof(Metrics, distance_p95), true,
         1e-6},
        {"distance_p99", "distance, 99th percentile", "diagonals", offsetof(Metrics, distance_p99), true,
         1e-6},
        {"normal_deviation_mean_degrees", "normal deviation, mean", "degrees",
         offsetof(Metrics, normal_deviation_mean_degrees), true, 1e-3},
        {"normal_deviation_max_degrees", "normal deviation, greatest", "degrees",
         offsetof(Metrics, normal_deviation_max_degrees), false, 0.0},
        {"volume_change_percent_min", "volume change, least", "%",
         offsetof(Metrics, volume_change_percent_min), false, 0.0},
        {"volume_change_percent_max", "volume change, greatest", "%",
         offsetof(Metrics, volume_change_percent_max), false, 0.0},
        {"edge_stretch_max", "worst edge stretch", "x", offsetof(Metrics, edge_stretch_max), false, 0.0},
        {"edge_collapse_min", "worst edge collapse", "x", offsetof(Metrics, edge_collapse_min), false, 0.0},
        {"unit_radius", "enclosing radius", "units", offsetof(Metrics, unit_radius), false, 0.0},
        {"diagonal", "bounding-box diagonal", "units", offsetof(Metrics, diagonal), false, 0.0},
    };
    *count = (int)(sizeof rows / sizeof *rows);
    return rows;
}

double metric_value(const MetricRow *row, const Metrics *metrics)
{
    return *(const double *)(const void *)((const char *)metrics + row->offset);
}

json_t *numbers_to_json(const double *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++)
        if (json_array_append_new(array, json_number_or_null(values[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

json_t *metrics_to_json(const Metrics *metrics, bool with_curves)
{
    int count = 0;
    const MetricRow *rows = metric_rows(&count);
    json_t *object = json_object();
    int failures = object ? 0 : 1;
    for (int i = 0; object && i < count; i++)
        failures += json_object_set_new(object, rows[i].name,
                                        json_number_or_null(metric_value(&rows[i], metrics))) != 0;
    if (object && with_curves) {
        failures += json_object_set_new(object, "e_rms_per_frame",
                                        numbers_to_json(metrics->e_rms_per_frame, metrics->frame_count)) != 0;
        failures += json_object_set_new(
                        object, "volume_change_percent_per_frame",
                        numbers_to_json(metrics->volume_change_percent_per_frame, metrics->frame_count)) != 0;
    }
    if (failures) {
        json_decref(object);
        return NULL;
    }
    return object;
}
