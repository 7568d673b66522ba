/* Near-rigid parts of a mesh: the core triangles of the clusters that mean shift finds, split where
 * they do not hang together, and the bandwidth of mean shift that gives as many as asked for. Rotations alone
 * do not distinguish two limbs that turn alike but lie apart. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/base/progress.h"
#include "methods/decomposition/sma/mean_shift.h"

/* The corners (3 * triangle of the sketch + 0, 1 or 2) at every vertex. Release with grouping_clear. */
Status incidence_make(const Mesh *mesh, const RotationSketch *sketch, Grouping *out);

typedef struct Parts {
    int count;        /* at least 1 */
    double *sizes;    /* [count] their areas: a finely meshed part is worth no more than a coarse one */
    int32_t *part_of; /* [triangles of the sketch] -1: of none */
} Parts;

/* Core triangles are those within the bandwidth of their cluster's mode. With `incidence` those of a cluster
 * that do not touch, over other core triangles of it, are different parts; NULL: a cluster is a part. Should
 * nothing be core, all triangles are one part. Release with parts_clear. */
Status parts_init(const RotationSketch *sketch, const Cells *cells, const Clusters *clusters,
                  double bandwidth, const Grouping *incidence, Parts *out);
void parts_clear(Parts *parts);

/* Keeps the `wanted` largest, in their order; the triangles of the others are of none. */
Status parts_keep(Parts *parts, int triangle_count, int wanted);

typedef struct BandwidthOptions {
    MeanShiftKernel kernel;
    double bandwidth;         /* the one to use; 0: searched */
    int wanted;               /* parts */
    double smallest;          /* area of a part that counts */
    double deadline_s;        /* of clock_now_s, after which the search ends with the best so far; 0: none */
    int threads;              /* at least 1 */
    const Progress *progress; /* may be NULL */
} BandwidthOptions;

/* Runs mean shift with the bandwidth given, or searches: from wide to narrow until there are parts enough,
 * then between the last two, for the number wanted or as few more as can be. Where parts are too few at any
 * bandwidth, small ones count too. At most `wanted` are kept, the largest. `incidence` as for parts_init.
 * STATUS_STOPPED when the progress callback asks for it. */
Status parts_find(const RotationSketch *sketch, const Cells *cells, const Grouping *incidence,
                  const BandwidthOptions *options, Parts *out);
