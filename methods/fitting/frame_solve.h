/* Solves for the values of each frame while the values of the vertices are fixed: transformations of a rig,
 * corrections of its rest pose, or rows of a low-rank basis (dataset.h). Frames are independent of each
 * other, and results do not depend on the number of threads. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct FrameSolve {
    const Animation *target; /* every frame */
    int vertex_count;        /* N */
    const float *rest;       /* [N][3] rest pose of the model; unused for low-rank models */
    /* [frame_count] frames to solve for, ascending. For transformations, the list must not contain frame 0
     * or adjacent frames, because the previous frame supplies what the target leaves undetermined. */
    const int32_t *frames;
    int frame_count;
    Rig *rig;          /* rig with transformations of all frames; joint_count 0: none */
    LowRank *low_rank; /* low-rank model with rows of all frames; rank 0: none */
    int threads;       /* at least 1 */
} FrameSolve;

/* Minimises ||sum_j w_ij M_j (v_i, 1) - a_i|| over affine M_j. This is a linear least-squares problem with
 * one matrix for all frames. If a bone has too few or coplanar vertices, its undetermined part stays as in
 * the previous frame. */
Status frames_solve_affine(const FrameSolve *solve);

/* Projects frames onto the coefficients C: minimises ||B_f C - A_f|| over the basis rows B_f of each frame
 * f. */
Status frames_solve_low_rank(const FrameSolve *solve);

/* Returns the target position minus the blended position of a vertex in a frame. */
Vec3 frame_residual(const FrameSolve *solve, const Transform *blend, int frame, int vertex);

/* Returns whether every transformation is a rotation and a translation, up to a few digits of single
 * precision. */
bool rig_is_rigid(const Rig *rig);

/* Minimises the error of frames_solve_affine over rigid M_j. Each bone in turn gets the rotation and
 * translation that best fit its vertices with the other bones fixed (weighted Procrustes). The rounds over
 * all bones end when the gain is negligible. */
Status frames_solve_rigid(const FrameSolve *solve);
