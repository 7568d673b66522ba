/* Common parts of methods that fit bones first and weights afterwards (James and Twigg 2005; Kavan et al.
 * 2007):
 *   affine maps of groups of vertices (group_maps.h),
 *   the best bones of every vertex (bone_choice.h),
 *   weights by non-negative least squares (skin_weights.h),
 *   the error, and delivery as a rig.
 * The rest pose is that of the mesh and does not change. N vertices, F frames, P bones, K influences.
 * Positions are centred per frame and the rest pose is normalised, so that the normal equations are well
 * scaled. Results do not depend on the number of threads. */
#pragma once

#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/trajectories.h"

typedef struct SkinFit {
    const DecompositionInput *input;
    int vertex_count, bone_count, influence_count;
    int threads;         /* at least 1 */
    Trajectories target; /* positions minus each frame's mean */
    double *rest;        /* [N][3] normalised rest pose */
    RestUnits units;     /* of rest */
    double *maps;    /* [4P][3F] rows 4j to 4j + 3 are the columns of bone j's affine map from rest points to
                        centred positions */
    int32_t *bones;  /* [N][K] bones of each vertex; unused slots have bone 0 and weight 0 */
    double *weights; /* [N][K] weights, not negative, with sum 1 */
    int64_t singular_systems; /* number of singular systems solved by a fallback so far */
} SkinFit;

/* Reads the animation and prepares a fit without bones. Takes the number of influences and threads from the
 * options. Release with skin_fit_clear. */
Status skin_fit_make(const DecompositionInput *input, const DecompositionOptions *options, SkinFit *fit);
void skin_fit_clear(SkinFit *fit);

/* Returns the fit as a linear blend of centred positions with their offset. */
LinearBlend skin_fit_blend(const SkinFit *fit);

/* Computes ||A - A'||_F^2, summed in a fixed order. */
Status skin_fit_error(const SkinFit *fit, double *squared_error);

/* The bones and weights with the smallest error so far. Must be all zeros at first; release with
 * kept_fit_clear. */
typedef struct KeptFit {
    double squared_error;
    int bone_count; /* 0: no fit is stored */
    double *maps, *weights;
    int32_t *bones;
} KeptFit;

/* Stores a copy of the fit if its error is smaller than the stored one. *squared_error receives the smaller
 * error. */
Status skin_fit_keep(const SkinFit *fit, double *squared_error, KeptFit *kept);

/* Moves the stored fit, if there is one, back into `fit`. */
void skin_fit_return(KeptFit *kept, SkinFit *fit);
void kept_fit_clear(KeptFit *kept);

/* Rounds the weights to floats and fills rig, rest pose, bones_delivered and singular_systems of the
 * result. *squared_error receives the error of the rounded model. Bones without a vertex are left out. */
Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error);
