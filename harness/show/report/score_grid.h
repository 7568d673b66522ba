/* Numbers of methods on data sets, with the records they come from: what a ranking is made of, and how a page
 * shows it. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/figures/page_plots.h"
#include "harness/show/report/ranking.h"
#include "harness/show/text/text_table.h"

enum { GRID_METHODS_MAX = 96, GRID_DATASETS_MAX = 96, GRID_NAME_BYTES = 256 };

typedef struct GridCell {
    double value, low, high; /* of a time its interval; NAN: none */
    const Record *record;    /* NULL: none */
} GridCell;

typedef struct ScoreGrid {
    char methods[GRID_METHODS_MAX][GRID_NAME_BYTES], datasets[GRID_DATASETS_MAX][GRID_NAME_BYTES];
    double shifts[GRID_DATASETS_MAX];
    int method_count, dataset_count;
    int left_out; /* methods and data sets beyond this many, which are not in it */
    GridCell cells[GRID_METHODS_MAX][GRID_DATASETS_MAX];
} ScoreGrid;

/* Without a method. NULL: out of memory. For memory_free. */
ScoreGrid *score_grid_create(void);

/* The number of a method or data set, which is added if it is new; -1: there are too many. shift:
 * ranking.h. */
int score_grid_method(ScoreGrid *grid, const char *name);
int score_grid_dataset(ScoreGrid *grid, const char *name, double shift);
/* That of a method which is there; -1: it is not. */
int score_grid_find(const ScoreGrid *grid, const char *method);

/* The cell of that method and data set; NULL where either is -1. */
GridCell *score_grid_at(ScoreGrid *grid, int method, int dataset);

/* Release with ranking_clear. */
Status score_grid_rank(const ScoreGrid *grid, Ranking *out);

/* The geometric mean of a method's values over the data sets that count, and of the ends of their
 * intervals. */
Interval score_grid_mean(const ScoreGrid *grid, const Ranking *ranking, int method);

/* Boxes over the data sets that have a ratio, by ranked method, best first: of the ratios to the best, or of
 * the values. */
typedef enum GridBoxes { GRID_RATIOS, GRID_VALUES } GridBoxes;
void score_grid_plot(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                     PagePlots *plots, const char *id, const char *title, const char *y_title,
                     GridBoxes boxes);

/* Every number, a row each: method, data set, number, ratio to the best, whether the data set counts. */
TextTable *score_grid_table(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                            const char *title, const char *value_title);
