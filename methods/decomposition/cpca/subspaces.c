/* Clustered PCA (Sattler, Sarlette and Klein 2005): assigns vertices to subspaces, and fits each by
 * orthogonal iteration. */
#include "methods/decomposition/cpca/subspaces.h"

#include "datasets/base/grouping.h"
#include "datasets/base/numbers.h"
#include "methods/reduction/matrix_product.h"

#include <cblas.h>
#include <omp.h>

enum { BLOCK = 64 };

Status subspaces_init(const Reduction *reduction, int cluster_count, int threads, Subspaces *out)
{
    *out = (Subspaces){.reduction = reduction, .cluster_count = cluster_count, .threads = threads};
    ALLOCATE_TABLE(out->bases, (size_t)cluster_count * SUBSPACE_SIZE, reduction->dimension,
                   "the clusters of the vertices");
    ALLOCATE(out->cluster_of, reduction->vertex_count, "the clusters of the vertices");
    ALLOCATE(out->errors, reduction->vertex_count, "the clusters of the vertices");
    return status_ok();
}

void subspaces_clear(Subspaces *subspaces)
{
    memory_free(subspaces->bases);
    memory_free(subspaces->cluster_of);
    memory_free(subspaces->errors);
    *subspaces = (Subspaces){0};
}

/* How far vertex j is from a cluster's subspace, squared: the part of it within taken away explicitly, so
 * that nothing cancels. workspace [d]. */
static double subspace_distance_squared(const Subspaces *subspaces, int j, int cluster, double *workspace)
{
    int dimension = subspaces->reduction->dimension;
    const double *basis = subspaces->bases + (ptrdiff_t)cluster * SUBSPACE_SIZE * dimension;
    memcpy(workspace, subspaces->reduction->coordinates + (ptrdiff_t)j * dimension,
           (size_t)dimension * sizeof(double));
    for (int k = 0; k < SUBSPACE_SIZE; k++) {
        const double *direction = basis + (ptrdiff_t)k * dimension;
        double product = 0.0;
        for (int i = 0; i < dimension; i++)
            product += direction[i] * workspace[i];
        for (int i = 0; i < dimension; i++)
            workspace[i] -= product * direction[i];
    }
    double sum = 0.0;
    for (int i = 0; i < dimension; i++)
        sum += workspace[i] * workspace[i];
    return sum;
}

/* The member farthest from the subspace becomes direction k of it, unless all lie within. */
static void direction_add(Subspaces *subspaces, const Grouping *members, int cluster, int k,
                          double *workspace)
{
    int dimension = subspaces->reduction->dimension, farthest = -1;
    double *direction = subspaces->bases + ((ptrdiff_t)cluster * SUBSPACE_SIZE + k) * dimension;
    double greatest = 0.0;
    for (int64_t at = members->first[cluster]; at < members->first[cluster + 1]; at++) {
        double error = subspace_distance_squared(subspaces, members->members[at], cluster, workspace);
        if (error > greatest) {
            greatest = error;
            farthest = members->members[at];
        }
    }
    if (farthest < 0)
        return;
    subspace_distance_squared(subspaces, farthest, cluster, workspace);
    for (int i = 0; i < dimension; i++)
        direction[i] = workspace[i] / sqrt(greatest);
}

/* One step of orthogonal iteration: V = orth(sum c (c^T V)). What the subspace holds never falls by it. next
 * [SUBSPACE_SIZE][d] is workspace. */
static void basis_step(Subspaces *subspaces, const Grouping *members, int cluster, double *next)
{
    int dimension = subspaces->reduction->dimension;
    size_t bytes = SUBSPACE_SIZE * (size_t)dimension * sizeof(double);
    double *basis = subspaces->bases + (ptrdiff_t)cluster * SUBSPACE_SIZE * dimension;
    memset(next, 0, bytes);
    for (int64_t at = members->first[cluster]; at < members->first[cluster + 1]; at++) {
        const double *c = subspaces->reduction->coordinates + (ptrdiff_t)members->members[at] * dimension;
        for (int k = 0; k < SUBSPACE_SIZE; k++)
            cblas_daxpy(dimension, cblas_ddot(dimension, basis + (ptrdiff_t)k * dimension, 1, c, 1), c, 1,
                        next + (ptrdiff_t)k * dimension, 1);
    }
    /* orthonormalise, twice over (Gram and Schmidt); a direction that vanishes becomes zero */
    for (int k = 0; k < SUBSPACE_SIZE; k++) {
        double *own = next + (ptrdiff_t)k * dimension;
        double before = cblas_ddot(dimension, own, 1, own, 1);
        for (int other = 0; other < 2 * k; other++) {
            const double *direction = next + (ptrdiff_t)(other % k) * dimension;
            cblas_daxpy(dimension, -cblas_ddot(dimension, own, 1, direction, 1), direction, 1, own, 1);
        }
        double square = cblas_ddot(dimension, own, 1, own, 1);
        cblas_dscal(dimension, square > 1e-24 * before ? 1.0 / sqrt(square) : 0.0, own, 1);
    }
    memcpy(basis, next, bytes);
}

Status subspaces_fit(Subspaces *subspaces, int steps)
{
    size_t workspace_size = SUBSPACE_SIZE * (size_t)subspaces->reduction->dimension;
    size_t clusters = (size_t)subspaces->cluster_count;
    LOCAL_ARRAY(int32_t, sizes, clusters, "the subspaces of the clusters");
    LOCAL_TABLE(double, workspace, subspaces->threads, workspace_size, "the subspaces of the clusters");
    CLEANUP(grouping_clear) Grouping members = {0};
    /* gives every empty cluster a vertex */
    int vertices = subspaces->reduction->vertex_count;
    memset(sizes, 0, (size_t)subspaces->cluster_count * sizeof(int32_t));
    for (int j = 0; j < vertices; j++)
        sizes[subspaces->cluster_of[j]]++;
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++) {
        int worst = -1;
        if (sizes[cluster] > 0)
            continue;
        for (int j = 0; j < vertices; j++)
            if (sizes[subspaces->cluster_of[j]] > 1 &&
                (worst < 0 || subspaces->errors[j] > subspaces->errors[worst]))
                worst = j;
        if (worst < 0 || !(subspaces->errors[worst] > 0.0))
            continue;
        sizes[subspaces->cluster_of[worst]]--;
        sizes[cluster]++;
        subspaces->cluster_of[worst] = cluster;
        subspaces->errors[worst] = 0.0;
    }
    STATUS_TRY(grouping_init(subspaces->cluster_of, (size_t)subspaces->reduction->vertex_count,
                             subspaces->cluster_count, "the subspaces of the clusters", &members));
#pragma omp parallel for schedule(dynamic) num_threads(subspaces->threads)
    for (int cluster = 0; cluster < subspaces->cluster_count; cluster++) {
        double *own = workspace + (size_t)omp_get_thread_num() * workspace_size;
        int dimension = subspaces->reduction->dimension;
        for (int k = 0; k < SUBSPACE_SIZE; k++) {
            const double *direction = subspaces->bases + ((ptrdiff_t)cluster * SUBSPACE_SIZE + k) * dimension;
            if (cblas_ddot(dimension, direction, 1, direction, 1) == 0.0)
                direction_add(subspaces, &members, cluster, k, own);
        }
        for (int step = 0; step < steps; step++)
            basis_step(subspaces, &members, cluster, own);
    }
#pragma omp parallel for schedule(static) num_threads(subspaces->threads)
    for (int j = 0; j < subspaces->reduction->vertex_count; j++)
        subspaces->errors[j] =
            subspace_distance_squared(subspaces, j, subspaces->cluster_of[j],
                                      workspace + (size_t)omp_get_thread_num() * workspace_size);
    return status_ok();
}

/* Assigns one block of vertices; products [BLOCK][4P] is workspace. Returns how many have moved. */
static int subspaces_assign_block(Subspaces *subspaces, int first, double *products)
{
    const Reduction *reduction = subspaces->reduction;
    int columns = SUBSPACE_SIZE * subspaces->cluster_count, dimension = reduction->dimension, moved = 0;
    int count = int_min(reduction->vertex_count - first, BLOCK);
    matrix_multiply(count, columns, dimension, 1.0,
                    matrix_by_rows(reduction->coordinates + (ptrdiff_t)first * dimension, dimension),
                    matrix_transposed(subspaces->bases, dimension), 0.0, products, columns);
    for (int i = 0; i < count; i++) {
        int current = subspaces->cluster_of[first + i];
        /* the nearest subspace is the one that holds the longest projection */
        int nearest = current;
        double longest = -1.0;
        for (int at = -1; at < subspaces->cluster_count; at++) {
            int cluster = at < 0 ? current : at;
            const double *own = products + (ptrdiff_t)i * columns + (ptrdiff_t)cluster * SUBSPACE_SIZE;
            double square = 0.0;
            for (int k = 0; k < SUBSPACE_SIZE; k++)
                square += own[k] * own[k];
            if (square > longest * (1.0 + 1e-14)) {
                longest = square;
                nearest = cluster;
            }
        }
        moved += nearest != current;
        subspaces->cluster_of[first + i] = nearest;
    }
    return moved;
}

Status subspaces_assign(Subspaces *subspaces, int *moved)
{
    size_t workspace_size = BLOCK * SUBSPACE_SIZE * (size_t)subspaces->cluster_count;
    LOCAL_TABLE(double, workspace, subspaces->threads, workspace_size, "the clusters of the vertices");
    int sum = 0;
#pragma omp parallel for schedule(dynamic) num_threads(subspaces->threads) reduction(+ : sum)
    for (int first = 0; first < subspaces->reduction->vertex_count; first += BLOCK)
        sum += subspaces_assign_block(subspaces, first,
                                      workspace + (size_t)omp_get_thread_num() * workspace_size);
    *moved = sum;
    return status_ok();
}

double subspaces_error(const Subspaces *subspaces)
{
    double sum = 0.0;
    for (int j = 0; j < subspaces->reduction->vertex_count; j++)
        sum += subspaces->errors[j];
    return sum;
}
