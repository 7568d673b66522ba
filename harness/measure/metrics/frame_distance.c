#include "harness/measure/metrics/frame_distance.h"

#include "datasets/base/base.h"

/* Returns the larger of `max` and the squared length of (x, y, z). */
static double squared_add(double max, double x, double y, double z)
{
    const double squared = x * x + y * y + z * z;
    return squared <= DBL_MAX ? fmax(max, squared) : INFINITY;
}

double frame_distance(const double *a, const double *b, int count)
{
    double max = 0.0;
    for (const double *end = a + 3 * (ptrdiff_t)count; a < end; a += 3, b += 3)
        max = squared_add(max, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    return sqrt(max);
}

double frame_distance_in_floats(const float *a, const float *b, int count)
{
    double max = 0.0;
    for (const float *end = a + 3 * (ptrdiff_t)count; a < end; a += 3, b += 3)
        max = squared_add(max, (double)a[0] - (double)b[0], (double)a[1] - (double)b[1],
                          (double)a[2] - (double)b[2]);
    return sqrt(max);
}

double frame_distance_of_floats(const float *a, const double *b, int count)
{
    double max = 0.0;
    for (const float *end = a + 3 * (ptrdiff_t)count; a < end; a += 3, b += 3)
        max = squared_add(max, (double)a[0] - (double)(float)b[0], (double)a[1] - (double)(float)b[1],
                          (double)a[2] - (double)(float)b[2]);
    return sqrt(max);
}
