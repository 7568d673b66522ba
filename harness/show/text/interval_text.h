/* Formats timed numbers with their interval, or with their number of samples if there are too few. */
#pragma once

#include "harness/records/record/timing.h"

enum { INTERVAL_TEXT_BYTES = 80 };

/* Marks a number whose samples were disturbed by other work on the machine; text_table_write explains the
 * mark below the table. */
#define DISTURBED_MARK "†"

/* Formats a number: "1.41 ± 2.1 %" (half the interval, relative to the value), "1.41 (3 samples)" if there
 * are too few for an interval, "not measured" if the interval is wider than twice the value, "1.41" if it
 * is not timed, "-" for NAN. Adds DISTURBED_MARK if it was disturbed. digits: significant digits. */
void interval_text(const SampledNumber *number, int digits, char text[INTERVAL_TEXT_BYTES]);

/* Compares a measured with a published number: "+8 %", "3.1 times", "1/3.1"; for times that differ by more
 * than a factor of 2 "1340 times faster" or "3.1 times slower". */
void difference_text(double measured, double published, bool is_time, char text[INTERVAL_TEXT_BYTES]);
