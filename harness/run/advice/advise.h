/* Measures every direct method on one rig, in the file's poses and in generated test poses (the gauntlet),
 * on simd with one thread. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/run/advice/advise_options.h"

/* Fills `out`, whose mesh borrows the data set's rest pose. If a method refuses the rig,
 * AdviceMethod.reason says why. STATUS_BAD_INPUT without a rig, skin or pose; STATUS_UNAVAILABLE if lbs is
 * not built in. Release with advice_clear. */
Status advise(const Dataset *dataset, const AdviseOptions *options, Advice *out);
