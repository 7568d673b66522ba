/* Shared by the files of the library: its handles, and conversions from the program's types to those of
 * skinbench.h. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/io/input_file.h"
#include "datasets/model/dataset.h"
#include "harness/library/skinbench.h"

struct SkinbenchDataset {
    Dataset *own;
    FileIdentity file; /* the file it was read from, or zeros */
};

/* Makes a handle that owns `dataset`. If there is no memory for it, `dataset` is released. */
Status library_dataset(Dataset *dataset, SkinbenchDataset **out);

/* Converts a status for the caller. failures_before is memory_failures() at the start of the call. After an
 * allocation has failed since then, findings say nothing about the input. */
SkinbenchStatus library_status(Status status, long failures_before);

/* Returns from the function if `call` failed, with its status; `failures` is failures_before of
 * library_status. */
#define LIBRARY_TRY(call)                                                                                    \
    do {                                                                                                     \
        const Status failure_ = (call);                                                                      \
        if (failure_.code != STATUS_OK)                                                                      \
            return library_status(failure_, failures);                                                       \
    } while (0)

/* STATUS_USAGE if a required argument is NULL: "no data set is given". */
Status library_given(const void *argument, const char *what);

/* Reads the caller's settings into the values of a table of parameters. */
Status library_settings(const Parameter *rows, const char *owner, const char *const *settings,
                        int setting_count, ParameterValues *out);

/* Checks a number of threads; 0 becomes as many as the process may use. STATUS_USAGE for a number beyond
 * any machine. */
Status library_threads(int asked, int *threads);

/* Adapts the caller's progress function to the program's interface. It is not called again after it has
 * asked to stop. `caller` may be NULL; all other members start at 0. Must outlive the Progress that
 * library_progress makes of it. */
typedef struct CallerProgress {
    const SkinbenchProgress *caller;
    bool stopped;
} CallerProgress;

Progress library_progress(CallerProgress *progress);
