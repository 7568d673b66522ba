/* What a benchmark runs: data sets, ways to skin, fits, tables. From the command line, or from a suite file
 * (JSON; results/README.md documents the members). */
#pragma once

#include "harness/run/bench/fit_cell.h"

enum { SUITE_PATH_BYTES = 1024 };

typedef struct SuiteDataset {
    char path[SUITE_PATH_BYTES]; /* "": generated */
    char generator[METHOD_NAME_BYTES];
    char settings[SETTINGS_MAX][SETTING_BYTES];
    int setting_count;
} SuiteDataset;

/* A published table of which a suite runs what needs no files; rows: those of these names, all where there
 * are none. */
typedef struct SuiteTable {
    char name[METHOD_NAME_BYTES];
    char rows[SETTINGS_MAX][CELL_NAME_BYTES];
    int row_count;
} SuiteTable;

/* Data sets and what is run on each of them, then tables, which bring their own. */
typedef struct SuitePart {
    SuiteDataset *datasets;
    SkinningPlan *plans; /* for every data set with a rig */
    FitPlan *fits;       /* for every data set with positions */
    SuiteTable *tables;
    int dataset_count, plan_count, fit_count, table_count;
} SuitePart;

typedef struct Suite {
    SuitePart *parts; /* run one after the other */
    int part_count;
} Suite;

/* Appends an empty part to a suite that starts as {0}; *part is borrowed until the next one. Release with
 * suite_clear. */
Status suite_add_part(Suite *suite, SuitePart **part);

/* Appends to a part. */
Status suite_add_file(SuitePart *part, const char *path);
Status suite_add_generated(SuitePart *part, const char *generator);
Status suite_add_fit(SuitePart *part, const FitPlan *fit);
/* Where one method is run: on each of the backends [backend_count], with each of the thread counts where the
 * backend has use for them (scalar and reference run on one), and at each of the instruction-set levels
 * [level_count] where it is compiled for several (none: at the best there is). */
typedef struct SkinningRange {
    const Backend *const *backends;
    const int *threads;
    const char *const *levels;
    int backend_count, thread_count, level_count;
    bool normals, two_phase;
} SkinningRange;
/* STATUS_USAGE for a method or setting (name=value) that is not known. */
Status suite_add_skinning(SuitePart *part, const char *method, const char *const *settings, int setting_count,
                          const SkinningRange *over);

/* Reads a suite file: STATUS_BAD_INPUT names the file, the member that is unknown or wrong, and its value.
 * Paths of data sets are relative to the suite's folder. threads: what the command line gives where the suite
 * does not. */
Status suite_read(const char *path, int threads, Suite *suite);

/* Reads or generates one data set; `progress` (may be NULL) is asked whether to stop. */
Status suite_dataset_load(const SuiteDataset *dataset, const Progress *progress, Subject *subject);

/* Opens every file, as far as its header, rig and weights, and checks every generator's settings: what is
 * wrong with the last is stated before the first is run. */
Status suite_check(const Suite *suite, const Progress *progress);

void suite_clear(Suite *suite);

/* Finds the tables of a suite and their rows, before anything is run. STATUS_BAD_INPUT begins with `path`,
 * the suite's. */
Status suite_tables_check(const Suite *suite, const char *path);

/* Runs every part: what it asks for of each data set, then the rows of its tables that need no files. */
Status suite_run(Bench *bench, const Suite *suite);
