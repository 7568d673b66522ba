/* Shared by the files of the library: its handles, and conversions from the program's types to those of
 * skinbench.h. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/io/input_file.h"
#include "datasets/model/dataset.h"
#include "harness/library/skinbench.h"

struct SkinbenchDataset {
    Dataset *own;
    FileIdentity file; /* identity of the file that the data set was read from, or zeros */
};

/* Makes a handle that owns `dataset`. If this fails, `dataset` is released. */
Status library_dataset(Dataset *dataset, SkinbenchDataset **out);

/* Converts a status for the caller. `failures_before` is the value of memory_failures() when the call
 * began. If an allocation has failed since then, the status becomes SKINBENCH_MACHINE, because other errors
 * may only be consequences of the lack of memory. */
SkinbenchStatus library_status(Status status, long failures_before);

/* If `call` fails, returns its status from the calling function. That function must have a variable
 * `failures` with the value of memory_failures() at its start. */
#define LIBRARY_TRY(call)                                                                                    \
    do {                                                                                                     \
        const Status failure_ = (call);                                                                      \
        if (failure_.code != STATUS_OK)                                                                      \
            return library_status(failure_, failures);                                                       \
    } while (0)

/* Returns from the calling function with STATUS_USAGE if a required argument is NULL. The message is, for
 * example, "no data set is given". */
Status library_given(const void *argument, const char *what);

/* Reads the caller's settings into the values of a table of parameters. */
Status library_settings(const Parameter *rows, const char *owner, const char *const *settings,
                        int setting_count, ParameterValues *out);

/* Checks the number of threads that the caller requests; 0 stands for the number that the process may use.
 * A number beyond what any machine has fails with STATUS_USAGE. */
Status library_threads(int asked, int *threads);

/* Adapts the caller's progress function to the program's interface. After the function has asked to stop,
 * it is not called again. `caller` may be NULL; initialise all other members with 0. The struct must
 * outlive the Progress that library_progress makes from it. */
typedef struct CallerProgress {
    const SkinbenchProgress *caller;
    bool stopped;
} CallerProgress;

Progress library_progress(CallerProgress *progress);
