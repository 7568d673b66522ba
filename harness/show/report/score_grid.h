/* Numbers of methods on data sets, with the records they come from, and who wins: methods ranked over data
 * sets, and those that no other beats in everything. Smaller is better. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/figures/page_plots.h"
#include "harness/show/text/text_table.h"

/* Values of methods on data sets: [method * dataset_count + dataset], NAN: none. */
typedef struct RankTable {
    const double *values;
    const double
        *shifts; /* [dataset_count], added to values before they are divided, so that none is divided by 0 */
    int method_count, dataset_count;
} RankTable;

/* The rule. A data set on which only one method has a value compares nothing. A method is ranked that has a
 * value on at least half of the others. Of these, data sets count on which all ranked methods have one. A
 * value's ratio is (value + shift) / (best + shift), the best among ranked methods; a score is the geometric
 * mean of a method's ratios over the data sets that count: 1 is the best on each of them. */
typedef struct Ranking {
    int *order;     /* [ranked_count]: methods, best score first; equal ones in their order */
    double *scores; /* [method_count]; NAN: not ranked */
    double *ratios; /* as the values; NAN: no value, or the data set has no best */
    bool *counts;   /* [dataset_count]: whether a data set counts */
    int ranked_count, counting_count;
} Ranking;

/* Whether enough data sets count for a score to say more than one of them does. */
enum { SCORED_DATASETS_MIN = 3 };
static inline bool ranking_is_scored(const Ranking *ranking)
{
    return ranking->counting_count >= SCORED_DATASETS_MIN;
}

/* Without a data set that counts nothing is ranked. STATUS_SYSTEM: out of memory. Release with ranking_clear,
 * on failure too. */
Status ranking_init(const RankTable *table, Ranking *out);
void ranking_clear(Ranking *ranking);

/* Pareto: whether each of `count` rows of `measures` values is one that no other row beats: is as small in
 * all and smaller in one. A row with a NAN is not. */
void pareto_front(const double *values, int count, int measures, bool *on_front);

/* Of the finite ones; NAN: there is none. Values are positive. */
double geometric_mean(const double *values, int count);

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

/* The number of a method or data set, which is added if it is new; -1: there are too many. shift: as
 * a RankTable's. */
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
