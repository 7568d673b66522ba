/* Ranks methods by scores that are fitted to all of their values (a two-way model of logarithms, as for
 * incomplete block designs), finds Pareto fronts, and shows the numbers of a ranking. */
#include "harness/show/report/score_grid.h"

#include "harness/show/tables/record_tables.h"

/* Returns the index of a name in a list; adds the name if it is new. */
static int name_place(char (*names)[GRID_NAME_BYTES], int *count, int max, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (*count == max)
        return -1;
    snprintf(names[*count], GRID_NAME_BYTES, "%s", name);
    return (*count)++;
}

GridCell *score_grid_at(ScoreGrid *grid, const char *method, const char *dataset, double shift)
{
    const int methods = grid->method_count;
    const int m = name_place(grid->methods, &grid->method_count, GRID_METHODS_MAX, method),
              d = name_place(grid->datasets, &grid->dataset_count, GRID_DATASETS_MAX, dataset);
    for (int i = 0; i < GRID_DATASETS_MAX && m == methods; i++) /* the method is new */
        grid->cells[m][i] = (GridCell){NAN, NAN, NAN, NULL};
    if (d >= 0)
        grid->shifts[d] = shift;
    return m < 0 || d < 0 ? NULL : &grid->cells[m][d];
}

int score_grid_find(const ScoreGrid *grid, const char *method)
{
    for (int i = 0; i < grid->method_count; i++)
        if (strcmp(grid->methods[i], method) == 0)
            return i;
    return -1;
}

Interval score_grid_score(const ScoreGrid *grid, int method, int unit)
{
    const double score = grid->scores[method] / (unit >= 0 ? grid->scores[unit] : 1.0);
    double low = 0.0, high = 0.0;
    for (int d = 0; d < grid->dataset_count; d++) {
        const GridCell *cell = &grid->cells[method][d];
        if (isnan(cell->value))
            continue;
        low += log(cell->low / cell->value) / grid->counts[method];
        high += log(cell->high / cell->value) / grid->counts[method];
    }
    return (Interval){score, score * exp(low), score * exp(high)};
}

double one_digit(double value)
{
    const double unit = pow(10.0, floor(log10(fabs(value))));
    return value == 0.0 ? value : unit * round(value / unit);
}

void score_grid_cell(const ScoreGrid *grid, int method, int unit, bool timed, TextTable *table)
{
    const Interval score = score_grid_score(grid, method, unit);
    const int decimals = score.median < 9.995 ? 2 : score.median < 99.95 ? 1 : 0;
    if (timed && score.low < score.high)
        text_table_cell(table, "%.*f (%.*f to %.*f)", decimals, score.median, decimals, score.low, decimals,
                        score.high);
    else if (timed && isnan(score.low))
        text_table_number(table, one_digit(score.median), 1);
    else
        text_table_number(table, score.median, 3);
    text_table_value(table, score.median, "");
}

void score_grid_plot(const ScoreGrid *grid, const RecordView *records, PagePlots *plots, const char *id,
                     const char *title, const char *y_title, GridBoxes boxes)
{
    char name[RECORD_NAME_BYTES];
    page_plot_start(plots, id, title, PLOT_BOX, (PlotAxis){"", false}, (PlotAxis){y_title, true});
    page_plot_series(plots, y_title, false);
    for (int i = 0; i < grid->ranked_count; i++) {
        const int method = grid->order[i], slot = page_plot_name(plots, grid->methods[method]);
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[method][d];
            page_plot_point(plots, slot, boxes == GRID_RATIOS ? grid->ratios[method][d] : cell->value,
                            grid->datasets[d], record_name(records, cell->record, name));
        }
    }
}

void score_grid_rows(const ScoreGrid *grid, const char *kind, const RecordView *records, TextTable *table)
{
    for (int m = 0; m < grid->method_count; m++)
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[m][d];
            if (isnan(cell->value))
                continue;
            text_table_row(table, grid->methods[m], kind ? kind : grid->datasets[d],
                           kind ? grid->datasets[d] : NULL, NULL);
            text_table_number(table, cell->value, 4);
            text_table_record(table, records, cell->record, cell->value);
            text_table_number(table, grid->ratios[m][d], 4);
        }
}

/* Labels each method with the first method to which shared data sets link it, and returns the label of the
 * largest group; -1 if no two methods are linked. */
static int group_find(const ScoreGrid *grid, int *labels)
{
    int largest = -1, size = 1;
    for (int m = 0; m < grid->method_count; m++)
        labels[m] = m;
    for (bool changed = true; changed;) {
        changed = false;
        for (int d = 0; d < grid->dataset_count; d++) {
            int first = grid->method_count;
            for (int m = 0; m < grid->method_count; m++)
                if (!isnan(grid->cells[m][d].value))
                    first = int_min(first, labels[m]);
            for (int m = 0; m < grid->method_count; m++)
                if (!isnan(grid->cells[m][d].value) && labels[m] != first) {
                    labels[m] = first;
                    changed = true;
                }
        }
    }
    for (int label = 0; label < grid->method_count; label++) {
        int count = 0;
        for (int m = 0; m < grid->method_count; m++)
            count += labels[m] == label;
        if (count > size) {
            size = count;
            largest = label;
        }
    }
    return largest;
}

/* Fits log ratio = log score + log difficulty by least squares, for the methods of a group. Sets the scores
 * and the difficulties in turn to the means of what the other leaves. */
static void scores_fit(ScoreGrid *grid, const int *labels, int group)
{
    enum { ROUNDS = 20000 };
    double difficulty[GRID_DATASETS_MAX], *scores = grid->scores, change = 1.0, best = INFINITY;
    for (int round = 0; round < ROUNDS && change > 1e-13; round++) {
        change = 0.0;
        for (int d = 0; d < grid->dataset_count; d++) {
            double sum = 0.0;
            int count = 0;
            for (int m = 0; m < grid->method_count; m++)
                if (labels[m] == group && !isnan(grid->ratios[m][d])) {
                    sum += log(grid->ratios[m][d]) - scores[m];
                    count++;
                }
            difficulty[d] = count > 0 ? sum / count : 0.0;
        }
        for (int m = 0; m < grid->method_count; m++) {
            double sum = 0.0;
            int count = 0;
            for (int d = 0; d < grid->dataset_count; d++)
                if (labels[m] == group && !isnan(grid->ratios[m][d])) {
                    sum += log(grid->ratios[m][d]) - difficulty[d];
                    count++;
                }
            const double score = count > 0 ? sum / count : NAN;
            change = fmax(change, fabs(score - scores[m]));
            scores[m] = score;
        }
    }
    for (int m = 0; m < grid->method_count; m++)
        best = fmin(best, scores[m]);
    for (int m = 0; m < grid->method_count; m++)
        scores[m] = exp(scores[m] - best);
}

void score_grid_rank(ScoreGrid *grid)
{
    int labels[GRID_METHODS_MAX];
    /* the ratio of every value to the best value on its data set */
    for (int d = 0; d < grid->dataset_count; d++) {
        double best = INFINITY;
        for (int m = 0; m < grid->method_count; m++)
            best = fmin(best, grid->cells[m][d].value);
        const double divisor = best + grid->shifts[d];
        for (int m = 0; m < grid->method_count; m++) {
            const double value = grid->cells[m][d].value;
            grid->ratios[m][d] =
                isfinite(divisor) && divisor > 0.0 ? (value + grid->shifts[d]) / divisor : NAN;
            grid->counts[m] += !isnan(value);
        }
    }
    scores_fit(grid, labels, group_find(grid, labels));
    for (int m = 0; m < grid->method_count; m++) {
        int slot = grid->ranked_count;
        if (isnan(grid->scores[m]))
            continue;
        for (; slot > 0 && grid->scores[grid->order[slot - 1]] > grid->scores[m]; slot--)
            grid->order[slot] = grid->order[slot - 1];
        grid->order[slot] = m;
        grid->ranked_count++;
    }
}

static bool beats(const double *a, const double *b, int measures)
{
    bool smaller = false;
    for (int i = 0; i < measures; i++) {
        if (isnan(a[i]) || a[i] > b[i])
            return false;
        smaller = smaller || a[i] < b[i];
    }
    return smaller;
}

void pareto_front(const double *values, int count, int measures, bool *on_front)
{
    for (int i = 0; i < count; i++) {
        on_front[i] = true;
        for (int k = 0; k < measures; k++)
            on_front[i] = on_front[i] && !isnan(values[i * measures + k]);
        for (int k = 0; k < count && on_front[i]; k++)
            on_front[i] = !beats(&values[k * measures], &values[i * measures], measures);
    }
}
