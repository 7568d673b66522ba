/* Checks that transformations are rigid, for methods that require it (rigid_only in SkinningMethod). */
#pragma once

#include "datasets/base/status.h"
#include "datasets/geometry/transform.h"

/* Fails with STATUS_BAD_INPUT if one of transforms [count] mirrors, or differs from orthonormal by more
 * than RIGID_TOLERANCE. The message names `method` and the first such joint. */
Status rigid_check(const char *method, const Transform *transforms, int count);
