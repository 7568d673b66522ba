/* A mean over the rigs that could be scored favours a predictor that fails on hard ones. Each row therefore
 * says how many failed, and has the mean with failures beside. */
#include "harness/show/tables/score_table.h"

#include "harness/measure/score/score.h"
#include "harness/measure/timing/statistics.h"

const Record *score_group_next(const RecordView *records, const Record *previous)
{
    for (const Record *record = previous; (record = record_view_next_kind(records, CELL_SCORE, record));) {
        const Record *first = record_view_next_kind(records, CELL_SCORE, NULL);
        while (!cell_same_setting(&first->cell, &record->cell))
            first = record_view_next_kind(records, CELL_SCORE, first);
        if (first == record)
            return record;
    }
    return NULL;
}

TextTable *score_table(const RecordView *records, const Record *first)
{
    char title[TEXT_FORMAT_BYTES], parameters[1024];
    int count = 0;
    cell_parameters_without(&first->cell, (const char *const[]){"variant", NULL}, parameters,
                            sizeof parameters);
    snprintf(title, sizeof title, "Scores of %s, variant %s%s%s", first->cell.method,
             argument_text(argument_find(first->cell.parameters, "variant"), ""), parameters[0] ? ", " : "",
             parameters);
    TextTable *out = text_table_create(
        title, "<score|scored|failed|success %|mean|mean with failures|median|95 % from|95 % to|quartile 1|"
               "quartile 3");
    for (const Record *record = NULL; (record = record_view_next_kind(records, CELL_SCORE, record));)
        count++;
    double *values = memory_table((size_t)count, 3, sizeof *values); /* values, and the statistics' scratch */
    if (!values)
        text_table_fail(out);
    for (int row = 0; row < SCORE_COUNT && values; row++) {
        const char *name = score_rows[row].name;
        int scored = 0, failed = 0, worst_count = 0;
        double sum = 0.0, worst = 0.0;
        for (const Record *record = NULL; (record = record_view_next_kind(records, CELL_SCORE, record));) {
            const bool is_failed = record->status == RECORD_FAILED;
            const double value = measures_value(is_failed ? &record->held : &record->measures, name);
            if (!cell_same_setting(&record->cell, &first->cell))
                continue;
            failed += is_failed;
            if (is_failed && !isnan(value)) {
                worst += value;
                worst_count++;
            } else if (!isnan(value)) {
                values[scored++] = value;
                sum += value;
            }
        }
        if (scored == 0)
            continue;
        const double mean = sum / scored;
        const Statistics statistics = statistics_of(values, (size_t)scored, 1, values + count);
        text_table_row(out, score_rows[row].title, NULL);
        text_table_cell(out, "%d", scored);
        text_table_cell(out, "%d", failed);
        text_table_number(out, 100.0 * scored / (scored + failed), 4);
        text_table_number(out, mean, 5);
        text_table_number(out, (mean * scored + worst) / (scored + worst_count), 5);
        text_table_number(out, statistics.median, 5);
        text_table_number(out, statistics.interval_low, 5);
        text_table_number(out, statistics.interval_high, 5);
        text_table_number(out, statistics.quartile_low, 5);
        text_table_number(out, statistics.quartile_high, 5);
    }
    memory_free(values);
    return out;
}
