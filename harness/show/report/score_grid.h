/* Numbers of methods on data sets, with their records, and the winners: methods ranked over data sets, and
 * methods that no other beats in everything. Smaller values are better. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/figures/page_plots.h"
#include "harness/show/text/text_table.h"

/* Values of methods on data sets: [method * dataset_count + dataset], NAN: none. */
typedef struct RankTable {
    const double *values;
    const double *shifts; /* [dataset_count] added to values before division, to avoid division by 0 */
    int method_count, dataset_count;
} RankTable;

/* The ranking rule. A data set on which only one method has a value is ignored. A method is ranked if it
 * has a value on at least half of the other data sets. A data set counts if all ranked methods have a value
 * on it. A value's ratio is (value + shift) / (best + shift), with the best of the ranked methods. A score
 * is the geometric mean of a method's ratios over the data sets that count: 1 is the best on each of
 * them. */
typedef struct Ranking {
    int *order;     /* [ranked_count] methods, best score first; ties keep their order */
    double *scores; /* [method_count] NAN if not ranked */
    double *ratios; /* laid out like the values; NAN if there is no value or the data set has no best */
    bool *counts;   /* [dataset_count] whether a data set counts */
    int ranked_count, counting_count;
} Ranking;

/* Whether enough data sets count for a score to be more meaningful than a single data set. */
enum { SCORED_DATASETS_MIN = 3 };
static inline bool ranking_is_scored(const Ranking *ranking)
{
    return ranking->counting_count >= SCORED_DATASETS_MIN;
}

/* Ranks nothing if no data set counts. Fails with STATUS_SYSTEM if memory runs out. Release with
 * ranking_clear, also after a failure. */
Status ranking_init(const RankTable *table, Ranking *out);
void ranking_clear(Ranking *ranking);

/* Finds the Pareto front: a row of `measures` values is on it unless another row is as small in all values
 * and smaller in one. Rows with a NAN are not on it. */
void pareto_front(const double *values, int count, int measures, bool *on_front);

/* Geometric mean of the finite values, which must be positive; NAN if there are none. */
double geometric_mean(const double *values, int count);

enum { GRID_METHODS_MAX = 96, GRID_DATASETS_MAX = 96, GRID_NAME_BYTES = 256 };

typedef struct GridCell {
    double value, low, high; /* interval of a time; NAN if there is none */
    const Record *record;    /* NULL: none */
} GridCell;

typedef struct ScoreGrid {
    char methods[GRID_METHODS_MAX][GRID_NAME_BYTES], datasets[GRID_DATASETS_MAX][GRID_NAME_BYTES];
    double shifts[GRID_DATASETS_MAX];
    int method_count, dataset_count;
    int left_out; /* methods and data sets beyond the limits, which are not included */
    GridCell cells[GRID_METHODS_MAX][GRID_DATASETS_MAX];
} ScoreGrid;

/* Creates a grid without methods. Returns NULL if memory runs out. Release with memory_free. */
ScoreGrid *score_grid_create(void);

/* Returns the index of a method or data set, adding it if it is new; -1 if there are too many. shift: as in
 * RankTable. */
int score_grid_method(ScoreGrid *grid, const char *name);
int score_grid_dataset(ScoreGrid *grid, const char *name, double shift);
/* Returns the index of an existing method, or -1. */
int score_grid_find(const ScoreGrid *grid, const char *method);

/* Returns the cell of a method and data set; NULL if either is -1. */
GridCell *score_grid_at(ScoreGrid *grid, int method, int dataset);

/* Ranks the methods of a grid. Release with ranking_clear. */
Status score_grid_rank(const ScoreGrid *grid, Ranking *out);

/* Returns the geometric mean of a method's values over the data sets that count, and of the ends of their
 * intervals. */
Interval score_grid_mean(const ScoreGrid *grid, const Ranking *ranking, int method);

/* Plots boxes over the data sets that have a ratio, one per ranked method, best first: of ratios to the
 * best, or of values. */
typedef enum GridBoxes { GRID_RATIOS, GRID_VALUES } GridBoxes;
void score_grid_plot(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                     PagePlots *plots, const char *id, const char *title, const char *y_title,
                     GridBoxes boxes);

/* Lists every number in its own row: method, data set, number, ratio to the best, whether the data set
 * counts. */
TextTable *score_grid_table(const ScoreGrid *grid, const Ranking *ranking, const RecordView *records,
                            const char *title, const char *value_title);
