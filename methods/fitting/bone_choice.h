/* Reduces the bones of a fit to the wanted number if a method has found more. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Keeps at most `wanted` bones. Every vertex follows its best chosen bone. Bones are added one after
 * another, each time the bone that gives the smallest sum of squared errors. Then chosen bones are
 * exchanged for other candidates until no exchange lowers the sum. On large meshes the errors are summed
 * over an even sample of the vertices. */
Status skin_fit_choose(SkinFit *fit, int wanted);
