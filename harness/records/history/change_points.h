/* Finds lasting changes in a noisy series with E-divisive means, from the absolute differences of the
 * values.
 *
 * Matteson and James 2014, A Nonparametric Approach for Multiple Change Point Analysis of Multivariate
 * Data, JASA 109. MongoDB finds performance changes in this way: Daly et al. 2020, The Use of Change Point
 * Detection to Identify Software Performance Regressions in a Continuous Integration System, ICPE.
 *
 * No distribution of the numbers is assumed. A split is accepted if random permutations of the same numbers
 * rarely reach the divergence between its two sides (eq. 5 to 7, section 2.4). A single outlier is
 * therefore not a change, and neither is the last number alone. A change needs enough numbers: seven on
 * each side, or four on one side and twenty on the other. */
#pragma once

#include "datasets/base/base.h"

/* CHANGE_SIGNIFICANCE: upper bound of the false-alarm rate on series without a change. CHANGE_SERIES_MAX:
 * length above which only the last numbers of a series are analyzed. */
#define CHANGE_SIGNIFICANCE 0.001
enum { CHANGE_SERIES_MAX = 1000, CHANGE_PERMUTATIONS = 2999 };
/* A change needs CHANGE_RUNS numbers on each side, or CHANGE_RUNS_FEW on one and CHANGE_RUNS_MANY on the
 * other. */
enum { CHANGE_RUNS = 7, CHANGE_RUNS_FEW = 4, CHANGE_RUNS_MANY = 20 };

/* Finds the changes of values [count], which must be finite. changes [count] receives, in ascending order,
 * the index of the first number of each new level. A change is sought only at indices with may_change
 * [count], which separate commits rather than runs of one commit. Equal series give equal changes.
 * STATUS_SYSTEM: out of memory. */
Status change_points_find(const double *values, const bool *may_change, int count, int *changes,
                          int *change_count);

/* Returns the scaled divergence of two samples of sizes n, m >= 1: n m / (n + m) times the energy distance
 * (eq. 5 and 6). */
double sample_divergence(const double *first, int first_count, const double *second, int second_count);
