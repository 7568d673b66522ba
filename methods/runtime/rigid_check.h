/* Whether transformations are rigid, for methods that take no others (SkinningMethod's rigid_only). */
#pragma once

#include "datasets/base/status.h"
#include "datasets/geometry/transform.h"

/* STATUS_BAD_INPUT, in `method`'s name, for the first of transforms [count] whose matrix is further than
 * RIGID_TOLERANCE from orthonormal, or that mirrors. */
Status rigid_check(const char *method, const Transform *transforms, int count);
