/* Detects whether other work on the machine took time from a measurement, and whether that spoils a
 * sample. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Seconds that other work has taken so far; only positive differences are meaningful. `alone`: the work
 * runs on the calling thread and never waits. Otherwise 0 if the system does not report it. */
double time_stolen_s(bool alone);

/* Whether so much time was taken from a sample (a visit of its work, or a fit) that its time is
 * unreliable. */
bool sample_is_disturbed(double stolen_s, double wall_s);

/* Whether more than a quarter of the samples were disturbed, so that their median may be unreliable. */
bool samples_are_disturbed(int disturbed, int samples);

/* Whether the middle half of the samples spans more than half of their median. Something then disturbed
 * them, whatever the system reports. */
bool samples_are_scattered(const Statistics *statistics);
