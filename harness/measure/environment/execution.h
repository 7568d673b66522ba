/* What the OpenMP library reads from the environment when it is loaded, before main: how its threads wait. */
#pragma once

#include "datasets/base/base.h"

enum { EXECUTION_TEXT_BYTES = 160 };

/* Sets variables that the user did not set, by which OpenMP's threads sleep while they wait, and executes the
 * program once more. The program continues as it is where that fails. Call first in main. */
void execution_configure(char **arguments);

/* "passive, set by this program", "as the user set OMP_WAIT_POLICY=active", "default of the OpenMP
 * library". */
void execution_waiting_format(char text[EXECUTION_TEXT_BYTES]);
