/* Assigns vertices to seeds by growing regions (region_growing.h). */
#include "methods/decomposition/coordinate-descent/region_growing.h"

#include "datasets/base/priority_queue.h"
#include "datasets/geometry/topology.h"
#include "datasets/geometry/triangle_frame.h"
#include "methods/reduction/dense.h"

#include <omp.h>

/* Affine maps of all seeds over the whole animation, with the products needed for predictions. */
typedef struct SeedMaps {
    int count;
    double *corners; /* [3P][3F] trajectories of the seeds' corners */
    double *maps;    /* [4P][3F] columns of each seed's affine map, minus the mean shape that the reduction
                        subtracts */
    double *squares; /* [P][4][4] products of the columns of each map, summed over all frames */
    double *reduced; /* [4P][d] the maps in the reduced space */
} SeedMaps;

static void maps_clear(SeedMaps *maps)
{
    FREE_ALL(maps->corners, maps->maps, maps->squares, maps->reduced);
}

/* Computes the affine map (3 x 4) that moves the rest triangle and its unit normal to the triangle and
 * normal of a frame. If a seed is a single vertex (repeated three times), its map is a translation. `scale`
 * is the length of a unit of the rest pose in units of the animation. Lengths along the normal do not
 * change. */
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
        for (int corner = 0; corner < 3; corner++)
            memcpy(posed[corner], maps->corners + (3 * seed + corner) * rows + 3 * frame,
                   sizeof posed[corner]);
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

/* Collects the trajectories of the seeds' corners from all ranks. Each rank fills in the trajectories of
 * its own vertices; then the arrays of all ranks are added. */
static Status seed_corners_gather(const RegionGrowing *input, const Seeds *seeds, SeedMaps *maps)
{
    const VertexShare share = ranks_share(input->ranks, input->mesh->vertex_count);
    const size_t size = 3 * (size_t)seeds->count * (size_t)input->reduction->row_count;
    LOCAL_TABLE(float, positions, input->animation->frame_count, 3, "the maps of the seeds");
    for (ptrdiff_t corner = 0; corner < (ptrdiff_t)3 * seeds->count; corner++) {
        ptrdiff_t vertex = seeds->corners[corner] - share.first;
        double *target = maps->corners + corner * input->reduction->row_count;
        if (vertex < 0 || vertex >= share.count)
            continue;
        STATUS_TRY(animation_block(input->animation, share.count,
                                   (PositionBlock){0, input->animation->frame_count, (int)vertex, 1},
                                   positions));
        for (ptrdiff_t i = 0; i < input->reduction->row_count; i++)
            target[i] = (double)positions[i];
    }
    if (ranks_are_many(input->ranks)) {
        LOCAL_ARRAY(double, rests, size, "the maps of the seeds");
        ranks_sum(input->ranks, maps->corners, rests, (ptrdiff_t)size);
    }
    return status_ok();
}

/* Computes the maps of all seeds with their products. */
static Status maps_make(const RegionGrowing *input, const Seeds *seeds, SeedMaps *maps)
{
    enum { TILE = 64 };
    const Reduction *reduction = input->reduction;
    int rows = reduction->row_count, dimension = reduction->dimension, columns = 4 * seeds->count;
    *maps = (SeedMaps){.count = seeds->count};
    ALLOCATE_TABLE(maps->corners, 3 * seeds->count, rows, "the maps of the seeds");
    ALLOCATE_TABLE(maps->maps, columns, rows, "the maps of the seeds");
    ALLOCATE_TABLE(maps->squares, seeds->count, 16, "the maps of the seeds");
    ALLOCATE_TABLE(maps->reduced, columns, dimension, "the maps of the seeds");
    STATUS_TRY(seed_corners_gather(input, seeds, maps));
#pragma omp parallel for schedule(static) num_threads(input->threads)
    for (int seed = 0; seed < seeds->count; seed++)
        seed_maps_fill(input, seeds->corners + (ptrdiff_t)3 * seed, seed, maps);
#pragma omp parallel for schedule(dynamic) num_threads(input->threads)
    for (int first = 0; first < columns; first += TILE)
        matrix_multiply(columns - first < TILE ? columns - first : TILE, dimension, rows, 1.0,
                        matrix_by_rows(maps->maps + (ptrdiff_t)first * rows, rows),
                        matrix_transposed(reduction->basis, rows), 0.0,
                        maps->reduced + (ptrdiff_t)first * dimension, dimension);
    return status_ok();
}

/* Returns the squared error of a seed's map D for a vertex v with reduced trajectory c: ||D v||^2 - 2 (D v)
 * . c + ||c||^2. product [4] holds the products of the columns of D with c. */
static double prediction_error(const double square[16], const double *product, const double *v,
                               double squared_norm)
{
    double point[4] = {v[0], v[1], v[2], 1.0}, sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double row = -2.0 * product[i];
        for (int j = 0; j < 4; j++)
            row += square[4 * i + j] * point[j];
        sum += point[i] * row;
    }
    return squared_norm + sum;
}

/* Computes the errors [n][P] of this rank's vertices under the maps of all seeds. The product of a reduced
 * trajectory c with the maps D is (B^T D)^T c. This takes two small products instead of a large one with
 * the whole animation. */
static Status errors_predict(const RegionGrowing *input, const SeedMaps *maps, double *errors)
{
    enum { BLOCK = 256 };
    const Reduction *reduction = input->reduction;
    const double *rest =
        input->rest + (ptrdiff_t)3 * ranks_share(input->ranks, input->mesh->vertex_count).first;
    int vertices = reduction->vertex_count, dimension = reduction->dimension, columns = 4 * maps->count;
    size_t workspace_size = BLOCK * (size_t)columns;
    LOCAL_TABLE(double, workspace, input->threads, workspace_size, "the errors of the seeds");
#pragma omp parallel for schedule(static) num_threads(input->threads)
    for (int first = 0; first < vertices; first += BLOCK) {
        double *products = workspace + (size_t)omp_get_thread_num() * workspace_size;
        int count = vertices - first < BLOCK ? vertices - first : BLOCK;
        matrix_multiply(count, columns, dimension, 1.0,
                        matrix_by_rows(reduction->coordinates + (ptrdiff_t)first * dimension, dimension),
                        matrix_transposed(maps->reduced, dimension), 0.0, products, columns);
        for (int j = first; j < first + count; j++)
            for (int seed = 0; seed < maps->count; seed++)
                errors[(ptrdiff_t)j * maps->count + seed] =
                    prediction_error(maps->squares + (ptrdiff_t)16 * seed,
                                     products + (ptrdiff_t)(j - first) * columns + (ptrdiff_t)4 * seed,
                                     rest + (ptrdiff_t)3 * j, input->squared_norms[j]);
    }
    return status_ok();
}

/* Grows all regions at once. errors [N][P]. `front` receives the claims of regions on vertices: the error,
 * the seed and the vertex. */
static Status region_grow_all(const Mesh *mesh, const Seeds *seeds, const double *errors,
                              const Grouping *corners, PriorityQueue *front, int32_t *bones)
{
    for (int seed = 0; seed < seeds->count; seed++)
        for (int corner = 0; corner < 3; corner++)
            STATUS_TRY(
                priority_queue_push(front, (QueueEntry){-INFINITY, seed, seeds->corners[3 * seed + corner]}));
    while (front->count > 0) {
        const QueueEntry claim = priority_queue_pop(front);
        const int32_t seed = claim.first, vertex = claim.second;
        if (bones[vertex] >= 0)
            continue;
        bones[vertex] = seed;
        for (int64_t side = 2 * corners->first[vertex]; side < 2 * corners->first[vertex + 1]; side++) {
            int32_t other = vertex_neighbour(mesh->triangles, corners, side);
            if (bones[other] < 0)
                STATUS_TRY(priority_queue_push(
                    front, (QueueEntry){errors[(ptrdiff_t)other * seeds->count + seed], seed, other}));
        }
    }
    return status_ok();
}

static Status regions_of_errors(const Mesh *mesh, const Seeds *seeds, const double *errors, int32_t *bones)
{
    CLEANUP(grouping_clear) Grouping corners = {0};
    PriorityQueue front = {0};
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    for (int vertex = 0; vertex < mesh->vertex_count; vertex++)
        bones[vertex] = -1;
    const Status status = region_grow_all(mesh, seeds, errors, &corners, &front, bones);
    memory_free(front.entries);
    STATUS_TRY(status);
    /* assign each vertex that no region reached to the seed that predicts it best */
    for (int vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (bones[vertex] >= 0)
            continue;
        double min = INFINITY;
        bones[vertex] = 0;
        for (int seed = 0; seed < seeds->count; seed++) {
            double error = errors[(ptrdiff_t)vertex * seeds->count + seed];
            if (error < min) {
                min = error;
                bones[vertex] = seed;
            }
        }
    }
    return status_ok();
}

Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones)
{
    const Ranks *ranks = input->ranks;
    size_t count = (size_t)seeds->count, vertices = (size_t)input->mesh->vertex_count;
    CLEANUP(maps_clear) SeedMaps maps = {0};
    OWNED double *gathered = NULL;
    STATUS_TRY(maps_make(input, seeds, &maps));
    LOCAL_TABLE(double, local, input->reduction->vertex_count, count, "the errors of the seeds");
    if (ranks_are_many(ranks) && ranks_is_first(ranks))
        ALLOCATE_TABLE(gathered, vertices, count, "the errors of the seeds");
    double *all = gathered ? gathered : local;
    STATUS_TRY(errors_predict(input, &maps, local));
    ranks_collect(ranks, input->mesh->vertex_count, count * sizeof(double), local, all);
    if (ranks_is_first(ranks))
        STATUS_TRY(regions_of_errors(input->mesh, seeds, all, bones));
    ranks_broadcast(ranks, bones, vertices * sizeof(int32_t));
    return status_ok();
}

/* Finds the vertex with the largest error [n] on all ranks. On a tie, the first vertex wins. */
static int worst_vertex(const Ranks *ranks, VertexShare share, const double *errors, double *greatest)
{
    double worst = share.first, first = 0.0;
    *greatest = -INFINITY;
    for (int j = 0; j < share.count; j++)
        if (errors[j] > *greatest) {
            *greatest = errors[j];
            worst = share.first + j;
        }
    const double local = *greatest;
    ranks_max(ranks, greatest, 1);
    first = local == *greatest ? -worst : -INFINITY;
    ranks_max(ranks, &first, 1);
    return (int)-first;
}

/* Turns the largest triangle at a vertex into a seed. If the vertex has no triangle, the seed is the vertex
 * repeated three times. */
static void seed_at_vertex(const RegionGrowing *input, const Grouping *corners, int vertex, int32_t seed[3])
{
    double largest = 0.0;
    seed[0] = seed[1] = seed[2] = vertex;
    for (int64_t corner = corners->first[vertex]; corner < corners->first[vertex + 1]; corner++) {
        const int32_t *triangle =
            input->mesh->triangles + corners->members[corner] - corners->members[corner] % 3;
        double edges[2][3], area = 0.0;
        for (int i = 0; i < 6; i++)
            edges[i / 3][i % 3] = input->rest[3 * (ptrdiff_t)triangle[1 + i / 3] + i % 3] -
                                  input->rest[3 * (ptrdiff_t)triangle[0] + i % 3];
        for (int i = 0; i < 3; i++)
            area += pow(edges[0][i] * edges[1][(i + 1) % 3] - edges[0][(i + 1) % 3] * edges[1][i], 2.0);
        if (area > largest) {
            largest = area;
            memcpy(seed, triangle, 3 * sizeof *seed);
        }
    }
}

Status motion_seeds_place(const RegionGrowing *input, int wanted, int32_t *bones)
{
    const Mesh *mesh = input->mesh;
    const VertexShare share = ranks_share(input->ranks, mesh->vertex_count);
    const double EXACT = 1e-13 * input->reduction->row_count * input->rest_unit * input->rest_unit;
    CLEANUP(grouping_clear) Grouping corners = {0};
    LOCAL_ARRAY(double, errors, share.count, "the errors of the seeds");
    LOCAL_ARRAY(double, new_errors, share.count, "the errors of the seeds");
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * share.count;
         i++) /* the vertex farthest from the centre, at an end of the mesh, becomes the first seed */
        errors[i / 3] += pow(input->rest[3 * (ptrdiff_t)share.first + i], 2.0);
    for (int count = 0; count < wanted; count++) {
        CLEANUP(maps_clear) SeedMaps maps = {0};
        int32_t seed[3];
        double greatest = 0.0;
        const int worst = worst_vertex(input->ranks, share, errors, &greatest);
        if (count > 0 && !(greatest > EXACT))
            break;
        seed_at_vertex(input, &corners, worst, seed);
        const Seeds one = {.count = 1, .corners = seed};
        STATUS_TRY(maps_make(input, &one, &maps));
        STATUS_TRY(errors_predict(input, &maps, new_errors));
        for (int j = 0; j < share.count; j++)
            if (count == 0 || new_errors[j] < errors[j]) {
                errors[j] = new_errors[j];
                bones[j] = count;
            }
    }
    return status_ok();
}
