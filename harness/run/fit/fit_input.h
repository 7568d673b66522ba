/* The animation that is fitted: whole, or this rank's share of it, or read in blocks where memory is
 * bounded. */
#pragma once

#include "datasets/io/store.h"
#include "harness/run/fit/fit_task.h"

typedef struct FitInput {
    const Dataset *header; /* all but its animation */
    Dataset *source;       /* whole; NULL: over ranks, and where memory is bounded, there are instead: */
    DatasetReader *reader;
    Animation slab;        /* of this rank's share of the vertices */
    PositionSource blocks; /* where it is read from */
    float *first_frame;    /* [N][3] */
} FitInput;

/* Opens the animation for a task, whose mesh, animation and first frame it sets; *input starts as {0} and
 * must stay where it is. memory: what the fit may hold; 0: not said. is_peer: another program fits.
 * STATUS_USAGE for a task that needs more than that. Release with fit_input_close, on failure too. */
Status fit_input_open(const char *path, size_t memory, bool is_peer, const Progress *progress, FitTask *task,
                      FitInput *input);
void fit_input_close(FitInput *input);
