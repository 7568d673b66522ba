/* Includes the headers that nearly every file needs: statuses, memory, texts, numbers, random numbers,
 * clocks, progress, wide vectors, and the C library's headers for these. A file that includes this header,
 * even indirectly, does not include the others again. */
#pragma once

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "datasets/base/numbers.h"
#include "datasets/base/progress.h"
#include "datasets/base/random.h"
#include "datasets/base/text.h"
#include "datasets/base/widest_vectors.h"
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
