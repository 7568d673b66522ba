/* Distance between two skinned frames. */
#pragma once

/* Returns the largest distance between points a [count][3] and b [count][3]; infinite if any value is not a
 * number. */
double frame_distance(const double *a, const double *b, int count);

/* Does so for two frames of floats. */
double frame_distance_in_floats(const float *a, const float *b, int count);

/* Returns the largest distance between floats a and doubles b; b is rounded to floats first. */
double frame_distance_of_floats(const float *a, const double *b, int count);
