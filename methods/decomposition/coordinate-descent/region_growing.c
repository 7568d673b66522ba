/* Assigns vertices to seeds by growing regions (region_growing.h). */
#include "methods/decomposition/coordinate-descent/region_growing.h"

#include "datasets/base/priority_queue.h"
#include "datasets/geometry/topology.h"
#include "datasets/geometry/triangle_frame.h"
#include "methods/reduction/dense.h"

#include <omp.h>

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

/* Fills the columns [4][3F] of a seed's map, minus the mean shape that the reduction subtracts, and the
 * products [4][4] of these columns, summed over all frames. trajectories [3][3F] are those of its corners. */
static void seed_maps_fill(const FitState *fit, const double *rest, const int32_t corners[3],
                           const double *trajectories, double *columns, double *square)
{
    const ptrdiff_t frames = fit->input->animation->frame_count, rows = 3 * frames;
    double at_rest[3][3], posed[3][3], map[3][4];
    for (int corner = 0; corner < 3; corner++)
        memcpy(at_rest[corner], rest + (ptrdiff_t)3 * corners[corner], sizeof at_rest[corner]);
    for (ptrdiff_t frame = 0; frame < frames; frame++) {
        for (int corner = 0; corner < 3; corner++)
            memcpy(posed[corner], trajectories + corner * rows + 3 * frame, sizeof posed[corner]);
        seed_map(at_rest, posed, fit->units.unit, map);
        for (int axis = 0; axis < 3; axis++) {
            map[axis][3] -= fit->reduction.offset[3 * frame + axis];
            for (int column = 0; column < 4; column++)
                columns[column * rows + 3 * frame + axis] = map[axis][column];
            for (int i = 0; i < 16; i++)
                square[i] += map[axis][i / 4] * map[axis][i % 4];
        }
    }
}

/* Collects the trajectories of the seeds' corners [3P][3F] from all ranks. Each rank fills in the
 * trajectories of its own vertices; then the arrays of all ranks are added. */
static Status seed_corners_gather(const FitState *fit, const Seeds *seeds, double *corners)
{
    static const char what[] = "the maps of the seeds";
    const ReducedModel *model = &fit->model;
    const Animation *animation = fit->input->animation;
    const ptrdiff_t rows = fit->reduction.row_count, size = 3 * seeds->count * rows;
    LOCAL_TABLE(float, positions, animation->frame_count, 3, what);
    for (ptrdiff_t corner = 0; corner < (ptrdiff_t)3 * seeds->count; corner++) {
        const int vertex = seeds->corners[corner] - model->first_vertex;
        if (vertex < 0 || vertex >= model->vertex_count)
            continue;
        STATUS_TRY(animation_block(animation, model->vertex_count,
                                   (PositionBlock){0, animation->frame_count, vertex, 1}, positions));
        for (ptrdiff_t i = 0; i < rows; i++)
            corners[corner * rows + i] = (double)positions[i];
    }
    if (ranks_are_many(model->ranks)) {
        LOCAL_ARRAY(double, rests, size, what);
        ranks_sum(model->ranks, corners, rests, size);
    }
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
static Status errors_predict(const FitState *fit, const double *rest, const Seeds *seeds, double *errors)
{
    enum { BLOCK = 256 };
    static const char what[] = "the errors of the seeds";
    const Reduction *reduction = &fit->reduction;
    const ReducedModel *model = &fit->model;
    const int rows = reduction->row_count, dimension = reduction->dimension, columns = 4 * seeds->count;
    const size_t workspace_size = BLOCK * (size_t)columns;
    LOCAL_TABLE(double, corners, 3 * seeds->count, rows, what);
    LOCAL_TABLE(double, maps, columns, rows, what);
    LOCAL_TABLE(double, squares, seeds->count, 16, what);
    LOCAL_TABLE(double, reduced, columns, dimension, what);
    LOCAL_TABLE(double, workspace, model->threads, workspace_size, what);
    STATUS_TRY(seed_corners_gather(fit, seeds, corners));
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int seed = 0; seed < seeds->count; seed++)
        seed_maps_fill(fit, rest, seeds->corners + (ptrdiff_t)3 * seed, corners + (ptrdiff_t)3 * seed * rows,
                       maps + (ptrdiff_t)4 * seed * rows, squares + (ptrdiff_t)16 * seed);
    matrix_multiply_tiled(columns, dimension, rows, matrix_by_rows(maps, rows),
                          matrix_transposed(reduction->basis, rows), dimension, reduced, model->threads);
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        double *products = workspace + (size_t)omp_get_thread_num() * workspace_size;
        const int count = int_min(model->vertex_count - first, BLOCK);
        matrix_multiply(count, columns, dimension, 1.0,
                        matrix_by_rows(reduction->coordinates + (ptrdiff_t)first * dimension, dimension),
                        matrix_transposed(reduced, dimension), 0.0, products, columns);
        for (int j = first; j < first + count; j++)
            for (int seed = 0; seed < seeds->count; seed++)
                errors[(ptrdiff_t)j * seeds->count + seed] = prediction_error(
                    squares + (ptrdiff_t)16 * seed,
                    products + (ptrdiff_t)(j - first) * columns + (ptrdiff_t)4 * seed,
                    rest + (ptrdiff_t)3 * (model->first_vertex + j), model->squared_norms[j]);
    }
    return status_ok();
}

static void front_clear(PriorityQueue *front)
{
    memory_free(front->entries);
}

/* Grows all regions at once, from errors [N][P]. The front holds the claims of regions on vertices. A claim
 * consists of an error, a seed and a vertex. */
static Status regions_of_errors(const Mesh *mesh, const Seeds *seeds, const double *errors, int32_t *bones)
{
    CLEANUP(grouping_clear) Grouping corners = {0};
    CLEANUP(front_clear) PriorityQueue front = {0};
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    for (int vertex = 0; vertex < mesh->vertex_count; vertex++)
        bones[vertex] = -1;
    for (int corner = 0; corner < 3 * seeds->count; corner++)
        STATUS_TRY(priority_queue_push(&front, (QueueEntry){-INFINITY, corner / 3, seeds->corners[corner]}));
    while (front.count > 0) {
        const QueueEntry claim = priority_queue_pop(&front);
        const int32_t seed = claim.first, vertex = claim.second;
        if (bones[vertex] >= 0)
            continue;
        bones[vertex] = seed;
        for (int64_t side = 2 * corners.first[vertex]; side < 2 * corners.first[vertex + 1]; side++) {
            int32_t other = vertex_neighbour(mesh->triangles, &corners, side);
            if (bones[other] < 0)
                STATUS_TRY(priority_queue_push(
                    &front, (QueueEntry){errors[(ptrdiff_t)other * seeds->count + seed], seed, other}));
        }
    }
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

Status regions_grow(const FitState *fit, const double *rest, const Seeds *seeds, int32_t *bones)
{
    const Ranks *ranks = fit->model.ranks;
    const Mesh *mesh = fit->input->mesh;
    const size_t count = (size_t)seeds->count, vertices = (size_t)mesh->vertex_count;
    OWNED double *gathered = NULL;
    LOCAL_TABLE(double, local, fit->model.vertex_count, count, "the errors of the seeds");
    if (ranks_are_many(ranks) && ranks_is_first(ranks))
        ALLOCATE_TABLE(gathered, vertices, count, "the errors of the seeds");
    double *all = gathered ? gathered : local;
    STATUS_TRY(errors_predict(fit, rest, seeds, local));
    ranks_collect(ranks, mesh->vertex_count, count * sizeof(double), local, all);
    if (ranks_is_first(ranks))
        STATUS_TRY(regions_of_errors(mesh, seeds, all, bones));
    ranks_broadcast(ranks, bones, vertices * sizeof(int32_t));
    return status_ok();
}

/* Turns the largest triangle at a vertex into a seed. If the vertex has no triangle, the seed is the vertex
 * repeated three times. */
static void seed_at_vertex(const Mesh *mesh, const double *rest, const Grouping *corners, int vertex,
                           int32_t seed[3])
{
    double largest = 0.0;
    seed[0] = seed[1] = seed[2] = vertex;
    for (int64_t corner = corners->first[vertex]; corner < corners->first[vertex + 1]; corner++) {
        const int32_t *triangle = mesh->triangles + corners->members[corner] - corners->members[corner] % 3;
        double edges[2][3], area = 0.0;
        for (int i = 0; i < 6; i++)
            edges[i / 3][i % 3] =
                rest[3 * (ptrdiff_t)triangle[1 + i / 3] + i % 3] - rest[3 * (ptrdiff_t)triangle[0] + i % 3];
        for (int i = 0; i < 3; i++)
            area += pow(edges[0][i] * edges[1][(i + 1) % 3] - edges[0][(i + 1) % 3] * edges[1][i], 2.0);
        if (area > largest) {
            largest = area;
            memcpy(seed, triangle, 3 * sizeof *seed);
        }
    }
}

Status motion_seeds_place(const FitState *fit, const double *rest, int wanted, int32_t *bones)
{
    static const char what[] = "the errors of the seeds";
    const Mesh *mesh = fit->input->mesh;
    const ReducedModel *model = &fit->model;
    const double EXACT = 1e-13 * fit->reduction.row_count * fit->units.unit * fit->units.unit;
    CLEANUP(grouping_clear) Grouping corners = {0};
    LOCAL_ARRAY(double, errors, model->vertex_count, what);
    LOCAL_ARRAY(double, new_errors, model->vertex_count, what);
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    /* the vertex farthest from the centre, at an end of the mesh, becomes the first seed */
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * model->vertex_count; i++)
        errors[i / 3] += pow(rest[3 * (ptrdiff_t)model->first_vertex + i], 2.0);
    for (int count = 0; count < wanted; count++) {
        int32_t seed[3];
        double greatest = -INFINITY;
        const int worst = reduced_model_max(model, errors, NULL, &greatest);
        if (count > 0 && !(greatest > EXACT))
            break;
        seed_at_vertex(mesh, rest, &corners, worst, seed);
        STATUS_TRY(errors_predict(fit, rest, &(Seeds){.count = 1, .corners = seed}, new_errors));
        for (int j = 0; j < model->vertex_count; j++)
            if (count == 0 || new_errors[j] < errors[j]) {
                errors[j] = new_errors[j];
                bones[j] = count;
            }
    }
    return status_ok();
}
