/* Held-out frames: a fit sees only some frames of an animation; the model is then carried to the others,
 * whose errors show how well weights and rest pose serve motion they were not fitted to.
 *
 * With `every` = K the frames K - 1, 2K - 1, 3K - 1, ... are held out, so the first frame, whose size the
 * errors are measured by, is always fitted. K = 0: none. */
#pragma once

#include "methods/fitting/decomposition_method.h"
#include <stdbool.h>

static inline bool frame_is_held(int frame, int every)
{
    return every > 0 && (frame + 1) % every == 0;
}

static inline int held_frame_count(int frame_count, int every)
{
    return every > 0 ? frame_count / every : 0;
}

/* decomposition_fit of the frames that are not held out; then what belongs to a frame is solved for in those
 * that are, by least squares with weights, rest pose and coefficients as they are:
 * - a rig's transformations: affine; rotations and translations where all the fit gave are such;
 * - the corrections of a rig's rest pose, and the rows of a low-rank model's basis.
 * On return the model covers all frames of input->animation in their order, holdout_s is the time that took,
 * and all else of the result is the fit's own (squared errors are those of the fitted frames). STATUS_USAGE
 * when K is 1 or negative, or there are fewer than K frames. The fitted frames are copied. */
Status decomposition_fit_holdout(const DecompositionMethod *method, const DecompositionInput *input,
                                 const DecompositionOptions *options, int every, DecompositionResult *result);
