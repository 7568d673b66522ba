/* Data sets that a command is given as files of any format. Files that are not data sets are imported into
 * a temporary folder. */
#pragma once

#include "datasets/io/temporary_folder.h"
#include "harness/commands/command_line.h"

enum { DATA_FILE_PATH_BYTES = 4096 };

/* Start with zeros; end with data_files_clear, which removes the imports. */
typedef struct DataFiles {
    TemporaryFolder *folder;
    int count; /* number of imports */
} DataFiles;
void data_files_clear(DataFiles *files);

/* Writes the path of a data set with the content of the file `given` to `path`: that of its import, which is
 * named like the file, if it is of a format with rigs, and otherwise that of the file itself. Refuses files
 * of no known format. */
Status data_file_find(DataFiles *files, const CommandLine *line, const char *given,
                      char path[DATA_FILE_PATH_BYTES]);
