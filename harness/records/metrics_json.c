#include "harness/records/metrics_json.h"

#include "harness/records/results.h"

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
    const Metric *rows = metric_rows(&count);
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
