/* Regions by hierarchical clustering, which FESAM section 4.1 names as one way to begin (Wang et al. 2007;
 * Schaefer and Yuksel 2007). This is a reconstruction, because neither text was available. */
#pragma once

#include "datasets/model/dataset.h"

/* Assigns every vertex to one of at most `wanted` regions: regions [N], numbered from 0 to *count - 1. At
 * first every vertex is a region. Then two adjacent regions are merged at a time, until `wanted` regions are
 * left: those whose union adds least to the squared error that remains if every region follows its best
 * rigid motions. At most 24 frames, evenly spaced, are compared. */
Status merged_regions_make(const Mesh *mesh, const Animation *animation, int wanted, int32_t *regions,
                           int *count);
