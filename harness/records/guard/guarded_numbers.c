/* Says which records are guarded and computes the spread over seeds. */
#include "harness/records/guard/guarded_numbers.h"

bool record_is_guarded(const Record *record)
{
    return record->cell.kind == CELL_SKINNING || record->cell.kind == CELL_DECOMPOSITION ||
           record->cell.kind == CELL_STUDY;
}

SampledNumber seed_spread_of(double *values, int count)
{
    if (count == 0)
        return exact_number(NAN);
    values_sort(values, (size_t)count);
    return (SampledNumber){.value = quantile_of_sorted(values, (size_t)count, 0.5),
                           .low = values[0],
                           .high = values[count - 1],
                           .samples = count};
}

FindingKind seed_spread_judge(const SampledNumber *spread, double median)
{
    const double rounding = SPREAD_ROUNDING * fabs(spread->value);
    if (median >= spread->low - rounding && median <= spread->high + rounding)
        return FINDING_SAME;
    return median < spread->low ? FINDING_BETTER : FINDING_WORSE;
}

int cell_seed(const Cell *cell)
{
    return (int)argument_number_of(cell->parameters, "seed", 1.0);
}

bool cells_differ_in_seed(const Cell *a, const Cell *b)
{
    static const char *const seed[] = {"seed", NULL};
    char texts[2][512];
    if (a->kind != CELL_DECOMPOSITION || b->kind != CELL_DECOMPOSITION || a->threads != b->threads ||
        cell_seed(a) == cell_seed(b) || strcmp(a->dataset.sha256, b->dataset.sha256) != 0 ||
        strcmp(a->method, b->method) != 0)
        return false;
    cell_parameters_without(a, seed, texts[0], sizeof texts[0]);
    cell_parameters_without(b, seed, texts[1], sizeof texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}
