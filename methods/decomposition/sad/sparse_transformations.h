/* The bone transformations that are best for given weights, as one sparse least-squares problem (Kavan et al.
 * 2007, section 4.2). */
#ifndef SKINBENCH_SAD_SPARSE_TRANSFORMATIONS_H
#define SKINBENCH_SAD_SPARSE_TRANSFORMATIONS_H

#include "methods/fitting/skin_fit.h"

/* Moves fit->maps to the minimum of ||T X - A||_F, all frames at once: the normal equations X X^T have a
 * block for every two bones that share a vertex, and CHOLMOD factors them. Where they are singular to
 * rounding, the step from the maps at hand is damped, so that what the weights leave open stays as it is;
 * that is counted in fit->singular_systems. */
Status sparse_transformations_solve(SkinFit *fit);

#endif
