/* Computes the least-squares centre of every joint set (SBS section 4), by normal equations if they are
 * accurate enough, otherwise by an SVD. */
#include "methods/posing/set_centers.h"

#include "methods/posing/joint_pairs.h"
#include "methods/posing/set_centers_fast.h"

#include <lapacke.h>

struct SetCenters {
    int set_count, joint_count;
    int trivial_count, nontrivial_count;
    int32_t *trivial; /* [trivial_count][2] index of each trivial set, and the joint shared by its two joints
                         (-1 if there is none) */
    int32_t *nontrivial; /* [nontrivial_count] indices of the nontrivial sets */
    JointPairs pairs;    /* pairs of joints in nontrivial sets */
    int32_t *base; /* [nontrivial_count] index of each set's base, a nontrivial set that has all joints of
                      this set except one; -1 if none is known */
    int32_t *first_pair; /* [nontrivial_count + 1] index of each set's first pair in pair_of */
    int32_t *pair_of;    /* indices of each set's pairs, without the pairs of its base */
    int repeated_count;
    int32_t *repeated; /* [repeated_count] sets, ascending, with the same joints as the previous set in
                          another order */
};

const char *const set_centers_choices[] = {"fast", "svd", NULL};

SetCentersOptions set_centers_options(const double parameters[SET_CENTERS_PARAMETER_COUNT])
{
    return (SetCentersOptions){.solver = (SetCentersSolver)(int)parameters[0],
                               .cut_off = parameters[1],
                               .least_angle_rad = parameters[2]};
}

/* Returns whether a set is trivial. If it is, *shared is the joint shared by its two joints, or -1. */
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

/* Returns whether a set has the same joints as the previous set in another order (INFLUENCES_AS_LISTED).
 * Sets with the same joints are adjacent. */
static bool set_repeats(const JointSets *sets, int set)
{
    const int size = joint_set_size(sets, set);
    int common = 0;
    if (set == 0 || joint_set_size(sets, set - 1) != size)
        return false;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            common += sets->joints[sets->first_slot[set] + i] == sets->joints[sets->first_slot[set - 1] + k];
    return common == size;
}

/* Returns the index of the nontrivial set that has all joints of `set` except the one at position
 * `without`, or -1. Sets are ordered by size, then by their joints, which are given in `ascending`. */
static int32_t base_find(const SetCenters *centers, const JointSets *sets, const int32_t *ascending, int set,
                         int without)
{
    const int32_t *joints = ascending + sets->first_slot[set];
    const int size = joint_set_size(sets, set);
    int32_t first = 0, end = centers->nontrivial_count;
    while (first < end) {
        const int32_t middle = first + (end - first) / 2, other = centers->nontrivial[middle];
        const int32_t *others = ascending + sets->first_slot[other];
        int order = joint_set_size(sets, other) - (size - 1);
        for (int i = 0; i < size - 1 && order == 0; i++)
            order = others[i] - joints[i + (i >= without)];
        if (order == 0)
            return middle;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return -1;
}

/* Lists every pair of joints once, and for each set the pairs that are not in its base. */
static Status pairs_list(SetCenters *centers, const JointSets *sets, const int32_t *ascending,
                         const bool *trivial)
{
    STATUS_TRY(joint_pairs_init(sets, centers->joint_count, trivial, &centers->pairs));
    const size_t count = (size_t)centers->first_pair[centers->nontrivial_count];
    ALLOCATE(centers->pair_of, count, "the pairs of joints");
    for (int i = 0; i < centers->nontrivial_count; i++) {
        const int set = centers->nontrivial[i], size = joint_set_size(sets, set);
        const int32_t *joints = ascending + sets->first_slot[set];
        int32_t *out = centers->pair_of + centers->first_pair[i];
        int lacks = -1; /* index in the set of its joint that is not in the base; -1 if there is no base */
        if (centers->base[i] >= 0) {
            const int32_t *others = ascending + sets->first_slot[centers->nontrivial[centers->base[i]]];
            for (lacks = 0; lacks < size - 1 && joints[lacks] == others[lacks];)
                lacks++;
        }
        for (int b = 1; b < size; b++)
            for (int a = 0; a < b; a++)
                if (lacks < 0 || a == lacks || b == lacks)
                    *out++ = (int32_t)joint_pair_find(&centers->pairs, joints[a], joints[b]);
    }
    return status_ok();
}

Status set_centers_bind(const SkinningBinding *binding, SetCenters **out)
{
    *out = NULL;
    const JointSets *sets = binding->sets;
    OWNED_BY(set_centers_free) SetCenters *centers = memory_array(1, sizeof *centers);
    LOCAL_ARRAY(bool, trivial, sets->set_count, "the centres of rotation");
    LOCAL_ARRAY(int32_t, ascending, sets->slot_count, "the centres of rotation");
    ALLOCATED(centers, "the centres of rotation");
    memcpy(ascending, sets->joints, (size_t)sets->slot_count * sizeof *ascending);
    centers->set_count = sets->set_count;
    centers->joint_count = binding->rig->joint_count;
    ALLOCATE_TABLE(centers->trivial, sets->set_count, 2, "the centres of rotation");
    ALLOCATE(centers->nontrivial, sets->set_count, "the centres of rotation");
    ALLOCATE(centers->repeated, sets->set_count, "the centres of rotation");
    ALLOCATE(centers->base, sets->set_count, "the centres of rotation");
    ALLOCATE(centers->first_pair, (size_t)sets->set_count + 1, "the centres of rotation");
    for (int set = 0; set < sets->set_count; set++) {
        int32_t *entry = centers->trivial + 2 * (size_t)centers->trivial_count;
        qsort(ascending + sets->first_slot[set], (size_t)joint_set_size(sets, set), sizeof *ascending,
              int32_compare);
        entry[0] = set;
        trivial[set] = set_trivial(binding->rig, sets, set, &entry[1]);
        if (trivial[set]) {
            centers->trivial_count++;
            continue;
        }
        if (set_repeats(sets, set)) {
            centers->repeated[centers->repeated_count++] = set;
            continue;
        }
        const int size = joint_set_size(sets, set);
        int32_t base = -1;
        for (int without = 0; without < size && base < 0; without++)
            base = base_find(centers, sets, ascending, set, without);
        const int64_t pairs = base < 0 ? (int64_t)size * (size - 1) / 2 : size - 1;
        const int64_t end = centers->first_pair[centers->nontrivial_count] + pairs;
        if (end > INT32_MAX / 2)
            return bad_input("joint set %d has %d joints, which make too many pairs", set, size);
        centers->base[centers->nontrivial_count] = base;
        centers->nontrivial[centers->nontrivial_count++] = set;
        centers->first_pair[centers->nontrivial_count] = (int32_t)end;
    }
    STATUS_TRY(pairs_list(centers, sets, ascending, trivial));
    *out = TAKE(centers);
    return status_ok();
}

void set_centers_free(SetCenters *centers)
{
    if (!centers)
        return;
    FREE_ALL(centers->trivial, centers->nontrivial, centers->repeated, centers->base);
    joint_pairs_clear(&centers->pairs);
    FREE_ALL(centers->first_pair, centers->pair_of, centers);
}

int set_centers_nontrivial(const SetCenters *centers)
{
    return centers->nontrivial_count;
}

/* Computes the three rows of R_a - R_b and t_b - t_a (SBS section 4): matrix [3][3] by rows, and side
 * [3]. */
static void pair_equations(const Transform *a, const Transform *b, double matrix[9], double side[3])
{
    const double *one = &a->m00, *other = &b->m00;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            matrix[3 * row + column] = one[4 * row + column] - other[4 * row + column];
        side[row] = other[4 * row + 3] - one[4 * row + 3];
    }
}

/* Computes the minimum-norm least-squares solution by LAPACK's SVD, as in the paper. */
static Status solve_svd(const SetCenters *centers, int index, const Transform *transforms, double cut_off,
                        double center[3])
{
    int count = 0;
    for (int set = index; set >= 0; set = centers->base[set])
        count += centers->first_pair[set + 1] - centers->first_pair[set];
    const lapack_int rows = (lapack_int)count * 3;
    double singular[3];
    lapack_int rank = 0;
    LOCAL_TABLE(double, matrix, count, 9, "a centre of rotation");
    LOCAL_TABLE(double, side, count, 3, "a centre of rotation");
    for (int set = index, i = 0; set >= 0; set = centers->base[set])
        for (int k = centers->first_pair[set]; k < centers->first_pair[set + 1]; k++, i++) {
            const int32_t *pair = centers->pairs.joints + 2 * (size_t)centers->pair_of[k];
            pair_equations(&transforms[pair[0]], &transforms[pair[1]], matrix + 9 * (size_t)i,
                           side + 3 * (size_t)i);
        }
    if (LAPACKE_dgelss(LAPACK_ROW_MAJOR, rows, 3, 1, matrix, 3, side, 1, singular, cut_off, &rank) != 0)
        return bad_input("the SVD for the centre of rotation of joint set %d failed (dgelss)",
                         centers->nontrivial[index]);
    memcpy(center, side, 3 * sizeof(double));
    return status_ok();
}

/* Returns 2 theta^2, the squared norm of R_a - R_b for rotations that differ by the small angle theta. */
static double least_trace(const SetCentersOptions *options)
{
    return 2.0 * options->least_angle_rad * options->least_angle_rad;
}

size_t set_centers_workspace(const SetCenters *centers)
{
    const size_t groups = (size_t)centers->nontrivial_count * POSE_FRAMES / COLUMN_LANES + 1;
    return sizeof(double) * (POSE_FRAMES * ((size_t)centers->pairs.count * CENTER_SUMS +
                                            (size_t)centers->joint_count * TRANSFORM_ELEMENTS) +
                             groups * CENTER_SUMS * COLUMN_LANES);
}

/* Solves frame `frame` of `frames` frames by SVD. The values of a set start at out[3 * frames * set]. */
static Status find_svd(const SetCenters *centers, const SetCentersOptions *options,
                       const Transform *transforms, int frame, int frames, double *out, void *workspace,
                       int *svd_count)
{
    double *pair_sums = workspace;
    transforms += (size_t)frame * (size_t)centers->joint_count;
    pair_sums_find(&transforms->m00, centers->pairs.joints, centers->pairs.count, 1, pair_sums);
    for (int i = 0; i < centers->nontrivial_count; i++) {
        double center[3] = {0.0, 0.0, 0.0}, trace = 0.0;
        for (int set = i; set >= 0; set = centers->base[set])
            for (int k = centers->first_pair[set]; k < centers->first_pair[set + 1]; k++) {
                const double *sums = pair_sums + (size_t)centers->pair_of[k] * CENTER_SUMS;
                trace += sums[0] + sums[3] + sums[5];
            }
        if (trace > least_trace(options)) {
            STATUS_TRY(solve_svd(centers, i, transforms, options->cut_off, center));
            ++*svd_count;
        }
        for (int axis = 0; axis < 3; axis++)
            out[(3 * (size_t)centers->nontrivial[i] + (size_t)axis) * (size_t)frames + (size_t)frame] =
                center[axis];
    }
    return status_ok();
}

Status set_centers_find(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, int frame_count, const Transform *rest, void *workspace,
                        double *out, int *svd_count)
{
    const size_t frames = (size_t)frame_count;
    int ignored = 0;
    for (int i = 0; i < centers->trivial_count; i++) {
        const int32_t joint = centers->trivial[2 * i + 1];
        const Vec3 place = joint >= 0 ? transform_translation(rest[joint]) : vec3_make(0.0, 0.0, 0.0);
        double *center = out + (size_t)centers->trivial[2 * i] * 3 * frames;
        for (size_t frame = 0; frame < frames; frame++) {
            center[frame] = place.x;
            center[frames + frame] = place.y;
            center[2 * frames + frame] = place.z;
        }
    }
    if (!svd_count)
        svd_count = &ignored;
    *svd_count = 0;
    if (options->solver == SET_CENTERS_FAST) {
        double *columns = workspace,
               *pair_sums = columns + (size_t)centers->joint_count * TRANSFORM_ELEMENTS * frames,
               *set_sums = pair_sums + (size_t)centers->pairs.count * CENTER_SUMS * frames;
        const CenterEquations equations = {
            .frames = frame_count,
            .pair_sums = pair_sums,
            .set_sums = set_sums,
            .base = centers->base,
            .first_pair = centers->first_pair,
            .pair_of = centers->pair_of,
            .cut_off = options->cut_off,
            .least_trace = least_trace(options),
        };
        const int sets = COLUMN_LANES / frame_count;
        if (frame_count > 1)
            joint_columns_transpose(transforms, centers->joint_count, columns);
        pair_sums_find(frame_count > 1 ? columns : &transforms->m00, centers->pairs.joints,
                       centers->pairs.count, frame_count, pair_sums);
        for (int first = 0; first < centers->nontrivial_count; first += sets) {
            const int left = centers->nontrivial_count - first, count = left < sets ? left : sets;
            CenterColumns solution;
            const bool doubtful = center_columns_solve(&equations, first, count, &solution);
            for (int i = 0, lane = 0; i < count; i++, lane += frame_count) {
                double *center = out + (size_t)centers->nontrivial[first + i] * 3 * frames;
                for (int frame = 0; frame < (doubtful ? frame_count : 0); frame++) {
                    double point[3];
                    if (!(solution.doubtful[lane + frame] > 0.0))
                        continue;
                    STATUS_TRY(solve_svd(centers, first + i,
                                         transforms + (size_t)frame * (size_t)centers->joint_count,
                                         options->cut_off, point));
                    for (int axis = 0; axis < 3; axis++)
                        solution.center[axis][lane + frame] = point[axis];
                    ++*svd_count;
                }
                for (size_t axis = 0; axis < 3; axis++)
                    memcpy(center + axis * frames, &solution.center[axis][lane], frames * sizeof *center);
            }
        }
    }
    for (int frame = 0; frame < frame_count && options->solver == SET_CENTERS_SVD; frame++)
        STATUS_TRY(find_svd(centers, options, transforms, frame, frame_count, out, workspace, svd_count));
    for (int i = 0; i < centers->repeated_count; i++) {
        double *center = out + (size_t)centers->repeated[i] * 3 * frames;
        memcpy(center, center - 3 * frames, 3 * frames * sizeof *center);
    }
    return status_ok();
}
