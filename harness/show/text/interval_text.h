/* Formats timed numbers with their interval, or with their number of samples if these are too few for an
 * interval. */
#pragma once

#include "harness/records/record/timing.h"

enum { INTERVAL_TEXT_BYTES = 80 };

/* Marks a number whose samples were disturbed by other work on the machine; text_table_write explains the
 * mark below the table. */
#define DISTURBED_MARK "†"

/* Returns how many decimals show `digits` significant digits of a number in fixed notation. Trailing zeros
 * are significant: 1.30 has been measured to three digits, 1.3 to two. */
int number_decimals(double value, int digits);

/* Formats a number with `digits` significant digits:
 *   "1.41 ± 2.1 %"     half the interval, relative to the value
 *   "1.41 (3 samples)" too few samples for an interval
 *   "not measured"     the interval is wider than twice the value
 *   "1.41"             not timed
 *   "-"                NAN
 * Appends DISTURBED_MARK if the samples were disturbed. */
void interval_text(const SampledNumber *number, int digits, char text[INTERVAL_TEXT_BYTES]);

/* Compares a measured number with a published one: "+8 %", "3.1 times", "1/3.1". Times that differ by more
 * than a factor of 2 are given as "1340 times faster" or "3.1 times slower". */
void difference_text(double measured, double published, bool is_time, char text[INTERVAL_TEXT_BYTES]);
