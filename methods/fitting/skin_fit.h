/* Common parts of methods that fit bones first and weights afterwards (James and Twigg 2005; Kavan et al.
 * 2007): affine maps of groups of vertices, the best bones of every vertex, weights by non-negative least
 * squares, the error, and delivery as a rig.
 * The rest pose is that of the mesh and does not change. N vertices, F frames, P bones, K influences.
 * Positions are centred per frame and the rest pose is normalised, so that the normal equations are well
 * scaled. Results do not depend on the number of threads. */
#pragma once

#include "datasets/base/grouping.h"
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

/* Fills residual [count] with coordinates `first` to first + count - 1 of vertex j, minus their blend. */
void skin_fit_residual(const SkinFit *fit, int j, int first, int count, double *residual);

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

/* ---- bones ---- */

/* The vertices to which each bone is fitted, with their masses. */
typedef struct Groups {
    Grouping vertices; /* P groups */
    double *masses;    /* [vertices.first[P]] positive masses; NULL if all masses are 1 */
} Groups;

void groups_clear(Groups *groups);

/* Makes groups with masses 1 from group_of [N], the group of each vertex, 0 to count - 1. Empty groups are
 * left out. */
Status groups_of_vertices(const int32_t *group_of, int vertex_count, int count, Groups *groups);

/* Sets bones and maps to the least-squares fit of each group's motion in each frame. The maps are affine or
 * rigid. If a flat or narrow group leaves part of an affine map undetermined, that part is taken from the
 * rigid motion. Every group must have a member. */
Status skin_fit_maps(SkinFit *fit, const Groups *groups, bool rigid);

/* Sets *out to whether edges connect all vertices. */
Status mesh_in_one_piece(const Mesh *mesh, bool *out);

/* Finds the bone that predicts each vertex best, label_of [N], and its error ||M v - a||^2 for this vertex,
 * errors [N]. */
Status skin_fit_assign(const SkinFit *fit, int32_t *label_of, double *errors);

/* Places up to `wanted` new bones by motion and sets label_of [N] to the best bone of each vertex. Each new
 * bone follows the surroundings of the vertex that the previous bones predict worst. Then bones and vertices
 * are updated in turn. The new bones replace the old ones if their error is smaller. If all vertices are
 * connected by edges, the bones do not change. With enough bones they reproduce rigid shells exactly, even if
 * the shells are far apart or nested, because the vertex of largest error always belongs to a shell that has
 * no bone yet. */
Status skin_fit_reseed(SkinFit *fit, int wanted, bool rigid, int32_t *label_of);

/* Keeps at most `wanted` bones. Every vertex follows its best chosen bone. The function adds bones
 * one after another; each step adds the bone that gives the smallest sum of squared errors. Then it
 * exchanges chosen bones for other candidates until no exchange lowers the sum. If the mesh is large, it
 * sums the errors over an even sample of the vertices. */
Status skin_fit_choose(SkinFit *fit, int wanted);

/* ---- weights ---- */

/* Sets bones and weights of all vertices from the maps, by products that do not read the frames again.
 * Chooses the bones that predict a vertex best individually. If `greedy`, adds bones one after another
 * instead, each time the bone that lowers the error of the whole blend most. The weights are found by
 * non-negative least squares with `penalty` on their sum, in units of the mean square of the predictions.
 * They are then scaled to the sum 1. If `truncate` is positive, the weights are found by the truncated SVD
 * instead, which leaves out singular values below this fraction of the largest, and may be negative. */
Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty, double truncate);
