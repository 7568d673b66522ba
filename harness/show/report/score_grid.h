/* Numbers of methods on data sets with their records, and the winners among the methods: a ranking over
 * data sets, and the methods that no other method beats in every number. Smaller numbers are better. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/figures/page_plots.h"
#include "harness/show/text/text_table.h"

/* Values of methods on data sets, stored at index method * dataset_count + dataset; NAN if there is
 * none. */
typedef struct RankTable {
    const double *values;
    const double
        *shifts; /* [dataset_count] number added to values before they are divided, to avoid division by 0 */
    int method_count, dataset_count;
} RankTable;

/* A ranking, by this rule. A data set on which only one method has a value is ignored. A method is ranked
 * if it has a value on at least half of the other data sets. A data set counts if all ranked methods have a
 * value on it. The ratio of a value is (value + shift) / (best + shift), with the best value of the ranked
 * methods. A method's score is the geometric mean of its ratios over the data sets that count; 1 means best
 * on each of them. */
typedef struct Ranking {
    int *order;     /* [ranked_count] methods, best score first; ties keep their order */
    double *scores; /* [method_count] score of each method; NAN if it is not ranked */
    double *ratios; /* [method * dataset_count + dataset] ratio of a value to the best; NAN if there is no
                       value or no best */
    bool *counts;   /* [dataset_count] whether a data set counts */
    int ranked_count, counting_count;
} Ranking;

/* Smallest number of data sets that must count for a score to be meaningful. */
enum { SCORED_DATASETS_MIN = 3 };
static inline bool ranking_is_scored(const Ranking *ranking)
{
    return ranking->counting_count >= SCORED_DATASETS_MIN;
}

/* Ranks the methods of a table; ranks none if no data set counts. Fails with STATUS_SYSTEM if memory runs
 * out. Release with ranking_clear, also after a failure. */
Status ranking_init(const RankTable *table, Ranking *out);
void ranking_clear(Ranking *ranking);

/* Finds the Pareto front. A row of `measures` values is on the front unless another row is at most as large
 * in every value and smaller in one. Rows that contain a NAN are not on it. */
void pareto_front(const double *values, int count, int measures, bool *on_front);

/* Returns the geometric mean of the finite values, which must be positive; NAN if there are none. */
double geometric_mean(const double *values, int count);

enum { GRID_METHODS_MAX = 96, GRID_DATASETS_MAX = 96, GRID_NAME_BYTES = 256 };

typedef struct GridCell {
    double value, low, high; /* low, high: ends of the interval of a time; NAN if there is none */
    const Record *record;    /* NULL: none */
} GridCell;

typedef struct ScoreGrid {
    char methods[GRID_METHODS_MAX][GRID_NAME_BYTES], datasets[GRID_DATASETS_MAX][GRID_NAME_BYTES];
    double shifts[GRID_DATASETS_MAX];
    int method_count, dataset_count;
    int left_out; /* number of methods and data sets that are left out because the grid is full */
    GridCell cells[GRID_METHODS_MAX][GRID_DATASETS_MAX];
} ScoreGrid;

/* Creates a grid without methods. Returns NULL if memory runs out. Release with memory_free. */
ScoreGrid *score_grid_create(void);

/* Return the index of a method or data set, adding it if it is new; -1 if the grid is full. shift: number
 * added to the data set's values before division (RankTable.shifts). */
int score_grid_method(ScoreGrid *grid, const char *name);
int score_grid_dataset(ScoreGrid *grid, const char *name, double shift);
/* Returns the index of an existing method, or -1. */
int score_grid_find(const ScoreGrid *grid, const char *method);

/* Returns the cell of a method and data set; NULL if either is -1. */
GridCell *score_grid_at(ScoreGrid *grid, int method, int dataset);

/* Ranks the methods of a grid. Release with ranking_clear. */
Status score_grid_rank(const ScoreGrid *grid, Ranking *out);

/* Returns the geometric mean of a method's values over the data sets that count. The ends of the returned
 * interval are the geometric means of the ends of the values' intervals. */
Interval score_grid_mean(const ScoreGrid *grid, const Ranking *ranking, int method);

/* Plots a box for each ranked method, best first. A box summarises the method's values, or their ratios to
 * the best, over the data sets that have a ratio. */
typedef enum GridBoxes { GRID_RATIOS, GRID_VALUES } GridBoxes;
void score_grid_plot(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                     PagePlots *plots, const char *id, const char *title, const char *y_title,
                     GridBoxes boxes);

/* Returns a table with a row for each number: method, data set, number, ratio to the best, and whether the
 * data set counts. */
TextTable *score_grid_table(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                            const char *title, const char *value_title);
