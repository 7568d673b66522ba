/* Two-phase skinning (DQS 4.2) separates the scale and shear S_j, which are local to each joint, from the
 * rigid motion. The first phase inflates the rest pose by linear blending with transformations C'_j. The
 * second phase is any method, applied to rigid transformations C''_j. Bones grow with the scale of their
 * parents. */
#pragma once

#include "datasets/model/dataset.h"

/* Splits one frame, given by the motion without scale C_j = F_j inv(A_j) and the scale S_j, all [P]. The
 * results are C'_j, which scales the rest pose, C''_j, and the frames A''_j of the joints in the scaled
 * rest pose. The rest frames may be NULL, in which case all joints are at the origin. The message of
 * STATUS_BAD_INPUT names a joint whose scale is not finite, or whose frames cannot be inverted. */
Status two_phase_split(const Rig *rig, const Transform *transforms, const Mat3 *scale, Transform *first,
                       Transform *second, Transform *rest);

/* Replaces second [joint_count] by C''_j C'_j, which combines both phases, for methods that accept any
 * transformation. */
void two_phase_join(int joint_count, const Transform *first, Transform *second);

/* Finds rigid transforms C_j and scales [P] for one frame. They are chosen so that splitting and joining
 * them gives the transforms [P] passed in, which may be of any kind and are replaced by C_j. A reflection
 * becomes part of the scale. The rest frames of the rig must be rigid, or NULL, in which case all joints
 * are at the origin. */
void two_phase_separate(const Rig *rig, Transform *transforms, Mat3 *scale);
