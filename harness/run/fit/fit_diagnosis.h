/* Why a fit is poor: its causes compared by what the error would be without each. */
#pragma once

#include "harness/run/fit/fit_sample.h"

enum { FIT_DIAGNOSIS_BYTES = 512 };

/* Writes one sentence on the strongest cause of a fit with an E_RMS above 1 or a KG error above 5 %, and
 * whether a still mesh or one affine bone would be nearer; "" for other fits. The outcome still has its
 * model. Errors are estimated on the sample, some of them by small fits to it. */
Status fit_diagnose(const FitTask *task, const FitSample *sample, const FitOutcome *outcome,
                    char text[FIT_DIAGNOSIS_BYTES]);
