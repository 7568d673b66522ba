/* The choice among more bones than are wanted. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Keeps at most `wanted` bones: one by one, that which leaves the least sum of squared errors when every
 * vertex is predicted by the best of those kept; then bones kept are exchanged for others while that lowers
 * the sum. Large meshes are judged by an even sample of their vertices. */
Status skin_fit_choose(SkinFit *fit, int wanted);
