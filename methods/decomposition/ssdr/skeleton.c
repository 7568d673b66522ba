/* Finds a hierarchy of the bones and their joints (Le and Deng 2014). The joint of each pair of bones is
 * found by least squares over the frames. The hierarchy is the spanning tree of bones that share the most
 * vertices. Bones that move like their parents are merged with them, and every remaining bone is attached
 * to its parent at the joint. */
#include "methods/decomposition/ssdr/skeleton.h"

/* Returns an entry of a bone's map in a frame. `row` is 3 times the frame plus the axis; column 3 is the
 * translation. */
static double map_at(const SkinFit *fit, int bone, int row, int column)
{
    return fit->maps[((ptrdiff_t)4 * bone + column) * fit->target.row_count + row];
}

/* Finds the joint c that minimises
 *   sum_f |M_i (c, 1) - M_j (c, 1)|^2 + tether |c - middle|^2.
 * The frames leave the position along the axis of a hinge undetermined; the last term determines it. */
static void joint_find(const SkinFit *fit, int one, int other, const double middle[3], double joint[3])
{
    const double TETHER = 1e-3, unit = fit->units.unit;
    const int rows = fit->target.row_count;
    Transform normal = {.m00 = 0.0},
              inverse; /* matrix [A | -b] of the equations A c = b; the translation of its inverse is c */
    double *square = &normal.m00;
    for (int i = 0; i < 3; i++) {
        square[5 * i] = TETHER * unit * unit * rows;
        square[4 * i + 3] = -square[5 * i] * middle[i];
        joint[i] = middle[i];
    }
    for (int row = 0; row < rows; row++) {
        double d[4];
        for (int i = 0; i < 4; i++)
            d[i] = map_at(fit, one, row, i) - map_at(fit, other, row, i);
        for (int i = 0; i < 12; i++)
            square[i] += d[i / 4] * d[i % 4];
    }
    if (transform_inverse(normal, &inverse))
        for (int i = 0; i < 3; i++)
            joint[i] = (&inverse.m03)[4 * i];
}

/* Sums over the vertices that two bones share: the product of their weights w_i w_j, and this product times
 * the rest position v. For a bone paired with itself, these sums give its mass and centre. */
typedef struct BonePair {
    double mass, moment[3];
} BonePair;

static void shared_sum(const SkinFit *fit, BonePair *shared)
{
    const int influences = fit->influence_count, bones = fit->bone_count;
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * influences; slot++) {
        const double *v = fit->rest + 3 * (slot / influences);
        const ptrdiff_t first = slot - slot % influences;
        for (ptrdiff_t k = first; k < first + influences; k++) {
            const double mass = fit->weights[slot] * fit->weights[k];
            BonePair *pair = &shared[(ptrdiff_t)fit->bones[slot] * bones + fit->bones[k]];
            pair->mass += mass;
            for (int axis = 0; axis < 3; axis++)
                pair->moment[axis] += mass * v[axis];
        }
    }
}

/* Computes the centre of the vertices shared by two bones. Without shared vertices, uses the midpoint of
 * the two bones' centres. */
static void middle_of(const BonePair *shared, int bones, int one, int other, double middle[3])
{
    const BonePair *pair = &shared[(ptrdiff_t)one * bones + other];
    const BonePair *a = &shared[(ptrdiff_t)one * (bones + 1)], *b = &shared[(ptrdiff_t)other * (bones + 1)];
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = pair->mass > 0.0 ? pair->moment[axis] / pair->mass
                                        : 0.5 * (a->moment[axis] / a->mass + b->moment[axis] / b->mass);
}

/* Returns the strength of the connection of two bones. Pairs that share vertices are always stronger than
 * pairs that do not. Among pairs without shared vertices, nearer bones are stronger. */
static double pair_strength(const BonePair *shared, int bones, int one, int other)
{
    double a[3], b[3], square = 0.0;
    if (shared[(ptrdiff_t)one * bones + other].mass > 0.0)
        return shared[(ptrdiff_t)one * bones + other].mass;
    middle_of(shared, bones, one, one, a);
    middle_of(shared, bones, other, other, b);
    for (int axis = 0; axis < 3; axis++)
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return -square;
}

Status skeleton_make(const SkinFit *fit, FitSkeleton *out)
{
    const int bones = fit->bone_count;
    LOCAL_TABLE(BonePair, shared, bones, bones, "the skeleton");
    LOCAL_ARRAY(bool, there, bones, "the skeleton");
    LOCAL_ARRAY(double, strengths, bones, "the skeleton");
    LOCAL_ARRAY(int32_t, nearest, bones, "the skeleton");
    if (!out->parents) {
        ALLOCATE(out->parents, bones, "the skeleton");
        ALLOCATE(out->order, bones, "the skeleton");
        ALLOCATE_TABLE(out->joints, bones, 3, "the skeleton");
    }
    shared_sum(fit, shared);
    /* run Prim's algorithm from the bone of largest mass */
    int next = 0;
    for (int bone = 0; bone < bones; bone++) {
        strengths[bone] = -INFINITY;
        nearest[bone] = -1;
        if (shared[(ptrdiff_t)bone * (bones + 1)].mass > shared[(ptrdiff_t)next * (bones + 1)].mass)
            next = bone;
    }
    out->count = 0;
    while (next >= 0) {
        double middle[3];
        const int bone = next, parent = nearest[bone];
        there[bone] = true;
        out->order[out->count++] = bone;
        out->parents[bone] = parent;
        middle_of(shared, bones, bone, parent < 0 ? bone : parent, middle);
        memcpy(out->joints + 3 * (ptrdiff_t)bone, middle, sizeof middle);
        if (parent >= 0)
            joint_find(fit, bone, parent, middle, out->joints + 3 * (ptrdiff_t)bone);
        next = -1;
        for (int i = 0; i < bones; i++) {
            if (there[i] || !(shared[(ptrdiff_t)i * (bones + 1)].mass > 0.0))
                continue;
            const double strength = pair_strength(shared, bones, bone, i);
            if (strength > strengths[i]) {
                strengths[i] = strength;
                nearest[i] = bone;
            }
            if (next < 0 || strengths[i] > strengths[next])
                next = i;
        }
    }
    return status_ok();
}

void skeleton_clear(FitSkeleton *skeleton)
{
    FREE_ALL(skeleton->parents, skeleton->order, skeleton->joints);
}

/* Returns the bone that can replace a given bone with the smallest change. *cost receives the change: the
 * sum of w^2 |M_i v - M_other v|^2 over vertices and frames. */
static int bone_nearest(const SkinFit *fit, const FitSkeleton *skeleton, int bone, double *cost)
{
    const int rows = fit->target.row_count, influences = fit->influence_count;
    double square[4][4] = {{0.0}};
    int nearest = -1;
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * influences; slot++) {
        const double *rest = fit->rest + 3 * (slot / influences), v[4] = {rest[0], rest[1], rest[2], 1.0};
        for (int i = 0; i < 16 && fit->bones[slot] == bone && fit->weights[slot] > 0.0; i++)
            square[i / 4][i % 4] += fit->weights[slot] * fit->weights[slot] * v[i / 4] * v[i % 4];
    }
    *cost = INFINITY;
    for (int index = 0; index < skeleton->count; index++) {
        const int other = skeleton->order[index];
        double sum = 0.0;
        for (int row = 0; row < rows && other != bone && sum < *cost; row++) {
            double d[4];
            for (int i = 0; i < 4; i++)
                d[i] = map_at(fit, bone, row, i) - map_at(fit, other, row, i);
            for (int i = 0; i < 16; i++)
                sum += d[i / 4] * square[i / 4][i % 4] * d[i % 4];
        }
        if (other != bone && sum < *cost) {
            *cost = sum;
            nearest = other;
        }
    }
    return nearest;
}

Status skeleton_prune(SkinFit *fit, double squared, FitSkeleton *skeleton)
{
    const int influences = fit->influence_count;
    while (skeleton->count > 1) {
        double min = squared;
        int bone = -1, receiver = -1;
        for (int index = 0; index < skeleton->count; index++) {
            double cost;
            const int nearest = bone_nearest(fit, skeleton, skeleton->order[index], &cost);
            if (cost < min) {
                min = cost;
                bone = skeleton->order[index];
                receiver = nearest;
            }
        }
        if (bone < 0)
            return status_ok();
        for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * influences; slot++) {
            ptrdiff_t entry = slot - slot % influences, end = entry + influences;
            if (fit->bones[slot] != bone || !(fit->weights[slot] > 0.0))
                continue;
            while (entry < end && !(fit->bones[entry] == receiver && fit->weights[entry] > 0.0))
                entry++;
            const double weight = fit->weights[slot];
            fit->bones[slot] = entry < end ? 0 : receiver;
            fit->weights[slot] = entry < end ? 0.0 : weight;
            fit->weights[entry < end ? entry : slot] += entry < end ? weight : 0.0;
        }
        /* the last bone gets the index of the removed bone */
        const int last = --fit->bone_count;
        const size_t map = 4 * (size_t)fit->target.row_count;
        if (bone != last)
            memcpy(fit->maps + map * (size_t)bone, fit->maps + map * (size_t)last, map * sizeof *fit->maps);
        for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * influences; slot++)
            fit->bones[slot] = fit->bones[slot] == last ? bone : fit->bones[slot];
        STATUS_TRY(skeleton_make(fit, skeleton));
    }
    return status_ok();
}

void skeleton_hold(const FitSkeleton *skeleton, SkinFit *fit)
{
    const int rows = fit->target.row_count;
    for (int index = 1; index < skeleton->count; index++) {
        const int bone = skeleton->order[index], parent = skeleton->parents[bone];
        const double *c = skeleton->joints + 3 * (ptrdiff_t)bone;
        double *moved = fit->maps + ((ptrdiff_t)4 * bone + 3) * rows;
        for (int row = 0; row < rows; row++) {
            moved[row] = map_at(fit, parent, row, 3);
            for (int i = 0; i < 3; i++)
                moved[row] += (map_at(fit, parent, row, i) - map_at(fit, bone, row, i)) * c[i];
        }
    }
}

Status skeleton_deliver(const FitSkeleton *skeleton, const SkinFit *fit, Rig *rig)
{
    LOCAL_ARRAY(int32_t, joint_of, fit->bone_count, "the skeleton");
    LOCAL_ARRAY(int32_t, bone_of, fit->bone_count, "the skeleton");
    LOCAL_ARRAY(int32_t, place_of, fit->bone_count, "the skeleton");
    LOCAL_ARRAY(Transform, frame, rig->joint_count, "the skeleton");
    LOCAL_ARRAY(bool, used, fit->bone_count, "the skeleton");
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * fit->influence_count; slot++)
        used[fit->bones[slot]] = used[fit->bones[slot]] || fit->weights[slot] > 0.0;
    /* Numbers the joints and sorts them so that parents come first. A removed bone has no joint. */
    for (int bone = 0, joint = 0; bone < fit->bone_count; bone++)
        joint_of[bone] = used[bone] ? joint++ : -1;
    int count = 0;
    for (int index = 0; index < skeleton->count; index++) {
        const int bone = skeleton->order[index];
        int parent = skeleton->parents[bone];
        char name[32];
        while (parent >= 0 && !used[parent])
            parent = skeleton->parents[parent];
        if (!used[bone])
            continue;
        const double *c = skeleton->joints + 3 * (ptrdiff_t)bone, *middle = fit->units.center;
        bone_of[count] = joint_of[bone];
        place_of[joint_of[bone]] = count;
        rig->parents[count] = parent < 0 ? -1 : place_of[joint_of[parent]];
        rig->rest[count] = transform_translate(vec3_make(middle[0] + fit->units.unit * c[0],
                                                         middle[1] + fit->units.unit * c[1],
                                                         middle[2] + fit->units.unit * c[2]));
        snprintf(name, sizeof name, "bone_%d", count);
        COPY_TEXT(rig->joint_names[count], name, "the bone names");
        count++;
    }
    for (int f = 0; f < rig->frame_count; f++) {
        Transform *row = rig->transforms + (ptrdiff_t)f * rig->joint_count;
        memcpy(frame, row, (size_t)rig->joint_count * sizeof *frame);
        for (int joint = 0; joint < count; joint++)
            row[joint] = frame[bone_of[joint]];
    }
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * rig->influence_count; slot++)
        if (rig->weight_values[slot] > 0.0f)
            rig->weight_joints[slot] = place_of[rig->weight_joints[slot]];
    return status_ok();
}
