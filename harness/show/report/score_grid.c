/* Ranks methods by scores that are fitted to all of their values (a two-way model of logarithms, as for
 * incomplete block designs), finds Pareto fronts, and shows the numbers of a ranking. */
#include "harness/show/report/score_grid.h"

ScoreGrid *score_grid_create(void)
{
    ScoreGrid *grid = memory_array(1, sizeof *grid);
    for (int m = 0; grid && m < GRID_METHODS_MAX; m++)
        for (int d = 0; d < GRID_DATASETS_MAX; d++)
            grid->cells[m][d] = (GridCell){NAN, NAN, NAN, NULL};
    return grid;
}

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

int score_grid_method(ScoreGrid *grid, const char *name)
{
    return name_place(grid->methods, &grid->method_count, GRID_METHODS_MAX, name);
}

int score_grid_dataset(ScoreGrid *grid, const char *name, double shift)
{
    const int place = name_place(grid->datasets, &grid->dataset_count, GRID_DATASETS_MAX, name);
    if (place >= 0)
        grid->shifts[place] = shift;
    return place;
}

int score_grid_find(const ScoreGrid *grid, const char *method)
{
    for (int i = 0; i < grid->method_count; i++)
        if (strcmp(grid->methods[i], method) == 0)
            return i;
    return -1;
}

GridCell *score_grid_at(ScoreGrid *grid, int method, int dataset)
{
    return method < 0 || dataset < 0 ? NULL : &grid->cells[method][dataset];
}

Status score_grid_rank(const ScoreGrid *grid, Ranking *out)
{
    *out = (Ranking){.order = NULL};
    LOCAL_ARRAY(double, values, (size_t)grid->method_count *(size_t)grid->dataset_count + 1, "a ranking");
    for (int m = 0; m < grid->method_count; m++)
        for (int d = 0; d < grid->dataset_count; d++)
            values[m * grid->dataset_count + d] = grid->cells[m][d].value;
    return ranking_init(&(RankTable){values, grid->shifts, grid->method_count, grid->dataset_count}, out);
}

Interval score_grid_score(const ScoreGrid *grid, const Ranking *ranking, int method, int unit)
{
    const double score = ranking->scores[method] / (unit >= 0 ? ranking->scores[unit] : 1.0);
    double low = 0.0, high = 0.0;
    for (int d = 0; d < grid->dataset_count; d++) {
        const GridCell *cell = &grid->cells[method][d];
        if (isnan(cell->value))
            continue;
        low += log(cell->low / cell->value) / ranking->counts[method];
        high += log(cell->high / cell->value) / ranking->counts[method];
    }
    return (Interval){score, score * exp(low), score * exp(high)};
}

double one_digit(double value)
{
    const double unit = pow(10.0, floor(log10(fabs(value))));
    return value == 0.0 ? value : unit * round(value / unit);
}

void score_grid_cell(const ScoreGrid *grid, const Ranking *ranking, int method, int unit, bool timed,
                     TextTable *table)
{
    const Interval score = score_grid_score(grid, ranking, method, unit);
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

void score_grid_plot(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                     PagePlots *plots, const char *id, const char *title, const char *y_title,
                     GridBoxes boxes)
{
    char name[RECORD_NAME_BYTES];
    page_plot_start(plots, id, title, PLOT_BOX, (PlotAxis){"", false}, (PlotAxis){y_title, true});
    page_plot_series(plots, y_title, false);
    for (int i = 0; i < ranking->ranked_count; i++) {
        const int method = ranking->order[i], slot = page_plot_name(plots, grid->methods[method]);
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[method][d];
            const double ratio = ranking->ratios[method * grid->dataset_count + d];
            page_plot_point(plots, slot, boxes == GRID_RATIOS ? ratio : cell->value, grid->datasets[d],
                            record_name(records, cell->record, name));
        }
    }
}

void score_grid_rows(const ScoreGrid *grid, const Ranking *ranking, const char *kind,
                     const RecordView *records, TextTable *table)
{
    char name[RECORD_NAME_BYTES];
    for (int m = 0; m < grid->method_count; m++)
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[m][d];
            if (isnan(cell->value))
                continue;
            text_table_row(table, grid->methods[m], kind ? kind : grid->datasets[d],
                           kind ? grid->datasets[d] : NULL, NULL);
            text_table_number(table, cell->value, 4);
            text_table_value(table, cell->value, record_name(records, cell->record, name));
            text_table_number(table, ranking->ratios[m * grid->dataset_count + d], 4);
        }
}

void ranking_clear(Ranking *ranking)
{
    FREE_ALL(ranking->order, ranking->scores, ranking->ratios, ranking->counts);
    *ranking = (Ranking){.order = NULL};
}

static double value_of(const RankTable *table, int method, int dataset)
{
    return table->values[method * table->dataset_count + dataset];
}

/* Labels each method with the first method to which shared data sets link it, and returns the label of the
 * largest group; -1 if no two methods are linked. */
static int group_find(const RankTable *table, int *labels)
{
    int largest = -1, size = 1;
    for (int m = 0; m < table->method_count; m++)
        labels[m] = m;
    for (bool changed = true; changed;) {
        changed = false;
        for (int d = 0; d < table->dataset_count; d++) {
            int first = table->method_count;
            for (int m = 0; m < table->method_count; m++)
                if (!isnan(value_of(table, m, d)))
                    first = int_min(first, labels[m]);
            for (int m = 0; m < table->method_count; m++)
                if (!isnan(value_of(table, m, d)) && labels[m] != first) {
                    labels[m] = first;
                    changed = true;
                }
        }
    }
    for (int label = 0; label < table->method_count; label++) {
        int count = 0;
        for (int m = 0; m < table->method_count; m++)
            count += labels[m] == label;
        if (count > size) {
            size = count;
            largest = label;
        }
    }
    return largest;
}

/* Computes the ratio of every value to the best value on its data set, and counts the values of each
 * method. */
static void ratios_make(const RankTable *table, Ranking *out)
{
    for (int d = 0; d < table->dataset_count; d++) {
        double best = INFINITY;
        for (int m = 0; m < table->method_count; m++)
            best = fmin(best, value_of(table, m, d));
        const double divisor = best + table->shifts[d];
        for (int m = 0; m < table->method_count; m++) {
            const double value = value_of(table, m, d);
            out->ratios[m * table->dataset_count + d] =
                isfinite(divisor) && divisor > 0.0 ? (value + table->shifts[d]) / divisor : NAN;
            out->counts[m] += !isnan(value);
        }
    }
}

/* Fits log ratio = log score + log difficulty by least squares, for the methods of a group. Sets the scores
 * and the difficulties in turn to the means of what the other leaves. */
static void scores_fit(const RankTable *table, const int *labels, int group, double *difficulty, Ranking *out)
{
    enum { ROUNDS = 20000 };
    const int datasets = table->dataset_count;
    double *scores = out->scores, change = 1.0, best = INFINITY;
    for (int round = 0; round < ROUNDS && change > 1e-13; round++) {
        change = 0.0;
        for (int d = 0; d < datasets; d++) {
            double sum = 0.0;
            int count = 0;
            for (int m = 0; m < table->method_count; m++)
                if (labels[m] == group && !isnan(out->ratios[m * datasets + d])) {
                    sum += log(out->ratios[m * datasets + d]) - scores[m];
                    count++;
                }
            difficulty[d] = count > 0 ? sum / count : 0.0;
        }
        for (int m = 0; m < table->method_count; m++) {
            double sum = 0.0;
            int count = 0;
            for (int d = 0; d < datasets; d++)
                if (labels[m] == group && !isnan(out->ratios[m * datasets + d])) {
                    sum += log(out->ratios[m * datasets + d]) - difficulty[d];
                    count++;
                }
            const double score = count > 0 ? sum / count : NAN;
            change = fmax(change, fabs(score - scores[m]));
            scores[m] = score;
        }
    }
    for (int m = 0; m < table->method_count; m++)
        best = fmin(best, scores[m]);
    for (int m = 0; m < table->method_count; m++)
        scores[m] = exp(scores[m] - best);
}

Status ranking_init(const RankTable *table, Ranking *out)
{
    const size_t methods = (size_t)table->method_count, datasets = (size_t)table->dataset_count;
    *out = (Ranking){.order = NULL};
    ALLOCATE(out->order, methods, "a ranking");
    ALLOCATE(out->scores, methods, "a ranking");
    ALLOCATE_TABLE(out->ratios, methods, datasets, "a ranking");
    ALLOCATE(out->counts, methods, "a ranking");
    LOCAL_ARRAY(int, labels, methods, "a ranking");
    LOCAL_ARRAY(double, difficulty, datasets, "a ranking");
    ratios_make(table, out);
    scores_fit(table, labels, group_find(table, labels), difficulty, out);
    for (int m = 0; m < table->method_count; m++) {
        int slot = out->ranked_count;
        if (isnan(out->scores[m]))
            continue;
        for (; slot > 0 && out->scores[out->order[slot - 1]] > out->scores[m]; slot--)
            out->order[slot] = out->order[slot - 1];
        out->order[slot] = m;
        out->ranked_count++;
    }
    return status_ok();
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
