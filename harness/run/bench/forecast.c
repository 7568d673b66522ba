#include "harness/run/bench/forecast.h"

/* All the samples of a fit, one after the other; NAN: it was not timed. */
static double record_took_s(const Record *record)
{
    const StageTime *total = timing_stage(&record->timing, STAGE_TOTAL);
    double sum = 0.0;
    for (int i = 0; i < total->sample_count; i++)
        sum += total->samples[i];
    return record->timing.timed && total->sample_count > 0 ? sum : NAN;
}

static double cell_size(const Cell *cell)
{
    return (double)cell->dataset.vertices * cell->dataset.frames *
           argument_number(argument_find(cell->parameters, "bones"), 1.0);
}

/* By the record of the cell on any machine, else by the last of the same method. */
static double fit_expected_s(const RecordStore *store, const Cell *cell)
{
    const Record *same = record_store_find(store, cell, NULL);
    double expected_s = same ? record_took_s(same) : NAN;
    if (!isnan(expected_s))
        return expected_s;
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        if (record->cell.kind == cell->kind && strcmp(record->cell.method, cell->method) == 0 &&
            !isnan(record_took_s(record)) && cell_size(&record->cell) > 0.0)
            expected_s = record_took_s(record) * cell_size(cell) / cell_size(&record->cell);
    return expected_s;
}

Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds)
{
    if (cell->kind == CELL_ROW) /* says which data a row is run on, and takes no time */
        return status_ok();
    if (already_done)
        seconds = 0.0;
    else if (isnan(seconds) && cell->kind == CELL_DECOMPOSITION)
        seconds = fit_expected_s(store, cell);
    *(already_done ? &forecast->already : &forecast->to_run) += 1;
    if (isnan(seconds))
        forecast->unknown++;
    else
        forecast->expected_s += seconds;
    return forecast->cell(forecast->context, cell, already_done, seconds);
}
