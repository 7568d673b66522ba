/* Everything that a fit of bones and weights uses: the interface of a decomposition method, and the solvers
 * that such methods share. It is the only header that the author of such a fit needs. */
#pragma once

#include "methods/fitting/bone_choice.h"
#include "methods/fitting/group_maps.h"
#include "methods/fitting/motion_seeds.h"
#include "methods/fitting/seeds.h"
#include "methods/fitting/skin_weights.h"
