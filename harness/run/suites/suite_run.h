/* Runs a suite: its data sets, then its tables. */
#pragma once

#include "harness/run/suites/suite.h"

/* Finds the tables of a suite and their rows, before anything is run. STATUS_BAD_INPUT begins with `path`,
 * the suite's. */
Status suite_tables_check(const Suite *suite, const char *path);

/* Runs every part: what it asks for of each data set, then the rows of its tables that need no files. */
Status suite_run(Bench *bench, const Suite *suite);
