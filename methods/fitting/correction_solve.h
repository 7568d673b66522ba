/* Corrections of a rig's rest pose in posed space: with L_fi the linear part of a vertex' blend in a frame
 * and e_fi what the blend misses, the error is sum ||e_fi - L_fi u_fi||^2, where u_fi = B_f c_i is linear in
 * what belongs to the frame and in what belongs to the vertex. Each in turn is a small least-squares
 * problem. */
#pragma once

#include "methods/fitting/frame_solve.h"

/* min ||sum_j w_ij M_j (v_i + B_f c_i) - a_i|| over the three rows B_f of the basis; over the r factors that
 * the rows share where all of the basis is of displacements (methods/reduction/reduction.h). */
Status frames_solve_corrections(const FrameSolve *solve);

/* The other half, for corrections by displacements: min over the coefficients c_i of each vertex, with the
 * basis as it is, over the frames of `frames`. */
Status vertices_solve_corrections(const FrameSolve *solve);
