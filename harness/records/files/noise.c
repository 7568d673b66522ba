/* Measures the noise of a run: a cell is timed twice, and the ratio of both times is stored per group and
 * pooled over the run. */
#include "harness/records/files/noise.h"

static const char RATIO[] = "ratio";

Status noise_record_make(const Cell *cell, const double *first, const double *second, int count,
                         double *scratch, Record *out)
{
    Cell noise_cell = *cell;
    noise_cell.kind = CELL_NOISE;
    noise_cell.parameters = NULL;
    *out = record_of(&noise_cell);
    STATUS_TRY(argument_copy(cell->parameters, &out->cell.parameters));
    for (int i = 0; i < count; i++)
        scratch[i] = first[i] / second[i];
    measures_add_samples(&out->measures, RATIO, scratch, count);
    out->status = RECORD_OK;
    STATUS_TRY(measures_status(&out->measures));
    return status_ok();
}

/* Returns the ratios of a noise record; NULL for other records and for noise records without ratios. */
static const Measure *ratios_of(const Record *record)
{
    return record->cell.kind == CELL_NOISE ? measures_samples(&record->measures, RATIO) : NULL;
}

bool noise_records_equal(const Record *a, const Record *b)
{
    const Measure *of_a = a ? ratios_of(a) : NULL, *of_b = ratios_of(b);
    return of_a && of_b && of_a->count == of_b->count &&
           memcmp(of_a->curve, of_b->curve, (size_t)of_a->count * sizeof *of_a->curve) == 0;
}

Status noise_format(const RecordView *records, char text[NOISE_TEXT_BYTES])
{
    size_t count = 0;
    int groups = 0;
    text[0] = '\0';
    for (const Record *record = NULL; (record = record_view_next(records, record));)
        count += ratios_of(record) ? (size_t)ratios_of(record)->count : 0;
    LOCAL_TABLE(double, ratios, count, 3, "the noise of a run");
    count = 0;
    for (const Record *record = NULL; (record = record_view_next(records, record));) {
        const Measure *measure = ratios_of(record);
        if (!measure)
            continue;
        memcpy(ratios + count, measure->curve, (size_t)measure->count * sizeof *ratios);
        count += (size_t)measure->count;
        groups++;
    }
    const Statistics s = statistics_of(ratios, count, 1, ratios + count);
    if (count >= INTERVAL_SAMPLES_MIN)
        snprintf(text, NOISE_TEXT_BYTES,
                 "Noise of this run: the ratio of a cell to itself is %.3f [%.3f, %.3f] over %zu rounds of "
                 "%d group%s of cells; in half of the rounds it is between %.3f and %.3f.",
                 s.median, s.interval_low, s.interval_high, count, groups, groups == 1 ? "" : "s",
                 s.quartile_low, s.quartile_high);
    else if (count > 0)
        snprintf(
            text, NOISE_TEXT_BYTES,
            "Noise of this run: unknown, because cells were timed against themselves in only %zu rounds.",
            count);
    return status_ok();
}
