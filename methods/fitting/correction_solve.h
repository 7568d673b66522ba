/* Corrections of a rig's rest pose. Let L_fi be the linear part of the blend of vertex i in frame f, and
 * e_fi the residual of the blend. The error is sum ||e_fi - L_fi u_fi||^2. The correction u_fi = B_f c_i is
 * linear in the values B_f of the frame and in the values c_i of the vertex, so solving for either of them
 * is a small least-squares problem. */
#pragma once

#include "methods/fitting/frame_solve.h"

/* Solves for the basis values of the frames, with the coefficients of the vertices fixed. Over the three
 * basis rows B_f of each frame, minimises
 *   ||sum_j w_ij M_j (v_i + B_f c_i) - a_i||.
 * If the basis consists of displacements (methods/reduction/reduction.h), minimises over the r factors that
 * the three rows share. */
Status frames_solve_corrections(const FrameSolve *solve);

/* Solves for the coefficients of the vertices, with the basis fixed, if the corrections are displacements.
 * Minimises the error in the given frames over the coefficients c_i of each vertex. */
Status vertices_solve_corrections(const FrameSolve *solve);
