/* How tables of fits are told: errors and times apart, with the calibration by SVD; a figure by its curves.
 */
#ifndef SKINBENCH_TABLES_FIT_TELL_H
#define SKINBENCH_TABLES_FIT_TELL_H

#include "harness/text/text_table.h"
#include <jansson.h>

/* As TableKind's tell. */
Status fit_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count);

/* The error after so many iterations, from the method's own account; NAN where it made fewer. */
double fit_error_after(const json_t *record, double iteration);

#endif
