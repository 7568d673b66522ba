/* Chooses bones if there are more than wanted. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Keeps at most `wanted` bones. First it adds one bone at a time, the one that gives the smallest sum of
 * squared errors when every vertex is predicted by its best chosen bone. Then it exchanges chosen bones for
 * others while that lowers the sum. Large meshes are judged by an even sample of their vertices. */
Status skin_fit_choose(SkinFit *fit, int wanted);
