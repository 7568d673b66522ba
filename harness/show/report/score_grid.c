/* Ranks methods by the geometric mean of their ratios to the best method, finds Pareto fronts, collects the
 * numbers of a ranking, and shows them as boxes and as a table. */
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
static int name_place(ScoreGrid *grid, char (*names)[GRID_NAME_BYTES], int *count, int max, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (*count == max) {
        grid->left_out++;
        return -1;
    }
    snprintf(names[*count], GRID_NAME_BYTES, "%s", name);
    return (*count)++;
}

int score_grid_method(ScoreGrid *grid, const char *name)
{
    return name_place(grid, grid->methods, &grid->method_count, GRID_METHODS_MAX, name);
}

int score_grid_dataset(ScoreGrid *grid, const char *name, double shift)
{
    const int place = name_place(grid, grid->datasets, &grid->dataset_count, GRID_DATASETS_MAX, name);
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

Interval score_grid_mean(const ScoreGrid *grid, const Ranking *ranking, int method)
{
    double values[GRID_DATASETS_MAX], lows[GRID_DATASETS_MAX], highs[GRID_DATASETS_MAX];
    int count = 0;
    for (int d = 0; d < grid->dataset_count; d++) {
        const GridCell *cell = &grid->cells[method][d];
        if (!ranking->counts[d])
            continue;
        values[count] = cell->value;
        lows[count] = cell->low;
        highs[count++] = cell->high;
    }
    return (Interval){geometric_mean(values, count), geometric_mean(lows, count),
                      geometric_mean(highs, count)};
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

TextTable *score_grid_table(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                            const char *title, const char *value_title)
{
    TextTable *out = text_table_create(title, "?method|?data set");
    text_table_column_add(out, value_title);
    text_table_column_add(out, "ratio to the best");
    text_table_column_add(out, "?counts");
    char name[RECORD_NAME_BYTES];
    for (int m = 0; m < grid->method_count; m++)
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[m][d];
            if (isnan(cell->value))
                continue;
            text_table_row(out, grid->methods[m], grid->datasets[d], NULL);
            text_table_number(out, cell->value, 4);
            text_table_value(out, cell->value, record_name(records, cell->record, name));
            text_table_number(out, ranking->ratios[m * grid->dataset_count + d], 4);
            text_table_words(out, ranking->counts[d] && !isnan(ranking->scores[m]) ? "yes" : "no", NULL);
        }
    return out;
}

double geometric_mean(const double *values, int count)
{
    double sum = 0.0;
    int terms = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(values[i])) {
            sum += log(values[i]);
            terms++;
        }
    return terms > 0 ? exp(sum / terms) : NAN;
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

/* Whether at least two methods have a value on this data set. */
static bool is_compared(const RankTable *table, int dataset)
{
    int known = 0;
    for (int m = 0; m < table->method_count; m++)
        known += !isnan(value_of(table, m, dataset));
    return known > 1;
}

Status ranking_init(const RankTable *table, Ranking *out)
{
    const size_t methods = (size_t)table->method_count, datasets = (size_t)table->dataset_count;
    *out = (Ranking){.order = NULL};
    ALLOCATE(out->order, methods, "a ranking");
    ALLOCATE(out->scores, methods, "a ranking");
    ALLOCATE_TABLE(out->ratios, methods, datasets, "a ranking");
    ALLOCATE(out->counts, datasets, "a ranking");
    /* give each method that will be ranked a score other than NAN */
    for (int m = 0; m < table->method_count; m++) {
        int known = 0, compared = 0;
        for (int d = 0; d < table->dataset_count; d++)
            if (is_compared(table, d)) {
                compared++;
                known += !isnan(value_of(table, m, d));
            }
        out->scores[m] = known > 0 && 2 * known >= compared ? 1.0 : NAN;
    }
    for (int d = 0; d < table->dataset_count; d++) {
        double best = INFINITY;
        bool whole = is_compared(table, d);
        for (int m = 0; m < table->method_count; m++) {
            const double value = value_of(table, m, d);
            if (isnan(out->scores[m]))
                continue;
            whole = whole && !isnan(value);
            best = fmin(best, value);
        }
        const double divisor = best + table->shifts[d];
        out->counts[d] = whole && isfinite(divisor) && divisor > 0.0;
        out->counting_count += out->counts[d];
        for (int m = 0; m < table->method_count; m++)
            out->ratios[m * table->dataset_count + d] =
                isfinite(divisor) && divisor > 0.0 ? (value_of(table, m, d) + table->shifts[d]) / divisor
                                                   : NAN;
    }
    /* compute the scores and sort by them */
    for (int m = 0; m < table->method_count; m++) {
        double sum = 0.0;
        for (int d = 0; d < table->dataset_count; d++)
            if (out->counts[d] && !isnan(out->scores[m]))
                sum += log(out->ratios[m * table->dataset_count + d]);
        if (!isnan(out->scores[m]))
            out->scores[m] = out->counting_count > 0 ? exp(sum / out->counting_count) : NAN;
    }
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
