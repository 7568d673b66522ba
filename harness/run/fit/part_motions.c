/* Finds the motions of disconnected parts. The error of a least-squares motion follows from sums over the
 * vertices, so that the error of two parts together follows from the added sums. */
#include "harness/run/fit/part_motions.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/welding.h"

/* Smallest mean numbers of sampled vertices. With fewer, motions would fit the noise of the sample, and the
 * sums of the parts would need much memory. */
enum { VERTICES_PER_MOTION = 16, VERTICES_PER_PART = 4, MOTIONS_MAX = 128 };

/* A part, or parts that move alike, in one frame: the sum of h h^T over the vertices and its motion_error. h
 * consists of 1, the position at rest and the position in the frame. */
typedef struct PartSums {
    double products[7][7];
    double error;
} PartSums;

/* Returns the squared error of the best affine or rigid motion. For an affine motion, this
 * is what Gaussian elimination of the rest position leaves of the squares of the position; directions in
 * which the part is flat are skipped. For a rigid motion, it is the sum of both variances minus 2 trace(R^T
 * C), where R is the rotation nearest to the covariance C. */
static double motion_error(const PartSums *part, bool rigid)
{
    double s[7][7], covariance[3][3], rotation[3][3], error = 0.0, flat = 0.0;
    memcpy(s, part->products, sizeof s);
    for (int k = 0; k < (rigid ? 1 : 4); k++) {
        for (int i = k + 1; i < 7 && s[k][k] > flat; i++)
            for (int j = 6; j > k; j--)
                s[i][j] -= s[i][k] * s[k][j] / s[k][k];
        if (k == 0)
            flat = 1e-9 * (s[1][1] + s[2][2] + s[3][3]);
    }
    for (int i = rigid ? 1 : 4; i < 7; i++)
        error += s[i][i];
    for (int i = 0; i < 9; i++)
        covariance[i / 3][i % 3] = s[4 + i / 3][1 + i % 3];
    if (rigid)
        nearest_rotation((const double(*)[3])covariance, rotation);
    for (int i = 0; i < 9 && rigid; i++)
        error -= 2.0 * rotation[i / 3][i % 3] * covariance[i / 3][i % 3];
    return fmax(error, 0.0);
}

/* Returns the sums of parts that share a motion. */
static PartSums part_sums_join(PartSums one, const PartSums *other, bool rigid)
{
    for (int i = 0; i < 49; i++)
        one.products[i / 7][i % 7] += other->products[i / 7][i % 7];
    one.error = motion_error(&one, rigid);
    return one;
}

/* Whether the parts of one motion and another part can share a motion. Both have sums of m frames. Allows for
 * twice the error that a shared motion is expected to add because it fits less of the noise than two. */
static bool parts_alike(const PartSums *one, const PartSums *other, int m, double near, bool rigid)
{
    const double unknowns = rigid ? 6.0 : 12.0, count = one->products[0][0],
                 both = count + other->products[0][0];
    double most = 3.0 * near * near * m * fmin(count, both - count), more = 0.0;
    for (int f = 0; f < m && 3.0 * both > 2.0 * unknowns; f++)
        most += 2.0 * unknowns * (one[f].error + other[f].error) / (3.0 * both - 2.0 * unknowns);
    /* start in the middle: the first frames are often near the rest pose, where all motions are alike */
    for (int i = 0, f = m / 2; i < m && more < most; i++, f = (f + 1) % m) {
        const double apart = one[f].error + other[f].error;
        /* the error of an affine motion costs less to compute and is never above that of a rigid one */
        double error = part_sums_join(one[f], &other[f], false).error;
        if (rigid && more + error - apart < most)
            error = part_sums_join(one[f], &other[f], true).error;
        more += error - apart;
    }
    return more < most;
}

/* Numbers the parts of the mesh in which sampled vertices lie. A part is connected by edges across seams. */
static Status parts_find(const Mesh *mesh, const FitSample *sample, int32_t *part_of, int *count)
{
    CLEANUP(welding_clear) Welding welding = {0};
    STATUS_TRY(welding_find(mesh, NULL, &welding));
    LOCAL_ARRAY(int32_t, parents, welding.mesh.vertex_count, "the parts of a mesh");
    LOCAL_ARRAY(int32_t, numbers, welding.mesh.vertex_count, "the parts of a mesh");
    mesh_pieces_find(welding.mesh.triangles, welding.mesh.triangle_count, welding.mesh.vertex_count, parents);
    for (int i = 0; i < sample->data.mesh.vertex_count; i++) {
        const int32_t root = union_find_root(parents, welding.welded_of[sample->vertices[i]]);
        if (numbers[root] == 0)
            numbers[root] = ++*count;
        part_of[i] = numbers[root] - 1;
    }
    return status_ok();
}

Status part_motions_find(const Mesh *mesh, const FitSample *sample, double near, bool rigid, int bones,
                         PartMotions *out)
{
    const int n = sample->data.mesh.vertex_count, m = sample->data.animation.frame_count;
    const int motions_max = int_min(n / VERTICES_PER_MOTION, MOTIONS_MAX);
    int parts = 0, motions = 0;
    *out = (PartMotions){.motions = 0};
    LOCAL_ARRAY(int32_t, part_of, n, "the parts of a mesh");
    STATUS_TRY(parts_find(mesh, sample, part_of, &parts));
    if (parts <= bones || parts > n / VERTICES_PER_PART)
        return status_ok();
    LOCAL_TABLE(PartSums, sums, parts, m, "the parts of a mesh");
    for (ptrdiff_t i = 0; i < (ptrdiff_t)m * n; i++) {
        const Vec3 from = point_at(sample->data.mesh.rest, i % n),
                   to = point_at(sample->data.animation.positions, i);
        const double h[7] = {1.0, from.x, from.y, from.z, to.x, to.y, to.z};
        PartSums *part = sums + (ptrdiff_t)part_of[i % n] * m + i / n;
        for (int k = 0; k < 49; k++)
            part->products[k / 7][k % 7] += h[k / 7] * h[k % 7];
    }
    for (int i = 0; i < parts * m; i++)
        sums[i].error = motion_error(&sums[i], rigid);
    /* join each part to the first motion that suits it; row k of the sums becomes that of motion k */
    for (int p = 0; p < parts && motions <= motions_max; p++) {
        const PartSums *part = sums + (ptrdiff_t)p * m;
        PartSums *motion = sums;
        while (motion < sums + (ptrdiff_t)motions * m && !parts_alike(motion, part, m, near, rigid))
            motion += m;
        const bool is_new = motion == sums + (ptrdiff_t)motions * m;
        for (int f = 0; f < m; f++)
            motion[f] = is_new ? part[f] : part_sums_join(motion[f], &part[f], rigid);
        motions += is_new;
    }
    if (motions <= bones || motions > motions_max)
        return status_ok();
    out->motions = motions;
    for (int i = 0; i < motions * m; i++)
        out->error += sums[i].error;
    return status_ok();
}
