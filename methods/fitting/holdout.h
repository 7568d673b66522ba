/* Held-out frames: a fit sees only some frames of an animation; the model is then carried to the others,
 * whose errors show how well weights and rest pose serve motion they were not fitted to.
 *
 * With `every` = K the frames K - 1, 2K - 1, 3K - 1, ... are held out, so the first frame, whose size the
 * errors are measured by, is always fitted. K = 0: none. */
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

/* Fits a copy of the frames that are not held out, then solves for the others with the fit's weights, rest
 * pose and coefficients. The model covers all frames in their order, holdout_s is the time of the second
 * part, all else of the result is the fit's own. STATUS_USAGE: K is 1 or negative, or there are fewer than K
 * frames. */
Status decomposition_fit_holdout(const DecompositionMethod *method, const DecompositionInput *input,
                                 const DecompositionOptions *options, int every, DecompositionResult *result);
