/* Tries to move bones: finds the least useful bones and the regions of largest error, moves the bones
 * there, and judges the result after some sweeps. */
#include "methods/decomposition/coordinate-descent/perturbation.h"

#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/reduction/dense.h"

#include <cblas.h>

Status perturbation_init(Perturbation *perturbation, int bone_count)
{
    *perturbation = (Perturbation){.moves = bone_count / 8 > 1 ? bone_count / 8 : 1};
    ALLOCATE(perturbation->need, bone_count, "the bone perturbations");
    ALLOCATE(perturbation->ease, bone_count, "the bone perturbations");
    ALLOCATE(perturbation->targets, bone_count, "the bone perturbations");
    ALLOCATE(perturbation->spared, bone_count, "the bone perturbations");
    for (int bone = 0; bone < bone_count; bone++)
        perturbation->need[bone] = perturbation->ease[bone] = 1.0;
    return status_ok();
}

void perturbation_clear(Perturbation *perturbation)
{
    FREE_ALL(perturbation->need, perturbation->ease, perturbation->targets, perturbation->spared);
    *perturbation = (Perturbation){0};
}

static double squared_distance(const double *a, const double *b)
{
    return pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0);
}

/* Returns the initial rest position of the vertex of largest error in a bone's region, or NULL if the
 * region is empty. *square receives the mean squared distance of the region's other vertices from this
 * position. */
static const double *region_worst(const ReducedModel *model, int32_t region, double *square)
{
    const double *worst = NULL;
    double greatest = -1.0, sum = 0.0, count = 0.0;
    for (int j = 0; j < model->vertex_count; j++)
        if (reduced_model_main_bone(model, j) == region && model->errors[j] > greatest) {
            greatest = model->errors[j];
            worst = model->first_rest + (ptrdiff_t)3 * j;
        }
    for (int j = 0; worst && j < model->vertex_count; j++)
        if (reduced_model_main_bone(model, j) == region) {
            sum += squared_distance(model->first_rest + (ptrdiff_t)3 * j, worst);
            count += 1.0;
        }
    *square = sum / fmax(count, 1.0);
    return worst;
}

/* Moves `bone` to the vertices around the worst vertex of a region: fits an affine map or rigid motion to
 * them, weighted by their error. With x = (v, 1) and the target c, the fit needs the sum of x x^T, [4][4]
 * lower triangle, and the sum of x c^T, [4][d]. */
static Status bone_move(ReducedModel *model, int32_t bone, int32_t region)
{
    const int dimension = model->dimension;
    double reach = 0.0, total = 0.0, square[16] = {0.0};
    double *rows = model->transforms + (ptrdiff_t)4 * bone * dimension;
    const double *worst = region_worst(model, region, &reach);
    memset(rows, 0, 4 * (size_t)dimension * sizeof *rows);
    for (int j = 0; worst && j < model->vertex_count; j++) {
        const double *v = model->rest + (ptrdiff_t)3 * j,
                     *target = model->coordinates + (ptrdiff_t)j * dimension;
        const double x[4] = {v[0], v[1], v[2], 1.0}, factor = model->errors[j];
        if (squared_distance(model->first_rest + (ptrdiff_t)3 * j, worst) > reach ||
            reduced_model_main_bone(model, j) != region)
            continue;
        total += factor;
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b <= a; b++)
                square[4 * a + b] += factor * x[a] * x[b];
            cblas_daxpy(dimension, factor * x[a], target, 1, rows + (ptrdiff_t)a * dimension, 1);
        }
    }
    if (!(total > 0.0))
        return status_ok();
    if (model->rigid) {
        LOCAL_TABLE(double, rights, 4, 3 * (size_t)model->rigid->frame_count, "the motion of a bone");
        rigid_follow(model, bone, square, rows, rights);
        return status_ok();
    }
    bool singular = false;
    for (int a = 0; a < 4; a++)
        square[5 * a] += 1e-6 * total;
    return dense_solve(square, 4, rows, dimension, &singular);
}

/* Removes a bone from all vertices that it influences. */
static void bone_leave(ReducedModel *model, int32_t bone)
{
    int influences = model->influence_count;
    for (int j = 0; j < model->vertex_count; j++) {
        int32_t *bones = model->bones + (ptrdiff_t)j * influences;
        double *weights = model->weights + (ptrdiff_t)j * influences, left = 0.0;
        int slot = 0;
        for (int k = 0; k < influences; k++) {
            if (!(weights[k] > 0.0) || bones[k] == bone)
                continue;
            bones[slot] = bones[k];
            weights[slot] = weights[k];
            left += weights[slot++];
        }
        for (int k = 0; k < slot; k++)
            weights[k] /= left;
        for (; slot < influences; slot++) {
            bones[slot] = 0;
            weights[slot] = 0.0;
        }
    }
}

static int least_of(const double *values, int count)
{
    int min = 0;
    for (int i = 1; i < count; i++)
        if (values[i] < values[min])
            min = i;
    return min;
}

/* Moves the least useful bones to the regions of largest error: the least useful bone to the worst region,
 * the second to the second worst, and so on. */
static Status bones_move(Perturbation *perturbation, ReducedModel *model)
{
    const int bones = model->bone_count;
    static const char what[] = "the errors after removing each bone";
    LOCAL_TABLE(double, losses, model->vertex_count, model->influence_count, what);
    LOCAL_ARRAY(double, loss, bones, what);
    LOCAL_ARRAY(double, error, bones, what);
    STATUS_TRY(vertices_measure_losses(model, losses));
    /* sum for each bone the increase of the error if it is removed, and the error of its region, negated */
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)model->vertex_count * model->influence_count; slot++)
        if (model->weights[slot] > 0.0)
            loss[model->bones[slot]] += losses[slot];
    for (int j = 0; j < model->vertex_count; j++)
        error[reduced_model_main_bone(model, j)] -= model->errors[j];
    for (int bone = 0; bone < bones; bone++) {
        error[bone] *= perturbation->need[bone];
        loss[bone] /= perturbation->ease[bone];
    }
    for (perturbation->moved = 0; perturbation->moved < perturbation->moves; perturbation->moved++) {
        const int spared = least_of(loss, bones);
        error[spared] = 0.0;
        const int target = least_of(error, bones);
        if (loss[spared] == INFINITY || !(error[target] < 0.0))
            break;
        STATUS_TRY(bone_move(model, spared, target));
        bone_leave(model, spared);
        loss[spared] = loss[target] = INFINITY;
        error[target] = 0.0;
        perturbation->spared[perturbation->moved] = spared;
        perturbation->targets[perturbation->moved] = target;
    }
    if (perturbation->moved > 0 && model->rigid)
        rigid_share(model);
    if (perturbation->moved > 0)
        transformations_update_gram(model);
    return status_ok();
}

/* Makes at most `max` sweeps. Stops after the second sweep if the error exceeds `hopeless`, because such
 * trials almost never succeed. Stops after the fourth or a later sweep if it hardly lowers the error. */
static Status sweeps_run(Alternation *alternation, const PerturbationPlan *plan, int max, double hopeless,
                         int *used, bool *ended)
{
    double before = INFINITY;
    for (int i = 0; i < max && !*ended; i++) {
        if (i > 1 && alternation->squared_error > hopeless)
            break;
        if (i > 3 && before - alternation->squared_error <= SWEEP_LITTLE * before)
            break;
        before = alternation->squared_error;
        STATUS_TRY(alternation_sweep(alternation, plan->update, true));
        *ended = ++*used >= plan->sweeps || plan->must_stop(plan->context);
    }
    return status_ok();
}

Status perturbation_run(Perturbation *perturbation, Alternation *alternation, const PerturbationPlan *plan)
{
    enum { FAILURES_MAX = 5 };
    static const double HOPELESS =
        1.5; /* a trial ends early if its error exceeds the previous error by this factor */
    CLEANUP(snapshot_clear) Snapshot kept = {0};
    int failures = 0, used = 0;
    bool ended = plan->must_stop(plan->context);
    STATUS_TRY(snapshot_init(&kept, alternation->model));
    while (failures < FAILURES_MAX && !ended && 2 * used < plan->sweeps) {
        alternation_undo_acceleration(alternation);
        alternation_keep(alternation, &kept);
        STATUS_TRY(bones_move(perturbation, alternation->model));
        if (perturbation->moved > 0)
            STATUS_TRY(sweeps_run(alternation, plan, plan->trial_sweeps, HOPELESS * kept.squared_error, &used,
                                  &ended));
        if (perturbation->moved > 0 && alternation_is_better(alternation, &kept)) {
            failures = 0;
            continue;
        }
        /* the trial failed: undo it, and give the bones that it moved smaller factors */
        for (int i = 0; i < perturbation->moved; i++) {
            perturbation->need[perturbation->targets[i]] *= 0.5;
            perturbation->ease[perturbation->spared[i]] *= 0.5;
        }
        perturbation->moves = perturbation->moves > 1 ? perturbation->moves / 2 : 1;
        alternation_return(alternation, &kept);
        failures++;
    }
    STATUS_TRY(sweeps_run(alternation, plan, plan->sweeps, INFINITY, &used, &ended));
    alternation_undo_acceleration(alternation);
    return status_ok();
}
