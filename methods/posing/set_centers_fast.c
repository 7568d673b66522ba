/* Centres by 3x3 normal equations, several sets and frames side by side. Near-singular equations are left
 * to the SVD. */
#include "methods/posing/set_centers_fast.h"

/* No operations are fused or reordered, so the centres do not depend on the width of the vectors. */

/* The normal equations of COLUMN_LANES lanes side by side. */
typedef union SumColumns {
    double sums[CENTER_SUMS][COLUMN_LANES];
    struct {
        double xx[COLUMN_LANES], xy[COLUMN_LANES], xz[COLUMN_LANES], yy[COLUMN_LANES], yz[COLUMN_LANES];
        double zz[COLUMN_LANES], bx[COLUMN_LANES], by[COLUMN_LANES], bz[COLUMN_LANES];
    };
} SumColumns;

/* Computes the normal equations of a pair of joints for `frames` frames side by side. `frames` is a
 * constant, so compilers vectorise the loops. */
INLINE void pair_sums(const double *joints, const int32_t *pair, int frames, double *out)
{
    const double *one = joints + (ptrdiff_t)TRANSFORM_ELEMENTS * frames * pair[0],
                 *other = joints + (ptrdiff_t)TRANSFORM_ELEMENTS * frames * pair[1];
#pragma omp simd
    for (int frame = 0; frame < frames; frame++) {
        const double *a = one + frame, *b = other + frame;
        double *sums = out + frame;
        const double x0 = a[0] - b[0], x1 = a[frames] - b[frames], x2 = a[2 * frames] - b[2 * frames],
                     x3 = b[3 * frames] - a[3 * frames];
        const double y0 = a[4 * frames] - b[4 * frames], y1 = a[5 * frames] - b[5 * frames],
                     y2 = a[6 * frames] - b[6 * frames], y3 = b[7 * frames] - a[7 * frames];
        const double z0 = a[8 * frames] - b[8 * frames], z1 = a[9 * frames] - b[9 * frames],
                     z2 = a[10 * frames] - b[10 * frames], z3 = b[11 * frames] - a[11 * frames];
        sums[0] = x0 * x0 + y0 * y0 + z0 * z0;
        sums[frames] = x0 * x1 + y0 * y1 + z0 * z1;
        sums[2 * frames] = x0 * x2 + y0 * y2 + z0 * z2;
        sums[3 * frames] = x1 * x1 + y1 * y1 + z1 * z1;
        sums[4 * frames] = x1 * x2 + y1 * y2 + z1 * z2;
        sums[5 * frames] = x2 * x2 + y2 * y2 + z2 * z2;
        sums[6 * frames] = x0 * x3 + y0 * y3 + z0 * z3;
        sums[7 * frames] = x1 * x3 + y1 * y3 + z1 * z3;
        sums[8 * frames] = x2 * x3 + y2 * y3 + z2 * z3;
    }
}

/* A value of one frame, or of four frames side by side, in unaligned memory. */
typedef double OneFrame;
typedef double FourFrames
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Returns the address of a set's first sum in its first frame. The same sum of the next frame follows
 * directly. The set's next sum is COLUMN_LANES values further on. */
static inline double *set_sums(const CenterEquations *equations, int set)
{
    const int lane = set * equations->frames;
    return equations->set_sums + (ptrdiff_t)(lane / COLUMN_LANES) * CENTER_SUMS * COLUMN_LANES +
           lane % COLUMN_LANES;
}

/* Adds the equations of a set's pairs to the sums of its base. Processes only as many frames at once as
 * their sums fit in registers. */
#define SET_SUMS(name, Lanes)                                                                                \
    INLINE void name##_set_sums(const CenterEquations *equations, int set, int frame, int frames)            \
    {                                                                                                        \
        const int32_t *pair = equations->pair_of + equations->first_pair[set],                               \
                      *end = equations->pair_of + equations->first_pair[set + 1];                            \
        const bool based = equations->base[set] >= 0;                                                        \
        const double *first = equations->pair_sums + frame,                                                  \
                     *own = based ? set_sums(equations, equations->base[set]) + frame                        \
                                  : first + (ptrdiff_t)CENTER_SUMS * frames * *pair++;                       \
        double *out = set_sums(equations, set) + frame;                                                      \
        Lanes sums[CENTER_SUMS];                                                                             \
        for (int i = 0; i < CENTER_SUMS; i++)                                                                \
            sums[i] = *(const Lanes *)(own + i * (based ? COLUMN_LANES : frames));                           \
        for (; pair < end; pair++) {                                                                         \
            own = first + (ptrdiff_t)CENTER_SUMS * frames * *pair;                                           \
            for (int i = 0; i < CENTER_SUMS; i++)                                                            \
                sums[i] += *(const Lanes *)(own + i * frames);                                               \
        }                                                                                                    \
        for (int i = 0; i < CENTER_SUMS; i++)                                                                \
            *(Lanes *)(out + i * COLUMN_LANES) = sums[i];                                                    \
    }
SET_SUMS(one, OneFrame)
SET_SUMS(four, FourFrames)

WIDEST_VECTORS
static void sums_find(const double *joints, const int32_t *pairs, int count, int frames, double *sums)
{
    for (int i = 0; i < count && frames == 1; i++)
        pair_sums(joints, pairs + 2 * i, 1, sums + (ptrdiff_t)CENTER_SUMS * i);
    for (int i = 0; i < count && frames > 1; i++)
        pair_sums(joints, pairs + 2 * i, POSE_FRAMES, sums + (ptrdiff_t)CENTER_SUMS * POSE_FRAMES * i);
}

WIDEST_VECTORS
static void joints_transpose(const Transform *transforms, int joint_count, double *columns)
{
    const ptrdiff_t step = (ptrdiff_t)joint_count * TRANSFORM_ELEMENTS;
    for (int joint = 0; joint < joint_count; joint++)
        for (int row = 0; row < TRANSFORM_ELEMENTS; row += 4, columns += 4 * POSE_FRAMES)
            for (int frame = 0; frame < POSE_FRAMES; frame += 4)
                transform_row_transpose(&transforms[joint].m00 + row + frame * step, step, columns + frame,
                                        POSE_FRAMES);
}

/* If the smallest eigenvalue l3 of the normal equations is below this fraction of the trace, it is rounding
 * error. The component of b along its eigenvector u is then at most a fraction of 3e-8, the root of this
 * constant. */
#define FLAT_SHARE 1e-15

/* The rotations of a pair satisfy
 *
 *   (R_a - R_b)^T (R_a - R_b) = 4 sin^2(angle / 2) (I - u u^T),
 *
 * where u is the axis of the rotation between them. Let N be a sum of such matrices, with eigenvalues l1 >=
 * l2 >= l3. Then l2 is at least a quarter of the trace, so only l3 can vanish. Let p be the sum of the
 * principal 2x2 minors of N. Then det / p lies between l3 / 3 and l3 and differs from l3 by a share of at
 * most 6 l3 / trace. The same bound holds for the error of l1 when l3 is set to 0. A set is left to the SVD
 * only if l3 / l1 is so close to the cut-off that these errors could matter. Otherwise
 *
 *   rank 3:  r = adj(N) b / det
 *   rank 2:  r = (t P - N) P b / q, with P = I - u u^T, t = l1 + l2 and q = l1 l2
 *
 * Rank 2 is the Cayley-Hamilton theorem on the plane perpendicular to u. Here u is the null direction,
 * found by one step of inverse iteration from a column of adj(N).
 *
 * If `sure` is set, the test for rank 3 uses twice the trace, which is larger than l1, in place of l1. Rank
 * 2 is accepted only if l3 is rounding error. In that case b, a sum of rows of D, is already perpendicular
 * to u. All other lanes are doubtful. */
INLINE void lane_solve(const SumColumns *sums, int i, double share, double least_trace, bool sure,
                       CenterColumns *out)
{
    const double xx = sums->xx[i], xy = sums->xy[i], xz = sums->xz[i];
    const double yy = sums->yy[i], yz = sums->yz[i], zz = sums->zz[i];
    const double bx = sums->bx[i], by = sums->by[i], bz = sums->bz[i];
    const double axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy;
    const double ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
    const double trace = xx + yy + zz, minors = axx + ayy + azz;
    const double det = xx * axx + xy * axy + xz * axz;
    const double base = minors > 0.0 ? minors : 1.0; /* det / base lies between l3 / 3 and l3 */
    const double fx = axx * bx + axy * by + axz * bz, fy = axy * bx + ayy * by + ayz * bz,
                 fz = axz * bx + ayz * by + azz * bz;
    if (sure) { /* multiply all terms by `base`, so that one division is enough */
        const double width = base * trace, margin = 1.02 * width + 20.0 * det;
        const double bound = 2.0 * share * margin > 1e-9 * width ? 2.0 * share * margin : 1e-9 * width;
        const double flat = share * width > FLAT_SHARE * margin ? FLAT_SHARE * width : -1.0;
        const double none = trace <= least_trace ? 1.0 : 0.0, three = det > bound ? 1.0 : 0.0;
        const double two = fabs(det) < flat ? 1.0 : 0.0;
        const double scale = (none > 0.0 ? 0.0 : 1.0) / (three > 0.0 ? det : base);
        const double gx = trace * bx - (xx * bx + xy * by + xz * bz),
                     gy = trace * by - (xy * bx + yy * by + yz * bz),
                     gz = trace * bz - (xz * bx + yz * by + zz * bz);
        out->center[0][i] = scale * (three > 0.0 ? fx : gx);
        out->center[1][i] = scale * (three > 0.0 ? fy : gy);
        out->center[2][i] = scale * (three > 0.0 ? fz : gz);
        out->doubtful[i] = none + two + three > 0.0 ? 0.0 : 1.0;
        return;
    }
    const double min = det / base, margin = 1.02 * trace + 20.0 * min;
    const double by_x = axx > ayy ? 1.0 : 0.0, by_z = azz > (axx > ayy ? axx : ayy) ? 1.0 : 0.0;
    const double cx = by_z > 0.0 ? axz : by_x > 0.0 ? axx : axy;
    const double cy = by_z > 0.0 ? ayz : by_x > 0.0 ? axy : ayy;
    const double cz = by_z > 0.0 ? azz : by_x > 0.0 ? axz : ayz;
    const double ux = axx * cx + axy * cy + axz * cz, uy = axy * cx + ayy * cy + ayz * cz,
                 uz = axz * cx + ayz * cy + azz * cz;
    const double uu = ux * ux + uy * uy + uz * uz;
    const double along = (ux * bx + uy * by + uz * bz) / (uu > 0.0 ? uu : 1.0);
    const double px = bx - along * ux, py = by - along * uy, pz = bz - along * uz;
    const double t = trace - min, q = minors - min * t;

    const double spread = t * t - 4.0 * q;
    const double limit = share * 0.5 * (t + sqrt(spread > 0.0 ? spread : 0.0)); /* cut-off times l1 */
    const double full = min * trace > limit * margin && min > 1e-9 * trace ? 1.0 : 0.0;
    const double still = trace <= least_trace ? 1.0 : 0.0;
    const double flat = min * margin < limit * trace && min < 1e-8 * trace ? 1.0 : 0.0;
    const double scale = 1.0 / (full > 0.0 ? det : q > 0.0 ? q : 1.0);
    const double gx = t * px - (xx * px + xy * py + xz * pz), gy = t * py - (xy * px + yy * py + yz * pz),
                 gz = t * pz - (xz * px + yz * py + zz * pz);
    out->center[0][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fx : gx);
    out->center[1][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fy : gy);
    out->center[2][i] = still > 0.0 ? 0.0 : scale * (full > 0.0 ? fz : gz);
    out->doubtful[i] = still > 0.0 || full > 0.0 || flat > 0.0 ? 0.0 : 1.0;
}

enum { DOUBTFUL_LANES = 8 };

WIDEST_VECTORS
static bool columns_solve(const CenterEquations *equations, int first, int count, CenterColumns *out)
{
    const double share = equations->cut_off * equations->cut_off, least_trace = equations->least_trace;
    const int lanes = count * equations->frames;
    const SumColumns *columns = (const SumColumns *)set_sums(equations, first);
    double doubtful = 0.0;
    for (int i = 0; i < count; i++)
        if (equations->frames == 1)
            one_set_sums(equations, first + i, 0, 1);
        else
            for (int frame = 0; frame < POSE_FRAMES; frame += 4)
                four_set_sums(equations, first + i, frame, POSE_FRAMES);
#pragma omp simd reduction(+ : doubtful)
    for (int i = 0; i < lanes; i++) {
        lane_solve(columns, i, share, least_trace, true, out);
        doubtful += out->doubtful[i];
    }
    if (doubtful == 0.0)
        return false;
    doubtful = 0.0;
    for (int lane = 0; lane < lanes; lane += DOUBTFUL_LANES) {
        const int end = lanes - lane < DOUBTFUL_LANES ? lanes : lane + DOUBTFUL_LANES;
        double doubt = 0.0;
        for (int i = lane; i < end; i++)
            doubt += out->doubtful[i];
        if (doubt == 0.0)
            continue;
#pragma omp simd reduction(+ : doubtful)
        for (int i = lane; i < end; i++) {
            lane_solve(columns, i, share, least_trace, false, out);
            doubtful += out->doubtful[i];
        }
    }
    return doubtful > 0.0;
}

void joint_columns_transpose(const Transform *transforms, int joint_count, double *columns)
{
    joints_transpose(transforms, joint_count, columns);
}

void pair_sums_find(const double *joints, const int32_t *pairs, int count, int frames, double *sums)
{
    sums_find(joints, pairs, count, frames, sums);
}

bool center_columns_solve(const CenterEquations *equations, int first, int count, CenterColumns *out)
{
    return columns_solve(equations, first, count, out);
}
