/* Region growing (region_growing.h). */
#include "methods/decomposition/coordinate-descent/region_growing.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/topology.h"
#include "datasets/geometry/triangle_frame.h"
#include "methods/reduction/matrix_product.h"

#include <math.h>
#include <string.h>

/* The affine maps of all seeds over the whole sequence, and what predicting with them needs. */
typedef struct SeedMaps {
    int count;
    double *maps;     /* [4P][3F] columns of each seed's affine map, offset subtracted */
    double *squares;  /* [P][4][4] squares of the maps over all frames */
    double *products; /* [N][4P] products of the reduced trajectories with the maps */
} SeedMaps;

static void maps_clear(SeedMaps *maps)
{
    memory_free(maps->maps);
    memory_free(maps->squares);
    memory_free(maps->products);
}

/* The affine map (3 x 4) that takes the rest triangle and its unit normal to the frame's. A seed that is one
 * vertex, three times itself, only follows it. `scale` is the size of a unit of the rest pose in units of the
 * animation: lengths along the normal keep their size. */
static void seed_map(double rest[3][3], double posed[3][3], double scale, double map[3][4])
{
    double rest_frame[3][3], posed_frame[3][3], inverse[3][3];
    triangle_frame(rest, rest_frame);
    triangle_frame(posed, posed_frame);
    bool vertex = rest_frame[0][2] == 0.0 && rest_frame[1][2] == 0.0 && rest_frame[2][2] == 0.0;
    triangle_frame_invert(rest_frame, inverse);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            map[i][j] = vertex ? (i == j ? scale : 0.0) : 0.0;
            for (int k = 0; k < 3 && !vertex; k++)
                map[i][j] += posed_frame[i][k] * (k == 2 ? scale : 1.0) * inverse[k][j];
        }
        map[i][3] = posed[0][i];
        for (int j = 0; j < 3; j++)
            map[i][3] -= map[i][j] * rest[0][j];
    }
}

static void seed_maps_fill(const RegionGrowing *input, const int32_t corners[3], int seed, SeedMaps *maps)
{
    ptrdiff_t frames = input->animation->frame_count, rows = 3 * frames;
    double rest[3][3], posed[3][3], map[3][4];
    double *columns = maps->maps + (ptrdiff_t)4 * seed * rows;
    double(*square)[4] = (double(*)[4])(maps->squares + (ptrdiff_t)16 * seed);
    for (int corner = 0; corner < 3; corner++)
        memcpy(rest[corner], input->rest + (ptrdiff_t)3 * corners[corner], sizeof rest[corner]);
    for (ptrdiff_t frame = 0; frame < frames; frame++) {
        const float *positions =
            input->animation->positions + (ptrdiff_t)3 * frame * input->reduction->vertex_count;
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3; axis++)
                posed[corner][axis] = (double)positions[(ptrdiff_t)3 * corners[corner] + axis];
        seed_map(rest, posed, input->rest_unit, map);
        for (int axis = 0; axis < 3; axis++) {
            map[axis][3] -= input->reduction->offset[3 * frame + axis];
            for (int column = 0; column < 4; column++)
                columns[column * rows + 3 * frame + axis] = map[axis][column];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    square[i][j] += map[axis][i] * map[axis][j];
        }
    }
}

static Status maps_allocate(SeedMaps *maps, int count, int rows, int vertices)
{
    *maps = (SeedMaps){.count = count};
    maps->maps = memory_table(4 * (size_t)count, (size_t)rows, sizeof(double));
    maps->squares = memory_table((size_t)count, 16, sizeof(double));
    maps->products = memory_table((size_t)vertices, 4 * (size_t)count, sizeof(double));
    return maps->maps && maps->squares && maps->products ? status_ok()
                                                         : status_out_of_memory("the maps of the seeds");
}

/* Fills all of `maps`: products of reduced trajectories with the maps are (B^T D)^T c, two small products in
 * place of one with the whole animation. */
static Status maps_make(const RegionGrowing *input, const Seeds *seeds, SeedMaps *maps)
{
    enum { BLOCK = 256, TILE = 64 };
    const Reduction *reduction = input->reduction;
    int rows = reduction->row_count, dimension = reduction->dimension, vertices = reduction->vertex_count;
    int columns = 4 * seeds->count;
    double *reduced = memory_table((size_t)columns, (size_t)dimension, sizeof(double));
    Status status;
    if (!reduced) {
        status = status_out_of_memory("the maps of the seeds");
        goto done;
    }
    STATUS_TRY(maps_allocate(maps, seeds->count, rows, vertices));
#pragma omp parallel for schedule(static) num_threads(input->threads)
    for (int seed = 0; seed < seeds->count; seed++)
        seed_maps_fill(input, seeds->corners + (ptrdiff_t)3 * seed, seed, maps);
#pragma omp parallel for schedule(dynamic) num_threads(input->threads)
    for (int first = 0; first < columns; first += TILE)
        matrix_multiply(columns - first < TILE ? columns - first : TILE, dimension, rows, 1.0,
                        matrix_by_rows(maps->maps + (ptrdiff_t)first * rows, rows),
                        matrix_transposed(reduction->basis, rows), 0.0,
                        reduced + (ptrdiff_t)first * dimension, dimension);
#pragma omp parallel for schedule(static) num_threads(input->threads)
    for (int first = 0; first < vertices; first += BLOCK) {
        int count = vertices - first < BLOCK ? vertices - first : BLOCK;
        matrix_multiply(count, columns, dimension, 1.0,
                        matrix_by_rows(reduction->coordinates + (ptrdiff_t)first * dimension, dimension),
                        matrix_transposed(reduced, dimension), 0.0,
                        maps->products + (ptrdiff_t)first * columns, columns);
    }
done:
    memory_free(reduced);
    return status;
}

/* How far a seed's map misses a vertex, up to what is the same for all seeds: ||D v||^2 - 2 (D v) . c. */
static double prediction_error(const SeedMaps *maps, const double *rest, int vertex, int seed)
{
    const double *v = rest + (ptrdiff_t)3 * vertex;
    const double *square = maps->squares + (ptrdiff_t)16 * seed;
    const double *product = maps->products + ((ptrdiff_t)vertex * maps->count + seed) * 4;
    double point[4] = {v[0], v[1], v[2], 1.0}, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double row = -2.0 * product[i];
        for (int j = 0; j < 4; j++)
            row += square[4 * i + j] * point[j];
        sum += point[i] * row;
    }
    return sum;
}

/* The fronts of all regions in one binary heap: its root is the least of the heads of the P queues. */
typedef struct Claim {
    double error;
    int32_t vertex, seed;
} Claim;

typedef struct Front {
    Claim *claims;
    int64_t count;
} Front;

static bool claim_before(const Claim *a, const Claim *b)
{
    if (a->error != b->error)
        return a->error < b->error;
    return a->seed != b->seed ? a->seed < b->seed : a->vertex < b->vertex;
}

static void front_push(Front *front, Claim claim)
{
    int64_t at = front->count++;
    for (; at > 0 && claim_before(&claim, &front->claims[(at - 1) / 2]); at = (at - 1) / 2)
        front->claims[at] = front->claims[(at - 1) / 2];
    front->claims[at] = claim;
}

static Claim front_pop(Front *front)
{
    Claim least = front->claims[0], last = front->claims[--front->count];
    int64_t at = 0;
    for (int64_t child = 1; child < front->count; child = 2 * at + 1) {
        if (child + 1 < front->count && claim_before(&front->claims[child + 1], &front->claims[child]))
            child++;
        if (!claim_before(&front->claims[child], &last))
            break;
        front->claims[at] = front->claims[child];
        at = child;
    }
    front->claims[at] = last;
    return least;
}

static void region_grow_all(const RegionGrowing *input, const Seeds *seeds, const SeedMaps *maps,
                            const Grouping *corners, Front *front, int32_t *bones)
{
    for (int seed = 0; seed < seeds->count; seed++)
        for (int corner = 0; corner < 3; corner++)
            front_push(front, (Claim){-INFINITY, seeds->corners[3 * seed + corner], seed});
    while (front->count > 0) {
        Claim claim = front_pop(front);
        if (bones[claim.vertex] >= 0)
            continue;
        bones[claim.vertex] = claim.seed;
        for (int64_t at = 2 * corners->first[claim.vertex]; at < 2 * corners->first[claim.vertex + 1]; at++) {
            int32_t other = vertex_neighbour(input->mesh->triangles, corners, at);
            if (bones[other] < 0)
                front_push(front, (Claim){input->squared_norms[other] +
                                              prediction_error(maps, input->rest, other, claim.seed),
                                          other, claim.seed});
        }
    }
}

/* What no region reached goes to the seed that predicts it best. */
static void strays_assign(const RegionGrowing *input, const SeedMaps *maps, int32_t *bones)
{
    for (int vertex = 0; vertex < input->reduction->vertex_count; vertex++) {
        if (bones[vertex] >= 0)
            continue;
        double least = INFINITY;
        bones[vertex] = 0;
        for (int seed = 0; seed < maps->count; seed++) {
            double error = prediction_error(maps, input->rest, vertex, seed);
            if (error < least) {
                least = error;
                bones[vertex] = seed;
            }
        }
    }
}

Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones)
{
    SeedMaps maps = {0};
    Grouping corners = {0};
    Front front = {0};
    Status status;
    STATUS_TRY(maps_make(input, seeds, &maps));
    STATUS_TRY(corners_at_vertices(input->mesh->triangles, input->mesh->triangle_count,
                                   input->mesh->vertex_count, &corners));
    /* A vertex is claimed at most once over each of its edges, and seeds claim their corners. */
    size_t most = 6 * (size_t)input->mesh->triangle_count + 3 * (size_t)seeds->count;
    front.claims = memory_array(most, sizeof(Claim));
    if (!front.claims) {
        status = status_out_of_memory("the fronts of the regions");
        goto done;
    }
    for (int vertex = 0; vertex < input->reduction->vertex_count; vertex++)
        bones[vertex] = -1;
    region_grow_all(input, seeds, &maps, &corners, &front, bones);
    strays_assign(input, &maps, bones);
done:
    maps_clear(&maps);
    grouping_clear(&corners);
    memory_free(front.claims);
    return status;
}
