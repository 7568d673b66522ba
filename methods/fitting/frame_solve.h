/* Solves for the frame-dependent parts of a model while the per-vertex parts are fixed: transformations of
 * a rig, corrections of its rest pose, rows of a low-rank basis (dataset.h). Frames are independent of each
 * other, and results do not depend on the number of threads. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct FrameSolve {
    const Animation *target; /* every frame */
    int vertex_count;        /* N */
    const float *rest;       /* [N][3] rest pose of the model; unused for low-rank models */
    const int32_t
        *frames; /* [frame_count] frames to solve for, ascending. For transformations: never 0 and no two
                    neighbours, because the previous frame provides what the target leaves undetermined */
    int frame_count;
    Rig *rig;          /* for all frames; joint_count 0: none */
    LowRank *low_rank; /* for all frames; rank 0: none */
    int threads;       /* at least 1 */
} FrameSolve;

/* Minimises ||sum_j w_ij M_j (v_i, 1) - a_i|| over affine M_j: linear least squares with one matrix for all
 * frames. If a bone has too few or coplanar vertices, the undetermined part stays as in the previous
 * frame. */
Status frames_solve_affine(const FrameSolve *solve);

/* Projects frames on the coefficients: minimises ||B_f C - A_f||. */
Status frames_solve_low_rank(const FrameSolve *solve);

/* Target position minus blended position of a vertex in a frame. */
Vec3 frame_residual(const FrameSolve *solve, const Transform *blend, int frame, int vertex);

/* Whether every transformation is a rotation and a translation, to a few digits of single precision. */
bool rig_is_rigid(const Rig *rig);

/* Like frames_solve_affine with rigid M_j. One bone after another takes the rotation and translation that
 * best fit what the other bones leave of its vertices (weighted Procrustes), in rounds until the gain is
 * negligible. */
Status frames_solve_rigid(const FrameSolve *solve);
