/* Chooses bones if a method has found more than wanted. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Keeps at most `wanted` bones. Bones are added one after another, each time the one that gives the
 * smallest sum of squared errors when every vertex follows its best chosen bone. Then chosen bones are
 * exchanged for others as long as that lowers the sum. On large meshes an even sample of the vertices is
 * used. */
Status skin_fit_choose(SkinFit *fit, int wanted);
