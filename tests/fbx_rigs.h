/* Random FBX rigs for tests, and their evaluation. The evaluation multiplies 4 x 4 matrices, axis by axis,
 * and shares no code with the reader. */
#pragma once

#include "datasets/base/random.h"
#include "datasets/geometry/vec3.h"
#include "tests/support.h"

enum { JOINTS_MAX = 7, RINGS = 7, SIDES = 5, VERTICES = RINGS * SIDES + 1, TICKS = 13, LAYERS = 2 };

static const double TICK_S = 0.125, TICK = 5773269750.0;

typedef struct Matrix4 {
    double at[4][4];
} Matrix4;

static inline Matrix4 matrix_unit(void)
{
    return (Matrix4){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

static inline Matrix4 matrix_mul(Matrix4 a, Matrix4 b)
{
    Matrix4 out = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                out.at[i][j] += a.at[i][k] * b.at[k][j];
    return out;
}

static inline Matrix4 matrix_moved(const double by[3], double sign)
{
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++)
        out.at[i][3] = sign * by[i];
    return out;
}

static inline Matrix4 matrix_sized(const double by[3])
{
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++)
        out.at[i][i] = by[i];
    return out;
}

/* Returns the product of rotations about the axes named by `order`. With "XYZ", x is applied first. */
static inline Matrix4 matrix_turned(const double degrees[3], const char *order)
{
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++) {
        const int axis = order[i] - 'X', y = (axis + 1) % 3, z = (axis + 2) % 3;
        const double angle = degrees[axis] * 0.017453292519943295;
        Matrix4 turn = matrix_unit();
        turn.at[y][y] = turn.at[z][z] = cos(angle);
        turn.at[z][y] = sin(angle);
        turn.at[y][z] = -sin(angle);
        out = matrix_mul(turn, out);
    }
    return out;
}

static inline Matrix4 matrix_transposed(Matrix4 a)
{
    Matrix4 out;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out.at[i][j] = a.at[j][i];
    return out;
}

/* Returns the inverse of a 4 x 4 matrix, computed by Gauss-Jordan elimination. */
static inline Matrix4 matrix_inverse(Matrix4 a)
{
    Matrix4 out = matrix_unit();
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int r = c; r < 4; r++)
            pivot = fabs(a.at[r][c]) > fabs(a.at[pivot][c]) ? r : pivot;
        for (int j = 0; j < 4; j++) {
            double swap = a.at[c][j];
            a.at[c][j] = a.at[pivot][j];
            a.at[pivot][j] = swap;
            swap = out.at[c][j];
            out.at[c][j] = out.at[pivot][j];
            out.at[pivot][j] = swap;
        }
        const double by = a.at[c][c];
        for (int j = 0; j < 4; j++) {
            a.at[c][j] /= by;
            out.at[c][j] /= by;
        }
        for (int r = 0; r < 4; r++) {
            const double share = a.at[r][c];
            for (int j = 0; r != c && j < 4; j++) {
                a.at[r][j] -= share * a.at[c][j];
                out.at[r][j] -= share * out.at[c][j];
            }
        }
    }
    return out;
}

static inline Vec3 matrix_point(Matrix4 a, Vec3 v)
{
    return vec3_make(a.at[0][0] * v.x + a.at[0][1] * v.y + a.at[0][2] * v.z + a.at[0][3],
                     a.at[1][0] * v.x + a.at[1][1] * v.y + a.at[1][2] * v.z + a.at[1][3],
                     a.at[2][0] * v.x + a.at[2][1] * v.y + a.at[2][2] * v.z + a.at[2][3]);
}

/* ---- evaluating rigs ---- */

typedef enum CurveForm { FORM_NONE, FORM_LINEAR, FORM_HOLDS, FORM_CUBIC } CurveForm;

typedef struct TestCurve {
    CurveForm form;
    int ticks[TICKS], count;
    double values[TICKS], slopes[TICKS]; /* slopes are per second and are used only by FORM_CUBIC */
} TestCurve;

/* A node of a rig. Node 0 is the armature, the nodes after it are joints, and the last one holds the
 * mesh. */
typedef struct TestNode {
    int parent, order, inherit;
    /* 1: RotationActive is 0; 2: the rotation space is for limits only. The node then has no order, pre- or
     * post-rotation. */
    int idle;
    double parts[3][3]; /* Lcl translation, rotation, scaling */
    double pre[3], post[3], rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
    TestCurve curves[LAYERS][3][3];
} TestNode;

typedef struct TestRig {
    int node_count; /* number of nodes without the mesh's node, which is nodes[node_count] */
    TestNode nodes[JOINTS_MAX + 2];
    double layer_weight; /* weight of the second layer; 0: there is none */
    int blending, by_channel, scale_added;
    double geometric[3][3];
    Vec3 vertices[VERTICES];
    double weights[VERTICES][JOINTS_MAX + 1]; /* weight of each node; all 0 for a vertex without weights */
    Matrix4 binds[JOINTS_MAX + 1], mesh_bind;
} TestRig;

static const char *const orders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};
static const char *const part_names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};

/* Returns the value of a curve at a time in ticks. */
static inline double curve_value(const TestCurve *curve, double tick)
{
    int key = 0;
    while (key + 1 < curve->count && curve->ticks[key + 1] <= tick)
        key++;
    if (key + 1 == curve->count || tick <= curve->ticks[0] || curve->form == FORM_HOLDS)
        return curve->values[key];
    const double d = curve->ticks[key + 1] - curve->ticks[key], u = (tick - curve->ticks[key]) / d;
    const double from = curve->values[key], end = curve->values[key + 1];
    if (curve->form == FORM_LINEAR)
        return from + u * (end - from);
    return (2 * u * u * u - 3 * u * u + 1) * from + (3 * u * u - 2 * u * u * u) * end +
           d * TICK_S *
               ((u * u * u - 2 * u * u + u) * curve->slopes[key] +
                (u * u * u - u * u) * curve->slopes[key + 1]);
}

/* Gets the translation, rotation or scaling of a node in a layer, as three numbers. Numbers without a curve
 * are taken from `otherwise`. Returns false if the layer animates none of the three. */
static inline bool part_value(const TestNode *node, int layer, int part, double tick, const double *otherwise,
                              double *out)
{
    bool moved = false;
    for (int axis = 0; axis < 3; axis++) {
        const TestCurve *curve = &node->curves[layer][part][axis];
        moved = moved || curve->form != FORM_NONE;
        out[axis] = curve->form == FORM_NONE ? otherwise[axis] : curve_value(curve, tick);
    }
    return moved;
}

/* Returns a rotation about the axis of `turn` by the fraction `share` of its angle. */
static inline Matrix4 matrix_share(Matrix4 turn, double share)
{
    const double cosine = 0.5 * (turn.at[0][0] + turn.at[1][1] + turn.at[2][2] - 1.0);
    const double angle = acos(fmax(-1.0, fmin(1.0, cosine))), sine = 2.0 * sin(angle);
    const double axis[3] = {(turn.at[2][1] - turn.at[1][2]) / sine, (turn.at[0][2] - turn.at[2][0]) / sine,
                            (turn.at[1][0] - turn.at[0][1]) / sine};
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double cross = i == j ? 0.0 : axis[3 - i - j] * ((j - i + 3) % 3 == 1 ? -1.0 : 1.0);
            out.at[i][j] = cos(share * angle) * (i == j) + sin(share * angle) * cross +
                           (1.0 - cos(share * angle)) * axis[i] * axis[j];
        }
    return out;
}

/* Gets the translation, rotation and scaling of a node at a time, and its rotation as a matrix. A negative
 * tick gives the values of the node without animation. */
static inline void parts_at(const TestRig *rig, const TestNode *node, double tick, double parts[3][3],
                            Matrix4 *turn)
{
    static const double none[3][3] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    const char *order = orders[node->idle ? 0 : node->order];
    memcpy(parts, node->parts, sizeof node->parts);
    for (int part = 0; tick >= 0.0 && part < 3; part++)
        (void)part_value(node, 0, part, tick, node->parts[part], parts[part]);
    *turn = matrix_turned(parts[1], order);
    for (int part = 0; tick >= 0.0 && rig->layer_weight > 0.0 && part < 3; part++) {
        double layer[3];
        const double w = rig->layer_weight;
        if (!part_value(node, 1, part, tick, none[part], layer))
            continue;
        if (part == 1 && !rig->by_channel && rig->blending != 1) {
            const Matrix4 second = matrix_turned(layer, order);
            *turn = rig->blending == 0
                        ? matrix_mul(*turn, matrix_share(second, w))
                        : matrix_mul(*turn, matrix_share(matrix_mul(matrix_transposed(*turn), second), w));
            continue;
        }
        for (int i = 0; i < 3; i++) {
            double *value = &parts[part][i];
            if (rig->blending == 1)
                *value = layer[i];
            else if (part == 2 && !rig->scale_added)
                *value = pow(*value, rig->blending == 0 ? 1.0 : 1.0 - w) * pow(layer[i], w);
            else
                *value = (rig->blending == 0 ? *value : (1.0 - w) * *value) + w * layer[i];
        }
        if (part == 1)
            *turn = matrix_turned(parts[1], order);
    }
}

/* Computes the global transformations of all nodes. Nodes of the type RSrs multiply matrices. The other two
 * types keep rotation and scale separate, as the SDK's documentation describes. Scales must therefore be
 * uniform in a rig that mixes the three types. */
static inline void rig_pose(const TestRig *rig, double tick, Matrix4 *globals)
{
    Matrix4 turns[JOINTS_MAX + 2];
    double sizes[JOINTS_MAX + 2][3], own_sizes[JOINTS_MAX + 2][3];
    for (int n = 0; n <= rig->node_count; n++) {
        const TestNode *node = &rig->nodes[n], plain = {.order = 0};
        const TestNode *space = node->idle ? &plain : node;
        double parts[3][3];
        Matrix4 turn;
        parts_at(rig, node, tick, parts, &turn);
        const Matrix4 linear =
            matrix_mul(matrix_turned(space->pre, "XYZ"),
                       matrix_mul(turn, matrix_transposed(matrix_turned(space->post, "XYZ"))));
        Matrix4 local = matrix_mul(matrix_moved(parts[0], 1), matrix_moved(node->rotation_offset, 1));
        local = matrix_mul(local, matrix_mul(matrix_moved(node->rotation_pivot, 1), linear));
        local = matrix_mul(
            local, matrix_mul(matrix_moved(node->rotation_pivot, -1), matrix_moved(node->scaling_offset, 1)));
        local = matrix_mul(local, matrix_mul(matrix_moved(node->scaling_pivot, 1), matrix_sized(parts[2])));
        local = matrix_mul(local, matrix_moved(node->scaling_pivot, -1));
        const bool root = node->parent < 0;
        globals[n] = root ? local : matrix_mul(globals[node->parent], local);
        turns[n] = root ? linear : matrix_mul(turns[node->parent], linear);
        for (int i = 0; i < 3; i++) {
            own_sizes[n][i] = parts[2][i];
            sizes[n][i] = root ? parts[2][i]
                               : parts[2][i] * sizes[node->parent][i] /
                                     (node->inherit == 2 ? own_sizes[node->parent][i] : 1.0);
        }
        for (int i = 0; node->inherit != 1 && !root && i < 3; i++)
            for (int j = 0; j < 3; j++)
                globals[n].at[i][j] = turns[n].at[i][j] * sizes[n][j];
    }
}

/* ---- random rigs ---- */

static inline void random_vector(Random *random, double size, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = size * random_signed(random);
}

static inline void random_scale(Random *random, bool uniform, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = uniform && i > 0 ? out[0] : exp(0.4 * random_signed(random));
}

static inline void random_curve(Random *random, double around, double size, TestCurve *curve)
{
    curve->form = (CurveForm)(1 + random_next(random) % 3);
    curve->count = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        if (random_unit(random) > 0.4 && tick > 0 && tick < TICKS - 1)
            continue;
        curve->ticks[curve->count] = tick;
        curve->values[curve->count] = around + size * random_signed(random);
        /* choose slopes that are exact as floats */
        curve->slopes[curve->count++] = (double)(float)(0.5 * size * random_signed(random));
    }
}

/* Makes a random rig. If `inherit` is 0, 1 or 2, all nodes have this InheritType. If it is 3, the types of
 * the nodes differ and their scales are uniform. */
static inline void random_rig(uint64_t seed, int inherit, int blending, TestRig *rig)
{
    Random random = {.state = seed};
    *rig = (TestRig){.node_count = 4 + (int)(random_next(&random) % (JOINTS_MAX - 3)), .blending = blending};
    if (blending >= 0) {
        rig->layer_weight = seed % 3 == 0 ? 1.0 : 0.3 + 0.5 * random_unit(&random);
        rig->by_channel = (int)(random_next(&random) % 2);
        rig->scale_added = (int)(random_next(&random) % 2);
    }
    for (int n = 0; n <= rig->node_count; n++) {
        TestNode *node = &rig->nodes[n];
        const bool mesh = n == rig->node_count, uniform = inherit == 3;
        node->parent = n == 0  ? -1
                       : mesh  ? 0
                       : n < 3 ? n - 1
                               : 1 + (int)(random_next(&random) % (uint64_t)(n - 1));
        node->order = (int)(random_next(&random) % 6);
        node->inherit = inherit == 3 ? (int)(random_next(&random) % 3) : inherit;
        random_vector(&random, 40.0, node->parts[0]);
        random_vector(&random, 170.0, node->parts[1]);
        random_scale(&random, uniform, node->parts[2]);
        node->parts[0][1] += n > 0 ? 60.0 : 300.0; /* keep the nodes away from the origin */
        random_vector(&random, 90.0, node->pre);
        random_vector(&random, 90.0, node->post);
        random_vector(&random, 10.0, node->rotation_offset);
        random_vector(&random, 10.0, node->rotation_pivot);
        random_vector(&random, 10.0, node->scaling_offset);
        random_vector(&random, 10.0, node->scaling_pivot);
        for (int layer = 0; layer < (rig->layer_weight > 0.0 ? 2 : 1); layer++)
            for (int part = 0; part < 3; part++)
                for (int axis = 0; axis < 3; axis++) {
                    static const double sizes[] = {20.0, 200.0, 0.2};
                    const double around = part == 2 && layer == 1 ? 1.0
                                          : layer == 1            ? 0.0
                                                                  : node->parts[part][axis];
                    TestCurve *curve = &node->curves[layer][part][axis];
                    if (part == 2 && uniform && axis > 0)
                        *curve = node->curves[layer][part][0];
                    else if (random_unit(&random) < (part == 1 ? 0.6 : uniform ? 0.3 : 0.15))
                        random_curve(&random, around, sizes[part], curve);
                }
    }
    random_vector(&random, 30.0, rig->geometric[0]);
    random_vector(&random, 90.0, rig->geometric[1]);
    random_scale(&random, false, rig->geometric[2]);
    for (int v = 0; v < VERTICES; v++) {
        const double angle = 6.283185307179586 * (v % SIDES) / SIDES;
        double noise[3], sum = 0.0;
        random_vector(&random, 5.0, noise);
        rig->vertices[v] = vec3_make(30.0 * cos(angle) + noise[0], 50.0 * (v / SIDES) + noise[1],
                                     30.0 * sin(angle) + noise[2]);
        for (int j = 1; j < rig->node_count && v != 3; j++) { /* vertex 3 has no weights */
            rig->weights[v][j] = random_unit(&random) < 0.5 ? random_unit(&random) : 0.0;
            sum += rig->weights[v][j];
        }
        rig->weights[v][1] += v != 3 ? 0.1 : 0.0;
        sum += 0.1;
        for (int j = 1; j < rig->node_count && v != 3; j++)
            rig->weights[v][j] /= sum;
    }
    Matrix4 globals[JOINTS_MAX + 2];
    rig_pose(rig, 5.0, globals); /* the bind pose differs from the rest pose */
    memcpy(rig->binds, globals, sizeof rig->binds);
    rig->mesh_bind = globals[rig->node_count];
}
