/* How printed and measured numbers agree: in their order, and in their size. */
#ifndef SKINBENCH_TABLES_AGREEMENT_H
#define SKINBENCH_TABLES_AGREEMENT_H

/* Kendall's tau-b of pairs a[i], b[i], i < count: 1 where both are in the same order, -1 where they are in
 * opposite orders; ties in either count for neither. NAN: fewer than two pairs, or all of one list are equal. */
double kendall_tau(const double *a, const double *b, int count);

/* The median of values [count], which it sorts; NAN: there are none. */
double median_sorting(double *values, int count);

#endif
