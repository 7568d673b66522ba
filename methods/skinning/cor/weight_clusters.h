/* Points of the refined mesh, clustered by their skinning weights, so that those near a vertex' weights are
 * found without looking at all (CoR 3.2, "approximate nearest neighbor search"). The answers are exact: a
 * cluster is passed over only when its centre and radius prove that none of its points is near enough.
 *
 * Centres are chosen one after the other, each the point farthest from those before it: the sets of points of
 * great minimum distance that the paper takes from Schloemer and others 2011, without their later sweeps,
 * which would only change how many points are passed over. */
#ifndef SKINBENCH_COR_WEIGHT_CLUSTERS_H
#define SKINBENCH_COR_WEIGHT_CLUSTERS_H

#include "datasets/base/grouping.h"
#include "methods/skinning/cor/weight_surface.h"

typedef struct WeightClusters {
    int point_count;
    int64_t *first; /* [point_count + 1] weights of the points, zeros dropped, joints ascending */
    int32_t *joints;
    double *weights;
    int cluster_count;   /* about the square root of point_count */
    int32_t *centers;    /* [cluster_count] points */
    double *radii;       /* [cluster_count] */
    Grouping members;    /* points by cluster */
    double *distances;   /* [point_count] of a point from its cluster's centre */
    int32_t *cluster_of; /* [point_count] */
} WeightClusters;

/* surface must have been built with `refined`. Release with weight_clusters_clear. */
Status weight_clusters_build(const WeightSurface *surface, WeightClusters *out);
void weight_clusters_clear(WeightClusters *clusters);

/* Points whose weights are nearer than omega to those of the row, to found [point_count]; their number is
 * returned. */
int weight_clusters_query(const WeightClusters *clusters, SparseRow row, double omega, int32_t *found);

#endif
