/* Rigid bones: in every frame the map of each bone is a rotation and a translation (Le and Deng 2012,
 * Smooth Skinning Decomposition with Rigid Bones). The reduced space cannot represent rotations, so the
 * maps T are stored for all 3F rows of the animation. The solvers of the vertices read values derived from
 * T: Tr = B^T T, and G = T^T T over all rows.
 *
 * The best rigid motion of bone b, with all other bones fixed, follows from X X^T and A X^T without the
 * vertices. It is a 3 x 3 Procrustes problem per frame in
 *   Z = A x_b^T - sum over c != b of T_c x_c x_b^T. */
#pragma once

#include "methods/decomposition/coordinate-descent/reduced_model.h"

typedef struct RigidBones {
    int frame_count;
    const double *basis; /* [d][3F] basis of the reduction, not owned; a model may use only its first rows */
    double unit;         /* length of a unit of the model's rest pose in units of the animation */
    double *motions;     /* [3F][4P] maps T. Each row holds four numbers for each bone: three entries of the
                            rotation, scaled by `unit`, and one of the translation. */
    double *pivots;      /* [P][3] centre of each bone's vertices in the rest pose */
} RigidBones;

/* Creates bones that do not move from the rest pose. Release with rigid_clear, also after a failure. */
Status rigid_make(RigidBones *rigid, int frame_count, int bone_count, const double *basis, double unit);
void rigid_clear(RigidBones *rigid);

/* Switches to another basis. `offset` [3F] replaces `before` as the shape that is subtracted from every
 * frame; the moved positions do not change. The caller must call rigid_derive next. */
void rigid_take_basis(ReducedModel *model, const double *basis, const double *before, const double *offset);

/* Copies the motions of another model with the same number of bones; `transforms` and `gram` are not
 * updated. */
void rigid_copy(ReducedModel *target, const ReducedModel *from);

/* Copies motions and pivots from rank 0 to all ranks. */
void rigid_share(ReducedModel *model);

/* Computes Tr = B^T T and G = T^T T after the motions have changed. */
void rigid_derive(ReducedModel *model);

/* Improves the motions, given X X^T in `square` ([4P][4P], lower triangle) and (C X^T)^T in `right`
 * ([4P][d]). Each bone in turn gets its best motion with the other bones fixed. A bone without vertices
 * keeps its motion. Then updates `transforms` and `gram`. *squared_error receives ||T X - B C||^2. */
Status rigid_solve(ReducedModel *model, const double *square, const double *right, double *squared_error);

/* Makes accelerated motions rigid again: each gets the nearest rotation about the bone's pivot. Then
 * updates `transforms` and `gram`. */
void rigid_restore(ReducedModel *model);

/* Finds the best motion of a bone that alone moves some vertices; the pivot becomes their centre. With x =
 * w (v, 1), block [4][4] is the lower triangle of sum x x^T, and right [4][d] is the sum of x c^T. rights
 * [4][3F] is workspace. The caller must call rigid_derive next. */
void rigid_follow(ReducedModel *model, int bone, const double *block, const double *right, double *rights);

/* Moves every bone whose squared weights sum to less than `min` to the vertex of largest error and its
 * nearest neighbours. Each bone gets a different place. Only motions, `transforms` and `gram` change;
 * weights do not change until the next sweep. */
Status rigid_reseed(ReducedModel *model, double min);
