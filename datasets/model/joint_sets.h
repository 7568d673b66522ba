/* Groups the vertices of a rig by joint set (SBS section 4.2). All direct methods and backends use these
 * groups. Also computes statistics of a rig. N is the number of vertices, S the number of joint sets. */
#pragma once

#include "datasets/model/dataset.h"

/* The order in which a joint set lists the influences of a vertex. */
typedef enum InfluenceOrder {
    INFLUENCES_BY_JOINT, /* by ascending joint number, regardless of the order in the file; gives the fewest
                            sets */
    INFLUENCES_AS_LISTED /* as in the file, for methods that depend on which influence comes first */
} InfluenceOrder;

/* The vertices of a rig grouped by joint set (SBS 4.2). Influences of weight 0 are dropped, and joints
 * listed twice are merged. The resulting order of vertices, set after set, is called the bound order. Its
 * sort keys are:
 *
 *   1. the number of influences
 *   2. the joints in ascending order
 *   3. the joints as listed, only for INFLUENCES_AS_LISTED
 *   4. the vertex number
 *
 * A mesh in the bound order of influences as listed is therefore also in the bound order of influences by
 * joint. */
typedef struct JointSets {
    int set_count, vertex_count, slot_count;
    int max_influences;  /* largest number of influences of a set */
    int32_t *first_slot; /* [S + 1] the joints of set s are joints[first_slot[s]] to joints[first_slot[s + 1]
                            - 1] */
    int32_t *joints;     /* [slot_count] */
    int32_t *first_vertex; /* [S + 1] set s has the vertices first_vertex[s] to first_vertex[s + 1] - 1 of the
                              bound order */
    int32_t *vertices;     /* [N] vertex number, in the data set, of each vertex of the bound order */
    int32_t *set_of_vertex; /* [N] set of each vertex of the bound order */
    int64_t *first_weight;  /* [S + 1] index of the first weight of each set */
    double *weights; /* the weight of slot k for the i-th vertex of set s is weights[first_weight[s] + k *
                        vertices_in_set + i] */
} JointSets;

/* Returns the number of influences of each vertex of a set. */
static inline int joint_set_size(const JointSets *sets, int set)
{
    return sets->first_slot[set + 1] - sets->first_slot[set];
}

/* Groups the vertices of a rig. The message of STATUS_BAD_INPUT names a vertex without influences, a weight
 * that is not finite, or a joint out of range. Release with joint_sets_clear. */
Status joint_sets_init(const Rig *rig, int vertex_count, InfluenceOrder order, JointSets *out);
void joint_sets_clear(JointSets *sets);

enum { INFLUENCE_HISTOGRAM_SIZE = 17 };

typedef struct RigStatistics {
    double mean_influences; /* non-zero weights per vertex */
    int most_influences;
    /* [n]: number of vertices with n influences; the last entry also counts all vertices with more */
    int histogram[INFLUENCE_HISTOGRAM_SIZE];
    int joint_sets;         /* number of distinct joint sets (SBS 4.2), single joints included */
    int joint_sets_blended; /* number of sets with two or more joints */
    int joints_used;        /* number of joints that influence at least one vertex */
} RigStatistics;

/* Computes the statistics of a rig. They are all zero for a rig without joints. STATUS_BAD_INPUT for the
 * same rigs as joint_sets_init, STATUS_SYSTEM if out of memory. */
Status rig_statistics(const Rig *rig, int vertex_count, RigStatistics *out);
