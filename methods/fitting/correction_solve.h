/* Corrections of a rig's rest pose. Let L_fi be the linear part of the blend of vertex i in frame f, and
 * e_fi the residual of the blend. The error is sum ||e_fi - L_fi u_fi||^2. The correction u_fi = B_f c_i is
 * linear in the values B_f of the frame and in the values c_i of the vertex, so solving for either of them
 * is a small least-squares problem. */
#pragma once

#include "methods/fitting/frame_solve.h"

/* Solves for the values of the frames with those of the vertices fixed. Minimises ||sum_j w_ij M_j (v_i +
 * B_f c_i) - a_i|| over the three basis rows B_f of each frame. If the basis consists of displacements
 * (methods/reduction/reduction.h), minimises over the r factors that the three rows share. */
Status frames_solve_corrections(const FrameSolve *solve);

/* Solves for the values of the vertices with the basis fixed, for corrections by displacements. Minimises
 * the error in the frames of `frames` over the coefficients c_i of each vertex. */
Status vertices_solve_corrections(const FrameSolve *solve);
