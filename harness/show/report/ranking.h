/* Who wins: methods ranked over data sets, and those that no other beats in everything. Plain numbers,
 * smaller is better. */
#pragma once

#include "datasets/base/base.h"

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
