/* Counts the updates that an iterative method needs for each vertex of a frame. The computation is in
 * double precision, with the method's own kernel. */
#pragma once

#include "methods/kernel/kernel.h"
#include "methods/runtime/skinning_method.h"

enum { UPDATES_MEAN, UPDATES_MAX, UNSETTLED, ITERATION_COUNTER_COUNT };
/* Their rows. */
#define ITERATION_COUNTERS                                                                                   \
    {"updates_mean", "updates per vertex"}, {"updates_most", "updates of the vertex that takes the most"},   \
    {                                                                                                        \
        "unsettled", "vertices that reached the maximum number of updates"                                   \
    }

/* Returns the number of updates for one vertex of the view's joint set. */
typedef double (*VertexUpdates)(const KernelView *view, int vertex, int influences, int variant);

/* Fills counts [ITERATION_COUNTER_COUNT] for a posed frame: mean and maximum number of updates per vertex,
 * and the number of vertices that needed `cap` updates. */
void iteration_counts(const SkinningBinding *binding, const SkinningPose *posed, int floats_per_joint,
                      int floats_per_set, VertexUpdates updates, double cap, double *counts);
