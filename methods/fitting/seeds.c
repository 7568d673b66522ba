/* The p-center heuristic (FESAM section 4.1): each next seed is the candidate farthest from those
 * before. */
#include "methods/fitting/seeds.h"

#include "datasets/base/memory.h"
#include "datasets/base/numbers.h"
#include "datasets/base/widest_vectors.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void candidate_center(const double *rest, const int32_t corners[3], double center[3])
{
    for (int axis = 0; axis < 3; axis++)
        center[axis] = (rest[(ptrdiff_t)3 * corners[0] + axis] + rest[(ptrdiff_t)3 * corners[1] + axis] +
                        rest[(ptrdiff_t)3 * corners[2] + axis]) /
                       3.0;
}

/* Four times the squared area, and the longest squared edge. */
static bool triangle_has_area(const double *rest, const int32_t corners[3])
{
    double edges[2][3], normal[3], longest = 0.0, square = 0.0;
    for (int edge = 0; edge < 2; edge++) {
        double length = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            edges[edge][axis] =
                rest[(ptrdiff_t)3 * corners[edge + 1] + axis] - rest[(ptrdiff_t)3 * corners[0] + axis];
            length += edges[edge][axis] * edges[edge][axis];
        }
        longest = fmax(longest, length);
    }
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        normal[axis] = edges[0][next] * edges[1][last] - edges[0][last] * edges[1][next];
        square += normal[axis] * normal[axis];
    }
    return square > 1e-10 * longest * longest;
}

/* The candidates for seeds, [count][3] vertices each. */
static Status candidates_gather(const Mesh *mesh, const double *rest, int wanted, int *count,
                                int32_t **candidates)
{
    ALLOCATE_TABLE(*candidates, int_max(mesh->triangle_count, mesh->vertex_count), 3,
                   "the candidates for seeds");
    int32_t *list = *candidates;
    *count = 0;
    for (int i = 0; i < mesh->triangle_count; i++)
        if (triangle_has_area(rest, mesh->triangles + (ptrdiff_t)3 * i))
            memcpy(list + (ptrdiff_t)3 * (*count)++, mesh->triangles + (ptrdiff_t)3 * i, 3 * sizeof(int32_t));
    if (*count >= wanted)
        return status_ok();
    for (*count = 0; *count < mesh->vertex_count; ++*count)
        for (int corner = 0; corner < 3; corner++)
            list[(ptrdiff_t)3 * *count + corner] = *count;
    return status_ok();
}

/* Lowers distances [count] to those from the candidate `seed`; returns the greatest. */
WIDEST_VECTORS
static double distances_lower(const double *centers, int count, int seed, double *restrict distances)
{
    const double *x = centers, *y = x + count, *z = y + count;
    const double from[3] = {x[seed], y[seed], z[seed]};
    double greatest = 0.0;
#pragma omp simd reduction(max : greatest)
    for (int i = 0; i < count; i++) {
        const double dx = x[i] - from[0], dy = y[i] - from[1], dz = z[i] - from[2];
        const double square = dx * dx + dy * dy + dz * dz;
        distances[i] = square < distances[i] ? square : distances[i];
        greatest = vector_greater(distances[i], greatest);
    }
    return greatest;
}

/* Lowers the distances; returns the candidate now farthest, the first of equal ones. */
static int farthest_find(const double *centers, int count, int seed, double *distances)
{
    const double greatest = distances_lower(centers, count, seed, distances);
    int farthest = 0;
    while (farthest < count - 1 && distances[farthest] < greatest)
        farthest++;
    return farthest;
}

/* A number of candidates that any count of starts spreads over evenly: multiples of the golden ratio. */
static int candidate_of_start(uint64_t start, int count)
{
    enum { STARTS = 1000003 };
    static const double golden = 0.61803398874989484820;
    double turns = golden * (double)(start % STARTS);
    int candidate = (int)((turns - floor(turns)) * count);
    return int_min(candidate, count - 1);
}

Status seeds_place(const Mesh *mesh, const double *rest, int wanted, uint64_t start, Seeds *seeds)
{
    OWNED_BY(seeds_clear) Seeds *unfinished = seeds;
    OWNED int32_t *candidates = NULL;
    int count = 0;
    wanted = int_min(wanted, mesh->vertex_count);
    *seeds = (Seeds){0};
    STATUS_TRY(candidates_gather(mesh, rest, wanted, &count, &candidates));
    LOCAL_ARRAY(double, distances, count, "the seeds");
    LOCAL_TABLE(double, centers, 3, count, "the seeds");
    ALLOCATE_TABLE(seeds->corners, wanted, 3, "the seeds");
    for (ptrdiff_t i = 0; i < count; i++) {
        double center[3];
        candidate_center(rest, candidates + 3 * i, center);
        for (int axis = 0; axis < 3; axis++)
            centers[axis * (ptrdiff_t)count + i] = center[axis];
        distances[i] = INFINITY;
    }
    /* The candidate farthest from the first is a corner of the mesh: a start that does not hang on the order
     * of the file much. */
    int next = start > 0 ? candidate_of_start(start, count) : farthest_find(centers, count, 0, distances);
    for (int i = 0; i < count; i++)
        distances[i] = INFINITY;
    do {
        memcpy(seeds->corners + (ptrdiff_t)3 * seeds->count++, candidates + (ptrdiff_t)3 * next,
               3 * sizeof(int32_t));
        next = farthest_find(centers, count, next, distances);
    } while (seeds->count < wanted && distances[next] > 0.0);
    unfinished = NULL;
    return status_ok();
}

void seeds_clear(Seeds *seeds)
{
    memory_free(seeds->corners);
    *seeds = (Seeds){0};
}

/* Vertices to whichever seed is nearer: that of their group, at least [count] squared away, or this one. */
WIDEST_VECTORS
static void groups_take_nearer(const double *restrict points, int count, const double center[3], int32_t seed,
                               double *restrict least, int32_t *restrict groups)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const double dx = points[3 * i] - center[0], dy = points[3 * i + 1] - center[1],
                     dz = points[3 * i + 2] - center[2];
        const double square = dx * dx + dy * dy + dz * dz;
        groups[i] = square < least[i] ? seed : groups[i];
        least[i] = square < least[i] ? square : least[i];
    }
}

void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups)
{
    enum { BLOCK = 256 };
    for (int start = 0; start < vertex_count; start += BLOCK) {
        const int count = int_min(vertex_count - start, BLOCK);
        double least[BLOCK];
        for (int i = 0; i < count; i++) {
            least[i] = INFINITY;
            groups[start + i] = 0;
        }
        for (int seed = 0; seed < seeds->count; seed++) {
            double center[3];
            candidate_center(rest, seeds->corners + (ptrdiff_t)3 * seed, center);
            groups_take_nearer(rest + 3 * ((ptrdiff_t)first + start), count, center, seed, least,
                               groups + start);
        }
    }
}
