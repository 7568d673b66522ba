/* Detects whether other work on the machine took time from a measurement, and whether it took so much that
 * a sample is unreliable. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Returns the seconds that other work has taken so far; only differences between two results are
 * meaningful. Set `alone` if the timed work runs on the calling thread and never waits. Otherwise, the
 * result is 0 on systems that do not report such times. */
double time_stolen_s(bool alone);

/* Whether other work took so much time from a sample (a visit, or a fit) that its time is unreliable. */
bool sample_is_disturbed(double stolen_s, double wall_s);

/* Whether more than a quarter of the samples were disturbed, so that their median may be unreliable. */
bool samples_are_disturbed(int disturbed, int samples);

/* Whether the middle half of the samples spans more than half of their median. Something must then have
 * disturbed them, whatever the system reports. */
bool samples_are_scattered(const Statistics *statistics);
