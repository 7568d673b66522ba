/* The animation to fit. It can be the whole animation or the vertices that belong to this rank. If memory
 * is bounded, it is read from the file in blocks. */
#pragma once

#include "datasets/io/store.h"
#include "harness/run/fit/fit_task.h"

typedef struct FitInput {
    const Dataset *header; /* everything except the animation */
    Dataset *source; /* the whole data set; NULL with several ranks or a memory bound, which use the members
                        below instead */
    DatasetReader *reader;
    Animation slab;        /* all frames of the vertices that belong to this rank */
    PositionSource blocks; /* source from which the positions of `slab` are read */
    float *first_frame;    /* [N][3] */
} FitInput;

/* Opens the animation for a task and sets the task's mesh, animation and first frame. *input starts as {0}
 * and must not be moved. `memory` is a bound in bytes, 0 for none. `is_external` means that another program
 * makes the fit. STATUS_USAGE if the task needs more memory than the bound. Release with fit_input_close,
 * also on failure. */
Status fit_input_open(const char *path, size_t memory, bool is_external, const Progress *progress,
                      FitTask *task, FitInput *input);
void fit_input_close(FitInput *input);
