/* From the reduced unknowns back to a rig and a rest pose. */
#ifndef SKINBENCH_COORDINATE_DESCENT_DELIVERY_H
#define SKINBENCH_COORDINATE_DESCENT_DELIVERY_H

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Rounds rest pose and weights to the float of a data set, solves the transformations once more for what is
 * left, notes the error of exactly this model as the last one, and fills the result's rig and rest pose.
 * Bones without a vertex are left out: bones_delivered counts the others. */
Status fit_deliver(FitState *fit);

#endif
