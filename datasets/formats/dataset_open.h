/* Data set files that a user names: as dataset_read and dataset_reader_open (store.h), and where the file is
 * of another format the message says which import makes a data set of it (format_explain). */
#pragma once

#include "datasets/io/store.h"

/* Release with dataset_free. */
Status dataset_load(const char *path, const Progress *progress, Dataset **out);

/* Release with dataset_reader_close. */
Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header);

/* Whether the file can be opened and all but its positions and normals can be read: for commands that check
 * all their inputs before they do any work. */
Status dataset_probe(const char *path, const Progress *progress);
