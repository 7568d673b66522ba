/* Converts the result of the reduced problem to a rig in the units of the input. The transformations are T
 * = B Tr, with the basis B of the reduction (FESAM section 3). */
#pragma once

#include "methods/decomposition/coordinate-descent/fit_state.h"

typedef struct Delivery {
    Rig rig;
    float *rest;          /* [N][3] */
    double squared_error; /* ||A - A'||^2 of this rig after rounding */
} Delivery;

/* Rounds rest pose and weights to the float precision of a data set. Then solves for the transformations
 * with all reduced coordinates, and makes a rig. Bones without a vertex are dropped. Release with
 * delivery_clear, also after a failure. */
Status delivery_make(FitState *fit, Delivery *delivery);
void delivery_clear(Delivery *delivery);

/* Swaps the rig and rest pose of the delivery with those of a result. */
void delivery_swap(Delivery *delivery, DecompositionResult *result);
