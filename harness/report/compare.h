/* Whether new results are worse than old ones. Error metrics are guarded; times are told, never judged, and
 * only where both runs had the same environment. */
#ifndef SKINBENCH_REPORT_COMPARE_H
#define SKINBENCH_REPORT_COMPARE_H

#include "datasets/base/status.h"
#include <jansson.h>

typedef struct Comparison {
    int cells;    /* of the base that had metrics */
    int vanished; /* not "ok" any more, or not there */
    int worse;    /* metrics above base * (1 + tolerance) + the metric's slack */
    int better;
    json_t *findings; /* objects {cell, finding, metric, base, new, ratio}; for json_decref */
} Comparison;

/* base and fresh: records as results_read gives them. tolerance: a share. */
Status results_compare(const json_t *base, const json_t *fresh, double tolerance, Comparison *out);

#endif
