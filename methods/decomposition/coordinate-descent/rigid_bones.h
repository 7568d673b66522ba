/* Rigid bones: each bone's map is, frame by frame, a rotation and a translation (Le and Deng 2012, Smooth
 * Skinning Decomposition with Rigid Bones). Rotations do not live in the reduced space, so the maps T are
 * kept over all 3F rows; what the solvers of the vertices read is derived from them: Tr = B^T T, and G = T^T
 * T over all rows.
 *
 * Given X X^T and A X^T, a bone's best rigid motion under the others needs no vertex: with
 * Z = A x_b^T - sum over c of T_c x_c x_b^T, c not b, it is a 3 x 3 Procrustes problem per frame. */
#pragma once

#include "methods/decomposition/coordinate-descent/reduced_model.h"

typedef struct RigidBones {
    int frame_count;
    const double *basis; /* [d][3F] of the reduction; not owned. A model may work on the first rows alone */
    double unit;         /* size of a unit of the model's rest pose in units of the animation */
    double *motions;     /* [3F][4P] T: a row holds, bone by bone, one of `unit` R and of the translation */
    double *pivots;      /* [P][3] middle of each bone's vertices in the rest pose */
} RigidBones;

/* Bones that stand still. Release with rigid_clear, on failure too. */
Status rigid_make(RigidBones *rigid, int frame_count, int bone_count, const double *basis, double unit);
void rigid_clear(RigidBones *rigid);

/* Takes up another basis and what its reduction subtracted from every frame, [3F], in place of `before`:
 * points move where they did. transforms and gram are to be derived. */
void rigid_take_basis(ReducedModel *model, const double *basis, const double *before, const double *offset);

/* Takes over the motions of another model of as many bones; transforms and gram stay as they are. */
void rigid_copy(ReducedModel *to, const ReducedModel *from);

/* Motions and pivots become those of rank 0. */
void rigid_share(ReducedModel *model);

/* Tr = B^T T and G = T^T T, after the motions have changed. */
void rigid_derive(ReducedModel *model);

/* Improves the motions for X X^T in `square` ([4P][4P], lower triangle) and (C X^T)^T in `right` ([4P][d]):
 * bone by bone the optimum under those before it. A bone without a vertex keeps its motion. Then derives from
 * them the model's transforms and gram. *squared_error: ||T X - B C||^2. */
Status rigid_solve(ReducedModel *model, const double *square, const double *right, double *squared_error);

/* Makes motions that were mixed rigid again, each with the nearest rotation about the bone's pivot, and
 * derives transforms and gram from them. */
void rigid_restore(ReducedModel *model);

/* The best motion of a bone for some vertices on their own, its pivot their middle: own [4][4] is the lower
 * triangle of sum x x^T over them, x = w (v, 1), right [4][d] the sum of x c^T, rights [4][3F] workspace.
 * rigid_derive is next. */
void rigid_follow(ReducedModel *model, int bone, const double *own, const double *right, double *rights);

/* Lets every bone without a vertex, and those whose squared weights sum to less than `min`, follow the
 * vertex of greatest error and its nearest neighbours, no two bones the same. Only motions change, with
 * transforms and gram: in the next sweep vertices may choose these bones. */
Status rigid_reseed(ReducedModel *model, double min);
