#include "harness/bench/cell_json.h"

#include "harness/records/metrics_json.h"
#include "harness/records/results.h"

json_t *parameters_json(const Parameter *rows, int count, const ParameterValues *values)
{
    json_t *object = json_object();
    for (int i = 0; object && i < count; i++) {
        double value = values->values[i];
        json_t *member = NULL;
        switch (rows[i].type) {
        case PARAMETER_REAL:
            member = json_number_or_null(value);
            break;
        case PARAMETER_INTEGER:
            member = json_integer((json_int_t)value);
            break;
        case PARAMETER_FLAG:
            member = json_boolean(value != 0.0);
            break;
        case PARAMETER_CHOICE:
            member = json_string(rows[i].choices[(int)value]);
            break;
        }
        json_object_set_new(object, rows[i].name, member);
    }
    return object;
}

json_t *samples_json(const double *samples, int count, int inner, double *scratch)
{
    Statistics s = statistics_of(samples, (size_t)count, 1, scratch);
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o?}", "median_s", json_number_or_null(s.median), "minimum_s",
        json_number_or_null(s.minimum), "quartile_low_s", json_number_or_null(s.quartile_low),
        "quartile_high_s", json_number_or_null(s.quartile_high), "interval_low_s",
        json_number_or_null(s.interval_low), "interval_high_s", json_number_or_null(s.interval_high), "inner",
        inner, "samples_s", numbers_to_json(samples, count));
}

json_t *interval_json(const Statistics *statistics, double factor)
{
    return json_pack("{s:o, s:o, s:o}", "median", json_number_or_null(factor * statistics->median),
                     "interval_low", json_number_or_null(factor * statistics->interval_low), "interval_high",
                     json_number_or_null(factor * statistics->interval_high));
}

void record_set_failure(json_t *record, const char *status, const char *reason)
{
    json_object_set_new(record, "status", json_string(status));
    json_object_set_new(record, "reason", json_string(reason));
    json_object_set_new(record, "metrics", json_null());
    json_object_set_new(record, "timing", json_null());
}
