/* Places seeds at the vertices of largest error, and finds the best bone of each vertex. The algorithm is
 * that of Gonzalez 1985, with errors instead of distances. */
#include "methods/fitting/skin_fit.h"

#include "datasets/geometry/topology.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { SEED_BLOCK = 64, SURROUNDINGS = 24, ROUNDS = 2 };

/* Computes errors as ||M v - a||^2 = v^T M^T M v - 2 v^T M^T a + ||a||^2. One matrix product with the
 * positions then serves all bones. */
Status skin_fit_assign(const SkinFit *fit, int32_t *label_of, double *errors)
{
    const int rows = fit->target.row_count, columns = 4 * fit->bone_count;
    const size_t positions_size = SEED_BLOCK * (size_t)rows, products_size = SEED_BLOCK * (size_t)columns;
    LOCAL_TABLE(double, grams, fit->bone_count, 16, "the clusters");
    LOCAL_TABLE(double, positions, fit->threads, positions_size, "the clusters");
    LOCAL_TABLE(double, products, fit->threads, products_size, "the clusters");
    for (int bone = 0; bone < fit->bone_count; bone++) {
        const double *map = fit->maps + (ptrdiff_t)4 * bone * rows;
        matrix_multiply(4, 4, rows, 1.0, matrix_by_rows(map, rows), matrix_transposed(map, rows), 0.0,
                        grams + (ptrdiff_t)16 * bone, 4);
    }
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int first = 0; first < fit->vertex_count; first += SEED_BLOCK) {
        double *block = positions + (size_t)omp_get_thread_num() * positions_size;
        double *product = products + (size_t)omp_get_thread_num() * products_size;
        const int count = int_min(fit->vertex_count - first, SEED_BLOCK);
        trajectories_block(&fit->target, first, count, block);
        matrix_multiply(count, columns, rows, 1.0, matrix_by_rows(block, rows),
                        matrix_transposed(fit->maps, rows), 0.0, product, columns);
        for (int i = 0; i < count; i++) {
            const double *rest = fit->rest + (ptrdiff_t)3 * (first + i),
                         *h = product + (ptrdiff_t)i * columns;
            const double v[4] = {rest[0], rest[1], rest[2], 1.0};
            double best = INFINITY, square = 0.0;
            for (int bone = 0; bone < fit->bone_count; bone++) {
                const double *gram = grams + (ptrdiff_t)16 * bone;
                double error = 0.0;
                for (int a = 0; a < 4; a++)
                    error += v[a] * (v[0] * gram[4 * a] + v[1] * gram[4 * a + 1] + v[2] * gram[4 * a + 2] +
                                     gram[4 * a + 3] - 2.0 * h[4 * bone + a]);
                if (error < best) {
                    best = error;
                    label_of[first + i] = bone;
                }
            }
            for (int row = 0; row < rows; row++)
                square += block[(ptrdiff_t)i * rows + row] * block[(ptrdiff_t)i * rows + row];
            errors[first + i] = fmax(best + square, 0.0);
        }
    }
    return status_ok();
}

Status mesh_in_one_piece(const Mesh *mesh, bool *out)
{
    int pieces = 0;
    LOCAL_ARRAY(int32_t, parents, mesh->vertex_count, "the components of the mesh");
    mesh_pieces_find(mesh->triangles, mesh->triangle_count, mesh->vertex_count, parents);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        pieces += parents[v] == v;
    *out = pieces == 1;
    return status_ok();
}

/* Lists a vertex and the vertices around it, ring by ring along edges, in members [SURROUNDINGS]. If the
 * vertex has no triangles, lists the vertices nearest to it. Returns the number of vertices listed. */
static int surroundings_find(const SkinFit *fit, const Grouping *corners, int32_t vertex, int32_t *members)
{
    const int32_t *triangles = fit->input->mesh->triangles;
    int count = 1;
    members[0] = vertex;
    for (int ring = 0; ring < count; ring++)
        for (int64_t side = 2 * corners->first[members[ring]];
             side < 2 * corners->first[members[ring] + 1] && count < SURROUNDINGS; side++) {
            const int32_t other = vertex_neighbour(triangles, corners, side);
            bool known = false;
            for (int i = 0; i < count; i++)
                known = known || members[i] == other;
            if (!known)
                members[count++] = other;
        }
    if (count > 1)
        return count;
    double closeness[SURROUNDINGS]; /* squared distances, negated */
    const double *v = fit->rest + (ptrdiff_t)3 * vertex;
    count = 0;
    for (int i = 0; i < fit->vertex_count; i++) {
        const double *w = fit->rest + (ptrdiff_t)3 * i;
        const double distance =
            (v[0] - w[0]) * (v[0] - w[0]) + (v[1] - w[1]) * (v[1] - w[1]) + (v[2] - w[2]) * (v[2] - w[2]);
        count = largest_insert(-distance, i, count, SURROUNDINGS, closeness, members);
    }
    return count;
}

/* Returns the squared error that the rounding of floats causes for a vertex. */
static double exact_error(const SkinFit *fit)
{
    return 1e-13 * fit->target.row_count * fit->units.unit * fit->units.unit;
}

static void maps_free(SkinFit *part)
{
    memory_free(part->maps);
}

/* Makes up to `wanted` bones in `seeded`; its maps must have room for them. */
static Status bones_seed(SkinFit *seeded, int wanted, bool rigid)
{
    const int rows = seeded->target.row_count;
    const double exact = exact_error(seeded);
    const Mesh *mesh = seeded->input->mesh;
    CLEANUP(grouping_clear) Grouping corners = {0};
    LOCAL_ARRAY(int32_t, labels, seeded->vertex_count, "the seeds");
    LOCAL_ARRAY(double, errors, seeded->vertex_count, "the seeds");
    LOCAL_ARRAY(double, new_errors, seeded->vertex_count, "the seeds");
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * seeded->vertex_count;
         i++) /* the vertex farthest from the centre, at an end of the mesh, becomes the first seed */
        errors[i / 3] += seeded->rest[i] * seeded->rest[i];
    for (seeded->bone_count = 0; seeded->bone_count < wanted; seeded->bone_count++) {
        int worst = 0;
        for (int i = 1; i < seeded->vertex_count; i++)
            worst = errors[i] > errors[worst] ? i : worst;
        if (seeded->bone_count > 0 && !(errors[worst] > exact))
            break;
        int32_t members[SURROUNDINGS];
        int64_t first[2] = {0, surroundings_find(seeded, &corners, worst, members)};
        const Groups group = {.vertices = {.group_count = 1, .first = first, .members = members}};
        CLEANUP(maps_free) SkinFit one = *seeded;
        one.maps = NULL;
        STATUS_TRY(skin_fit_maps(&one, &group, rigid));
        memcpy(seeded->maps + (ptrdiff_t)4 * seeded->bone_count * rows, one.maps,
               4 * (size_t)rows * sizeof(double));
        STATUS_TRY(skin_fit_assign(&one, labels, new_errors));
        for (int i = 0; i < seeded->vertex_count; i++)
            errors[i] = seeded->bone_count == 0 ? new_errors[i] : fmin(errors[i], new_errors[i]);
    }
    return status_ok();
}

static double sum_of(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

Status skin_fit_reseed(SkinFit *fit, int wanted, bool rigid, int32_t *label_of)
{
    const int vertices = fit->vertex_count;
    bool one_piece = false;
    STATUS_TRY(mesh_in_one_piece(fit->input->mesh, &one_piece));
    if (one_piece)
        return status_ok();
    CLEANUP(maps_free) SkinFit seeded = *fit;
    seeded.maps = NULL;
    LOCAL_ARRAY(int32_t, labels, vertices, "the seeds");
    LOCAL_ARRAY(double, errors, vertices, "the seeds");
    ALLOCATE_TABLE(seeded.maps, 4 * (size_t)wanted, fit->target.row_count, "the seeds");
    STATUS_TRY(skin_fit_assign(fit, label_of, errors));
    const double error = sum_of(errors, vertices);
    if (error <= vertices * exact_error(fit))
        return status_ok();
    STATUS_TRY(bones_seed(&seeded, wanted, rigid));
    STATUS_TRY(skin_fit_assign(&seeded, labels, errors));
    for (int round = 0; round < ROUNDS; round++) {
        CLEANUP(groups_clear) Groups groups = {0};
        STATUS_TRY(groups_of_vertices(labels, vertices, seeded.bone_count, &groups));
        STATUS_TRY(skin_fit_maps(&seeded, &groups, rigid));
        STATUS_TRY(skin_fit_assign(&seeded, labels, errors));
    }
    if (sum_of(errors, vertices) < error) {
        SkinFit before = *fit;
        fit->maps = seeded.maps;
        fit->bone_count = seeded.bone_count;
        seeded.maps = before.maps;
        memcpy(label_of, labels, (size_t)vertices * sizeof *labels);
    }
    return status_ok();
}
