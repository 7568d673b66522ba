/* Everything that a fit of bones and weights uses: the interface of a decomposition method, and the solvers
 * that such methods share. It is the only header that the author of such a fit needs. */
#pragma once

#include "methods/fitting/seeds.h"
#include "methods/fitting/skin_fit.h"
