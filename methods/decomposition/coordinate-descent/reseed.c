/* Trials of moved bones: which bones the model misses least, where the error is greatest, and whether a
 * move paid. */
#include "methods/decomposition/coordinate-descent/reseed.h"

#include "datasets/base/exact_sum.h"
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

enum { BLOCK = 256 }; /* vertices whose sum is made in plain double; blocks of ranks are multiples */

/* Sums over the vertices of all ranks: what the model loses without each bone, [P], and the error where it is
 * the main one, [P] behind; their rests and a part of either, [4P], follow. */
static void bones_sum(const ReducedModel *model, const double *losses, double *sums)
{
    int influences = model->influence_count, bones = model->bone_count;
    double *rests = sums + (ptrdiff_t)2 * bones, *loss = rests + (ptrdiff_t)2 * bones, *error = loss + bones;
    memset(sums, 0, 4 * (size_t)bones * sizeof *sums);
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        memset(loss, 0, 2 * (size_t)bones * sizeof *loss);
        for (int j = first; j < model->vertex_count && j < first + BLOCK; j++) {
            for (int k = 0; k < influences; k++) {
                ptrdiff_t slot = (ptrdiff_t)j * influences + k;
                if (model->weights[slot] > 0.0)
                    loss[model->bones[slot]] += losses[slot];
            }
            error[vertex_main_bone(model, j)] += model->errors[j];
        }
        exact_sums_add(sums, rests, loss, (ptrdiff_t)2 * bones);
    }
    ranks_sum(model->ranks, sums, rests, (ptrdiff_t)2 * bones);
}

static double squared_distance(const double *a, const double *b)
{
    return pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0);
}

/* Where the vertex of the greatest error in a bone's region was first, and the mean squared distance of the
 * others from it; false: the region is empty. */
static bool region_worst(const ReducedModel *model, int32_t region, double point[3], double *square)
{
    int worst = -1;
    double sums[2] = {0.0}, rests[2] = {0.0};
    for (int j = 0; j < model->vertex_count; j++)
        if (vertex_main_bone(model, j) == region && (worst < 0 || model->errors[j] > model->errors[worst]))
            worst = j;
    if (!reduced_model_greatest(model, worst < 0 ? 0.0 : model->errors[worst], &worst, model->first_rest,
                                point))
        return false;
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        double part[2] = {0.0};
        for (int j = first; j < model->vertex_count && j < first + BLOCK; j++) {
            if (vertex_main_bone(model, j) != region)
                continue;
            part[0] += squared_distance(model->first_rest + (ptrdiff_t)3 * j, point);
            part[1] += 1.0;
        }
        exact_sums_add(sums, rests, part, 2);
    }
    ranks_sum(model->ranks, sums, rests, 2);
    *square = sums[0] / sums[1];
    return true;
}

/* What decides where a bone is moved to, summed over the vertices near the worst of a region, each counted by
 * its error: of x = (v, 1) and the target c the sums of x x^T, [4][4] lower triangle, of the errors, and of x
 * c^T, [4][d], in sums; their rests and the part of a block, as many each, follow. */
typedef struct MoveSums {
    double *square, *total, *rows;
    ptrdiff_t size; /* 17 + 4d */
} MoveSums;

static Status move_sums_make(int dimension, MoveSums *sums)
{
    sums->size = 17 + (ptrdiff_t)4 * dimension;
    sums->square = memory_table(3, (size_t)sums->size, sizeof(double));
    if (!sums->square)
        return status_out_of_memory("the motion of a bone");
    sums->total = sums->square + 16;
    sums->rows = sums->square + 17;
    return status_ok();
}

static void move_add(const ReducedModel *model, int vertex, double *part)
{
    const double *v = model->rest + (ptrdiff_t)3 * vertex,
                 *target = model->coordinates + (ptrdiff_t)vertex * model->dimension;
    double x[4] = {v[0], v[1], v[2], 1.0}, factor = model->errors[vertex];
    part[16] += factor;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b <= a; b++)
            part[4 * a + b] += factor * x[a] * x[b];
        cblas_daxpy(model->dimension, factor * x[a], target, 1, part + 17 + (ptrdiff_t)a * model->dimension,
                    1);
    }
}

/* `reach`: squared distance from the worst, within which a vertex is near. */
static void move_sums_fill(const ReducedModel *model, int32_t region, const double worst[3], double reach,
                           const MoveSums *sums)
{
    double *rests = sums->square + sums->size, *part = rests + sums->size;
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        bool any = false;
        for (int j = first; j < model->vertex_count && j < first + BLOCK; j++) {
            if (squared_distance(model->first_rest + (ptrdiff_t)3 * j, worst) > reach ||
                vertex_main_bone(model, j) != region)
                continue;
            if (!any)
                memset(part, 0, (size_t)sums->size * sizeof *part);
            any = true;
            move_add(model, j, part);
        }
        if (any)
            exact_sums_add(sums->square, rests, part, sums->size);
    }
    ranks_sum(model->ranks, sums->square, rests, sums->size);
}

/* The affine map or rigid motion that takes the vertices around the worst of a region where they go, each
 * counted by its error, becomes that of `bone`. */
static Status bone_move(ReducedModel *model, int32_t bone, int32_t region)
{
    int dimension = model->dimension;
    size_t row_bytes = 4 * (size_t)dimension * sizeof(double);
    double reach = 0.0, worst[3], *rights = NULL, *rows = model->transforms + (ptrdiff_t)4 * bone * dimension;
    MoveSums sums = {0};
    bool singular = false;
    Status status;
    STATUS_TRY(move_sums_make(dimension, &sums));
    if (region_worst(model, region, worst, &reach))
        move_sums_fill(model, region, worst, reach, &sums);
    memcpy(rows, sums.rows, row_bytes);
    if (!(*sums.total > 0.0))
        goto done;
    if (model->rigid) {
        rights = memory_table(4, 3 * (size_t)model->rigid->frame_count, sizeof(double));
        if (!rights)
            STATUS_TRY(status_out_of_memory("the motion of a bone"));
        rigid_follow(model, bone, sums.square, rows, rights);
    } else {
        for (int a = 0; a < 4; a++)
            sums.square[5 * a] += 1e-6 * *sums.total;
        status = dense_solve(sums.square, 4, rows, dimension, &singular);
        ranks_broadcast(model->ranks, rows, row_bytes);
    }
done:
    memory_free(sums.square);
    memory_free(rights);
    return status;
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
    double *sums = memory_table(6, (size_t)model->bone_count, sizeof(double));
    Status status;
    *moved = false;
    if (!losses || !sums) {
        status = status_out_of_memory("the losses of the bones");
        goto done;
    }
    alternation_unmix(reseed->alternation);
    snapshot_take(&reseed->kept, reseed->alternation);
    STATUS_TRY(vertices_measure_losses(model, losses));
    bones_sum(model, losses, sums);
    STATUS_TRY(bones_exchange(reseed, sums, sums + model->bone_count));
    *moved = reseed->moved > 0;
    if (*moved && model->rigid)
        rigid_share(model);
    if (*moved)
        transformations_update_gram(model);
done:
    memory_free(losses);
    memory_free(sums);
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

/* A sweep; *ended: it was the last. */
static Status reseed_sweep(Reseed *reseed, const ReseedPlan *plan, int *used, bool *ended)
{
    Status status = alternation_sweep(reseed->alternation, plan->settling, true);
    *ended = ++*used >= plan->sweeps || plan->must_end(plan->context, (double)*used / plan->sweeps);
    return status;
}

/* Plain sweeps, at most `most`, until one brings next to nothing. */
static Status reseed_settle(Reseed *reseed, const ReseedPlan *plan, int most, int *used, bool *ended)
{
    enum { LEAST = 3 };
    static const double LITTLE = 2e-4; /* of the error */
    Status status = status_ok();
    bool falling = true;
    for (int i = 0; i < most && falling && !*ended; i++) {
        const double before = reseed->alternation->squared_error;
        STATUS_TRY(reseed_sweep(reseed, plan, used, ended));
        falling = i < LEAST || before - reseed->alternation->squared_error > LITTLE * before;
    }
done:
    return status;
}

/* A trial, and its judgement. *kept: it paid. */
static Status reseed_trial(Reseed *reseed, const ReseedPlan *plan, int *used, bool *ended, bool *kept)
{
    bool moved = false;
    Status status;
    *kept = false;
    STATUS_TRY(reseed_try(reseed, &moved));
    for (int i = 0; i < plan->trial_sweeps && moved && !*ended; i++)
        STATUS_TRY(reseed_sweep(reseed, plan, used, ended));
    *kept = moved && reseed_judge(reseed);
done:
    return status;
}

Status reseed_run(Reseed *reseed, const ReseedPlan *plan, int *sweeps)
{
    enum { FAILURES_MOST = 5 };
    int failures = 0;
    *sweeps = 0;
    bool ended = plan->must_end(plan->context, 0.0);
    Status status = status_ok();
    for (int trial = 0; trial < plan->trials && failures < FAILURES_MOST && !ended; trial++) {
        bool kept = false;
        STATUS_TRY(reseed_trial(reseed, plan, sweeps, &ended, &kept));
        failures = kept ? 0 : failures + 1;
        if (!kept)
            STATUS_TRY(
                reseed_settle(reseed, plan, (plan->trial_sweeps / 2) << (failures - 1), sweeps, &ended));
    }
    const int doublings = plan->trials < FAILURES_MOST ? plan->trials : FAILURES_MOST;
    status = reseed_settle(reseed, plan, (plan->trial_sweeps / 2) << doublings, sweeps, &ended);
done:
    return status;
}
