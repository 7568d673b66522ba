/* Two-phase skinning (DQS 4.2): scale and shear S_j, local to each joint, apart from the rigid motion. Phase
 * one inflates the rest pose by linear blending of C'_j; phase two is any method, with the rigid C''_j. Bones
 * grow with their parents' scale. */
#pragma once

#include "datasets/model/dataset.h"

/* Splits C_j = F_j inv(A_j), the motion without scale, and S_j of one frame [P] into C'_j, which scales the
 * rest pose, C''_j, and the joints' frames A''_j in the scaled rest pose. Rest frames may be NULL: all at the
 * origin. STATUS_BAD_INPUT names a joint whose scale is not finite, or whose frames cannot be inverted. */
Status two_phase_split(const Rig *rig, const Transform *transforms, const Mat3 *scale, Transform *first,
                       Transform *second, Transform *rest);

/* second [joint_count] becomes C''_j C'_j, both phases in one, for methods that take any transformation. */
void two_phase_join(int joint_count, const Transform *first, Transform *second);

/* The other way round, one frame: transforms [P] of any kind come in, and become C_j, rigid, beside scale
 * [P], such that splitting and joining these gives what came in. Of joints that mirror, the scale mirrors.
 * The rig's rest frames must be rigid; NULL: all at the origin. */
void two_phase_separate(const Rig *rig, Transform *transforms, Mat3 *scale);
