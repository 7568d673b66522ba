/* Two-phase skinning (DQS 4.2). It separates the scale and shear S_j, which are local to each joint, from
 * the rigid motion. The first phase inflates the rest pose by linear blending with the transformations
 * C'_j. The second phase is any skinning method, applied with the rigid transformations C''_j. Bones grow
 * with the scale of their parents. */
#pragma once

#include "datasets/model/dataset.h"

/* Splits one frame. It is given by the motion without scale C_j = F_j inv(A_j) and the scale S_j, all [P].
 * The results are C'_j, which scales the rest pose, C''_j, and the frames A''_j of the joints in the scaled
 * rest pose. The rest frames of the rig may be NULL; all joints are then at the origin. The message of
 * STATUS_BAD_INPUT names a joint whose scale is not finite, or whose frames cannot be inverted. */
Status two_phase_split(const Rig *rig, const Transform *transforms, const Mat3 *scale, Transform *first,
                       Transform *second, Transform *rest);

/* Replaces second [joint_count] by the products C''_j C'_j. They combine both phases, for methods that
 * accept any transformation. */
void two_phase_join(int joint_count, const Transform *first, Transform *second);

/* The inverse of splitting and joining, for one frame. On entry, transforms [P] are of any kind. They are
 * replaced by rigid C_j, and scales [P] are found, such that splitting and joining give the original
 * transforms again. A reflection becomes part of the scale. The rest frames of the rig must be rigid or
 * NULL; if NULL, all joints are at the origin. */
void two_phase_separate(const Rig *rig, Transform *transforms, Mat3 *scale);
