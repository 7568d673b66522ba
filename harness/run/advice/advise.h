/* Measures every direct method on one rig, in its own poses and a gauntlet, on simd and one thread each. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/run/advice/advise_options.h"

/* Fills `out`, whose mesh borrows the data set's rest pose. A method that refuses the rig has its reason.
 * STATUS_BAD_INPUT where there is no rig, no skin or no pose; STATUS_UNAVAILABLE where lbs is not built in.
 * Release with advice_clear. */
Status advise(const Dataset *dataset, const AdviseOptions *options, Advice *out);
