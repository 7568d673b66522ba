/* Two-phase skinning (DQS 4.2) separates scale and shear S_j, local to each joint, from the rigid motion.
 * Phase one inflates the rest pose by linear blending of C'_j. Phase two is any method with the rigid
 * C''_j. Bones grow with the scale of their parents. */
#pragma once

#include "datasets/model/dataset.h"

/* Splits one frame's C_j = F_j inv(A_j), the motion without scale, and S_j, all [P]. The results are C'_j,
 * which scales the rest pose, C''_j, and the joints' frames A''_j in the scaled rest pose. Rest frames may
 * be NULL: all at the origin. STATUS_BAD_INPUT names a joint whose scale is not finite, or whose frames
 * cannot be inverted. */
Status two_phase_split(const Rig *rig, const Transform *transforms, const Mat3 *scale, Transform *first,
                       Transform *second, Transform *rest);

/* Replaces second [joint_count] by C''_j C'_j, both phases in one, for methods that accept any
 * transformation. */
void two_phase_join(int joint_count, const Transform *first, Transform *second);

/* The inverse of splitting and joining, for one frame. Replaces arbitrary transforms [P] by rigid C_j, and
 * computes scale [P], such that splitting and joining them gives the original transforms. A reflection
 * becomes part of the scale. The rig's rest frames must be rigid, or NULL: all at the origin. */
void two_phase_separate(const Rig *rig, Transform *transforms, Mat3 *scale);
