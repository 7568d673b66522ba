/* Corrections of the rest pose of a fitted rig, frame by frame (Kry, James and Pai 2002). */
#ifndef SKINBENCH_EIGENSKIN_CORRECTIONS_H
#define SKINBENCH_EIGENSKIN_CORRECTIONS_H

#include "methods/fitting/decomposition_method.h"
#include "methods/reduction/trajectories.h"

/* What is missing, pulled back to the rest pose: u = L^-1 (a - (L v + t)) of every vertex and frame, with L
 * and t its blended transformation. Where the determinant of L is below least_determinant times that of a
 * rotation of its size, the damped least-squares solution is taken, and counted in *singular.
 *   model  a result with rig and rest pose
 *   out    F rows, 3N columns, column 3j + axis of vertex j; its values [3N][F] are set */
void corrections_pull_back(const DecompositionInput *input, const DecompositionResult *model,
                           Trajectories *out, double least_determinant, int threads, int64_t *singular);

/* Sets to zero the corrections of the vertices that they make worse in the posed frames, and gives the
 * squared error with the others, over explicit differences in a fixed order of summation. */
Status corrections_settle(const DecompositionInput *input, DecompositionResult *model, int threads,
                          double *squared_error);

#endif
