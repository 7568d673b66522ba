/* The p-center heuristic (FESAM section 4.1): each next seed is the candidate farthest from those before.
 * */
#include "methods/fitting/seeds.h"

#include "datasets/base/memory.h"

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
    size_t most =
        (size_t)(mesh->triangle_count > mesh->vertex_count ? mesh->triangle_count : mesh->vertex_count);
    int32_t *list = memory_table(most, 3, sizeof(int32_t));
    *candidates = list;
    *count = 0;
    if (!list)
        return status_out_of_memory("the candidates for seeds");
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

/* Lowers distances [count] to those from the candidate `seed`; returns the candidate now farthest. */
static int distances_lower(const double *rest, const int32_t *candidates, int count, int seed,
                           double *distances)
{
    double from[3], to[3];
    int farthest = 0;
    candidate_center(rest, candidates + (ptrdiff_t)3 * seed, from);
    for (int i = 0; i < count; i++) {
        candidate_center(rest, candidates + (ptrdiff_t)3 * i, to);
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++)
            square += (to[axis] - from[axis]) * (to[axis] - from[axis]);
        distances[i] = fmin(distances[i], square);
        if (distances[i] > distances[farthest])
            farthest = i;
    }
    return farthest;
}

/* A number of candidates that any count of starts spreads over evenly: multiples of the golden ratio. */
static int candidate_of_start(uint64_t start, int count)
{
    enum { STARTS = 1000003 };
    static const double golden = 0.61803398874989484820;
    double turns = golden * (double)(start % STARTS);
    int candidate = (int)((turns - floor(turns)) * count);
    return candidate < count ? candidate : count - 1;
}

Status seeds_place(const Mesh *mesh, const double *rest, int wanted, uint64_t start, Seeds *seeds)
{
    int32_t *candidates = NULL;
    double *distances = NULL;
    int count = 0;
    wanted = wanted < mesh->vertex_count ? wanted : mesh->vertex_count;
    *seeds = (Seeds){0};
    Status status;
    STATUS_TRY(candidates_gather(mesh, rest, wanted, &count, &candidates));
    distances = memory_array((size_t)count, sizeof(double));
    seeds->corners = memory_table((size_t)wanted, 3, sizeof(int32_t));
    if (!distances || !seeds->corners) {
        status = status_out_of_memory("the seeds");
        goto done;
    }
    for (int i = 0; i < count; i++)
        distances[i] = INFINITY;
    /* The candidate farthest from the first is a corner of the mesh: a start that does not hang on the order
     * of the file much. */
    int next =
        start > 0 ? candidate_of_start(start, count) : distances_lower(rest, candidates, count, 0, distances);
    for (int i = 0; i < count; i++)
        distances[i] = INFINITY;
    do {
        memcpy(seeds->corners + (ptrdiff_t)3 * seeds->count++, candidates + (ptrdiff_t)3 * next,
               3 * sizeof(int32_t));
        next = distances_lower(rest, candidates, count, next, distances);
    } while (seeds->count < wanted && distances[next] > 0.0);
done:
    memory_free(candidates);
    memory_free(distances);
    if (status.code != STATUS_OK)
        seeds_clear(seeds);
    return status;
}

void seeds_clear(Seeds *seeds)
{
    memory_free(seeds->corners);
    *seeds = (Seeds){0};
}

/* Squared distance from point to the middle of a seed. */
static double seed_distance(const double *rest, const int32_t corners[3], const double point[3])
{
    double center[3], square = 0.0;
    candidate_center(rest, corners, center);
    for (int axis = 0; axis < 3; axis++)
        square += (point[axis] - center[axis]) * (point[axis] - center[axis]);
    return square;
}

void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups)
{
    for (int vertex = 0; vertex < vertex_count; vertex++) {
        double least = INFINITY;
        groups[vertex] = 0;
        for (int seed = 0; seed < seeds->count; seed++) {
            double square = seed_distance(rest, seeds->corners + (ptrdiff_t)3 * seed,
                                          rest + (ptrdiff_t)3 * (first + vertex));
            if (square < least) {
                least = square;
                groups[vertex] = seed;
            }
        }
    }
}
