/* What of a model belongs to a frame, solved for frame by frame with all that belongs to vertices as it is:
 * transformations of a rig, corrections of its rest pose, rows of a low-rank model's basis (dataset.h).
 * Frames are independent of each other, and results do not depend on the number of threads. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct FrameSolve {
    const Animation *target; /* every frame */
    int vertex_count;        /* N */
    const float *rest;       /* [N][3] of the model; not read for low-rank models */
    const int32_t *frames;   /* [frame_count] to solve for, ascending. Transformations: never 0, and never two
                              * neighbours: the frame before stands in for what the target leaves open */
    int frame_count;
    Rig *rig;          /* of all frames; joint_count 0: none */
    LowRank *low_rank; /* of all frames; rank 0: none */
    int threads;       /* at least 1 */
} FrameSolve;

/* min ||sum_j w_ij M_j (v_i, 1) - a_i|| over affine M_j: linear least squares with one matrix for all frames.
 * Of bones with too few or flat vertices the part that is left open stays as in the frame before. */
Status frames_solve_affine(const FrameSolve *solve);

/* The projection of frames on the coefficients: min ||B_f C - A_f||. */
Status frames_solve_low_rank(const FrameSolve *solve);

/* What the blend of a vertex' transformations misses of it in a frame. */
Vec3 frame_residual(const FrameSolve *solve, const Transform *blend, int frame, int vertex);

/* Whether every transformation is a rotation and a translation, to a few digits of single precision. */
bool rig_is_rigid(const Rig *rig);

/* frames_solve_affine over rigid M_j: one bone after another takes the rotation and translation nearest to
 * what the others leave of its vertices (weighted Procrustes), in rounds until these gain next to nothing. */
Status frames_solve_rigid(const FrameSolve *solve);
