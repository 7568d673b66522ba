#include "methods/decomposition/coordinate-descent/reseed.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/bone_pairs.h"
#include "methods/decomposition/coordinate-descent/weights.h"
#include "methods/reduction/dense.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { BLOCK = 128 };

Status reseed_make(Reseed *reseed, Sweeper *sweeper)
{
    int bones = sweeper->descent->bone_count;
    *reseed = (Reseed){.sweeper = sweeper, .moves = bones / 8 > 1 ? bones / 8 : 1};
    Status status = sweeper_state_make(&reseed->kept, sweeper);
    reseed->need = memory_array((size_t)bones, sizeof(double));
    reseed->ease = memory_array((size_t)bones, sizeof(double));
    reseed->targets = memory_array((size_t)bones, sizeof(int32_t));
    reseed->spared = memory_array((size_t)bones, sizeof(int32_t));
    if (status.code == STATUS_OK && (!reseed->need || !reseed->ease || !reseed->targets || !reseed->spared))
        status = status_out_of_memory("the trials of bones");
    for (int bone = 0; status.code == STATUS_OK && bone < bones; bone++)
        reseed->need[bone] = reseed->ease[bone] = 1.0;
    if (status.code != STATUS_OK)
        reseed_clear(reseed);
    return status;
}

void reseed_clear(Reseed *reseed)
{
    sweeper_state_clear(&reseed->kept);
    memory_free(reseed->need);
    memory_free(reseed->ease);
    memory_free(reseed->targets);
    memory_free(reseed->spared);
    *reseed = (Reseed){0};
}

/* What each vertex loses with each of its bones, losses [N][K]; its error goes to descent->errors. */
static void block_losses(Descent *descent, const BonePairs *pairs, int first, double *products,
                         double *losses)
{
    int columns = 4 * pairs->stride, dimension = descent->dimension, influences = descent->influence_count;
    int count = descent->vertex_count - first < BLOCK ? descent->vertex_count - first : BLOCK;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count, columns, dimension, 1.0,
                descent->coordinates + (ptrdiff_t)first * dimension, dimension, pairs->columns, dimension,
                0.0, products, columns);
    for (int i = 0; i < count; i++) {
        ptrdiff_t vertex = first + i;
        VertexProblem problem = {.pairs = pairs,
                                 .products = products + (ptrdiff_t)i * columns,
                                 .squared_norm = descent->squared_norms[vertex]};
        descent->errors[vertex] = weights_losses(
            &problem, influences, descent->rest + 3 * vertex, descent->bones + influences * vertex,
            descent->weights + influences * vertex, losses + influences * vertex);
    }
}

static Status losses_measure(Descent *descent, double *losses)
{
    BonePairs pairs = {0};
    double *products = NULL;
    size_t room = 0;
    Status status;
    STATUS_TRY(bone_pairs_make(&pairs, descent));
    room = (size_t)BLOCK * 4 * (size_t)pairs.stride;
    products = memory_table((size_t)omp_get_max_threads(), room, sizeof(double));
    if (!products) {
        status = status_out_of_memory("the losses of the bones");
        goto done;
    }
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < descent->vertex_count; first += BLOCK)
        block_losses(descent, &pairs, first, products + (size_t)omp_get_thread_num() * room, losses);
done:
    bone_pairs_clear(&pairs);
    memory_free(products);
    return status;
}

/* The bone of the greatest weight. */
static int32_t vertex_main_bone(const Descent *descent, int vertex)
{
    ptrdiff_t slot = (ptrdiff_t)vertex * descent->influence_count;
    int best = 0;
    for (int k = 1; k < descent->influence_count; k++)
        if (descent->weights[slot + k] > descent->weights[slot + best])
            best = k;
    return descent->bones[slot + best];
}

/* Sums over the vertices: what the model loses without each bone, and the error where it is the main one. */
static void bones_sum(const Descent *descent, const double *losses, double *loss, double *error)
{
    int influences = descent->influence_count;
    memset(loss, 0, (size_t)descent->bone_count * sizeof *loss);
    memset(error, 0, (size_t)descent->bone_count * sizeof *error);
    for (int j = 0; j < descent->vertex_count; j++) {
        for (int k = 0; k < influences; k++) {
            ptrdiff_t slot = (ptrdiff_t)j * influences + k;
            if (descent->weights[slot] > 0.0)
                loss[descent->bones[slot]] += losses[slot];
        }
        error[vertex_main_bone(descent, j)] += descent->errors[j];
    }
}

/* The vertex of the greatest error in a bone's region, and the mean squared distance of the others from it.
 */
static int region_worst(const Descent *descent, int32_t region, double *square)
{
    int worst = -1, count = 0;
    for (int j = 0; j < descent->vertex_count; j++)
        if (vertex_main_bone(descent, j) == region &&
            (worst < 0 || descent->errors[j] > descent->errors[worst]))
            worst = j;
    *square = 0.0;
    for (int j = 0; j < descent->vertex_count && worst >= 0; j++) {
        if (vertex_main_bone(descent, j) != region)
            continue;
        for (int axis = 0; axis < 3; axis++)
            *square += pow(descent->first_rest[3 * j + axis] - descent->first_rest[3 * worst + axis], 2.0);
        count++;
    }
    *square = count > 0 ? *square / count : 0.0;
    return worst;
}

/* The affine map that takes the vertices around the worst of a region where they go, each counted by its
 * error, becomes that of `bone`. */
static Status bone_move(Descent *descent, int32_t bone, int32_t region)
{
    int dimension = descent->dimension;
    double square[16] = {0.0}, reach = 0.0, total = 0.0;
    double *rows = descent->transforms + (ptrdiff_t)4 * bone * dimension;
    int worst = region_worst(descent, region, &reach);
    bool singular = false;
    memset(rows, 0, 4 * (size_t)dimension * sizeof *rows);
    for (int j = 0; j < descent->vertex_count && worst >= 0; j++) {
        const double *from = descent->first_rest + (ptrdiff_t)3 * worst,
                     *to = descent->first_rest + (ptrdiff_t)3 * j;
        double away = pow(to[0] - from[0], 2.0) + pow(to[1] - from[1], 2.0) + pow(to[2] - from[2], 2.0);
        if (away > reach || vertex_main_bone(descent, j) != region)
            continue;
        const double *v = descent->rest + (ptrdiff_t)3 * j,
                     *target = descent->coordinates + (ptrdiff_t)j * dimension;
        double x[4] = {v[0], v[1], v[2], 1.0}, factor = descent->errors[j];
        total += factor;
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b <= a; b++)
                square[4 * a + b] += factor * x[a] * x[b];
            cblas_daxpy(dimension, factor * x[a], target, 1, rows + (ptrdiff_t)a * dimension, 1);
        }
    }
    for (int a = 0; a < 4; a++)
        square[5 * a] += 1e-6 * total;
    return total > 0.0 ? dense_solve(square, 4, rows, dimension, &singular) : status_ok();
}

/* The vertices of a bone do without it. */
static void bone_leave(Descent *descent, int32_t bone)
{
    int influences = descent->influence_count;
    for (int j = 0; j < descent->vertex_count; j++) {
        int32_t *bones = descent->bones + (ptrdiff_t)j * influences;
        double *weights = descent->weights + (ptrdiff_t)j * influences, left = 0.0;
        int at = 0;
        for (int k = 0; k < influences; k++) {
            if (!(weights[k] > 0.0) || bones[k] == bone)
                continue;
            bones[at] = bones[k];
            weights[at] = weights[k];
            left += weights[at++];
        }
        for (int k = 0; k < at; k++)
            weights[k] /= left;
        for (; at < influences; at++) {
            bones[at] = 0;
            weights[at] = 0.0;
        }
    }
}

static int least_of(const double *values, int count)
{
    int least = 0;
    for (int i = 1; i < count; i++)
        if (values[i] < values[least])
            least = i;
    return least;
}

/* Pairs of a bone to spare and a region in need, by falling promise. loss and error [P] are used up. */
static Status bones_exchange(Reseed *reseed, double *loss, double *error)
{
    Descent *descent = reseed->sweeper->descent;
    int bones = descent->bone_count;
    reseed->moved = 0;
    for (int bone = 0; bone < bones; bone++) {
        error[bone] *= -reseed->need[bone];
        loss[bone] /= reseed->ease[bone];
    }
    while (reseed->moved < reseed->moves) {
        int spared = least_of(loss, bones);
        error[spared] = 0.0;
        int target = least_of(error, bones);
        if (loss[spared] == INFINITY || !(error[target] < 0.0))
            break;
        Status status = bone_move(descent, spared, target);
        if (status.code != STATUS_OK)
            return status;
        bone_leave(descent, spared);
        loss[spared] = loss[target] = INFINITY;
        error[target] = 0.0;
        reseed->spared[reseed->moved] = spared;
        reseed->targets[reseed->moved++] = target;
    }
    return status_ok();
}

Status reseed_try(Reseed *reseed, bool *moved)
{
    Descent *descent = reseed->sweeper->descent;
    double *losses =
        memory_table((size_t)descent->vertex_count, (size_t)descent->influence_count, sizeof(double));
    double *loss = memory_array((size_t)descent->bone_count, sizeof(double));
    double *error = memory_array((size_t)descent->bone_count, sizeof(double));
    Status status;
    *moved = false;
    if (!losses || !loss || !error) {
        status = status_out_of_memory("the losses of the bones");
        goto done;
    }
    sweeper_unmix(reseed->sweeper);
    sweeper_state_take(&reseed->kept, reseed->sweeper);
    STATUS_TRY(losses_measure(descent, losses));
    bones_sum(descent, losses, loss, error);
    STATUS_TRY(bones_exchange(reseed, loss, error));
    *moved = reseed->moved > 0;
    if (*moved)
        descent_update_gram(descent);
done:
    memory_free(losses);
    memory_free(loss);
    memory_free(error);
    return status;
}

bool reseed_judge(Reseed *reseed)
{
    Sweeper *sweeper = reseed->sweeper;
    if (sweeper->squared_error < reseed->kept.squared_error)
        return true;
    for (int i = 0; i < reseed->moved; i++) {
        reseed->need[reseed->targets[i]] *= 0.5;
        reseed->ease[reseed->spared[i]] *= 0.5;
    }
    reseed->moves = reseed->moves > 1 ? reseed->moves / 2 : 1;
    sweeper_state_return(&reseed->kept, sweeper);
    return false;
}
