/* Centres by 3 x 3 normal equations, several sets side by side; near-singular ones are left to the SVD.
 * */
#include "methods/posing/set_centers_fast.h"

#include "datasets/base/widest_vectors.h"

#include <math.h>
#include <string.h>

/* Nothing is contracted and no sum reordered: centres are the same with any vectors. */

/* A row of a transformation, or of a pair's sums; and one where it stands in memory. */
typedef double Row4 __attribute__((vector_size(4 * sizeof(double))));
typedef double RowInMemory
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
#define ROW_AT(values, row) (((RowInMemory *)(values))[row])
#define ROW_OF(values, row) (((const RowInMemory *)(values))[row])

WIDEST_VECTORS
static void sums_find(const Transform *transforms, const int32_t *pairs, int count, double *sums)
{
    for (int i = 0; i < count; i++, pairs += 2, sums += PAIR_SUMS) {
        const Transform *a = &transforms[pairs[0]], *b = &transforms[pairs[1]];
        const Row4 x = ROW_OF(a, 0) - ROW_OF(b, 0), y = ROW_OF(a, 1) - ROW_OF(b, 1),
                   z = ROW_OF(a, 2) - ROW_OF(b, 2);
        ROW_AT(sums, 0) = x[0] * x + y[0] * y + z[0] * z;
        ROW_AT(sums, 1) = x[1] * x + y[1] * y + z[1] * z;
        ROW_AT(sums, 2) = x[2] * x + y[2] * y + z[2] * z;
    }
}

/* Adds up the pairs of a set, as a lane. */
static inline __attribute__((always_inline)) void lane_sum(const CenterEquations *equations, int set,
                                                           double normal[PAIR_SUMS][CENTER_LANES], int lane)
{
    const int32_t *pair = equations->pair_of + equations->first_pair[set],
                  *end = equations->pair_of + equations->first_pair[set + 1];
    Row4 x = {0.0}, y = {0.0}, z = {0.0};
    for (; pair < end; pair++) {
        const double *own = equations->pair_sums + (size_t)*pair * PAIR_SUMS;
        x += ROW_OF(own, 0);
        y += ROW_OF(own, 1);
        z += ROW_OF(own, 2);
    }
    normal[PAIR_XX][lane] = x[0];
    normal[PAIR_XY][lane] = x[1];
    normal[PAIR_XZ][lane] = x[2];
    normal[PAIR_XE][lane] = x[3];
    normal[PAIR_YY][lane] = y[1];
    normal[PAIR_YZ][lane] = y[2];
    normal[PAIR_YE][lane] = y[3];
    normal[PAIR_ZZ][lane] = z[2];
    normal[PAIR_ZE][lane] = z[3];
}

/* Pairs of rotations differ by (R_a - R_b)^T (R_a - R_b) = 4 sin^2(angle / 2) (I - u u^T), u the axis between
 * them; of the eigenvalues l1 >= l2 >= l3 of such a sum l2 is never below a quarter of the trace, and only l3
 * can vanish. With p the sum of the principal 2 x 2 minors, det / p lies between l3 / 3 and l3, and differs
 * from l3 by a share of no more than 6 l3 / trace; likewise l1 from what l3 = 0 would make it. Only a
 * quotient l3 / l1 so near the cut-off that these errors could decide is left to the SVD. So
 *   rank 3:  r = adj(N) b / det
 *   rank 2:  r = (t P - N) P b / q, with P = I - u u^T, t = l1 + l2, q = l1 l2 (Cayley-Hamilton on the plane
 *            across u); u, the null direction, is one step of inverse iteration from a column of adj(N). */
WIDEST_VECTORS
static void lanes_solve(const CenterEquations *equations, int first, double center[3][CENTER_LANES],
                        double doubtful[CENTER_LANES])
{
    _Alignas(64) double normal[PAIR_SUMS][CENTER_LANES];
    _Alignas(64) double found[3][CENTER_LANES], doubt[CENTER_LANES];
    const double share = equations->cut_off * equations->cut_off, least_trace = equations->least_trace;
    for (int lane = 0; lane < CENTER_LANES; lane++) /* past the last set, the first again */
        lane_sum(equations, first + lane < equations->set_count ? first + lane : first, normal, lane);
#pragma omp simd
    for (int i = 0; i < CENTER_LANES; i++) {
        const double xx = normal[PAIR_XX][i], xy = normal[PAIR_XY][i], xz = normal[PAIR_XZ][i];
        const double yy = normal[PAIR_YY][i], yz = normal[PAIR_YZ][i], zz = normal[PAIR_ZZ][i];
        const double bx = -normal[PAIR_XE][i], by = -normal[PAIR_YE][i], bz = -normal[PAIR_ZE][i];
        const double axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy;
        const double ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
        const double trace = xx + yy + zz, minors = axx + ayy + azz;
        const double det = xx * axx + xy * axy + xz * axz;
        const double least = det / (minors > 0.0 ? minors : 1.0); /* l3 / 3 to l3 */

        const double by_x = axx > ayy ? 1.0 : 0.0, by_z = azz > (axx > ayy ? axx : ayy) ? 1.0 : 0.0;
        const double cx = by_z > 0.0 ? axz : by_x > 0.0 ? axx : axy;
        const double cy = by_z > 0.0 ? ayz : by_x > 0.0 ? axy : ayy;
        const double cz = by_z > 0.0 ? azz : by_x > 0.0 ? axz : ayz;
        const double ux = axx * cx + axy * cy + axz * cz, uy = axy * cx + ayy * cy + ayz * cz,
                     uz = axz * cx + ayz * cy + azz * cz;
        const double uu = ux * ux + uy * uy + uz * uz;
        const double along = (ux * bx + uy * by + uz * bz) / (uu > 0.0 ? uu : 1.0);
        const double px = bx - along * ux, py = by - along * uy, pz = bz - along * uz;
        const double t = trace - least, q = minors - least * t;

        const double spread = t * t - 4.0 * q;
        const double limit = share * 0.5 * (t + sqrt(spread > 0.0 ? spread : 0.0)); /* share of l1 */
        const double margin = 1.02 * trace + 20.0 * least;
        const double full = least * trace > limit * margin && least > 1e-9 * trace ? 1.0 : 0.0;
        const double still = trace <= least_trace ? 1.0 : 0.0;
        const double flat = least * margin < limit * trace && least < 1e-8 * trace ? 1.0 : 0.0;
        const double scale = 1.0 / (full > 0.0 ? det : q > 0.0 ? q : 1.0);
        const double fx = axx * bx + axy * by + axz * bz, fy = axy * bx + ayy * by + ayz * bz,
                     fz = axz * bx + ayz * by + azz * bz;
        const double gx = t * px - (xx * px + xy * py + xz * pz), gy = t * py - (xy * px + yy * py + yz * pz),
                     gz = t * pz - (xz * px + yz * py + zz * pz);
        found[0][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fx : gx);
        found[1][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fy : gy);
        found[2][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fz : gz);
        doubt[i] = still > 0.0 || full > 0.0 || flat > 0.0 ? 0.0 : 1.0;
    }
    memcpy(center, found, sizeof found);
    memcpy(doubtful, doubt, sizeof doubt);
}

void pair_sums_find(const Transform *transforms, const int32_t *pairs, int count, double *sums)
{
    sums_find(transforms, pairs, count, sums);
}

void center_lanes_solve(const CenterEquations *equations, int first, double center[3][CENTER_LANES],
                        double doubtful[CENTER_LANES])
{
    lanes_solve(equations, first, center, doubtful);
}
