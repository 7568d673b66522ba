/* What a benchmark runs: data sets, ways to skin, fits. From the command line, or from a suite file (JSON;
 * results/README.md documents the members). */
#ifndef SKINBENCH_BENCH_SUITE_H
#define SKINBENCH_BENCH_SUITE_H

#include "harness/bench/fit_cell.h"

enum { SUITE_PATH_BYTES = 1024 };

typedef struct SuiteDataset {
    char path[SUITE_PATH_BYTES]; /* "": generated */
    char generator[METHOD_NAME_BYTES];
    char settings[SETTINGS_MAX][SETTING_BYTES];
    int setting_count;
} SuiteDataset;

typedef struct Suite {
    SuiteDataset *datasets;
    SkinningPlan *plans; /* for every data set with a rig */
    FitCell *fits;       /* for every data set with positions */
    int dataset_count, plan_count, fit_count;
} Suite;

/* Appends to a suite that starts as {0}. Release with suite_clear. */
Status suite_add_file(Suite *suite, const char *path);
Status suite_add_generated(Suite *suite, const char *generator);
Status suite_add_fit(Suite *suite, const FitCell *fit);
/* One method with these settings on each of the backends [backend_count], with each of the thread counts
 * where the backend has use for them (scalar and reference run on one). STATUS_USAGE for what is not known.
 */
Status suite_add_skinning(Suite *suite, const char *method, const char *const *settings, int setting_count,
                          const Backend *const *backends, int backend_count, const int *threads,
                          int thread_count, bool normals, bool two_phase);

/* Reads a suite file: STATUS_BAD_INPUT names the file, the member that is unknown or wrong, and its value. Paths
 * of data sets are relative to the suite's folder. threads: what the command line gives where the suite does
 * not. */
Status suite_read(const char *path, int threads, Suite *suite);

/* Reads or generates one data set; `progress` (may be NULL) is asked whether to stop. */
Status suite_dataset_load(const SuiteDataset *dataset, const Progress *progress, Subject *subject);

/* Opens every file, as far as its header, rig and weights, and checks every generator's settings: what is wrong with the
 * last is stated before the first is run. */
Status suite_check(const Suite *suite, const Progress *progress);

void suite_clear(Suite *suite);

#endif
