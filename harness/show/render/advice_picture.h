/* The joints where methods differ most, a row each: every method's skin from one camera, coloured by how much
 * its area changes, on one scale. */
#pragma once

#include "datasets/base/progress.h"
#include "harness/records/advice/advice.h"
#include "harness/show/render/image.h"

/* Release with image_clear. STATUS_UNAVAILABLE where pictures_lacking; there is a view at least. */
Status advice_picture(const Advice *advice, int threads, const Progress *progress, Image *out);
