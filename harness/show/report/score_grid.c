/* Collects the numbers of a ranking and shows them as boxes and as a table. */
#include "harness/show/report/score_grid.h"

ScoreGrid *score_grid_create(void)
{
    ScoreGrid *grid = memory_array(1, sizeof *grid);
    for (int m = 0; grid && m < GRID_METHODS_MAX; m++)
        for (int d = 0; d < GRID_DATASETS_MAX; d++)
            grid->cells[m][d] = (GridCell){NAN, NAN, NAN, NULL};
    return grid;
}

/* The number of a name in a list, to which it is added. */
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
        const int method = ranking->order[i], at = page_plot_name(plots, grid->methods[method]);
        for (int d = 0; d < grid->dataset_count; d++) {
            const GridCell *cell = &grid->cells[method][d];
            const double ratio = ranking->ratios[method * grid->dataset_count + d];
            page_plot_point(plots, at, boxes == GRID_RATIOS ? ratio : cell->value, grid->datasets[d],
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
