/* Figures that describe a data set: what `info` prints. */
#pragma once

#include "datasets/model/dataset.h"

enum { INFLUENCE_HISTOGRAM_SIZE = 17 };

typedef struct RigStatistics {
    double mean_influences; /* weights other than 0 per vertex */
    int most_influences;
    /* vertices with this many influences; the last counts that many and more */
    int histogram[INFLUENCE_HISTOGRAM_SIZE];
    int joint_sets;         /* distinct sets of joints with a weight (SBS 4.2), single joints included */
    int joint_sets_blended; /* of two joints and more */
    int joints_used;        /* joints that move a vertex */
} RigStatistics;

/* STATUS_BAD_INPUT as joint_sets_init, STATUS_SYSTEM when out of memory. A rig without joints gives
 * zeros. */
Status rig_statistics(const Rig *rig, int vertex_count, RigStatistics *out);
