/* Finds the plane of a flat rest pose and moves vertices off it. The plane is normal to the principal axis
 * of smallest variance. */
#include "methods/decomposition/coordinate-descent/flat_rest.h"

#include "datasets/base/random.h"
#include "datasets/geometry/jacobi.h"

#include <math.h>

/* FLAT is the maximum distance of vertices from their plane for which a rest pose counts as flat. STEP is
 * the maximum displacement off the plane. Both are fractions of the vertices' root mean square distance
 * from their centre. */
static const double FLAT = 1e-6, STEP = 1e-2;

void flat_rest_leave(const double *rest, int vertex_count, int first, int count, double *positions)
{
    double center[3] = {0.0}, square[9] = {0.0}, axes[9];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * vertex_count; i++)
        center[i % 3] += rest[i] / vertex_count;
    for (ptrdiff_t j = 0; j < vertex_count; j++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                square[3 * a + b] += (rest[3 * j + a] - center[a]) * (rest[3 * j + b] - center[b]);
    jacobi_eigen(square, 3, axes);
    int min = 0;
    for (int a = 1; a < 3; a++)
        if (square[4 * a] < square[4 * min])
            min = a;
    double reach = square[0] + square[4] + square[8];
    if (square[4 * min] > FLAT * FLAT * reach)
        return;
    Random random = {1};
    random_skip(&random, (uint64_t)first);
    for (ptrdiff_t j = 0; j < count; j++) {
        double step = STEP * sqrt(reach / vertex_count) * random_signed(&random);
        for (int a = 0; a < 3; a++)
            positions[3 * j + a] += step * axes[3 * a + min];
    }
}
