/* The command that repeats a record: run again, it makes a record of the same cell. */
#pragma once

#include "harness/records/record/record.h"

/* A line for a POSIX shell, whatever the names in the record are, for memory_free; NULL: out of memory. It
 * appends to again.jsonl. A row of a published table is repeated by its table, whose data sets are in the
 * folder that the shell's variable DATA names with its whole path; anything else by a suite of its own, its
 * data set DATA/NAME.h5 unless its name is that of a generator. */
char *record_command(const Record *record);
