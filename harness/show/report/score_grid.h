/* Numbers of methods on data sets with their records, and the winners among the methods: a ranking over
 * data sets, and the methods that no other method beats in every number. Smaller numbers are better. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/figures/page_plots.h"
#include "harness/show/text/text_table.h"

/* Finds the Pareto front. A row of `measures` values is on the front unless another row is at most as large
 * in every value and smaller in one. Rows that contain a NAN are not on it. */
void pareto_front(const double *values, int count, int measures, bool *on_front);

enum { GRID_METHODS_MAX = 96, GRID_DATASETS_MAX = 96, GRID_NAME_BYTES = 256 };

typedef struct GridCell {
    double value, low, high; /* low, high: ends of the interval of a time; NAN if there is none */
    const Record *record;    /* NULL: none */
} GridCell;

/* Zeroed memory is a grid without methods.
 *
 * All methods that can be compared are ranked, even if some were not run on every data set. A value is taken
 * as the score of its method times the difficulty of its data set. Both are fitted to all values by least
 * squares of their logarithms, so two methods are only compared on data sets that link them. If every method
 * has every value, a score is the geometric mean of the method's ratios to the best method. */
typedef struct ScoreGrid {
    char methods[GRID_METHODS_MAX][GRID_NAME_BYTES], datasets[GRID_DATASETS_MAX][GRID_NAME_BYTES];
    double shifts[GRID_DATASETS_MAX]; /* added to values before division, which cannot be by 0 then */
    int method_count, dataset_count;
    GridCell cells[GRID_METHODS_MAX][GRID_DATASETS_MAX];
    /* the ranking (score_grid_rank) */
    int order[GRID_METHODS_MAX];     /* [ranked_count] methods, best score first; ties keep their order */
    double scores[GRID_METHODS_MAX]; /* score of each method, 1 for the best; NAN if it is not ranked */
    /* shifted value / best of the data set; NAN if there is no value or the best is 0 */
    double ratios[GRID_METHODS_MAX][GRID_DATASETS_MAX];
    int counts[GRID_METHODS_MAX]; /* number of data sets on which a method has a value */
    int ranked_count;
} ScoreGrid;

/* Returns the cell of a method on a data set, and adds either if it is new. The values of the data set are
 * shifted before division. Returns NULL if the grid is full. */
GridCell *score_grid_at(ScoreGrid *grid, const char *method, const char *dataset, double shift);
/* Returns the index of an existing method, or -1. */
int score_grid_find(const ScoreGrid *grid, const char *method);

/* Ranks the largest group of at least two methods that shared data sets link. */
void score_grid_rank(ScoreGrid *grid);

/* Returns a method's score divided by the score of the method `unit`. If `unit` is -1, the score is relative
 * to the best method. Each end of the interval is the score times the geometric mean, over the method's
 * values, of the ratio of that end to the value. The score is NAN if the method is not ranked. The ends are
 * NAN if one of its values has no interval. */
Interval score_grid_score(const ScoreGrid *grid, int method, int unit);
/* Rounds a number to one significant digit. A time without an interval is no better known. */
double one_digit(double value);
/* Appends that score to a row: with three digits or, for the scores of times (`timed`), with its interval,
 * or with a single digit if a time has no interval. */
void score_grid_cell(const ScoreGrid *grid, int method, int unit, bool timed, TextTable *table);

/* Plots a box for each ranked method, best first. A box summarises the method's values, or their ratios to
 * the best, over the data sets. */
typedef enum GridBoxes { GRID_RATIOS, GRID_VALUES } GridBoxes;
void score_grid_plot(const ScoreGrid *grid, const RecordView *records, PagePlots *plots, const char *id,
                     const char *title, const char *y_title, GridBoxes boxes);

/* Appends a row for each number to a table: method, `kind` unless it is NULL, data set, number, ratio to the
 * best. */
void score_grid_rows(const ScoreGrid *grid, const char *kind, const RecordView *records, TextTable *table);
