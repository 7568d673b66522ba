/* The least-squares centre of every joint set (SBS section 4): by normal equations where they are safe,
 * else by an SVD. */
#include "methods/posing/set_centers.h"

#include "datasets/base/memory.h"
#include "methods/posing/set_centers_fast.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct SetCenters {
    const JointSets *sets;
    int joint_count;
    int32_t *shared; /* [S] the joint that a trivial set's two joints share, or -1 */
    int set_count, nontrivial_count, pair_count;
    int32_t *nontrivial; /* [nontrivial_count] set numbers */
    int32_t *pairs;      /* [pair_count][2] joints, every pair once */
    int32_t *first_pair; /* [nontrivial_count + 1] where a set's pairs start in pair_of */
    int32_t *pair_of;    /* indices of pairs */
};

const char *const set_centers_choices[] = {"fast", "svd", NULL};

SetCentersOptions set_centers_options(const double parameters[SET_CENTERS_PARAMETER_COUNT])
{
    return (SetCentersOptions){.solver = (SetCentersSolver)(int)parameters[0],
                               .cut_off = parameters[1],
                               .least_angle_rad = parameters[2]};
}

/* Whether a set is trivial, and then the joint its two share, or -1. */
static bool set_trivial(const Rig *rig, const JointSets *sets, int set, int32_t *shared)
{
    const int32_t *joints = sets->joints + sets->first_slot[set];
    *shared = -1;
    if (joint_set_size(sets, set) == 1)
        return true;
    if (joint_set_size(sets, set) > 2 || !rig->rest)
        return false;
    for (int child = 0; child < 2 && *shared < 0; child++)
        if (rig->parents[joints[child]] == joints[1 - child])
            *shared = joints[child];
    return *shared >= 0;
}

static int64_t pairs_of(int64_t size)
{
    return size * (size - 1) / 2;
}

static int compare_pairs(const void *one, const void *other)
{
    const int32_t *a = one, *b = other;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Writes the pairs of a set, each with its lower joint first. */
static void set_pairs(const JointSets *sets, int set, int32_t *pairs)
{
    const int32_t *joints = sets->joints + sets->first_slot[set];
    for (int b = 1; b < joint_set_size(sets, set); b++)
        for (int a = 0; a < b; a++, pairs += 2) {
            pairs[0] = joints[a] < joints[b] ? joints[a] : joints[b];
            pairs[1] = joints[a] < joints[b] ? joints[b] : joints[a];
        }
}

/* Lists every pair of joints once, and for each set the pairs it has. */
static Status pairs_list(SetCenters *centers)
{
    const JointSets *sets = centers->sets;
    const int count = centers->first_pair[centers->nontrivial_count];
    centers->pairs = memory_table((size_t)count, 2, sizeof *centers->pairs);
    centers->pair_of = memory_array((size_t)count, sizeof *centers->pair_of);
    if (!centers->pairs || !centers->pair_of)
        return status_out_of_memory("the pairs of joints");
    for (int i = 0; i < centers->nontrivial_count; i++)
        set_pairs(sets, centers->nontrivial[i], centers->pairs + 2 * (size_t)centers->first_pair[i]);
    if (count > 0)
        qsort(centers->pairs, (size_t)count, 2 * sizeof(int32_t), compare_pairs);
    for (int i = 0; i < count; i++)
        if (i == 0 || compare_pairs(centers->pairs + 2 * (size_t)i, centers->pairs + 2 * (size_t)i - 2) != 0)
            memmove(centers->pairs + 2 * (size_t)centers->pair_count++, centers->pairs + 2 * (size_t)i,
                    2 * sizeof(int32_t));
    for (int i = 0; i < centers->nontrivial_count; i++) {
        const int set = centers->nontrivial[i];
        const int32_t *joints = sets->joints + sets->first_slot[set];
        int32_t *out = centers->pair_of + centers->first_pair[i];
        for (int b = 1; b < joint_set_size(sets, set); b++)
            for (int a = 0; a < b; a++) {
                int32_t key[2] = {joints[a] < joints[b] ? joints[a] : joints[b],
                                  joints[a] < joints[b] ? joints[b] : joints[a]};
                const int32_t *found = bsearch(key, centers->pairs, (size_t)centers->pair_count,
                                               2 * sizeof(int32_t), compare_pairs);
                *out++ = (int32_t)((found - centers->pairs) / 2);
            }
    }
    return status_ok();
}

Status set_centers_bind(const SkinningBinding *binding, SetCenters **out)
{
    *out = NULL;
    const JointSets *sets = binding->sets;
    Status status = status_ok();
    SetCenters *centers = memory_array(1, sizeof *centers);
    if (!centers)
        return status_out_of_memory("the centres of rotation");
    centers->sets = sets;
    centers->set_count = sets->set_count;
    centers->joint_count = binding->rig->joint_count;
    centers->shared = memory_array((size_t)sets->set_count, sizeof *centers->shared);
    centers->nontrivial = memory_array((size_t)sets->set_count, sizeof *centers->nontrivial);
    centers->first_pair = memory_array((size_t)sets->set_count + 1, sizeof *centers->first_pair);
    if (!centers->shared || !centers->nontrivial || !centers->first_pair) {
        status = status_out_of_memory("the centres of rotation");
        goto done;
    }
    for (int set = 0; set < sets->set_count; set++) {
        if (set_trivial(binding->rig, sets, set, &centers->shared[set]))
            continue;
        int64_t end = centers->first_pair[centers->nontrivial_count] + pairs_of(joint_set_size(sets, set));
        if (end > INT32_MAX / 2) {
            status = status_make(STATUS_BAD_INPUT, "joint set %d has %d joints: too many pairs of joints",
                                 set, joint_set_size(sets, set));
            goto done;
        }
        centers->nontrivial[centers->nontrivial_count++] = set;
        centers->first_pair[centers->nontrivial_count] = (int32_t)end;
    }
    STATUS_TRY(pairs_list(centers));
done:
    if (status.code == STATUS_OK)
        *out = centers;
    else
        set_centers_free(centers);
    return status;
}

void set_centers_free(SetCenters *centers)
{
    if (!centers)
        return;
    memory_free(centers->shared);
    memory_free(centers->nontrivial);
    memory_free(centers->pairs);
    memory_free(centers->first_pair);
    memory_free(centers->pair_of);
    memory_free(centers);
}

int set_centers_nontrivial(const SetCenters *centers)
{
    return centers->nontrivial_count;
}

/* The three rows of R_a - R_b and t_b - t_a (SBS section 4), row by row: [3][3] and [3]. */
static void pair_equations(const Transform *a, const Transform *b, double matrix[9], double side[3])
{
    const double *one = &a->m00, *other = &b->m00;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            matrix[3 * row + column] = one[4 * row + column] - other[4 * row + column];
        side[row] = other[4 * row + 3] - one[4 * row + 3];
    }
}

/* The minimum-norm least-squares solution by LAPACK's SVD, as in the paper. */
static Status solve_svd(const SetCenters *centers, int index, const Transform *transforms, double cut_off,
                        double center[3])
{
    const int first = centers->first_pair[index], count = centers->first_pair[index + 1] - first;
    const lapack_int rows = (lapack_int)count * 3;
    double singular[3];
    lapack_int rank = 0;
    double *matrix = memory_table((size_t)count, 9, sizeof(double));
    double *side = memory_table((size_t)count, 3, sizeof(double));
    Status status = status_ok();
    if (!matrix || !side) {
        status = status_out_of_memory("a centre of rotation");
        goto done;
    }
    for (int i = 0; i < count; i++) {
        const int32_t *pair = centers->pairs + 2 * (size_t)centers->pair_of[first + i];
        pair_equations(&transforms[pair[0]], &transforms[pair[1]], matrix + 9 * (size_t)i,
                       side + 3 * (size_t)i);
    }
    if (LAPACKE_dgelss(LAPACK_ROW_MAJOR, rows, 3, 1, matrix, 3, side, 1, singular, cut_off, &rank) != 0) {
        status =
            status_make(STATUS_BAD_INPUT, "the centre of rotation of joint set %d has no SVD (dgelss failed)",
                        centers->nontrivial[index]);
        goto done;
    }
    memcpy(center, side, 3 * sizeof(double));
done:
    memory_free(matrix);
    memory_free(side);
    return status;
}

/* 2 theta^2 is the squared norm of R_a - R_b, theta the small angle between them. */
static double least_trace(const SetCentersOptions *options)
{
    return 2.0 * options->least_angle_rad * options->least_angle_rad;
}

size_t set_centers_workspace(const SetCenters *centers)
{
    return (size_t)centers->pair_count * PAIR_SUMS * sizeof(double);
}

static Status find_fast(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, double *values, int stride, void *workspace,
                        int *svd_count)
{
    Status status = status_ok();
    double *pair_sums = workspace;
    CenterEquations equations = {
        .pair_sums = pair_sums,
        .first_pair = centers->first_pair,
        .pair_of = centers->pair_of,
        .set_count = centers->nontrivial_count,
        .cut_off = options->cut_off,
        .least_trace = least_trace(options),
    };
    pair_sums_find(transforms, centers->pairs, centers->pair_count, pair_sums);
    for (int first = 0; first < centers->nontrivial_count; first += CENTER_LANES) {
        double found[3][CENTER_LANES], doubtful[CENTER_LANES];
        center_lanes_solve(&equations, first, found, doubtful);
        for (int lane = 0; lane < CENTER_LANES && first + lane < centers->nontrivial_count; lane++) {
            double *center = values + (size_t)centers->nontrivial[first + lane] * (size_t)stride;
            for (int axis = 0; axis < 3; axis++)
                center[axis] = found[axis][lane];
            if (doubtful[lane] > 0.0) {
                STATUS_TRY(solve_svd(centers, first + lane, transforms, options->cut_off, center));
                ++*svd_count;
            }
        }
    }
done:
    return status;
}

static Status find_svd(const SetCenters *centers, const SetCentersOptions *options,
                       const Transform *transforms, double *values, int stride, void *workspace,
                       int *svd_count)
{
    double *pair_sums = workspace;
    pair_sums_find(transforms, centers->pairs, centers->pair_count, pair_sums);
    for (int i = 0; i < centers->nontrivial_count; i++) {
        double *center = values + (size_t)centers->nontrivial[i] * (size_t)stride;
        double trace = 0.0;
        for (int k = centers->first_pair[i]; k < centers->first_pair[i + 1]; k++) {
            const double *own = pair_sums + (size_t)centers->pair_of[k] * PAIR_SUMS;
            trace += own[PAIR_XX] + own[PAIR_YY] + own[PAIR_ZZ];
        }
        center[0] = center[1] = center[2] = 0.0;
        if (trace <= least_trace(options))
            continue;
        Status status = solve_svd(centers, i, transforms, options->cut_off, center);
        if (status.code != STATUS_OK)
            return status;
        ++*svd_count;
    }
    return status_ok();
}

Status set_centers_find(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, const Transform *rest, double *values, int stride,
                        void *workspace, int *svd_count)
{
    int ignored = 0;
    for (int set = 0; set < centers->set_count; set++) {
        double *center = values + (size_t)set * (size_t)stride;
        const int32_t joint = centers->shared[set];
        center[0] = joint >= 0 ? rest[joint].m03 : 0.0;
        center[1] = joint >= 0 ? rest[joint].m13 : 0.0;
        center[2] = joint >= 0 ? rest[joint].m23 : 0.0;
    }
    if (svd_count)
        *svd_count = 0;
    return (options->solver == SET_CENTERS_SVD ? find_svd : find_fast)(
        centers, options, transforms, values, stride, workspace, svd_count ? svd_count : &ignored);
}
