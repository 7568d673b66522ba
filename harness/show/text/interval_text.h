/* How a number that was timed is written: with its interval, or with how few samples it rests on. */
#pragma once

#include "harness/records/record/timing.h"

enum { INTERVAL_TEXT_BYTES = 80 };

/* Marks a number whose samples other work on the machine spoiled; text_table_write explains it below the
 * table. */
#define DISTURBED_MARK "†"

/* "1.41 ± 2.1 %", half of the interval over the value; "1.41 (3 samples)" where they are too few for an
 * interval; "not measured" where the interval is wider than twice the value; "1.41" where nothing is timed;
 * "-" for NAN. A mark where it is disturbed. digits: significant ones. */
void interval_text(const SampledNumber *number, int digits, char text[INTERVAL_TEXT_BYTES]);

/* How a measured number stands to a published one: "+8 %", "3.1 times", "1/3.1"; of times beyond a factor of
 * 2 "1340 times faster" or "3.1 times slower". */
void difference_text(double measured, double published, bool is_time, char text[INTERVAL_TEXT_BYTES]);
