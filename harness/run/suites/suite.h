/* A suite is what a benchmark runs: data sets, ways to skin, fits and tables. It comes from the command
 * line or from a suite file (JSON; results/formats.md documents the members). */
#pragma once

#include "harness/run/bench/fit_cell.h"

enum { SUITE_PATH_BYTES = 1024 };

typedef struct SuiteDataset {
    char path[SUITE_PATH_BYTES]; /* path of the file; "": the data set is generated */
    char generator[METHOD_NAME_BYTES];
    char settings[SETTINGS_MAX][SETTING_BYTES];
    int setting_count;
} SuiteDataset;

/* A published table. The suite runs those of its rows that need no files. `rows` selects rows by name; if
 * it is empty, all rows are selected. */
typedef struct SuiteTable {
    char name[METHOD_NAME_BYTES];
    char rows[SETTINGS_MAX][CELL_NAME_BYTES];
    int row_count;
} SuiteTable;

/* A part of a suite: data sets, the ways to skin and the fits to run on each of them, and tables. Tables
 * name their own data sets. */
typedef struct SuitePart {
    SuiteDataset *datasets;
    SkinningPlan *plans; /* ways to skin every data set that has a rig */
    FitPlan *fits;       /* fits of every data set that has positions */
    SuiteTable *tables;
    int dataset_count, plan_count, fit_count, table_count;
} SuitePart;

typedef struct Suite {
    SuitePart *parts; /* [part_count] parts, which are run one after the other */
    int part_count;
} Suite;

/* Appends an empty part to a suite, which starts as {0}. *part is borrowed until the next call. Release the
 * suite with suite_clear. */
Status suite_add_part(Suite *suite, SuitePart **part);

/* Append a data set, a data set file or a fit to a part. */
Status suite_add_dataset(SuitePart *part, const SuiteDataset *dataset);
Status suite_add_file(SuitePart *part, const char *path);
Status suite_add_fit(SuitePart *part, const FitPlan *fit);
/* Settings in which a method runs. All combinations are run: of the backends [backend_count], the numbers
 * of threads, and the instruction-set levels [level_count] for which the method is compiled. Backends
 * scalar and reference use only one thread. Without levels, the method runs at the best available level. */
typedef struct SkinningRange {
    const Backend *const *backends;
    const int *threads;
    const char *const *levels;
    int backend_count, thread_count, level_count;
    bool normals, two_phase;
} SkinningRange;
/* Appends a method once for each combination of the settings `over`. STATUS_USAGE for an unknown method or
 * setting (name=value). */
Status suite_add_skinning(SuitePart *part, const char *method, const char *const *settings, int setting_count,
                          const SkinningRange *over);

/* Reads a suite file. STATUS_BAD_INPUT names the file, the unknown or wrong member, and its value. Paths of
 * data sets are relative to the suite's folder. `threads` is the number given on the command line, used if
 * the suite gives none. */
Status suite_read(const char *path, int threads, Suite *suite);

/* Reads the header, rig and weights of every file and checks the settings of every generator. Errors in the
 * last data set are thus reported before the first one is run. If kernels are to be timed (`times`), a build
 * with useless times is refused (environment_kernel_times_check), unless no data set of a part with direct
 * methods has a rig. */
Status suite_check(const Suite *suite, bool times, const Progress *progress);

void suite_clear(Suite *suite);

/* Finds the tables of a suite and their rows before anything is run. The message of STATUS_BAD_INPUT begins
 * with `path`, the suite's file. */
Status suite_tables_check(const Suite *suite, const char *path);

/* Runs every part: first its data sets, then the rows of its tables that need no files. */
Status suite_run(Bench *bench, const Suite *suite);
