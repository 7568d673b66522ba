/* What the files of the library share: its handles, and the way from the program's types to those of
 * skinbench.h. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/io/input_file.h"
#include "datasets/model/dataset.h"
#include "harness/library/skinbench.h"

struct SkinbenchDataset {
    Dataset *own;
    FileIdentity file; /* that it was read from; 0: none */
};

/* A handle that owns `dataset`, which is released where there is no memory for one. */
Status library_dataset(Dataset *dataset, SkinbenchDataset **out);

/* A status for the caller. failures_before: memory_failures() when the call began; what was found once memory
 * was out says nothing about the input. */
SkinbenchStatus library_status(Status status, long failures_before);

/* Returns the status of `call` to the caller if it failed; `failures` is what library_status wants. */
#define LIBRARY_TRY(call)                                                                                    \
    do {                                                                                                     \
        const Status failure_ = (call);                                                                      \
        if (failure_.code != STATUS_OK)                                                                      \
            return library_status(failure_, failures);                                                       \
    } while (0)

/* STATUS_USAGE where an argument that must be there is NULL: "no data set is given". */
Status library_given(const void *argument, const char *what);

/* The values of a table's rows under the caller's settings. */
Status library_settings(const Parameter *rows, const char *owner, const char *const *settings,
                        int setting_count, ParameterValues *out);

/* 0: as many as the process may use. STATUS_USAGE for a number that no machine has. */
Status library_threads(int asked, int *threads);

/* The caller's function behind the program's interface, which is not called again once it has asked for a
 * stop. `caller` may be NULL, and the rest is 0 to begin with; lives as long as the Progress that
 * library_progress makes of it. */
typedef struct CallerProgress {
    const SkinbenchProgress *caller;
    bool stopped;
} CallerProgress;

Progress library_progress(CallerProgress *progress);
