/* How far one skinned frame is from another. */
#pragma once

/* The greatest distance of triples a [count][3] from b [count][3]; infinite where one is not a number, so
 * that nothing slips through. */
double frame_distance(const double *a, const double *b, int count);

/* The same where the first are floats: they are compared with the others as floats. */
double frame_distance_of_floats(const float *a, const double *b, int count);
