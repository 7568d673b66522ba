/* The motions of the disconnected parts of a mesh. Parts that move alike share a motion. */
#pragma once

#include "harness/run/fit/fit_sample.h"

typedef struct PartMotions {
    int motions;  /* number of different motions; 0: no more than bones, or too many for the sample */
    double error; /* squared error that remains on the sample if each part has the best such motion */
} PartMotions;

/* Finds the affine or rigid motions from the rest pose that the sampled vertices need if there are more
 * disconnected parts than `bones`. Two parts share a motion if its error exceeds that of two motions by less
 * than `near`: the RMS of a coordinate, in the units of the mesh. */
Status part_motions_find(const Mesh *mesh, const FitSample *sample, double near, bool rigid, int bones,
                         PartMotions *out);
