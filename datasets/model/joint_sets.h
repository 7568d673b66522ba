/* The vertices of a rig grouped by joint set (SBS section 4.2), as every direct method and backend sees them,
 * and figures that describe a rig. N vertices, S joint sets. */
#pragma once

#include "datasets/model/dataset.h"

/* In which order the influences of a vertex stand in its joint set. */
typedef enum InfluenceOrder {
    INFLUENCES_BY_JOINT, /* ascending joint number: the order of listing cannot matter, and sets are fewest */
    INFLUENCES_AS_LISTED /* as in the file, for policies that look at the first influence */
} InfluenceOrder;

/* The vertices grouped by joint set (SBS 4.2). Influences of weight 0 are dropped and joints listed twice are
 * merged. The order in which vertices come out, set after set, is called the bound order: ascending by the
 * number of influences, then by their joints in ascending order, then by the joints as listed where that
 * makes sets differ, then by vertex number. So a mesh whose vertices stand in the bound order of influences
 * as listed stands in that of influences by joint, too. */
typedef struct JointSets {
    int set_count, vertex_count, slot_count;
    int max_influences;     /* of any set */
    int32_t *first_slot;    /* [S + 1] set s owns joints[first_slot[s]] to joints[first_slot[s + 1] - 1] */
    int32_t *joints;        /* [slot_count] */
    int32_t *first_vertex;  /* [S + 1] set s owns bound vertices first_vertex[s] to first_vertex[s + 1] - 1 */
    int32_t *vertices;      /* [N] file vertex number of each bound vertex */
    int32_t *set_of_vertex; /* [N] by bound vertex */
    int64_t *first_weight;  /* [S + 1] offset of the set's weights */
    double *weights; /* set s, slot k, i-th vertex of the set: first_weight[s] + k * vertices_in_set + i */
} JointSets;

/* Influences of a set's vertices. */
static inline int joint_set_size(const JointSets *sets, int set)
{
    return sets->first_slot[set + 1] - sets->first_slot[set];
}

/* Groups the vertices of a rig. STATUS_BAD_INPUT names a vertex without influence, a weight that is not
 * finite, or a joint out of range. Release with joint_sets_clear. */
Status joint_sets_init(const Rig *rig, int vertex_count, InfluenceOrder order, JointSets *out);
void joint_sets_clear(JointSets *sets);

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
