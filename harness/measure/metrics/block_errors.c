/* Computes the errors of a block of vertices in LANES frames. Every loop over the lanes is one vector
 * operation. The file is compiled without errno and without floating-point traps. All other rules of
 * floating-point arithmetic hold. */
#include "harness/measure/metrics/block_errors.h"

#include "datasets/geometry/angles.h"

/* Number of reals of a point or a normal in LANES frames. */
enum { POINT = 3 * LANES };

size_t block_errors_scratch(const SurfaceBlocks *blocks)
{
    const size_t points = (size_t)blocks->points_max;
    return SIDE_COUNT * POINT *
           (points + (points < SURFACE_BLOCK_VERTICES ? points : SURFACE_BLOCK_VERTICES));
}

/* Loads points from rows, one row per frame, and transposes them so that each lane contains one frame. */
INLINE void points_load(const int32_t *vertices, int count, const float *const rows[LANES], double *points)
{
    for (int p = 0; p < count; p++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < LANES; l++)
                points[(size_t)p * POINT + (size_t)(k * LANES + l)] =
                    (double)rows[l][3 * (size_t)vertices[p] + (size_t)k];
}

/* Computes distances, and the squared deviation of the target's vertices from their mean. The deviation is
 * computed from the first vertex and then shifted to the mean, which loses little precision for a few
 * hundred vertices. */
INLINE void points_compare(const SurfaceBlock *block, const LaneFrames *frames, const double *target,
                           const double *candidate, BlockErrors *out)
{
    double offsets[3][LANES] = {{0.0}}, squared[LANES] = {0.0}, deviation[LANES] = {0.0}, max[LANES] = {0.0},
           total[LANES] = {0.0};
    for (int v = 0; v < block->own_count; v++) {
        const double *a = target + (size_t)v * POINT, *b = candidate + (size_t)v * POINT;
        float distance[LANES];
        EACH_LANE (l, LANES) {
            const double x = a[l] - b[l], y = a[LANES + l] - b[LANES + l],
                         z = a[2 * LANES + l] - b[2 * LANES + l];
            const double d = x * x + y * y + z * z;
            squared[l] += d;
            max[l] = vector_greater(d, max[l]);
            const double root = sqrt(d);
            total[l] += root;
            distance[l] = (float)root;
            const double u = a[l] - target[l], w = a[LANES + l] - target[LANES + l],
                         t = a[2 * LANES + l] - target[2 * LANES + l];
            offsets[0][l] += u;
            offsets[1][l] += w;
            offsets[2][l] += t;
            deviation[l] += u * u + w * w + t * t;
        }
        for (int l = 0; l < LANES; l++)
            frames->distances[l][block->first_vertex + v] = distance[l];
    }
    EACH_LANE (l, LANES) {
        double moved = 0.0;
        for (int k = 0; k < 3; k++) {
            const double mean = offsets[k][l] / block->own_count;
            moved += mean * offsets[k][l];
            out->mean[k][l] = target[k * LANES + l] + mean;
        }
        out->squared[l] = squared[l];
        out->distance[l] = (double)(float)sqrt(max[l]);
        out->distance_sum[l] = total[l];
        out->deviation[l] = deviation[l] - moved;
    }
    out->vertex_count = block->own_count;
}

/* Adds area-weighted normals of the block's own vertices, and the volumes under its triangles. */
INLINE void triangles_add(const int32_t *triangles, int count, int own_count, const double *points,
                          const double origin[3][LANES], double *normals, double six_volumes[LANES],
                          double spans[LANES])
{
    double volumes[LANES] = {0.0}, sizes[LANES] = {0.0};
    memset(normals, 0, (size_t)own_count * POINT * sizeof *normals);
    for (int t = 0; t < count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        const double *a = points + (size_t)corners[0] * POINT, *b = points + (size_t)corners[1] * POINT,
                     *c = points + (size_t)corners[2] * POINT;
        double x[LANES], y[LANES], z[LANES];
        EACH_LANE (l, LANES) {
            const double ux = b[l] - a[l], uy = b[LANES + l] - a[LANES + l],
                         uz = b[2 * LANES + l] - a[2 * LANES + l];
            const double wx = c[l] - a[l], wy = c[LANES + l] - a[LANES + l],
                         wz = c[2 * LANES + l] - a[2 * LANES + l];
            x[l] = uy * wz - uz * wy;
            y[l] = uz * wx - ux * wz;
            z[l] = ux * wy - uy * wx;
        }
        if (corners[0] < own_count)
            EACH_LANE (l, LANES) {
                volumes[l] += x[l] * (a[l] - origin[0][l]) + y[l] * (a[LANES + l] - origin[1][l]) +
                              z[l] * (a[2 * LANES + l] - origin[2][l]);
                sizes[l] += fabs(x[l]) + fabs(y[l]) + fabs(z[l]);
            }
        for (int k = 0; k < 3; k++) {
            double *normal = normals + (size_t)corners[k] * POINT;
            if (corners[k] < own_count)
                EACH_LANE (l, LANES) {
                    normal[l] += x[l];
                    normal[LANES + l] += y[l];
                    normal[2 * LANES + l] += z[l];
                }
        }
    }
    memcpy(six_volumes, volumes, sizeof volumes);
    memcpy(spans, sizes, sizeof sizes);
}

/* Returns atan2(sine, cosine) in [0, PI] for a sine that is not negative; 0 if both are 0. The smaller of
 * |sine| and |cosine| over the larger is the tangent of an angle up to PI/4. This angle is reduced by 0,
 * PI/8 or PI/4. The tangent of the remaining angle is at most tan(PI/16), for which eleven terms of the
 * series are exact to rounding. */
INLINE double angle_from(double sine, double cosine)
{
    const double TAN_PI_16 = 0.19891236737965800691, TAN_PI_8 = 0.41421356237309504880,
                 TAN_3PI_16 = 0.66817863791929891999;
    const double size = fabs(cosine);
    const double low = sine > size ? size : sine, high = sine > size ? sine : size;
    const bool middle = low > TAN_PI_16 * high, last = low > TAN_3PI_16 * high;
    const double turn = last     ? 1.0
                        : middle ? TAN_PI_8
                                 : 0.0,
                 turned = last     ? PI / 4.0
                          : middle ? PI / 8.0
                                   : 0.0;
    const double z = (low - turn * high) / (high > 0.0 ? high + turn * low : 1.0), q = z * z;
    const double series =
        1.0 +
        q * (-1.0 / 3.0 +
             q * (1.0 / 5.0 +
                  q * (-1.0 / 7.0 +
                       q * (1.0 / 9.0 + q * (-1.0 / 11.0 +
                                             q * (1.0 / 13.0 +
                                                  q * (-1.0 / 15.0 +
                                                       q * (1.0 / 17.0 + q * (-1.0 / 19.0 + q / 21.0)))))))));
    const double first = turned + z * series, half = sine > size ? PI / 2.0 - first : first;
    return cosine < 0.0 ? PI - half : half;
}

INLINE void normals_compare(int count, const double *target, const double *candidate, BlockErrors *out)
{
    double sums[LANES] = {0.0}, max[LANES] = {0.0}, counts[LANES] = {0.0}, over[LANES] = {0.0};
    for (int v = 0; v < count; v++) {
        const double *a = target + (size_t)v * POINT, *b = candidate + (size_t)v * POINT;
        EACH_LANE (l, LANES) {
            const double x = a[LANES + l] * b[2 * LANES + l] - a[2 * LANES + l] * b[LANES + l];
            const double y = a[2 * LANES + l] * b[l] - a[l] * b[2 * LANES + l];
            const double z = a[l] * b[LANES + l] - a[LANES + l] * b[l];
            const double cosine =
                a[l] * b[l] + a[LANES + l] * b[LANES + l] + a[2 * LANES + l] * b[2 * LANES + l];
            const double sine = sqrt(x * x + y * y + z * z);
            const double angle = 180.0 / PI * angle_from(sine, cosine);
            sums[l] += angle;
            max[l] = vector_greater(angle, max[l]);
            over[l] += angle > NORMAL_OFF_DEGREES ? 1.0 : 0.0;
            /* a vertex is not counted if it has no triangles, or only triangles without area */
            counts[l] += sine + fabs(cosine) > 0.0 ? 1.0 : 0.0;
        }
    }
    memcpy(out->angle_sum, sums, sizeof sums);
    memcpy(out->angle_max, max, sizeof max);
    memcpy(out->angle_over, over, sizeof over);
    memcpy(out->angle_count, counts, sizeof counts);
}

INLINE double length_squared(const double *from, const double *end, int l)
{
    const double x = from[l] - end[l], y = from[LANES + l] - end[LANES + l],
                 z = from[2 * LANES + l] - end[2 * LANES + l];
    return x * x + y * y + z * z;
}

/* Finds the largest and smallest ratio of lengths. Divides only for the few edges that exceed the extremes
 * so far. */
INLINE void edges_compare(const int32_t *edges, int count, const double *target, const double *candidate,
                          BlockErrors *out)
{
    double stretch[LANES], collapse[LANES];
    for (int l = 0; l < LANES; l++) {
        stretch[l] = -1.0;
        collapse[l] = INFINITY;
    }
    for (int e = 0; e < count; e++) {
        const size_t low = (size_t)edges[2 * (size_t)e] * POINT,
                     high = (size_t)edges[2 * (size_t)e + 1] * POINT;
        double before[LANES], after[LANES];
        int beyond = 0;
#pragma omp simd reduction(| : beyond)
        for (int l = 0; l < LANES; l++) {
            before[l] = length_squared(target + low, target + high, l);
            after[l] = length_squared(candidate + low, candidate + high, l);
            beyond |= (after[l] > stretch[l] * before[l]) | (after[l] < collapse[l] * before[l]);
        }
        for (int l = 0; l < LANES && beyond; l++)
            if (before[l] > 0.0) {
                const double ratio = after[l] / before[l];
                stretch[l] = ratio > stretch[l] ? ratio : stretch[l];
                collapse[l] = ratio < collapse[l] ? ratio : collapse[l];
            }
    }
    memcpy(out->stretch, stretch, sizeof stretch);
    memcpy(out->collapse, collapse, sizeof collapse);
}

WIDEST_VECTORS
static void errors_find(const SurfaceBlocks *blocks, const SurfaceBlock *block, const LaneFrames *frames,
                        double *scratch, BlockErrors *out)
{
    const int32_t *vertices = blocks->points + block->points,
                  *triangles = blocks->triangles + 3 * block->triangles;
    double *points[SIDE_COUNT], *normals[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        points[side] = scratch + (size_t)(side * blocks->points_max) * POINT;
        normals[side] = scratch + (size_t)(SIDE_COUNT * blocks->points_max + side * block->own_count) * POINT;
        points_load(vertices, block->point_count, frames->rows[side], points[side]);
        triangles_add(triangles, block->triangle_count, block->own_count, points[side], frames->origins[side],
                      normals[side], out->six_volumes[side], out->spans[side]);
    }
    points_compare(block, frames, points[TARGET], points[CANDIDATE], out);
    normals_compare(block->own_count, normals[TARGET], normals[CANDIDATE], out);
    edges_compare(blocks->edges + 2 * block->edges, block->edge_count, points[TARGET], points[CANDIDATE],
                  out);
}

void block_errors_find(const SurfaceBlocks *blocks, const SurfaceBlock *block, const LaneFrames *frames,
                       double *scratch, BlockErrors *out)
{
    errors_find(blocks, block, frames, scratch, out);
}

WIDEST_VECTORS
void distances_find(const float *restrict a, const float *restrict b, size_t count, float *restrict distances)
{
    for (size_t i = 0; i < count; i++) {
        const double x = (double)a[3 * i] - (double)b[3 * i], y = (double)a[3 * i + 1] - (double)b[3 * i + 1],
                     z = (double)a[3 * i + 2] - (double)b[3 * i + 2];
        distances[i] = (float)sqrt(x * x + y * y + z * z);
    }
}

void block_errors_start(BlockErrors *sum)
{
    *sum = (BlockErrors){.vertex_count = 0.0};
    for (int l = 0; l < LANES; l++) {
        sum->stretch[l] = -1.0;
        sum->collapse[l] = INFINITY;
    }
}

void block_errors_add(BlockErrors *sum, const BlockErrors *block)
{
    const double all = sum->vertex_count + block->vertex_count, share = block->vertex_count / all;
    for (int l = 0; l < LANES; l++) {
        double moved = 0.0;
        for (int k = 0; k < 3; k++) {
            const double offset = block->mean[k][l] - sum->mean[k][l];
            sum->mean[k][l] += share * offset;
            moved += offset * offset;
        }
        sum->deviation[l] += block->deviation[l] + sum->vertex_count * share * moved;
        sum->squared[l] += block->squared[l];
        sum->distance[l] = fmax(sum->distance[l], block->distance[l]);
        sum->distance_sum[l] += block->distance_sum[l];
        sum->angle_sum[l] += block->angle_sum[l];
        sum->angle_max[l] = fmax(sum->angle_max[l], block->angle_max[l]);
        sum->angle_count[l] += block->angle_count[l];
        sum->angle_over[l] += block->angle_over[l];
        sum->stretch[l] = fmax(sum->stretch[l], block->stretch[l]);
        sum->collapse[l] = fmin(sum->collapse[l], block->collapse[l]);
        for (int side = 0; side < SIDE_COUNT; side++) {
            sum->six_volumes[side][l] += block->six_volumes[side][l];
            sum->spans[side][l] += block->spans[side][l];
        }
    }
    sum->vertex_count = all;
}
