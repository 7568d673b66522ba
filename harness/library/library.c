/* Contains the functions for version and memory, and converts between the types of skinbench.h and those of
 * the program. */
#include "harness/library/library.h"

#include "harness/measure/environment/processors.h"

_Static_assert((int)SKINBENCH_STOPPED == (int)STATUS_STOPPED &&
                   (int)SKINBENCH_TEXT_BYTES == (int)STATUS_TEXT_BYTES,
               "status codes are passed through unchanged");

const char *skinbench_version(void)
{
    return SKINBENCH_VERSION;
}

void skinbench_memory_limit(size_t bytes)
{
    memory_limit_set(bytes);
}

size_t skinbench_memory_live(void)
{
    return memory_live();
}

Status library_dataset(Dataset *dataset, SkinbenchDataset **out)
{
    OWNED_BY(dataset_free) Dataset *contents = dataset;
    ALLOCATE(*out, 1, "a data set");
    (*out)->own = TAKE(contents);
    return status_ok();
}

SkinbenchStatus library_status(Status status, long failures_before)
{
    SkinbenchStatus result = {SKINBENCH_OK, ""};
    if (status.code != STATUS_OK && status.code != STATUS_SYSTEM && status.code != STATUS_STOPPED &&
        memory_failures() != failures_before)
        status = status_out_of_memory("it");
    result.code = (SkinbenchCode)status.code;
    snprintf(result.text, sizeof result.text, "%s", status.text);
    return result;
}

Status library_given(const void *argument, const char *what)
{
    return argument ? status_ok() : bad_usage("no %s is given", what);
}

Status library_settings(const Parameter *rows, const char *owner, const char *const *settings,
                        int setting_count, ParameterValues *out)
{
    *out = parameters_default(rows);
    for (int i = 0; i < setting_count; i++) {
        STATUS_TRY(library_given(settings ? settings[i] : NULL, "setting"));
        STATUS_TRY(parameters_set(rows, owner, settings[i], out));
    }
    return status_ok();
}

Status library_threads(int asked, int *threads)
{
    enum { THREADS_MAX = 1024 };
    if (asked < 0 || asked > THREADS_MAX)
        return bad_usage("threads is %d, expected 0 to %d", asked, THREADS_MAX);
    *threads = asked > 0 ? asked : processors_usable("").usable;
    return status_ok();
}

static bool caller_report(void *context, const char *what, double share)
{
    CallerProgress *progress = context;
    const SkinbenchProgress *caller = progress->caller;
    progress->stopped = progress->stopped || caller->report(caller->context, what, share) != 0;
    return !progress->stopped;
}

Progress library_progress(CallerProgress *progress)
{
    const bool reports = progress->caller && progress->caller->report;
    return reports ? (Progress){caller_report, progress} : (Progress){NULL, NULL};
}
