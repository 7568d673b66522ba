/* The catalogue of data sets in this installation, and what it says about data sets that are missing. */
#pragma once

#include "datasets/io/catalogue.h"
#include "harness/records/papers/column_kind.h"

enum { KNOWN_DATA_PATH_BYTES = 4096 };

/* Get the path of datasets/catalogue.json, whether it is readable, and its content. Release the content
 * with catalogue_clear. */
void known_data_path(char path[KNOWN_DATA_PATH_BYTES]);
bool known_data_is_there(void);
Status known_data_read(Catalogue *out);

/* Prints where missing data sets can be obtained or how to download them. These are the data sets of the
 * cells in views [count] of a table that could not be run. Prints nothing without a catalogue, or if the
 * catalogue lists none of these data sets. */
Status known_data_print_missing(const TableView *views, int count);
