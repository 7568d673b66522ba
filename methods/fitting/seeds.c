/* The p-center heuristic (FESAM section 4.1): each new seed is the candidate farthest from all previous
 * seeds. */
#include "methods/fitting/seeds.h"

#include "datasets/geometry/topology.h"

static void candidate_center(const double *rest, const int32_t corners[3], double center[3])
{
    for (int axis = 0; axis < 3; axis++)
        center[axis] = (rest[(ptrdiff_t)3 * corners[0] + axis] + rest[(ptrdiff_t)3 * corners[1] + axis] +
                        rest[(ptrdiff_t)3 * corners[2] + axis]) /
                       3.0;
}

/* Returns whether a triangle has an area, by comparing four times its squared area with its longest squared
 * edge. */
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

/* Lists the candidates for seeds as triples of vertices [count][3]. */
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

/* Updates distances [count] after a new candidate `seed`: a distance becomes the distance from this seed if
 * that is smaller. Returns the largest distance that remains. */
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

/* Distances along edges from all seeds placed so far. */
typedef struct EdgeDistances {
    const Mesh *mesh;
    const double *rest;
    const int32_t *candidates; /* [count][3] */
    Grouping corners;
    double *vertices; /* [N] */
    int32_t *queue;   /* [N] ring buffer of vertices whose neighbours may have become closer */
    bool *queued;     /* [N] */
} EdgeDistances;

static void edge_distances_clear(EdgeDistances *edges)
{
    grouping_clear(&edges->corners);
    FREE_ALL(edges->vertices, edges->queue, edges->queued);
}

static double rest_distance(const double *rest, int32_t vertex, const double point[3])
{
    const double *v = rest + (ptrdiff_t)3 * vertex;
    return sqrt((v[0] - point[0]) * (v[0] - point[0]) + (v[1] - point[1]) * (v[1] - point[1]) +
                (v[2] - point[2]) * (v[2] - point[2]));
}

/* Lowers the distances of vertices to those from a new seed, spreading along edges from vertex to
 * vertex. */
static void edge_distances_spread(EdgeDistances *edges, const int32_t corners[3], const double center[3])
{
    const int vertices = edges->mesh->vertex_count;
    int first = 0, waiting = 0;
    for (int i = 0; i < 3; i++) {
        const double distance = rest_distance(edges->rest, corners[i], center);
        if (distance >= edges->vertices[corners[i]])
            continue;
        edges->vertices[corners[i]] = distance;
        if (!edges->queued[corners[i]])
            edges->queue[waiting++] = corners[i];
        edges->queued[corners[i]] = true;
    }
    while (waiting > 0) {
        const int32_t v = edges->queue[first];
        first = (first + 1) % vertices;
        waiting--;
        edges->queued[v] = false;
        for (int64_t side = 2 * edges->corners.first[v]; side < 2 * edges->corners.first[v + 1]; side++) {
            const int32_t next = vertex_neighbour(edges->mesh->triangles, &edges->corners, side);
            const double distance =
                edges->vertices[v] + rest_distance(edges->rest, next, edges->rest + (ptrdiff_t)3 * v);
            if (distance >= edges->vertices[next])
                continue;
            edges->vertices[next] = distance;
            if (!edges->queued[next])
                edges->queue[(first + waiting++) % vertices] = next;
            edges->queued[next] = true;
        }
    }
}

/* Updates the distances after a new seed. Distances are measured along edges or, if `edges` is NULL, in a
 * straight line. Returns the largest distance that remains. */
static double distances_lower_along(EdgeDistances *edges, const double *centers, int count, int seed,
                                    double *distances)
{
    if (!edges)
        return distances_lower(centers, count, seed, distances);
    double greatest = 0.0;
    const double *x = centers, *y = x + count, *z = y + count;
    edge_distances_spread(edges, edges->candidates + (ptrdiff_t)3 * seed,
                          (double[]){x[seed], y[seed], z[seed]});
    for (ptrdiff_t i = 0; i < count; i++) {
        const int32_t *corners = edges->candidates + 3 * i;
        for (int k = 0; k < 3; k++)
            distances[i] =
                fmin(distances[i], edges->vertices[corners[k]] +
                                       rest_distance(edges->rest, corners[k], (double[]){x[i], y[i], z[i]}));
        distances[i] = i == seed ? 0.0 : distances[i];
        greatest = fmax(greatest, distances[i]);
    }
    return greatest;
}

/* Distances that differ by less than this fraction count as equal. Otherwise rounding would decide on a
 * regular mesh, and the seeds would depend on the unit of the file. */
static const double TIE = 1e-6;

/* Updates the distances and returns the farthest candidate. On a tie it returns the candidate with the
 * largest of the heights [count], or the first one if `heights` is NULL. */
static int farthest_find(EdgeDistances *edges, const double *centers, int count, const double *heights,
                         int seed, double *distances)
{
    const double enough = distances_lower_along(edges, centers, count, seed, distances) * (1.0 - TIE);
    int farthest = -1;
    for (int i = 0; i < count && (heights || farthest < 0); i++)
        if (distances[i] >= enough && (farthest < 0 || heights[i] > heights[farthest]))
            farthest = i;
    return farthest;
}

/* Returns a number from 0 to 1 that selects a candidate. It is a multiple of the golden ratio modulo 1;
 * such numbers are spread evenly for any number of starts. */
static double share_of_start(uint64_t start)
{
    enum { STARTS = 1000003 };
    static const double golden = 0.61803398874989484820;
    const double turns = golden * (double)(start % STARTS);
    return turns - floor(turns);
}

/* Fills heights [count] along a direction to which a mesh is unlikely to be symmetric. Returns the
 * candidate that is higher than the fraction `share` of all candidates. For fraction 0, it returns the
 * highest candidate. sorted [count] is workspace. */
static int heights_fill(const double *centers, int count, double share, double *heights, double *sorted)
{
    int index = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        heights[i] = 0.6391 * centers[i] + 0.3547 * centers[count + i] + 0.6825 * centers[2 * count + i];
        sorted[i] = heights[i];
        index = heights[i] > heights[index] ? (int)i : index;
    }
    if (share == 0.0)
        return index;
    values_sort(sorted, (size_t)count);
    const double wanted = sorted[int_max(count - 1 - (int)(share * count), 0)];
    for (index = 0; heights[index] != wanted;)
        index++;
    return index;
}

/* Sets all distances to infinity. */
static void distances_start(EdgeDistances *edges, double *distances, int count)
{
    for (int i = 0; i < count; i++)
        distances[i] = INFINITY;
    for (int v = 0; edges && v < edges->mesh->vertex_count; v++)
        edges->vertices[v] = INFINITY;
}

Status seeds_place(const Mesh *mesh, const double *rest, SeedRule rule, int wanted, uint64_t start,
                   Seeds *seeds)
{
    CLEANUP(edge_distances_clear) EdgeDistances along = {.mesh = mesh, .rest = rest};
    EdgeDistances *edges = rule == SEEDS_ALONG_EDGES ? &along : NULL;
    UNDO_ON_FAILURE(seeds_clear) Seeds *unfinished = seeds;
    OWNED int32_t *candidates = NULL;
    OWNED double *heights = NULL;
    int count = 0, next = 0;
    wanted = int_min(wanted, mesh->vertex_count);
    *seeds = (Seeds){0};
    STATUS_TRY(candidates_gather(mesh, rest, wanted, &count, &candidates));
    if (edges) {
        edges->candidates = candidates;
        STATUS_TRY(
            corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &along.corners));
        ALLOCATE(along.vertices, mesh->vertex_count, "the seeds");
        ALLOCATE(along.queue, mesh->vertex_count, "the seeds");
        ALLOCATE(along.queued, mesh->vertex_count, "the seeds");
    }
    LOCAL_ARRAY(double, distances, count, "the seeds");
    LOCAL_TABLE(double, centers, 3, count, "the seeds");
    ALLOCATE_TABLE(seeds->corners, wanted, 3, "the seeds");
    for (ptrdiff_t i = 0; i < count; i++) {
        double center[3];
        candidate_center(rest, candidates + 3 * i, center);
        for (int axis = 0; axis < 3; axis++)
            centers[axis * (ptrdiff_t)count + i] = center[axis];
    }
    if (rule == SEEDS_BY_PLACE) {
        ALLOCATE(heights, count, "the seeds");
        next = heights_fill(centers, count, share_of_start(start), heights, distances);
    } else if (start > 0) {
        next = int_min((int)(share_of_start(start) * count), count - 1);
    } else { /* the candidate farthest from the first is a corner of the mesh */
        distances_start(edges, distances, count);
        next = farthest_find(edges, centers, count, NULL, 0, distances);
    }
    distances_start(edges, distances, count);
    do {
        memcpy(seeds->corners + (ptrdiff_t)3 * seeds->count++, candidates + (ptrdiff_t)3 * next,
               3 * sizeof(int32_t));
        next = farthest_find(edges, centers, count, heights, next, distances);
    } while (seeds->count < wanted && distances[next] > 0.0);
    unfinished = NULL;
    return status_ok();
}

void seeds_clear(Seeds *seeds)
{
    memory_free(seeds->corners);
    *seeds = (Seeds){0};
}

/* Assigns the vertices that are closer to `seed` than to their current seed. `min` [count] holds their
 * squared distances from their current seeds. */
WIDEST_VECTORS
static void groups_take_nearer(const double *restrict points, int count, const double center[3], int32_t seed,
                               double *restrict min, int32_t *restrict groups)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const double dx = points[3 * i] - center[0], dy = points[3 * i + 1] - center[1],
                     dz = points[3 * i + 2] - center[2];
        const double square = dx * dx + dy * dy + dz * dz;
        const bool nearer = square < min[i] * (1.0 - TIE);
        groups[i] = nearer ? seed : groups[i];
        min[i] = nearer ? square : min[i];
    }
}

void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups)
{
    enum { BLOCK = 256 };
    for (int start = 0; start < vertex_count; start += BLOCK) {
        const int count = int_min(vertex_count - start, BLOCK);
        double min[BLOCK];
        for (int i = 0; i < count; i++) {
            min[i] = INFINITY;
            groups[start + i] = 0;
        }
        for (int seed = 0; seed < seeds->count; seed++) {
            double center[3];
            candidate_center(rest, seeds->corners + (ptrdiff_t)3 * seed, center);
            groups_take_nearer(rest + 3 * ((ptrdiff_t)first + start), count, center, seed, min,
                               groups + start);
        }
    }
}
