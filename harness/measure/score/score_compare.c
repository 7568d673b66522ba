/* Puts a comparison of two rigs together: the unit, the joints that belong together, and the parts. */
#include "harness/measure/score/score_parts.h"

#include "datasets/geometry/point_tree.h"
#include "datasets/geometry/points.h"
#include "harness/measure/score/assignment.h"

/* the words of the parameters `unit` and `match` */
enum { UNIT_BOX, UNIT_BOX_JOINTS, UNIT_BOX2, UNIT_FILE, UNIT_DIAGONAL };
enum { MATCH_AUTO, MATCH_NAMES, MATCH_ORDER, MATCH_HUNGARIAN };

static ScoreFrame frame_of(const ScoreTask *task)
{
    const int unit = (int)task->parameters.values[SCORE_UNIT];
    const Bounds mesh = bounds_of(task->mesh->rest, task->mesh->vertex_count);
    Bounds box = mesh;
    ScoreFrame frame = {.box = 0.0};
    for (int j = 0; j < task->truth->joint_count && unit == UNIT_BOX_JOINTS; j++) {
        const Vec3 place = rig_joint_place(task->truth, j);
        const double joint[3] = {place.x, place.y, place.z};
        for (int axis = 0; axis < 3; axis++) {
            box.low[axis] = fmin(box.low[axis], joint[axis]);
            box.high[axis] = fmax(box.high[axis], joint[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        frame.box = fmax(frame.box, mesh.high[axis] - mesh.low[axis]);
        frame.unit = fmax(frame.unit, box.high[axis] - box.low[axis]);
    }
    frame.middle = vec3_make(0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1]),
                             0.5 * (box.low[2] + box.high[2]));
    if (unit == UNIT_BOX2)
        frame.unit *= 0.5;
    else if (unit == UNIT_FILE)
        frame.unit = 1.0;
    else if (unit == UNIT_DIAGONAL)
        frame.unit = mesh.diagonal;
    return frame;
}

Status score_check(const Mesh *mesh, const Rig *rig, const char *what)
{
    const double FAR = 1e3; /* box diagonals; points along bones would need too much memory */
    const Bounds box = bounds_of(mesh->rest, mesh->vertex_count);
    const Vec3 low = vec3_make(box.low[0], box.low[1], box.low[2]);
    int bones = 0, apart = 0;
    if (!(box.diagonal > 0.0))
        return bad_input("the true mesh has no extent, so there is no unit of length");
    if (rig->joint_count == 0)
        return bad_input("%s has no joints", what);
    if (rig->joint_count > SCORE_JOINTS_MAX)
        return bad_input("%s has %d joints, but at most %d are compared", what, rig->joint_count,
                         SCORE_JOINTS_MAX);
    for (int j = 0; j < rig->joint_count; j++) {
        const double distance = vec3_length(vec3_sub(rig_joint_place(rig, j), low));
        if (!(distance <= FAR * box.diagonal))
            return bad_input("joint %d of %s is not finite or more than %g box diagonals from the mesh", j,
                             what, FAR);
        bones += rig->parents[j] >= 0;
        apart += vec3_length(vec3_sub(rig_joint_place(rig, j), rig_joint_place(rig, 0))) > 0.0;
    }
    if (bones == 0 || apart == 0)
        return bad_input(bones == 0 ? "%s has no bones" : "%s has all joints in one place", what);
    return status_ok();
}

/* ---- weights ---- */

/* Finds the vertex of the predicted mesh that is nearest to each true vertex: rows [vertices]. Meshes with
 * the same vertices are not searched. */
static Status rows_find(const ScoreTask *task, double box, int32_t *rows, double *greatest)
{
    const double SAME = 1e-5; /* box edges; text files have as few as 5 digits */
    const int count = task->rig_mesh->vertex_count, vertices = task->mesh->vertex_count;
    bool same = count == vertices;
    *greatest = 0.0;
    for (int v = 0; v < vertices; v++) {
        rows[v] = v;
        if (same) {
            const double distance =
                vec3_length(vec3_sub(point_at(task->mesh->rest, v), point_at(task->rig_mesh->rest, v)));
            same = distance <= SAME * box;
            *greatest = fmax(*greatest, distance / box);
        }
    }
    if (same)
        return status_ok();
    CLEANUP(point_tree_clear) PointTree tree = {0};
    LOCAL_ARRAY(Vec3, points, count, "the vertices of a prediction");
    for (int v = 0; v < count; v++)
        points[v] = point_at(task->rig_mesh->rest, v);
    STATUS_TRY(point_tree_init(points, count, &tree));
    *greatest = 0.0;
    for (int v = 0; v < vertices; v++) {
        double distance = 0.0;
        rows[v] = point_tree_nearest(&tree, point_at(task->mesh->rest, v), &distance);
        *greatest = fmax(*greatest, distance / box);
    }
    return status_ok();
}

static void weights_clear(ScoreWeights *weights)
{
    FREE_ALL(weights->joints, weights->values);
}

/* Copies the weights of `vertices` rows; row v for vertex v if `rows` is NULL. Drops weights below
 * `prune_below`, then those below the share `prune_relative` of the row's largest, and scales the others to
 * sum 1. */
static Status weights_init(const Rig *rig, const int32_t *rows, int vertices, double prune_below,
                           double prune_relative, ScoreWeights *out)
{
    const size_t slots = (size_t)rig->influence_count;
    *out = (ScoreWeights){.vertices = vertices, .slots = rig->influence_count};
    ALLOCATE_TABLE(out->joints, vertices, slots, "weights");
    ALLOCATE_TABLE(out->values, vertices, slots, "weights");
    for (size_t v = 0; v < (size_t)vertices; v++) {
        const size_t row = slots * (rows ? (size_t)rows[v] : v);
        double *values = out->values + slots * v, max = 0.0, sum = 0.0;
        for (size_t k = 0; k < slots; k++) {
            out->joints[slots * v + k] = rig->weight_joints[row + k];
            values[k] = (double)rig->weight_values[row + k];
            values[k] = values[k] < prune_below ? 0.0 : values[k];
            max = fmax(max, values[k]);
        }
        for (size_t k = 0; k < slots; k++) {
            values[k] = values[k] < prune_relative * max ? 0.0 : values[k];
            sum += values[k];
        }
        for (size_t k = 0; k < slots && sum > 0.0 && (prune_below > 0.0 || prune_relative > 0.0); k++)
            values[k] /= sum;
    }
    return status_ok();
}

/* Computes the mean over vertices of |w_j - g_k| for all columns j and k, as (sum w_j + sum g_k - 2 sum
 * min(w_j, g_k)) / vertices, so that only vertices that both move are visited: differences [joints][true
 * joints]. */
static Status columns_compare(const ScoreWeights *weights, int joints, const ScoreWeights *truth,
                              int true_joints, double *differences)
{
    LOCAL_ARRAY(double, sums, (size_t)joints + (size_t)true_joints, "sums of weights");
    for (ptrdiff_t v = 0; v < weights->vertices; v++) {
        const ptrdiff_t row = v * weights->slots, true_row = v * truth->slots;
        for (int k = 0; k < truth->slots; k++)
            sums[joints + truth->joints[true_row + k]] += truth->values[true_row + k];
        for (int i = 0; i < weights->slots; i++) {
            const double w = weights->values[row + i];
            const int32_t joint = weights->joints[row + i];
            sums[joint] += w;
            for (int k = 0; k < truth->slots && w > 0.0; k++)
                differences[(ptrdiff_t)joint * true_joints + truth->joints[true_row + k]] -=
                    2.0 * fmin(w, truth->values[true_row + k]);
        }
    }
    for (ptrdiff_t j = 0; j < joints; j++)
        for (int k = 0; k < true_joints; k++) {
            double *difference = &differences[j * true_joints + k];
            *difference = (*difference + sums[j] + sums[joints + k]) / weights->vertices;
        }
    return status_ok();
}

/* ---- joints that belong together ---- */

static void match_clear(RigMatch *match)
{
    FREE_ALL(match->partner, match->found, match->column);
}

/* Whether each joint of a rig has a name that the other rig has. */
static bool names_known(const Rig *rig, const Rig *other)
{
    for (int j = 0; j < rig->joint_count; j++)
        if (!rig->joint_names[j] || rig_joint_find(other, rig->joint_names[j]) < 0)
            return false;
    return true;
}

static int match_choose(const ScoreTask *task)
{
    const int match = (int)task->parameters.values[SCORE_MATCH];
    bool named = false;
    if (match != MATCH_AUTO)
        return match;
    for (int j = 0; j < task->rig->joint_count; j++)
        named = named || task->rig->joint_names[j];
    if (!named && task->rig->joint_count == task->truth->joint_count)
        return MATCH_ORDER;
    return names_known(task->rig, task->truth) && names_known(task->truth, task->rig) ? MATCH_NAMES
                                                                                      : MATCH_HUNGARIAN;
}

/* Computes the mean place of the children of each joint, or the joint's own place if it has none. */
static void child_places(const BoneGraph *skeleton, Vec3 *places, int32_t *counts)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        if (skeleton->parents[j] >= 0) {
            counts[skeleton->parents[j]]++;
            places[skeleton->parents[j]] = vec3_add(places[skeleton->parents[j]], skeleton->joints[j]);
        }
    for (int j = 0; j < skeleton->joint_count; j++)
        places[j] = counts[j] ? vec3_scale(places[j], 1.0 / counts[j]) : skeleton->joints[j];
}

/* Pairs joints by distance. Joints in one place are told apart by their children, then by their weights. */
static Status match_by_distance(const BoneGraph *skeleton, const BoneGraph *truth, const double *tolerances,
                                const double *differences, int32_t *partner)
{
    const int joints = skeleton->joint_count, true_joints = truth->joint_count;
    LOCAL_TABLE(double, costs, joints, true_joints, "the pairs of joints");
    LOCAL_TABLE(Vec3, children, joints + true_joints, 1, "the children of joints");
    LOCAL_ARRAY(int32_t, counts, joints + true_joints, "the children of joints");
    child_places(skeleton, children, counts);
    child_places(truth, children + joints, counts + joints);
    for (int j = 0; j < joints; j++)
        for (int k = 0; k < true_joints; k++)
            costs[(ptrdiff_t)j * true_joints + k] =
                vec3_length(vec3_sub(skeleton->joints[j], truth->joints[k])) +
                1e-6 * vec3_length(vec3_sub(children[j], children[joints + k])) +
                1e-8 * (differences ? differences[(ptrdiff_t)j * true_joints + k] : 0.0);
    STATUS_TRY(assignment_find(costs, joints, true_joints, partner));
    for (int j = 0; j < joints; j++)
        if (partner[j] >= 0 &&
            !(vec3_length(vec3_sub(skeleton->joints[j], truth->joints[partner[j]])) < tolerances[partner[j]]))
            partner[j] = -1;
    return status_ok();
}

/* Completes a match from its partners. */
static void match_complete(const ScoreTask *task, RigMatch *match)
{
    const int true_joints = task->truth->joint_count;
    for (int k = 0; k < true_joints; k++)
        match->found[k] = -1;
    for (int j = 0; j < task->rig->joint_count; j++) {
        const int32_t partner = match->partner[j];
        match->column[j] = partner >= 0 ? partner : true_joints + j;
        if (partner >= 0) {
            match->found[partner] = j;
            match->pairs++;
            continue;
        }
        for (int32_t up = task->rig->parents[j]; up >= 0; up = task->rig->parents[up])
            if (match->partner[up] >= 0 && task->parameters.values[SCORE_UNMATCHED] != 0.0) {
                match->column[j] = match->partner[up];
                break;
            }
    }
}

/* ---- all together ---- */

Status score_compare(const ScoreTask *task, ScoreExtent extent, Score *out)
{
    const ParameterValues *parameters = &task->parameters;
    const ScoreFrame frame = frame_of(task);
    const Rig *rig = task->rig, *truth = task->truth;
    const int joints = rig->joint_count, true_joints = truth->joint_count,
              vertices = task->mesh->vertex_count;
    CLEANUP(bone_graph_clear) BoneGraph skeleton = {0}, true_skeleton = {0}, plain = {0}, true_plain = {0};
    CLEANUP(weights_clear) ScoreWeights weights = {0}, true_weights = {0};
    CLEANUP(match_clear) RigMatch match = {0};
    double *values = out->values;
    for (int i = 0; i < SCORE_COUNT; i++)
        values[i] = NAN;
    out->box = frame.box;
    if (!(frame.unit > 0.0))
        return status_ok();
    /* skeletons */
    ParameterValues untouched = *parameters;
    untouched.values[SCORE_CLEANUP] = 0.0;
    STATUS_TRY(bone_graph_init(rig, &frame, parameters, &skeleton));
    STATUS_TRY(bone_graph_init(truth, &frame, parameters, &true_skeleton));
    STATUS_TRY(bone_graph_init(rig, &frame, &untouched, &plain));
    STATUS_TRY(bone_graph_init(truth, &frame, &untouched, &true_plain));
    LOCAL_TABLE(double, tolerances, true_joints, 2, "the sizes of joints");
    if (extent != SCORE_QUICK) {
        STATUS_TRY(bone_graph_tolerances(&true_skeleton, task->mesh, &frame, parameters, tolerances));
        STATUS_TRY(
            bone_graph_tolerances(&true_plain, task->mesh, &frame, parameters, tolerances + true_joints));
    }
    STATUS_TRY(score_skeletons(&skeleton, &true_skeleton, tolerances, parameters, extent, out));
    /* weights of the true vertices */
    const bool weighted = task->rig_mesh->vertex_count > 0 && rig->influence_count > 0 && vertices > 0 &&
                          truth->influence_count > 0;
    LOCAL_TABLE(double, differences, joints, true_joints, "differences of weights");
    if (weighted) {
        LOCAL_ARRAY(int32_t, rows, vertices, "the vertices of a prediction");
        if (!task->rows)
            STATUS_TRY(rows_find(task, frame.box, rows, &values[SCORE_VERTEX_DISTANCE]));
        STATUS_TRY(weights_init(rig, task->rows ? task->rows : rows, vertices,
                                parameters->values[SCORE_PRUNE_BELOW],
                                parameters->values[SCORE_PRUNE_RELATIVE], &weights));
        STATUS_TRY(weights_init(truth, NULL, vertices, 0.0, 0.0, &true_weights));
        STATUS_TRY(columns_compare(&weights, joints, &true_weights, true_joints, differences));
    }
    /* joints that belong together */
    const int kind = extent == SCORE_QUICK ? MATCH_NAMES : match_choose(task);
    ALLOCATE(match.partner, joints, "the pairs of joints");
    ALLOCATE(match.found, true_joints, "the pairs of joints");
    ALLOCATE(match.column, joints, "the pairs of joints");
    for (int j = 0; j < joints; j++) {
        match.partner[j] = kind == MATCH_ORDER && j < true_joints ? j : -1;
        if (kind == MATCH_NAMES && rig->joint_names[j] && rig_joint_find(rig, rig->joint_names[j]) == j)
            match.partner[j] = rig_joint_find(truth, rig->joint_names[j]);
    }
    if (extent == SCORE_FAILED)
        match.partner[0] = -1;
    else if (kind == MATCH_HUNGARIAN)
        STATUS_TRY(match_by_distance(&plain, &true_plain, tolerances + true_joints,
                                     weighted ? differences : NULL, match.partner));
    match_complete(task, &match);
    values[SCORE_PAIRS] = match.pairs;
    values[SCORE_JOINTS] = joints;
    values[SCORE_TRUE_JOINTS] = true_joints;
    values[SCORE_CONNECTIVITY] = 0.0;
    for (int k = 0; k < true_joints; k++) {
        const int32_t found = match.found[k], up = found < 0 ? -1 : rig->parents[found];
        const int32_t above = up < 0 ? -1 : match.partner[up];
        const bool right =
            found >= 0 && (up < 0 ? truth->parents[k] < 0
                                  : above >= 0 && (truth->parents[k] == above || truth->parents[above] == k));
        values[SCORE_CONNECTIVITY] += right;
    }
    values[SCORE_CONNECTIVITY] /= true_joints;
    double distances = 0.0, axes = 0.0;
    for (int j = 0; j < joints; j++)
        if (match.partner[j] >= 0) {
            const Vec3 off = vec3_sub(plain.joints[j], true_plain.joints[match.partner[j]]);
            distances += vec3_length(off);
            axes += (fabs(off.x) + fabs(off.y) + fabs(off.z)) / 3.0;
        }
    if (kind != MATCH_HUNGARIAN && match.pairs > 0) {
        values[SCORE_MPJPE] = distances / match.pairs;
        values[SCORE_MAE] = axes / match.pairs;
    }
    if (weighted) {
        STATUS_TRY(score_weights(task, &weights, &true_weights, &match, out));
        if (extent != SCORE_QUICK)
            STATUS_TRY(score_poses(task, &weights, &true_weights, &match, frame.box, out));
        values[SCORE_L1_COLUMN] = 0.0;
        for (int j = 0; j < joints; j++) {
            double least = INFINITY;
            for (int k = 0; k < true_joints; k++)
                least = fmin(least, differences[(ptrdiff_t)j * true_joints + k]);
            values[SCORE_L1_COLUMN] += least;
        }
        values[SCORE_L1_COLUMN] /= joints;
    }
    for (int i = 0; i < SCORE_COUNT; i++)
        if (!score_exists((ScoreId)i, parameters))
            values[i] = NAN;
    return status_ok();
}

Status score_rigs(const ScoreTask *task, Score *out)
{
    STATUS_TRY(score_check(task->mesh, task->truth, "the true rig"));
    STATUS_TRY(score_check(task->mesh, task->rig, "the predicted rig"));
    return score_compare(task, SCORE_WHOLE, out);
}

Status score_failure(const ScoreTask *task, Score *out)
{
    const ScoreFrame frame = frame_of(task);
    CLEANUP(rig_clear) Rig alone = {0};
    ScoreTask one = *task;
    double distance = 0.0, axes = 0.0;
    STATUS_TRY(score_check(task->mesh, task->truth, "the true rig"));
    STATUS_TRY(rig_allocate(&alone, task->mesh->vertex_count, 1, 0, 1));
    alone.parents[0] = -1;
    alone.rest[0] = (Transform){.m00 = 1.0,
                                .m11 = 1.0,
                                .m22 = 1.0,
                                .m03 = frame.middle.x,
                                .m13 = frame.middle.y,
                                .m23 = frame.middle.z};
    for (int v = 0; v < task->mesh->vertex_count; v++)
        alone.weight_values[v] = 1.0f;
    one.rig = &alone;
    one.rig_mesh = task->mesh;
    one.rows = NULL;
    STATUS_TRY(score_compare(&one, SCORE_FAILED, out));
    for (int k = 0; k < task->truth->joint_count; k++) {
        const Vec3 off = vec3_sub(rig_joint_place(task->truth, k), frame.middle);
        const double share = 1.0 / (frame.unit * task->truth->joint_count);
        distance += share * vec3_length(off);
        axes += share * (fabs(off.x) + fabs(off.y) + fabs(off.z)) / 3.0;
    }
    out->values[SCORE_MPJPE] = out->values[SCORE_J2J_PAIRS] = distance;
    out->values[SCORE_MAE] = axes;
    for (int i = 0; i < SCORE_COUNT; i++)
        if (score_rows[i].better == METRIC_HIGHER)
            out->values[i] = 0.0;
    return status_ok();
}
