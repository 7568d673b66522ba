/* The catalogue of data sets of this program's home, and what it knows about data sets that are missing. */
#pragma once

#include "datasets/io/catalogue.h"
#include "harness/records/papers/column_kind.h"

enum { KNOWN_DATA_PATH_BYTES = 4096 };

/* The path of datasets/catalogue.json, whether it can be read, and what it holds, for catalogue_clear. */
void known_data_path(char path[KNOWN_DATA_PATH_BYTES]);
bool known_data_is_there(void);
Status known_data_read(Catalogue *out);

/* Prints how the data sets are to be had that cells of the views [count] of a table are missing for: by
 * download, or where. Nothing when there is no catalogue, or it knows none of them. */
Status known_data_print_missing(const TableView *views, int count);
