/* Wraps an external program that fits bones and weights as a decomposition method. Its model is checked,
 * posed and measured like any other. It is not in the registry. */
#pragma once

#include "harness/run/peers/external.h"

/* Returns the program as a method, which borrows from `program`. The options of a fit must have the program
 * as their `context`. STATUS_USAGE if the program does not fit. */
Status external_method(External *program, const DecompositionMethod **out);
