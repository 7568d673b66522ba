/* How many threads OpenBLAS and CHOLMOD use: a setting of the process, OpenMP's default team size. This is the
 * only place that changes it. */
#ifndef SKINBENCH_REDUCTION_LINEAR_ALGEBRA_H
#define SKINBENCH_REDUCTION_LINEAR_ALGEBRA_H

/* From here on the calling thread's linear algebra runs on that thread alone, so that its rounding never
 * depends on a number of threads; parallel loops name their own (num_threads). Returns the setting as it was,
 * for linear_algebra_restore. Calls may be nested. */
int linear_algebra_serialize(void);
void linear_algebra_restore(int threads);

#endif
