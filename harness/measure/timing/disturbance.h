/* Whether other work on the machine took time from what was being measured, and when that spoils a sample. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Seconds that other work has taken so far; only differences that are positive mean something. alone: the
 * work runs on the calling thread and never waits. Else 0 where the system does not say. */
double time_stolen_s(bool alone);

/* Whether so much was taken from a sample (a visit of its work, or a fit) that its time says little. */
bool sample_is_disturbed(double stolen_s, double wall_s);

/* Whether more than a quarter of the samples were disturbed, and so perhaps their median. */
bool samples_are_disturbed(int disturbed, int samples);

/* Whether the middle half of the samples spans more than half of their median: something disturbed them,
 * whatever the system says. */
bool samples_are_scattered(const Statistics *statistics);
