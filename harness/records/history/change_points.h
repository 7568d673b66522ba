/* Where a series of numbers that scatter changes for good: E-divisive means (Matteson and James 2014, A
 * Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data, JASA 109), with the
 * distance to the power 1, as MongoDB finds changes of performance (Daly et al. 2020, The Use of Change Point
 * Detection to Identify Software Performance Regressions in a Continuous Integration System, ICPE).
 *
 * Nothing is assumed of how the numbers scatter. A division is accepted where the divergence between the
 * numbers on both sides (eq. 5 to 7) is one that random orders of the same numbers do not reach (section
 * 2.4). So a single outlier is no change, as its place in the order is as good as any other, and neither is
 * the last number alone; and a change needs enough numbers: seven on each side, or four on one that has
 * twenty on the other. */
#pragma once

#include "datasets/base/base.h"

/* Of series without a change at most this share is divided, and of longer ones only the last numbers are
 * looked at. */
#define CHANGE_SIGNIFICANCE 0.001
enum { CHANGE_SERIES_MAX = 1000, CHANGE_PERMUTATIONS = 2999 };
/* Numbers on each side that a change needs, or on one side of many more on the other. */
enum { CHANGE_RUNS = 7, CHANGE_RUNS_FEW = 4, CHANGE_RUNS_MANY = 20 };

/* Finds the changes of values [count], all finite: the indices of the first number of each new level,
 * ascending, in changes [count]. A change is only looked for where may_change [count] says so: between two
 * commits, not between two runs of one. The same series gives the same changes. STATUS_SYSTEM: out of
 * memory. */
Status change_points_find(const double *values, const bool *may_change, int count, int *changes,
                          int *change_count);

/* The scaled divergence of two samples of sizes n and m, n m / (n + m) times the energy distance (eq. 5, 6);
 * n, m >= 1. */
double sample_divergence(const double *first, int first_count, const double *second, int second_count);
