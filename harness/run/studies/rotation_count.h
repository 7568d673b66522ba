/* Rotates a vector by a unit quaternion in two ways and counts the operations of each. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/counted_real.h"

/* Rotates v by q = (w, x, y, z), as q v q* if `products` is set and by DQS eq. 15 otherwise. The scalar part
 * of v, which is 0, and that of the result are not computed. Counts are 0 if operations cannot be
 * counted. */
OperationCounts rotation_count(bool products, const double q[4], const double v[3], double out[3]);
