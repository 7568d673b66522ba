/* Common parts of methods that fit bones first and weights afterwards (James and Twigg 2005; Kavan et al.
 * 2007): affine maps of groups of vertices, the best bones of every vertex, weights by non-negative least
 * squares, the error, and delivery as a rig (group_maps.h, bone_choice.h, skin_weights.h). The rest pose is
 * the mesh's own and stays fixed.
 *
 * N vertices, F frames, P bones, K influences. Positions are centred per frame and the rest pose is
 * normalised, so that the normal equations are well scaled. Results do not depend on the number of
 * threads. */
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
    int32_t *bones;  /* [N][K] influences; unused slots have bone 0, weight 0 */
    double *weights; /* [N][K] not negative, sum 1 */
    int64_t singular_systems; /* number of fallbacks used so far */
} SkinFit;

/* Gathers the animation for the influences and threads of the options, without bones yet. Release with
 * skin_fit_clear. */
Status skin_fit_make(const DecompositionInput *input, const DecompositionOptions *options, SkinFit *fit);
void skin_fit_clear(SkinFit *fit);

/* The fit as a linear blend of centred positions, with their offset. */
LinearBlend skin_fit_blend(const SkinFit *fit);

/* Computes ||A - A'||_F^2 from explicit differences in a fixed order of summation. */
Status skin_fit_error(const SkinFit *fit, double *squared_error);

/* The bones and weights of least error so far. Zeroed before; release with kept_fit_clear. */
typedef struct KeptFit {
    double squared_error;
    int bone_count; /* 0: nothing is kept */
    double *maps, *weights;
    int32_t *bones;
} KeptFit;

/* Keeps the fit if it has less error than what is kept; returns the fit to what is kept. */
Status skin_fit_keep(const SkinFit *fit, double squared_error, KeptFit *kept);
void skin_fit_return(const KeptFit *kept, SkinFit *fit);
void kept_fit_clear(KeptFit *kept);

/* Rounds the weights to the float of a data set and fills rig, rest pose, bones_delivered and
 * singular_systems of the result; *squared_error becomes that of exactly this model. Bones without a vertex
 * are left out. */
Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error);
