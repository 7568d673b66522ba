/* Explains why a fit is poor. For each possible cause, the error that would remain without it is
 * estimated. */
#pragma once

#include "harness/run/fit/fit_sample.h"

enum { FIT_DIAGNOSIS_BYTES = 512 };

/* Writes one sentence on the strongest cause if the E_RMS exceeds 1 or the KG error 5 %, otherwise "". Also
 * says if a mesh that does not move, or one affine bone, would be closer. The outcome must still have its
 * model. Errors are estimated on a sample, some of them by small fits to it. */
Status fit_diagnose(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                    char text[FIT_DIAGNOSIS_BYTES]);
