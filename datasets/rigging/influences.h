/* The largest weights of a vertex. */
#pragma once

#include <stdint.h>

/* Puts a joint's weight among the `held` largest of a vertex, in descending order; among equals the earlier
 * stays before. Returns how many there are then, at most `slots`. */
int influence_insert(int32_t joint, double weight, int held, int slots, int32_t *joints, double *weights);
