/* Held-out frames: a fit uses only some frames of an animation, and then the model is extended to the
 * remaining ones. Their errors show how well weights and rest pose generalise to other motion.
 *
 * With `every` = K, the frames K - 1, 2K - 1, 3K - 1, ... are held out. The first frame, which defines the
 * scale of errors, is always fitted. If K is 0, no frame is held out. */
#pragma once

#include "methods/fitting/decomposition_method.h"

static inline bool frame_is_held(int frame, int every)
{
    return every > 0 && (frame + 1) % every == 0;
}

static inline int held_frame_count(int frame_count, int every)
{
    return every > 0 ? frame_count / every : 0;
}

/* Fits the frames that are not held out. Then solves for the held-out frames, with weights, rest pose and
 * coefficients fixed. The model contains all frames in order. The member holdout_s is the time of the
 * second step; all other members of the result describe the fit. Fails with STATUS_USAGE if K is 1 or
 * negative, or if there are fewer than K frames. */
Status decomposition_fit_holdout(const DecompositionMethod *method, const DecompositionInput *input,
                                 const DecompositionOptions *options, int every, DecompositionResult *result);
