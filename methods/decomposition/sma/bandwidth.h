/* The bandwidth of mean shift that gives the parts asked for. */
#ifndef SKINBENCH_SMA_BANDWIDTH_H
#define SKINBENCH_SMA_BANDWIDTH_H

#include "datasets/base/progress.h"
#include "methods/decomposition/sma/parts.h"

typedef struct BandwidthOptions {
    double bandwidth;         /* the one to use; 0: searched */
    int wanted;               /* parts */
    double smallest;          /* area of a part that counts */
    double deadline_s;        /* of clock_now_s, after which the search ends with the best so far; 0: none */
    int threads;              /* at least 1 */
    const Progress *progress; /* may be NULL */
} BandwidthOptions;

/* Runs mean shift with the bandwidth given, or searches: from wide to narrow until there are parts enough,
 * then between the last two, for the number wanted or as few more as can be. Where parts are too few at any
 * bandwidth, small ones count too. At most `wanted` are kept, the largest. `incidence` as for parts_make.
 * STATUS_STOPPED when the progress callback asks for it. */
Status parts_find(const RotationSketch *sketch, const Cells *cells, const Grouping *incidence,
                  const BandwidthOptions *options, Parts *out);

#endif
