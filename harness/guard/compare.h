/* Whether new results are worse than old ones. Guarded metrics are compared; times are shown, never judged, and
 * only where both runs had the same environment. */
#ifndef SKINBENCH_GUARD_COMPARE_H
#define SKINBENCH_GUARD_COMPARE_H

#include "harness/records/record_store.h"

typedef struct CellFinding {
    char cell[512], kind[32], of[64]; /* kind: "worse", "better", "time", "vanished" */
    double base, fresh, ratio;        /* NAN: none */
    double low, high; /* of the ratio of two times, each with its interval's worst; NAN: none */
    int samples;      /* of a time, the fewer of both; 0: no time */
    bool disturbed;
} CellFinding;

typedef struct Comparison {
    int cells;    /* of the base that had metrics */
    int vanished; /* not "ok" any more, or not there */
    int worse;    /* metrics above base * (1 + tolerance) + the metric's slack */
    int better;
    CellFinding *findings; /* [finding_count], owned */
    int finding_count;
} Comparison;

/* A cell of the base is compared with that of the same machine, else with the last of any. tolerance: a share.
 * Release with comparison_clear, on failure too. */
Status records_compare(const RecordStore *base, const RecordStore *fresh, double tolerance, Comparison *out);
void comparison_clear(Comparison *comparison);

#endif
