/* Trials of moved bones: which bones the model misses least, where the error is greatest, and whether a
 * move paid. */
#include "methods/decomposition/coordinate-descent/reseed.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"
#include "methods/reduction/dense.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

Status reseed_make(Reseed *reseed, Alternation *alternation)
{
    int bones = alternation->model->bone_count;
    *reseed = (Reseed){.alternation = alternation, .moves = bones / 8 > 1 ? bones / 8 : 1};
    Status status;
    STATUS_TRY(snapshot_make(&reseed->kept, alternation));
    reseed->need = memory_array((size_t)bones, sizeof(double));
    reseed->ease = memory_array((size_t)bones, sizeof(double));
    reseed->targets = memory_array((size_t)bones, sizeof(int32_t));
    reseed->spared = memory_array((size_t)bones, sizeof(int32_t));
    if (!reseed->need || !reseed->ease || !reseed->targets || !reseed->spared) {
        status = status_out_of_memory("the trials of bones");
        goto done;
    }
    for (int bone = 0; bone < bones; bone++)
        reseed->need[bone] = reseed->ease[bone] = 1.0;
done:
    if (status.code != STATUS_OK)
        reseed_clear(reseed);
    return status;
}

void reseed_clear(Reseed *reseed)
{
    snapshot_clear(&reseed->kept);
    memory_free(reseed->need);
    memory_free(reseed->ease);
    memory_free(reseed->targets);
    memory_free(reseed->spared);
    *reseed = (Reseed){0};
}

/* The bone of the greatest weight. */
static int32_t vertex_main_bone(const ReducedModel *model, int vertex)
{
    ptrdiff_t slot = (ptrdiff_t)vertex * model->influence_count;
    int best = 0;
    for (int k = 1; k < model->influence_count; k++)
        if (model->weights[slot + k] > model->weights[slot + best])
            best = k;
    return model->bones[slot + best];
}

/* Sums over the vertices: what the model loses without each bone, and the error where it is the main one. */
static void bones_sum(const ReducedModel *model, const double *losses, double *loss, double *error)
{
    int influences = model->influence_count;
    memset(loss, 0, (size_t)model->bone_count * sizeof *loss);
    memset(error, 0, (size_t)model->bone_count * sizeof *error);
    for (int j = 0; j < model->vertex_count; j++) {
        for (int k = 0; k < influences; k++) {
            ptrdiff_t slot = (ptrdiff_t)j * influences + k;
            if (model->weights[slot] > 0.0)
                loss[model->bones[slot]] += losses[slot];
        }
        error[vertex_main_bone(model, j)] += model->errors[j];
    }
}

/* The vertex of the greatest error in a bone's region, and the mean squared distance of the others from it.
 */
static int region_worst(const ReducedModel *model, int32_t region, double *square)
{
    int worst = -1, count = 0;
    for (int j = 0; j < model->vertex_count; j++)
        if (vertex_main_bone(model, j) == region && (worst < 0 || model->errors[j] > model->errors[worst]))
            worst = j;
    *square = 0.0;
    for (int j = 0; j < model->vertex_count && worst >= 0; j++) {
        if (vertex_main_bone(model, j) != region)
            continue;
        for (int axis = 0; axis < 3; axis++)
            *square += pow(model->first_rest[3 * j + axis] - model->first_rest[3 * worst + axis], 2.0);
        count++;
    }
    *square = count > 0 ? *square / count : 0.0;
    return worst;
}

/* The affine map or rigid motion that takes the vertices around the worst of a region where they go, each counted by
 * its error, becomes that of `bone`. */
static Status bone_move(ReducedModel *model, int32_t bone, int32_t region)
{
    int dimension = model->dimension;
    double square[16] = {0.0}, reach = 0.0, total = 0.0;
    double *rows = model->transforms + (ptrdiff_t)4 * bone * dimension, *rights = NULL;
    int worst = region_worst(model, region, &reach);
    bool singular = false;
    if (model->rigid) {
        rights = memory_table(4, 3 * (size_t)model->rigid->frame_count, sizeof(double));
        if (!rights)
            return status_out_of_memory("the motion of a bone");
    }
    memset(rows, 0, 4 * (size_t)dimension * sizeof *rows);
    for (int j = 0; j < model->vertex_count && worst >= 0; j++) {
        const double *from = model->first_rest + (ptrdiff_t)3 * worst,
                     *to = model->first_rest + (ptrdiff_t)3 * j;
        double away = pow(to[0] - from[0], 2.0) + pow(to[1] - from[1], 2.0) + pow(to[2] - from[2], 2.0);
        if (away > reach || vertex_main_bone(model, j) != region)
            continue;
        const double *v = model->rest + (ptrdiff_t)3 * j,
                     *target = model->coordinates + (ptrdiff_t)j * dimension;
        double x[4] = {v[0], v[1], v[2], 1.0}, factor = model->errors[j];
        total += factor;
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b <= a; b++)
                square[4 * a + b] += factor * x[a] * x[b];
            cblas_daxpy(dimension, factor * x[a], target, 1, rows + (ptrdiff_t)a * dimension, 1);
        }
    }
    if (model->rigid && total > 0.0)
        rigid_follow(model, bone, square, rows, rights);
    memory_free(rights);
    if (model->rigid || !(total > 0.0))
        return status_ok();
    for (int a = 0; a < 4; a++)
        square[5 * a] += 1e-6 * total;
    return dense_solve(square, 4, rows, dimension, &singular);
}

/* The vertices of a bone do without it. */
static void bone_leave(ReducedModel *model, int32_t bone)
{
    int influences = model->influence_count;
    for (int j = 0; j < model->vertex_count; j++) {
        int32_t *bones = model->bones + (ptrdiff_t)j * influences;
        double *weights = model->weights + (ptrdiff_t)j * influences, left = 0.0;
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
    ReducedModel *model = reseed->alternation->model;
    int bones = model->bone_count;
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
        Status status = bone_move(model, spared, target);
        if (status.code != STATUS_OK)
            return status;
        bone_leave(model, spared);
        loss[spared] = loss[target] = INFINITY;
        error[target] = 0.0;
        reseed->spared[reseed->moved] = spared;
        reseed->targets[reseed->moved++] = target;
    }
    return status_ok();
}

Status reseed_try(Reseed *reseed, bool *moved)
{
    ReducedModel *model = reseed->alternation->model;
    double *losses =
        memory_table((size_t)model->vertex_count, (size_t)model->influence_count, sizeof(double));
    double *loss = memory_array((size_t)model->bone_count, sizeof(double));
    double *error = memory_array((size_t)model->bone_count, sizeof(double));
    Status status;
    *moved = false;
    if (!losses || !loss || !error) {
        status = status_out_of_memory("the losses of the bones");
        goto done;
    }
    alternation_unmix(reseed->alternation);
    snapshot_take(&reseed->kept, reseed->alternation);
    STATUS_TRY(vertices_measure_losses(model, losses));
    bones_sum(model, losses, loss, error);
    STATUS_TRY(bones_exchange(reseed, loss, error));
    *moved = reseed->moved > 0;
    if (*moved)
        transformations_update_gram(model);
done:
    memory_free(losses);
    memory_free(loss);
    memory_free(error);
    return status;
}

bool reseed_pays(const Reseed *reseed)
{
    const Alternation *now = reseed->alternation;
    return now->squared_error + now->paid < reseed->kept.squared_error + reseed->kept.paid;
}

bool reseed_judge(Reseed *reseed)
{
    Alternation *alternation = reseed->alternation;
    if (reseed_pays(reseed))
        return true;
    for (int i = 0; i < reseed->moved; i++) {
        reseed->need[reseed->targets[i]] *= 0.5;
        reseed->ease[reseed->spared[i]] *= 0.5;
    }
    reseed->moves = reseed->moves > 1 ? reseed->moves / 2 : 1;
    snapshot_restore(&reseed->kept, alternation);
    return false;
}
