/* What is wrong with a decomposition method's table, found before anything is fitted by it. */
#ifndef SKINBENCH_FITTING_METHOD_CHECK_H
#define SKINBENCH_FITTING_METHOD_CHECK_H

#include "methods/fitting/decomposition_method.h"

/* STATUS_USAGE, in the method's name, where its table lacks name, title, citation or fit, has parameters
 * that are not in order (parameters_check), or is not named as it was registered. */
Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name);

#endif
