/* Affine or rigid maps of groups of vertices. Each bone follows the least-squares fit of its group's
 * motion. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

/* The vertices to which each bone is fitted, with their masses. */
typedef struct Groups {
    Grouping vertices; /* P groups */
    double *masses;    /* [vertices.first[P]] positive masses; NULL if all masses are 1 */
} Groups;

void groups_clear(Groups *groups);

/* Makes groups with masses 1 from group_of [N], the group of each vertex, 0 to count - 1. Empty groups are
 * left out. */
Status groups_of_vertices(const int32_t *group_of, int vertex_count, int count, Groups *groups);

/* Sets bones and maps to the least-squares fit of each group's motion in each frame. The maps are affine or
 * rigid. If a flat or narrow group leaves part of an affine map undetermined, that part is taken from the
 * rigid motion. Every group must have a member. */
Status skin_fit_maps(SkinFit *fit, const Groups *groups, bool rigid);
