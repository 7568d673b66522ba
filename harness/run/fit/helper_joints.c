/* Adds helper joints one after another, each at the place where the skin is furthest from the target. A
 * helper joint starts halfway between a joint and its parent. Then three steps alternate: solve the weights
 * of the skin there, fit the helper's rigid motion in each pose, and fit a polynomial to these motions. The
 * file is longer than 450 lines because all steps share the same poses, influences and models. */
#include "harness/run/fit/helper_joints.h"

#include "datasets/geometry/affine_parts.h"
#include "datasets/geometry/cholesky.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/rigid_log.h"
#include "datasets/geometry/turn.h"
#include "methods/fitting/nnls.h"
#include "methods/runtime/skinner.h"

enum { TRIALS = 8, TRIAL_ROUNDS = 3, SWEEPS = 6, SLOTS = NNLS_UNKNOWNS_MAX, BLOCK = 8 };

/* The current influences of a vertex. */
typedef struct Influences {
    int count, own; /* `own` is the number of influences that the vertex has in the file */
    int32_t joints[SLOTS];
    double weights[SLOTS];
} Influences;

/* A set of poses, with the positions that the helper joints should imitate in them. */
typedef struct PoseSet {
    int count;
    Transform *transforms; /* [count][P + H] */
    float *target;         /* [count][N][3] */
} PoseSet;

static void pose_set_clear(PoseSet *set)
{
    FREE_ALL(set->transforms, set->target);
}

typedef struct HelperWork {
    const Mesh *mesh;
    const Rig *rig;
    const HelperOptions *options;
    int joints;             /* number of joints including helpers, P + H */
    PoseSet fitted;         /* the T poses to which the helpers are fitted */
    Influences *influences; /* [N] */
    int32_t *blends;        /* [N] pair of the two joints with the most weight on the vertex; -1: none */
    double *squares;        /* [N] squared distance of each vertex, summed over the poses by blend_error */
} HelperWork;

static void helper_work_clear(HelperWork *work)
{
    pose_set_clear(&work->fitted);
    FREE_ALL(work->influences, work->blends, work->squares);
}

/* ---- poses ---- */

/* Returns the motion of joint j relative to another joint p: C_p^-1 C_j. */
static Transform joint_motion(const Transform *pose, int parent, int joint)
{
    Transform back = transform_identity();
    if (parent >= 0)
        transform_inverse(pose[parent], &back);
    return transform_product(back, pose[joint]);
}

/* Makes a random pose. Each joint takes its motion relative to its parent from a random frame. The first
 * root stays at rest. */
static void pose_sample(const Rig *rig, Random *random, Transform *pose)
{
    for (int j = 0; j < rig->joint_count; j++) {
        const size_t frame = random_below(random, (size_t)rig->frame_count);
        const Transform *source = rig->transforms + frame * (size_t)rig->joint_count;
        const int parent = j > 0 ? int_max(rig->parents[j], 0)
                                 : rig->parents[j]; /* treat a further root like a child of the first root */
        pose[j] = parent < 0 ? transform_identity()
                             : transform_product(pose[parent], joint_motion(source, parent, j));
    }
}

/* Skins poses [poses][joints] to positions [poses][N][3] with a method that knows only the rig's original
 * joints. In each pose, the transformations of the original joints come before those of the helpers. */
static Status poses_skin(const HelperWork *work, const SkinningEntry *entry, const Transform *transforms,
                         int poses, float *positions)
{
    const size_t joints = (size_t)work->rig->joint_count, values = 3 * (size_t)work->mesh->vertex_count;
    const SkinnerOptions options = {.entry = entry,
                                    .parameters = parameters_default(entry->method->parameters),
                                    .backend = &backend_reference,
                                    .threads = work->options->threads};
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(&options, work->mesh, work->rig, &skinner));
    LOCAL_TABLE(Transform, block, BLOCK, joints, "the poses");
    for (int first = 0; first < poses; first += BLOCK) {
        const int count = int_min(BLOCK, poses - first);
        for (int i = 0; i < count; i++)
            memcpy(block + (size_t)i * joints, transforms + (size_t)(first + i) * (size_t)work->joints,
                   joints * sizeof *block);
        STATUS_TRY(skinner_pose(skinner, block, NULL, count));
        STATUS_TRY(skinner_skin_frames(skinner, positions + (size_t)first * values, NULL));
    }
    return status_ok();
}

/* ---- the model ---- */

/* Computes the features of the polynomial from the rotation of one joint relative to another joint. */
static void features_of(const HelperModel *model, const Transform *pose, bool quadratic, double *features)
{
    Quat turn = affine_parts(joint_motion(pose, model->parent, model->joint)).rotation;
    const Vec3 log = quat_log(turn.w < 0.0 ? quat_scale(turn, -1.0) : turn);
    const double r[3] = {log.x, log.y, log.z};
    int count = 3;
    memcpy(features, r, sizeof r);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++)
            features[count++] = quadratic ? r[a] * r[b] : 0.0;
}

static Vec3 model_apply(const double rows[3][HELPER_FEATURES], const double *features)
{
    double sums[3] = {0.0};
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < HELPER_FEATURES; i++)
            sums[row] += rows[row][i] * features[i];
    return vec3_make(sums[0], sums[1], sums[2]);
}

/* Returns the helper's motion M(r), in the rest space of its parent joint, for these features. */
static Transform model_motion(const HelperModel *model, const double *features)
{
    const Quat turn = quat_exp(model_apply(model->turn, features));
    const Vec3 moved = model_apply(model->move, features);
    return transform_rigid(turn, vec3_add(vec3_sub(model->center, quat_rotate(turn, model->center)), moved));
}

/* Computes the transformation of helper number `helper` in all poses of a set. */
static void model_pose(const HelperWork *work, const HelperModel *model, int helper, const PoseSet *set)
{
    for (int t = 0; t < set->count; t++)
        helper_joints_pose(model, 1, work->rig->joint_count + helper,
                           set->transforms + (size_t)t * (size_t)work->joints);
}

void helper_joints_pose(const HelperModel *models, int count, int joints, Transform *pose)
{
    for (int h = 0; h < count; h++) {
        double features[HELPER_FEATURES];
        features_of(&models[h], pose, true,
                    features); /* a linear model multiplies the quadratic features by 0 */
        pose[joints + h] = transform_product(pose[models[h].parent], model_motion(&models[h], features));
    }
}

/* ---- errors ---- */

static Vec3 blend_of(const Influences *influences, const Transform *pose, Vec3 vertex)
{
    Vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < influences->count; k++)
        sum = vec3_add_scaled(sum, transform_point(pose[influences->joints[k]], vertex),
                              influences->weights[k]);
    return sum;
}

static double vertex_squares(const HelperWork *work, const Influences *influences, const PoseSet *set, int v)
{
    double sum = 0.0;
    for (int t = 0; t < set->count; t++) {
        const Vec3 off = vec3_sub(blend_of(influences, set->transforms + (size_t)t * (size_t)work->joints,
                                           point_at(work->mesh->rest, v)),
                                  point_at(set->target, (ptrdiff_t)t * work->mesh->vertex_count + v));
        sum += vec3_dot(off, off);
    }
    return sum;
}

/* Returns the root mean square distance from the target over the poses. Sets work->squares to the sum of
 * squares of each vertex. */
static double blend_error(const HelperWork *work, const PoseSet *set)
{
    double sum = 0.0;
#pragma omp parallel for schedule(static) num_threads(work->options->threads)
    for (int v = 0; v < work->mesh->vertex_count; v++)
        work->squares[v] = vertex_squares(work, &work->influences[v], set, v);
    for (int v = 0; v < work->mesh->vertex_count; v++)
        sum += work->squares[v];
    return set->count > 0 ? sqrt(sum / ((double)set->count * work->mesh->vertex_count)) : 0.0;
}

/* ---- weights ---- */

/* Solves for the weights of a vertex's given influences that have the least squared error. They are then
 * scaled to sum 1. */
static void weights_solve(const HelperWork *work, int v, Influences *influences)
{
    double gram[SLOTS * SLOTS] = {0.0}, products[SLOTS] = {0.0}, sum = 0.0;
    const Vec3 vertex = point_at(work->mesh->rest, v);
    for (int t = 0; t < work->fitted.count; t++) {
        const Transform *pose = work->fitted.transforms + (size_t)t * (size_t)work->joints;
        /* measure distances from the image of the vertex under the first influence, so that large
         * translations cancel (weights sum to 1) */
        const Vec3 from = transform_point(pose[influences->joints[0]], vertex);
        const Vec3 way =
            vec3_sub(point_at(work->fitted.target, (ptrdiff_t)t * work->mesh->vertex_count + v), from);
        Vec3 ways[SLOTS];
        for (int k = 0; k < influences->count; k++) {
            ways[k] = vec3_sub(transform_point(pose[influences->joints[k]], vertex), from);
            products[k] += vec3_dot(ways[k], way);
            for (int l = 0; l <= k; l++)
                gram[k * SLOTS + l] += vec3_dot(ways[k], ways[l]);
        }
        sum += vec3_dot(way, way);
    }
    for (int k = 0; k < influences->count; k++)
        for (int l = k + 1; l < influences->count; l++)
            gram[k * SLOTS + l] = gram[l * SLOTS + k];
    nnls_solve(influences->count, gram, products, 100.0 * sum + 1e-30, influences->weights);
    sum = 0.0;
    for (int k = 0; k < influences->count; k++)
        sum += influences->weights[k];
    for (int k = 0; k < influences->count && sum > 0.0; k++)
        influences->weights[k] /= sum;
    if (!(sum > 0.0))
        influences->weights[0] = 1.0;
}

/* Considers all vertices that the helper's two joints influence. A vertex gets a weight for the helper if
 * that lowers its squared error by at least `min`. Sets *count to the number of vertices with such a
 * weight. */
static void region_solve(HelperWork *work, const HelperModel *model, int helper, double min, int *count)
{
    const int32_t joint = work->rig->joint_count + helper;
    int used = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(work->options->threads) reduction(+ : used)
    for (int v = 0; v < work->mesh->vertex_count; v++) {
        Influences *entry = &work->influences[v], with = *entry;
        bool touched = false, has = false;
        for (int k = 0; k < entry->count; k++) {
            touched = touched || entry->joints[k] == model->joint || entry->joints[k] == model->parent ||
                      entry->joints[k] == joint;
            has = has || entry->joints[k] == joint;
        }
        if (!touched || entry->count == 1 || (!has && entry->count == SLOTS))
            continue;
        if (!has)
            with.joints[with.count++] = joint;
        weights_solve(work, v, &with);
        const int max = entry->own + 1;
        const int before = with.count;
        /* drop influences without weight; if there are still too many, drop the lightest ones */
        for (int m = with.count - 1; m >= 0; m--)
            if (with.weights[m] < 1e-4) {
                with.count--;
                with.joints[m] = with.joints[with.count];
                with.weights[m] = with.weights[with.count];
            }
        while (with.count > max) {
            int lightest = 0;
            for (int m = 1; m < with.count; m++)
                lightest = with.weights[m] < with.weights[lightest] ? m : lightest;
            with.count--;
            with.joints[lightest] = with.joints[with.count];
            with.weights[lightest] = with.weights[with.count];
        }
        if (with.count < before)
            weights_solve(work, v, &with);
        const double gain =
            vertex_squares(work, entry, &work->fitted, v) - vertex_squares(work, &with, &work->fitted, v);
        if (gain > (has ? 0.0 : min))
            *entry = with;
        for (int k = 0; k < entry->count; k++)
            used += entry->joints[k] == joint;
    }
    *count = used;
}

/* ---- motions ---- */

/* The motion of a helper in a pose; `known` tells whether the skin suffices to determine it. */
typedef struct HelperMotion {
    Vec3 turn, move;
    bool known;
} HelperMotion;

/* Finds the motion of a helper in a pose that minimises the squared error, pulled slightly towards the
 * motion that the polynomials predict. Solves a weighted Procrustes problem in the parent's rest space: w
 * (R v + t) should equal the target minus the contribution of the other influences. */
static HelperMotion motion_fit(const HelperWork *work, const HelperModel *model, int helper, int t,
                               const double *features)
{
    static const double PRIOR = 0.05;
    const int32_t joint = work->rig->joint_count + helper;
    const Transform *pose = work->fitted.transforms + (size_t)t * (size_t)work->joints;
    const Transform parent = pose[model->parent], present = model_motion(model, features);
    Transform back;
    double mass = 0.0, spread = 0.0, sums[3][3] = {{0.0}}, rotation[3][3];
    Vec3 goal = vec3_make(0.0, 0.0, 0.0);
    Vec3 from = goal;
    if (!transform_inverse(parent, &back))
        return (HelperMotion){.known = false};
    for (int v = 0; v < work->mesh->vertex_count; v++) {
        const Influences *entry = &work->influences[v];
        double weight = 0.0;
        for (int k = 0; k < entry->count; k++)
            weight += entry->joints[k] == joint ? entry->weights[k] : 0.0;
        if (weight < 1e-3)
            continue;
        const Vec3 rest = point_at(work->mesh->rest, v), arm = vec3_sub(rest, model->center);
        /* position to which the helper should move the vertex: the target minus the contribution of the
         * other influences, divided by the weight */
        const Vec3 off = vec3_sub(point_at(work->fitted.target, (ptrdiff_t)t * work->mesh->vertex_count + v),
                                  blend_of(entry, pose, rest));
        const Vec3 wanted = vec3_sub(
            vec3_add_scaled(transform_point(present, rest), transform_direction(back, off), 1.0 / weight),
            model->center);
        const double square = weight * weight;
        const double a[3] = {arm.x, arm.y, arm.z}, b[3] = {wanted.x, wanted.y, wanted.z};
        mass += square;
        from = vec3_add_scaled(from, arm, square);
        goal = vec3_add_scaled(goal, wanted, square);
        spread += square * vec3_dot(arm, arm);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                sums[row][column] += square * b[row] * a[column];
    }
    if (!(mass > 0.0))
        return (HelperMotion){.known = false};
    from = vec3_scale(from, 1.0 / mass);
    goal = vec3_scale(goal, 1.0 / mass);
    const double a[3] = {from.x, from.y, from.z}, b[3] = {goal.x, goal.y, goal.z};
    double prior[3][3];
    transform_matrix(present, prior);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sums[row][column] += PRIOR * spread * prior[row][column] - mass * b[row] * a[column];
    nearest_rotation((const double(*)[3])sums, rotation);
    const Transform fitted = transform_of_matrix((const double(*)[3])rotation, vec3_make(0.0, 0.0, 0.0));
    const Quat q = affine_parts(fitted).rotation;
    return (HelperMotion){quat_log(q.w < 0.0 ? quat_scale(q, -1.0) : q),
                          vec3_sub(goal, transform_direction(fitted, from)), true};
}

/* Fits the polynomials to the motions. Coefficients that the poses do not determine stay close to their
 * previous values. */
static void model_fit(HelperWork *work, const HelperMotion *motions, int helper, HelperModel *model)
{
    static const double RIDGE = 1e-4;
    double normal[HELPER_FEATURES][HELPER_FEATURES] = {{0.0}}, turns[3][HELPER_FEATURES] = {{0.0}},
           moves[3][HELPER_FEATURES] = {{0.0}}, trace = 0.0;
    const int count = work->options->quadratic ? HELPER_FEATURES : 3;
    for (int t = 0; t < work->fitted.count; t++) {
        double features[HELPER_FEATURES];
        features_of(model, work->fitted.transforms + (size_t)t * (size_t)work->joints,
                    work->options->quadratic, features);
        const Vec3 turn = motions[t].turn, move = motions[t].move;
        const double turned[3] = {turn.x, turn.y, turn.z}, moved[3] = {move.x, move.y, move.z};
        for (int i = 0; i < count && motions[t].known; i++) {
            for (int k = 0; k < count; k++)
                normal[i][k] += features[i] * features[k];
            for (int row = 0; row < 3; row++) {
                turns[row][i] += turned[row] * features[i];
                moves[row][i] += moved[row] * features[i];
            }
        }
    }
    for (int i = 0; i < count; i++)
        trace += normal[i][i];
    if (!(trace > 0.0))
        return;
    for (int i = 0; i < count; i++) {
        normal[i][i] += RIDGE * trace;
        for (int row = 0; row < 3; row++) {
            turns[row][i] += RIDGE * trace * model->turn[row][i];
            moves[row][i] += RIDGE * trace * model->move[row][i];
        }
    }
    for (int i = 0; i < count; i++)
        normal[i][i] = sqrt(fmax(cholesky_row(normal[0], HELPER_FEATURES, i), 1e-300));
    for (int row = 0; row < 3; row++) {
        cholesky_solve(normal[0], HELPER_FEATURES, count, turns[row]);
        cholesky_solve(normal[0], HELPER_FEATURES, count, moves[row]);
    }
    memcpy(model->turn, turns, sizeof turns);
    memcpy(model->move, moves, sizeof moves);
    model_pose(work, model, helper, &work->fitted);
}

/* ---- the fit ---- */

/* Returns the pair of the two heaviest joints of a vertex, encoded as the parent (or lower index) times the
 * number of joints plus the other joint. Returns -1 if the vertex has only one joint. */
static int32_t blended_pair(const Rig *rig, const Influences *influences)
{
    int first = 0, second = -1;
    for (int k = 1; k < influences->count; k++)
        if (influences->weights[k] > influences->weights[first]) {
            second = first;
            first = k;
        } else if (second < 0 || influences->weights[k] > influences->weights[second])
            second = k;
    if (second < 0)
        return -1;
    const int32_t a = influences->joints[first], b = influences->joints[second];
    return a < b ? a * rig->joint_count + b : b * rig->joint_count + a;
}

/* Fits one helper by alternating weights, motions and polynomials. */
static Status helper_fit(HelperWork *work, int helper, double min, int rounds, HelperModel *model)
{
    LOCAL_ARRAY(HelperMotion, motions, work->fitted.count, "the motions");
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel for schedule(dynamic) num_threads(work->options->threads)
        for (int t = 0; t < work->fitted.count; t++) {
            double features[HELPER_FEATURES];
            features_of(model, work->fitted.transforms + (size_t)t * (size_t)work->joints,
                        work->options->quadratic, features);
            motions[t] = motion_fit(work, model, helper, t, features);
        }
        model_fit(work, motions, helper, model);
        region_solve(work, model, helper, min, &model->vertices);
    }
    return status_ok();
}

/* Starts a helper with a fraction of the motion of one joint relative to the other. */
static Status helper_start(HelperWork *work, int pair, int before, double min, int helper, HelperModel *model)
{
    static const double shares[] = {0.5, 0.25, 0.75};
    const int parent = pair / work->rig->joint_count, joint = pair % work->rig->joint_count;
    LOCAL_ARRAY(HelperMotion, motions, work->fitted.count, "the motions");
    *model = (HelperModel){.parent = parent, .joint = joint, .center = rig_joint_place(work->rig, joint)};
    for (int t = 0; t < work->fitted.count; t++) {
        const Transform *pose = work->fitted.transforms + (size_t)t * (size_t)work->joints;
        const Transform motion = joint_motion(pose, parent, joint);
        double features[HELPER_FEATURES];
        features_of(model, pose, false, features);
        const Vec3 move = vec3_sub(transform_point(motion, model->center), model->center);
        motions[t] =
            (HelperMotion){vec3_scale(vec3_make(features[0], features[1], features[2]), shares[before]),
                           vec3_scale(move, shares[before]), true};
    }
    model_fit(work, motions, helper, model);
    region_solve(work, model, helper, min, &model->vertices);
    return helper_fit(work, helper, min, TRIAL_ROUNDS, model);
}

/* Tries helpers between the pairs of joints whose skin has the largest errors, and adds the helper with the
 * largest gain. tried [P][P] counts the helpers that already lie between the joints of each pair. */
static Status helper_add(HelperWork *work, int *tried, double min, int helper, HelperModel *model,
                         bool *gained)
{
    const size_t bytes = (size_t)work->mesh->vertex_count * sizeof(Influences);
    const int pairs = work->rig->joint_count * work->rig->joint_count;
    LOCAL_ARRAY(Influences, before, work->mesh->vertex_count, "the weights");
    LOCAL_ARRAY(Influences, best, work->mesh->vertex_count, "the weights");
    LOCAL_ARRAY(double, scores, pairs, "the errors");
    double least_error = blend_error(work, &work->fitted);
    int chosen = -1;
    memcpy(before, work->influences, bytes);
    /* scores [P][P] contains, for each pair of joints, the summed squared error of the vertices on which
     * these two joints have the most weight */
    for (int v = 0; v < work->mesh->vertex_count; v++)
        if (work->blends[v] >= 0)
            scores[work->blends[v]] += work->squares[v];
    for (int trial = 0; trial < TRIALS; trial++) {
        HelperModel candidate;
        int pair = -1;
        for (int i = 0; i < pairs; i++)
            if (tried[i] < 3 && scores[i] > 0.0 && (pair < 0 || scores[i] > scores[pair]))
                pair = i;
        if (pair < 0)
            break;
        scores[pair] = 0.0;
        STATUS_TRY(helper_start(work, pair, tried[pair], min, helper, &candidate));
        const double error = blend_error(work, &work->fitted);
        if (error < least_error) {
            least_error = error;
            chosen = pair;
            *model = candidate;
            memcpy(best, work->influences, bytes);
        }
        memcpy(work->influences, before, bytes);
    }
    *gained = chosen >= 0;
    if (!*gained)
        return status_ok();
    tried[chosen]++;
    memcpy(work->influences, best, bytes);
    model_pose(work, model, helper, &work->fitted);
    return status_ok();
}

/* Makes the rig that has both the original joints and the helpers, posed in the frames of the file. */
static Status rig_deliver(const HelperWork *work, HelperFit *fit)
{
    const Rig *rig = work->rig;
    const size_t old = (size_t)rig->joint_count;
    const int vertices = work->mesh->vertex_count;
    int max = 1;
    Rig *out = &fit->rig;
    for (int v = 0; v < vertices; v++)
        max = int_max(max, work->influences[v].count);
    STATUS_TRY(rig_allocate(out, vertices, rig->joint_count + fit->count, rig->frame_count, max));
    memcpy(out->parents, rig->parents, old * sizeof *rig->parents);
    memcpy(out->rest, rig->rest, old * sizeof *rig->rest);
    for (int j = 0; j < out->joint_count; j++) {
        char name[128];
        const int source = j < rig->joint_count ? j : fit->models[j - rig->joint_count].joint;
        const char *named = rig->joint_names && rig->joint_names[source] ? rig->joint_names[source] : "joint";
        if (j < rig->joint_count)
            snprintf(name, sizeof name, "%s", named);
        else
            snprintf(name, sizeof name, "%.100s-helper-%d", named, j - rig->joint_count + 1);
        out->joint_names[j] = memory_text(name);
        ALLOCATED(out->joint_names[j], "the rig");
        if (j >= rig->joint_count) {
            out->parents[j] = fit->models[j - rig->joint_count].parent;
            out->rest[j] = rig->rest[source];
        }
    }
    for (int f = 0; f < rig->frame_count; f++) {
        Transform *pose = out->transforms + (size_t)f * (size_t)out->joint_count;
        memcpy(pose, rig->transforms + (size_t)f * old, old * sizeof *pose);
        helper_joints_pose(fit->models, fit->count, rig->joint_count, pose);
    }
    for (int v = 0; v < vertices; v++)
        for (int k = 0; k < work->influences[v].count; k++) {
            const size_t slot = (size_t)v * (size_t)max + (size_t)k;
            out->weight_joints[slot] = work->influences[v].joints[k];
            out->weight_values[slot] = (float)work->influences[v].weights[k];
        }
    return status_ok();
}

/* Makes `count` poses. The first `frames` poses are frames of the file: every second frame, starting with
 * `first`. The other poses are random. */
static Status pose_set_make(const HelperWork *work, Random *random, int first, int frames, int count,
                            PoseSet *set)
{
    const size_t joints = (size_t)work->rig->joint_count, values = 3 * (size_t)work->mesh->vertex_count;
    const float *shapes = work->options->shapes;
    set->count = count;
    ALLOCATE_TABLE(set->transforms, count, work->joints, "the poses");
    ALLOCATE_TABLE(set->target, count, values, "the poses");
    for (int t = 0; t < count; t++) {
        Transform *pose = set->transforms + (size_t)t * (size_t)work->joints;
        if (t < frames)
            memcpy(pose, work->rig->transforms + (size_t)(first + 2 * t) * joints, joints * sizeof *pose);
        else
            pose_sample(work->rig, random, pose);
    }
    for (int t = 0; t < count && shapes; t++)
        memcpy(set->target + (size_t)t * values, shapes + (size_t)(first + 2 * t) * values,
               values * sizeof *shapes);
    return shapes ? status_ok()
                  : poses_skin(work, work->options->target, set->transforms, count, set->target);
}

static double error_after(const HelperWork *work, const HelperFit *fit, const PoseSet *set)
{
    for (int h = 0; h < fit->count; h++)
        model_pose(work, &fit->models[h], h, set);
    return blend_error(work, set);
}

Status helper_joints_fit(const Mesh *mesh, const Rig *rig, const HelperOptions *options, HelperFit *out)
{
    CLEANUP(helper_work_clear)
    HelperWork work = {
        .mesh = mesh, .rig = rig, .options = options, .joints = rig->joint_count + options->helpers};
    CLEANUP(pose_set_clear) PoseSet held = {0}, own_poses = {0};
    Random random = {options->seed};
    *out = (HelperFit){.count = 0};
    if (rig->joint_count == 0 || rig->frame_count == 0 || !rig->rest || mesh->vertex_count == 0)
        return bad_input(
            "needs a rig with rest frames and posed frames, from which helper joints can be computed");
    if (rig->scale)
        return bad_input("has a rig with scale, which helper joints cannot reproduce");
    ALLOCATE(work.influences, mesh->vertex_count, "the weights");
    ALLOCATE(work.blends, mesh->vertex_count, "the weights");
    ALLOCATE(work.squares, mesh->vertex_count, "the errors");
    LOCAL_TABLE(int, tried, rig->joint_count, rig->joint_count, "the joints");
    const Rig *from = work.rig;
    for (int v = 0; v < work.mesh->vertex_count; v++) {
        Influences *into = &work.influences[v];
        for (int k = 0; k < from->influence_count; k++) {
            const size_t slot = (size_t)v * (size_t)from->influence_count + (size_t)k;
            if (from->weight_values[slot] == 0.0f)
                continue;
            if (from->weight_values[slot] < 0.0f || into->count == SLOTS - 1)
                return bad_input("vertex %d has a negative weight, or more than %d influences", v, SLOTS - 1);
            into->joints[into->count] = from->weight_joints[slot];
            into->weights[into->count++] = (double)from->weight_values[slot];
        }
        into->own = into->count;
        work.blends[v] = blended_pair(from, into);
    }
    const int even = (rig->frame_count + 1) / 2, odd = rig->frame_count / 2;
    const int most = options->shapes ? int_min(even, options->poses) : options->poses;
    STATUS_TRY(pose_set_make(&work, &random, 0, options->shapes ? most : int_min(even, most / 2), most,
                             &work.fitted));
    STATUS_TRY(pose_set_make(&work, &random, 0, 0, options->shapes ? 0 : most, &held));
    STATUS_TRY(pose_set_make(&work, &random, 1, odd, odd, &own_poses));
    out->fitted.before = error_after(&work, out, &work.fitted);
    out->held.before = error_after(&work, out, &held);
    out->own.before = error_after(&work, out, &own_poses);

    /* a vertex gets a weight for a helper if that lowers its squared error by at least 1/500 of the mean */
    const double min = 0.002 * out->fitted.before * out->fitted.before * most;
    for (bool gained = true; gained && out->count < options->helpers;) {
        STATUS_TRY(helper_add(&work, tried, min, out->count, &out->models[out->count], &gained));
        out->count += gained;
        if (!progress_report(options->progress, "helpers", (double)out->count / options->helpers))
            return status_make(STATUS_STOPPED, "stopped after adding %d helper joints", out->count);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int h = 0; h < out->count; h++)
            STATUS_TRY(helper_fit(&work, h, min, 1, &out->models[h]));
    out->fitted.after = error_after(&work, out, &work.fitted);
    out->held.after = error_after(&work, out, &held);
    out->own.after = error_after(&work, out, &own_poses);
    return rig_deliver(&work, out);
}
