/* Maps of groups of vertices: each bone follows the least-squares fit of its group's motion. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

/* Vertices to fit each bone to, with their masses. */
typedef struct Groups {
    Grouping vertices; /* P groups */
    double *masses;    /* [vertices.first[P]] positive; NULL: all 1 */
} Groups;

void groups_clear(Groups *groups);

/* Groups from the group of each vertex, group_of [N] in 0 to count - 1, with masses 1; those without a vertex
 * are left out. */
Status groups_of_vertices(const int32_t *group_of, int vertex_count, int count, Groups *groups);

/* Sets bones and maps to the least-squares fit of each group's motion, frame by frame: affine maps, or
 * rigid motions. What a flat or narrow group leaves open about an affine map is as in the rigid one. Every
 * group needs a member. */
Status skin_fit_maps(SkinFit *fit, const Groups *groups, bool rigid);
