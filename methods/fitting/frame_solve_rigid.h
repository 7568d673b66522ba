/* Rigid bones in frames that a rig was not fitted to. */
#ifndef SKINBENCH_FITTING_FRAME_SOLVE_RIGID_H
#define SKINBENCH_FITTING_FRAME_SOLVE_RIGID_H

#include "methods/fitting/frame_solve.h"

/* Whether every transformation is a rotation and a translation, to a few digits of single precision. */
bool rig_is_rigid(const Rig *rig);

/* frames_solve_affine over rigid M_j: one bone after another takes the rotation and translation nearest to what the
 * others leave of its vertices (weighted Procrustes), in rounds until these gain next to nothing. */
Status frames_solve_rigid(const FrameSolve *solve);

#endif
