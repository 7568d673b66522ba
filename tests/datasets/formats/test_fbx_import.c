/* Compares imported FBX rigs with the test's own evaluation. Random chains use everything that a node
 * transformation may have, and are written as text and as binary files. The evaluation multiplies 4 x 4
 * matrices, axis by axis, and shares no code with the reader. */
#include "tests/fbx_files.h"
#include "tests/imports.h"

#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"

enum { JOINTS_MAX = 7, RINGS = 7, SIDES = 5, VERTICES = RINGS * SIDES + 1, TICKS = 13, LAYERS = 2 };

static const double TICK_S = 0.125, TICK = 5773269750.0;

typedef struct Matrix4 {
    double at[4][4];
} Matrix4;

static Matrix4 matrix_unit(void)
{
    return (Matrix4){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

static Matrix4 matrix_mul(Matrix4 a, Matrix4 b)
{
    Matrix4 out = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                out.at[i][j] += a.at[i][k] * b.at[k][j];
    return out;
}

static Matrix4 matrix_moved(const double by[3], double sign)
{
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++)
        out.at[i][3] = sign * by[i];
    return out;
}

static Matrix4 matrix_sized(const double by[3])
{
    Matrix4 out = matrix_unit();
    for (int i = 0; i < 3; i++)
        out.at[i][i] = by[i];
    return out;
}

/* Returns the product of rotations about the axes named by `order`. With "XYZ", x is applied first. */
static Matrix4 matrix_turned(const double degrees[3], const char *order)
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

static Matrix4 matrix_transposed(Matrix4 a)
{
    Matrix4 out;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out.at[i][j] = a.at[j][i];
    return out;
}

/* Returns the inverse of a 4 x 4 matrix, computed by Gauss-Jordan elimination. */
static Matrix4 matrix_inverse(Matrix4 a)
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

static Vec3 matrix_point(Matrix4 a, Vec3 v)
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

/* Node 0 is the armature, and the next nodes are joints. The mesh has a separate node. */
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
static double curve_value(const TestCurve *curve, double tick)
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
static bool part_value(const TestNode *node, int layer, int part, double tick, const double *otherwise,
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
static Matrix4 matrix_share(Matrix4 turn, double share)
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
static void parts_at(const TestRig *rig, const TestNode *node, double tick, double parts[3][3], Matrix4 *turn)
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
static void rig_pose(const TestRig *rig, double tick, Matrix4 *globals)
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

static void random_vector(Random *random, double size, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = size * random_signed(random);
}

static void random_scale(Random *random, bool uniform, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = uniform && i > 0 ? out[0] : exp(0.4 * random_signed(random));
}

static void random_curve(Random *random, double around, double size, TestCurve *curve)
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

/* Makes a random rig. `inherit` is the InheritType of all nodes (0, 1 or 2); 3 mixes the types, with
 * uniform scales. */
static void random_rig(uint64_t seed, int inherit, int blending, TestRig *rig)
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

/* ---- writing the files ---- */

static void vector_write(FbxWriter *writer, const char *name, const double values[3])
{
    node_property(writer, name, values, 3);
}

static void model_write(FbxWriter *writer, const TestRig *rig, int n)
{
    const TestNode *node = &rig->nodes[n];
    const bool mesh = n == rig->node_count;
    object_begin(writer, "Model", 100 + n, mesh ? "body" : text_of("n%d", n), "Model",
                 mesh     ? "Mesh"
                 : n == 0 ? "Null"
                          : "LimbNode");
    list_begin(writer, "Properties70");
    for (int part = 0; part < 3; part++)
        vector_write(writer, part_names[part], node->parts[part]);
    vector_write(writer, "PreRotation", node->pre);
    vector_write(writer, "PostRotation", node->post);
    vector_write(writer, "RotationOffset", node->rotation_offset);
    vector_write(writer, "RotationPivot", node->rotation_pivot);
    vector_write(writer, "ScalingOffset", node->scaling_offset);
    vector_write(writer, "ScalingPivot", node->scaling_pivot);
    node_property(writer, "RotationOrder", &(double){node->order}, 1);
    if (node->idle != 0) /* the default is an active rotation space */
        node_property(writer, node->idle == 1 ? "RotationActive" : "RotationSpaceForLimitOnly",
                      &(double){node->idle - 1}, 1);
    if (node->inherit != 2) /* the default in the file's template is 2, so 2 is not written */
        node_property(writer, "InheritType", &(double){node->inherit}, 1);
    if (mesh) {
        vector_write(writer, "GeometricTranslation", rig->geometric[0]);
        vector_write(writer, "GeometricRotation", rig->geometric[1]);
        vector_write(writer, "GeometricScaling", rig->geometric[2]);
    }
    node_end(writer);
    node_end(writer);
}

static void matrix_write(FbxWriter *writer, const char *name, Matrix4 matrix)
{
    const Matrix4 columns = matrix_transposed(matrix);
    node_array(writer, name, 'd', &columns.at[0][0], 16);
}

static double float_bits(const FbxWriter *writer, double value)
{
    const float single = (float)value;
    int32_t bits = 0;
    memcpy(&bits, &single, sizeof bits);
    return writer->binary ? value : bits; /* text files store the bits of a float as an integer */
}

static void curve_write(FbxWriter *writer, const TestCurve *curve, int64_t id)
{
    double ticks[TICKS], flags[TICKS], data[4 * TICKS] = {0}, runs[TICKS];
    for (int k = 0; k < curve->count; k++) {
        ticks[k] = TICK * curve->ticks[k];
        flags[k] = curve->form == FORM_LINEAR ? 4 : curve->form == FORM_HOLDS ? 2 : 8 | 0x400 | 0x800;
        runs[k] = 1;
        data[4 * k] = float_bits(writer, curve->slopes[k]);
        data[4 * k + 1] = float_bits(writer, k + 1 < curve->count ? curve->slopes[k + 1] : 0.0);
    }
    object_begin(writer, "AnimationCurve", id, "", "AnimCurve", "");
    node_array(writer, "KeyTime", 'l', ticks, curve->count);
    node_array(writer, "KeyValueFloat", writer->binary ? 'd' : 'f', curve->values, curve->count);
    node_array(writer, "KeyAttrFlags", 'i', flags, curve->count);
    node_array(writer, "KeyAttrDataFloat", 'f', data, 4 * curve->count);
    node_array(writer, "KeyAttrRefCount", 'i', runs, curve->count);
    node_end(writer);
}

static int64_t curve_id(int n, int layer, int part, int axis)
{
    return 10000 + 100 * n + 20 * layer + 4 * part +
           axis; /* axis 0, 1 or 2 gives the id of a curve, axis 3 the id of the curve node of these curves */
}

/* Makes quads around the tube, and a triangle with the last vertex. `place` receives for each vertex its
 * position in the order of first use. */
static int polygons_make(double *out, int *place)
{
    int count = 0, used = 0;
    for (int ring = 0; ring + 1 < RINGS; ring++)
        for (int side = 0; side < SIDES; side++)
            for (int c = 0; c < 4; c++) {
                const int vertex = (ring + c / 2) * SIDES + (side + (c == 1 || c == 2)) % SIDES;
                out[count++] = c == 3 ? -1 - vertex : vertex;
            }
    out[count++] = 0;
    out[count++] = 1;
    out[count++] = -1 - (VERTICES - 1);
    for (int v = 0; v < VERTICES; v++)
        place[v] = -1;
    for (int c = 0; c < count; c++) {
        const int vertex = (int)(out[c] < 0.0 ? -1.0 - out[c] : out[c]);
        if (place[vertex] < 0)
            place[vertex] = used++;
    }
    return count;
}

static bool node_moves(const TestNode *node, int layer, int part)
{
    double unused[3];
    return part_value(node, layer, part, 0.0, node->parts[part], unused);
}

static void rig_write(const TestRig *rig, const char *path, bool binary, bool wide)
{
    static const double none[3][3] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    FbxWriter writer;
    double polygons[4 * RINGS * SIDES + 3], points[3 * VERTICES];
    int place[VERTICES];
    const int polygon_count = polygons_make(polygons, place), layers = rig->layer_weight > 0.0 ? 2 : 1;
    for (int v = 0; v < VERTICES; v++) {
        points[3 * v] = rig->vertices[v].x;
        points[3 * v + 1] = rig->vertices[v].y;
        points[3 * v + 2] = rig->vertices[v].z;
    }
    fbx_begin(&writer, binary, wide);
    list_begin(&writer, "Definitions");
    node_begin(&writer, "ObjectType");
    value_text(&writer, "Model", NULL);
    children_begin(&writer);
    node_begin(&writer, "PropertyTemplate");
    value_text(&writer, "FbxNode", NULL);
    children_begin(&writer);
    list_begin(&writer, "Properties70");
    node_property(&writer, "InheritType", &(double){2}, 1);
    node_end(&writer);
    node_end(&writer);
    node_end(&writer);
    node_end(&writer);
    list_begin(&writer, "Objects");
    for (int n = 0; n <= rig->node_count; n++)
        model_write(&writer, rig, n);
    object_begin(&writer, "Geometry", 50, "mesh", "Geometry", "Mesh");
    node_array(&writer, "Vertices", 'd', points, 3 * VERTICES);
    node_array(&writer, "PolygonVertexIndex", 'i', polygons, polygon_count);
    node_end(&writer);
    object_begin(&writer, "Deformer", 51, "skin", "Deformer", "Skin");
    node_end(&writer);
    for (int j = 1; j < rig->node_count; j++) {
        double indices[VERTICES], weights[VERTICES];
        int count = 0;
        for (int v = 0; v < VERTICES; v++)
            if (rig->weights[v][j] > 0.0) {
                indices[count] = v;
                weights[count++] = rig->weights[v][j];
            }
        object_begin(&writer, "Deformer", 60 + j, "", "SubDeformer", "Cluster");
        node_array(&writer, "Indexes", 'i', indices, count);
        node_array(&writer, "Weights", 'd', weights, count);
        matrix_write(&writer, "Transform", matrix_mul(matrix_inverse(rig->binds[j]), rig->mesh_bind));
        matrix_write(&writer, "TransformLink", rig->binds[j]);
        node_end(&writer);
    }
    object_begin(&writer, "AnimationStack", 5, "go", "AnimStack", "");
    node_end(&writer);
    for (int layer = 0; layer < layers; layer++) {
        object_begin(&writer, "AnimationLayer", 6 + layer, "", "AnimLayer", "");
        list_begin(&writer, "Properties70");
        if (layer == 1) {
            node_property(&writer, "Weight", &(double){100.0 * rig->layer_weight}, 1);
            node_property(&writer, "BlendMode", &(double){rig->blending}, 1);
            node_property(&writer, "RotationAccumulationMode", &(double){rig->by_channel}, 1);
            node_property(&writer, "ScaleAccumulationMode", &(double){rig->scale_added}, 1);
        }
        node_end(&writer);
        node_end(&writer);
    }
    for (int pass = 0; pass < 2; pass++) { /* write the objects, then the connections */
        if (pass == 1) {
            node_end(&writer);
            list_begin(&writer, "Connections");
            for (int n = rig->node_count; n >= 0; n--)
                node_link(&writer, 100 + n, n == 0 ? 0 : 100 + rig->nodes[n].parent, NULL);
            node_link(&writer, 50, 100 + rig->node_count, NULL);
            node_link(&writer, 51, 50, NULL);
            for (int j = 1; j < rig->node_count; j++) {
                node_link(&writer, 60 + j, 51, NULL);
                node_link(&writer, 100 + j, 60 + j, NULL);
            }
            for (int layer = 0; layer < layers; layer++)
                node_link(&writer, 6 + layer, 5, NULL);
        }
        for (int n = 0; n <= rig->node_count; n++)
            for (int layer = 0; layer < layers; layer++)
                for (int part = 0; part < 3; part++) {
                    static const char *const names[] = {"d|X", "d|Y", "d|Z"};
                    const TestNode *node = &rig->nodes[n];
                    const int64_t id = curve_id(n, layer, part, 3);
                    if (!node_moves(node, layer, part))
                        continue;
                    if (pass == 0) {
                        object_begin(&writer, "AnimationCurveNode", id, "T", "AnimCurveNode", "");
                        list_begin(&writer, "Properties70");
                        for (int axis = 0; axis < 3 && n % 2 == 0;
                             axis++) /* for odd nodes, the animation applies to the model's own properties */
                            node_property(&writer, names[axis],
                                          layer == 0 ? &node->parts[part][axis] : &none[part][axis], 1);
                        node_end(&writer);
                        node_end(&writer);
                    } else {
                        node_link(&writer, id, 6 + layer, NULL);
                        node_link(&writer, id, 100 + n, part_names[part]);
                    }
                    for (int axis = 0; axis < 3; axis++) {
                        const TestCurve *curve = &node->curves[layer][part][axis];
                        if (curve->form != FORM_NONE && pass == 0)
                            curve_write(&writer, curve, curve_id(n, layer, part, axis));
                        else if (curve->form != FORM_NONE)
                            node_link(&writer, curve_id(n, layer, part, axis), id, names[axis]);
                    }
                }
    }
    node_end(&writer);
    fbx_end(&writer, path);
}

/* ---- the comparison ---- */

/* Returns the largest distance between imported and computed vertices, relative to the diagonal over all
 * frames. With `fps` 0, the frames are at the keys. */
static double rig_difference(const TestRig *rig, const char *path, double fps)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    double polygons[4 * RINGS * SIDES + 3], worst = 0.0, low[3], high[3];
    int place[VERTICES], frames = 0;
    (void)polygons_make(polygons, place);
    assert_ok(imported("fbx", path, (ImportOptions){.fps = fps}, &dataset));
    const Rig *got = &dataset->rig;
    assert_int_equal(dataset->mesh.vertex_count, RINGS * SIDES + 1);
    assert_int_equal(got->joint_count, rig->node_count); /* the joints and the node of the mesh */
    double ticks[64];
    for (int tick = 0; fps == 0.0 && tick < TICKS; tick++) {
        bool key = false;
        for (int n = 0; n <= rig->node_count; n++)
            for (int i = 0; i < LAYERS * 9; i++) {
                const TestCurve *curve = &rig->nodes[n].curves[i / 9][i / 3 % 3][i % 3];
                for (int k = 0; curve->form != FORM_NONE && k < curve->count; k++)
                    key = key || curve->ticks[k] == tick;
            }
        if (key)
            ticks[frames++] = tick;
    }
    for (int f = 0; fps > 0.0 && f <= (TICKS - 1) * TICK_S * fps; f++)
        ticks[frames++] = f / (fps * TICK_S);
    assert_int_equal(got->frame_count, frames);
    Transform phases[2][JOINTS_MAX + 2], rests[JOINTS_MAX + 2];
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (int f = 0; f < frames; f++) {
        Matrix4 globals[JOINTS_MAX + 2];
        const Transform *transforms = got->transforms + (ptrdiff_t)f * got->joint_count;
        rig_pose(rig, ticks[f], globals);
        if (got->scale) {
            assert_ok(two_phase_split(got, transforms, got->scale + (ptrdiff_t)f * got->joint_count,
                                      phases[0], phases[1], rests));
            two_phase_join(got->joint_count, phases[0], phases[1]);
            transforms = phases[1];
        }
        const Matrix4 placed =
            matrix_mul(matrix_moved(rig->geometric[0], 1),
                       matrix_mul(matrix_turned(rig->geometric[1], "XYZ"), matrix_sized(rig->geometric[2])));
        for (int v = 0; v < VERTICES; v++) {
            if (place[v] < 0)
                continue;
            const Vec3 point = matrix_point(placed, rig->vertices[v]);
            Vec3 wanted = {0.0, 0.0, 0.0}, is = {0.0, 0.0, 0.0};
            double sum = 0.0;
            for (int j = 1; j < rig->node_count; j++) {
                const Matrix4 moved =
                    matrix_mul(globals[j], matrix_mul(matrix_inverse(rig->binds[j]), rig->mesh_bind));
                wanted = vec3_add_scaled(wanted, matrix_point(moved, point), rig->weights[v][j]);
                sum += rig->weights[v][j];
            }
            if (sum == 0.0)
                wanted = matrix_point(globals[rig->node_count], point);
            for (int k = 0; k < got->influence_count; k++) {
                const ptrdiff_t slot = (ptrdiff_t)place[v] * got->influence_count + k;
                is = vec3_add_scaled(is,
                                     transform_point(transforms[got->weight_joints[slot]],
                                                     point_at(dataset->mesh.rest, place[v])),
                                     (double)got->weight_values[slot]);
            }
            worst = fmax(worst, vec3_length(vec3_sub(is, wanted)));
            const double numbers[3] = {wanted.x, wanted.y, wanted.z};
            for (int i = 0; i < 3; i++) {
                low[i] = fmin(low[i], numbers[i]);
                high[i] = fmax(high[i], numbers[i]);
            }
        }
    }
    return worst / vec3_length(vec3_make(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
}

static const double TOLERANCE =
    1e-5; /* relative to the diagonal; allows for vertices and weights stored as floats */

/* Thirty random chains are imported correctly. Either all nodes have the same InheritType and scales that
 * differ along the axes, or types are mixed and scales are uniform. The files are in turn text, binary, and
 * binary with wide headers. */
TEST(test_random_chains)
{
    double worst = 0.0;
    for (int seed = 0; seed < 30; seed++) {
        static TestRig rig;
        random_rig((uint64_t)seed, seed % 4, -1, &rig);
        rig_write(&rig, path_of("rig.fbx"), seed % 3 > 0, seed % 3 == 2);
        const double difference = rig_difference(&rig, path_of("rig.fbx"), 0.0);
        if (!(difference <= TOLERANCE))
            fail_msg("seed %d: %g of the diagonal", seed, difference);
        worst = fmax(worst, difference);
        if (seed % 5 == 0) /* check frames between the keys, too */
            assert_at_most(rig_difference(&rig, path_of("rig.fbx"), 24.0), TOLERANCE);
    }
    print_message("worst vertex of 30 chains: %.2g of the diagonal\n", worst);
}

/* A second animation layer may add, override or blend, at full weight or less. */
TEST(test_layers)
{
    for (int seed = 0; seed < 12; seed++) {
        static TestRig rig;
        random_rig(100 + (uint64_t)seed, 1, seed % 3, &rig);
        rig_write(&rig, path_of("rig.fbx"), seed % 2, false);
        const double difference = rig_difference(&rig, path_of("rig.fbx"), seed % 4 == 3 ? 30.0 : 0.0);
        if (!(difference <= TOLERANCE))
            fail_msg("seed %d: %g of the diagonal", seed, difference);
    }
}

/* Features that were once imported incorrectly, each in its own file: pre-rotations, a geometric
 * transformation, vertices without weights, and angles that step by more than 180 degrees. */
TEST(test_traits)
{
    for (int i = 0; i < 12; i++) {
        static TestRig rig;
        random_rig(200 + (uint64_t)i, 1, -1, &rig);
        const int trait = i % 4;
        for (int n = 0; n <= rig.node_count; n++) {
            TestNode *node = &rig.nodes[n];
            const TestNode whole = *node;
            *node = (TestNode){.parent = node->parent, .inherit = 1};
            for (int axis = 0; axis < 3; axis++) {
                node->parts[2][axis] = 1.0;
                node->parts[0][axis] = whole.parts[0][axis];
                node->pre[axis] = trait == 0 ? whole.pre[axis] : 0.0;
                for (int part = 0; part < 2; part++) {
                    node->curves[0][part][axis] = whole.curves[0][part][axis];
                    node->curves[0][part][axis].form =
                        whole.curves[0][part][axis].form ? FORM_LINEAR : FORM_NONE;
                }
                for (int k = 0; trait == 3 && k < TICKS; k++)
                    node->curves[0][1][axis].values[k] *= 4.0;
            }
        }
        for (int part = 0; trait != 1 && part < 3; part++)
            for (int axis = 0; axis < 3; axis++)
                rig.geometric[part][axis] = part == 2 ? 1.0 : 0.0;
        for (int j = 1; trait == 2 && j < rig.node_count; j++)
            rig.weights[7][j] = rig.weights[8][j] = 0.0;
        Matrix4 globals[JOINTS_MAX + 2];
        rig_pose(&rig, -1.0, globals);
        memcpy(rig.binds, globals, sizeof rig.binds);
        rig.mesh_bind = globals[rig.node_count];
        rig_write(&rig, path_of("trait.fbx"), i % 2, false);
        assert_at_most(rig_difference(&rig, path_of("trait.fbx"), 0.0), TOLERANCE);
    }
}

/* A node without an active rotation space has no rotation order, pre- or post-rotation, whatever the file
 * says. */
TEST(test_idle_rotation_spaces)
{
    for (int i = 0; i < 6; i++) {
        static TestRig rig;
        Matrix4 globals[JOINTS_MAX + 2];
        random_rig(400 + (uint64_t)i, i % 3, i < 3 ? -1 : 0, &rig);
        for (int n = 0; n <= rig.node_count; n++)
            rig.nodes[n].idle = (n + i) % 3;
        rig_pose(&rig, 5.0, globals);
        memcpy(rig.binds, globals, sizeof rig.binds);
        rig.mesh_bind = globals[rig.node_count];
        rig_write(&rig, path_of("idle.fbx"), i % 2, false);
        assert_at_most(rig_difference(&rig, path_of("idle.fbx"), 0.0), TOLERANCE);
    }
}

/* ---- small files ---- */

/* Imports a file of a triangle with one joint, to which `objects` and `connections` are added. */
static Status small_import(const char *version, const char *objects, const char *connections, Dataset **out)
{
    static const char unit[] = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    text_write(
        path_of("small.fbx"),
        text_of("; FBX\nFBXHeaderExtension: {\n FBXVersion: %s\n}\nObjects: {\n"
                "Model: 1, \"Model::body\", \"Mesh\" {\n}\nModel: 2, \"Model::bone\", \"LimbNode\" {\n}\n"
                "Geometry: 3, \"Geometry::g\", \"Mesh\" {\n Vertices: *9 {\n a: 0,0,0,1,0,0\n,0,1,0\n }\n"
                " PolygonVertexIndex: *3 {\n a: 0,1,-3\n }\n}\n"
                "Deformer: 4, \"Deformer::\", \"Skin\" {\n}\n"
                "Deformer: 5, \"SubDeformer::\", \"Cluster\" {\n Indexes: *3 {\n a: 0,1,2\n }\n"
                " Weights: *3 {\n a: 1,1,1\n }\n Transform: *16 {\n a: %s\n }\n}\n%s\n}\nConnections: {\n"
                "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",4,3\nC: \"OO\",5,4\nC: \"OO\",2,5\n"
                "%s\n}\n",
                version, unit, objects, connections));
    return imported("fbx", path_of("small.fbx"), (ImportOptions){0}, out);
}

#define LAYERED                                                                                              \
    "AnimationStack: 10, \"AnimStack::s\", \"\" {\n}\nAnimationLayer: 11, \"AnimLayer::base\", \"\" {\n}\n"  \
    "AnimationCurveNode: 12, \"AnimCurveNode::c\", \"\" {\n}"
#define LAYERED_LINKS "C: \"OO\",11,10\nC: \"OO\",12,11\n"

TEST(test_refusals)
{
    static const char *const rows[][3] = {
        {"Model: 7, \"Model::m\", \"Null\" {\n Properties70: {\n P: \"RotationOrder\", \"enum\", \"\", \"\", "
         "6\n }\n}",
         "", "Model 'm' has a spheric or unknown rotation order, which is not read: open it in Blender"},
        {"Model: 7, \"Model::m\", \"Null\" {\n Properties70: {\n P: \"InheritType\", \"enum\", \"\", \"\", "
         "3\n }\n}",
         "", "Model 'm' has an unknown InheritType"},
        {"Model: 7, \"Model::m\", \"Null\" {\n}", "C: \"OO\",2,7\nC: \"OO\",2,1",
         "Model 'bone' has several parents"},
        {"Model: 7, \"Model::m\", \"Null\" {\n}", "C: \"OO\",2,7\nC: \"OO\",7,2", "is its own ancestor"},
        {"Model: 1, \"Model::m\", \"Null\" {\n}", "", "two objects have the number 1"},
        {"Deformer: 7, \"Deformer::\", \"Skin\" {\n}", "C: \"OO\",7,3", "Geometry 'g' has several skins"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Mode: \"Additive\"\n Transform: *16 {\n a: "
         "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "Deformer 'x' is additive"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Transform: *3 {\n a: 1,0,0\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "Deformer 'x' has no bind matrix of 16 numbers"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Transform: *16 {\n a: "
         "1,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "the inverse bind matrix of 'body' has no inverse"},
        {"Deformer: 7, \"Deformer::\", \"BlendShape\" {\n}\nDeformer: 8, \"SubDeformer::smile\", "
         "\"BlendShapeChannel\" {\n}\n"
         "Geometry: 9, \"Geometry::\", \"Shape\" {\n}\nGeometry: 10, \"Geometry::\", \"Shape\" {\n}",
         "C: \"OO\",7,3\nC: \"OO\",8,7\nC: \"OO\",9,8\nC: \"OO\",10,8",
         "Deformer 'smile' has in-between shapes"},
        {LAYERED, LAYERED_LINKS "C: \"OP\",12,11,\"Weight\"", "AnimationLayer 'base' has an animated weight"},
        {LAYERED, LAYERED_LINKS "C: \"OP\",12,2,\"RotationPivot\"",
         "Model 'bone' has an animated pivot or offset"},
        {LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: 5,4\n }\n "
                 "KeyValueFloat: *2 {\n a: "
                 "1,2\n }\n}",
         LAYERED_LINKS "C: \"OP\",12,2,\"Lcl Rotation\"\nC: \"OP\",13,12,\"d|X\"", "after one at"},
        {LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: 4,5\n }\n "
                 "KeyValueFloat: *1 {\n a: "
                 "1\n }\n}",
         LAYERED_LINKS "C: \"OP\",12,2,\"Lcl Rotation\"\nC: \"OP\",13,12,\"d|X\"",
         "AnimationCurve '' has more or fewer values than times"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,0,1\n}", "C: \"OO\",7,1",
         "Geometry 'h' has vertices with less than 3"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,0\n PolygonVertexIndex: "
         "0,0,-4000000000\n}",
         "C: \"OO\",7,1", "corner 2 of a polygon of 'body' is vertex 3999999999, expected 0 to 0"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,zero\n}", "C: \"OO\",7,1",
         "small.fbx:33: expected a number"},
    };
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(small_import("7400", "", "", &dataset));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Dataset *none = NULL;
        assert_bad_input(rows[i][2], small_import("7400", rows[i][0], rows[i][1], &none));
    }
    Dataset *none = NULL;
    assert_bad_input("is FBX version 6100, but only 7000 to 7900 can be read",
                     small_import("6100", "", "", &none));
    assert_bad_input("a name followed by a colon", small_import("7400", "} } {", "", &none));
}

/* A text file may begin with a byte-order mark, and its lines, comments included, may end in CR alone. */
TEST(test_text_forms)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    OWNED_BY(dataset_free) Dataset *whole = NULL;
    assert_ok(small_import("7400", "", "", &whole));
    size_t size = 0;
    OWNED char *text = file_read(path_of("small.fbx"), &size);
    for (int i = 0; i < 6; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        FILE *file = fopen(path_of("form.fbx"), "wb");
        assert_non_null(file);
        fputs(i < 3 ? "" : "\xef\xbb\xbf", file);
        for (size_t c = 0; c < size; c++)
            text[c] == '\n' ? fputs(ends[i % 3], file) : fputc(text[c], file);
        assert_int_equal(fclose(file), 0);
        assert_ok(imported("fbx", path_of("form.fbx"), (ImportOptions){0}, &dataset));
        assert_int_equal(dataset->mesh.vertex_count, 3);
        assert_memory_equal(dataset->mesh.rest, whole->mesh.rest, 9 * sizeof(float));
    }
}

/* Tests morph targets: offsets of chosen vertices, scaled by a percentage, either static or animated. */
TEST(test_morphs)
{
    static const char objects[] =
        "Deformer: 7, \"Deformer::\", \"BlendShape\" {\n}\n"
        "Deformer: 8, \"SubDeformer::smile\", \"BlendShapeChannel\" {\n Properties70: {\n P: "
        "\"DeformPercent\", \"Number\", "
        "\"\", \"A\", 50\n }\n}\nGeometry: 9, \"Geometry::\", \"Shape\" {\n Indexes: *1 {\n a: 1\n }\n "
        "Vertices: *3 {\n a: "
        "0,0,8\n }\n}\n" LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: "
        "0,46186158000\n }\n KeyValueFloat: *2 {\n a: "
        "25,100\n }\n}";
    static const char links[] = "C: \"OO\",7,3\nC: \"OO\",8,7\nC: \"OO\",9,8\n";
    OWNED_BY(dataset_free) Dataset *still = NULL, *moved = NULL;
    assert_ok(small_import("7400", objects, links, &still));
    assert_vec3(point_at(still->mesh.rest, 1), vec3_make(1.0, 0.0, 4.0), 1e-6);
    assert_ok(small_import("7400", objects,
                           text_of("%s" LAYERED_LINKS
                                   "C: \"OP\",12,8,\"DeformPercent\"\nC: \"OP\",13,12,\"d|DeformPercent\"",
                                   links),
                           &moved));
    assert_int_equal(moved->animation.frame_count, 2);
    assert_vec3(point_at(moved->animation.positions, 1), vec3_make(1.0, 0.0, 2.0), 1e-6);
    assert_vec3(point_at(moved->animation.positions, 4), vec3_make(1.0, 0.0, 8.0), 1e-6);
    /* a shape that is whole at 25 percent has twice its offset at 50 percent */
    OWNED_BY(free) char *early = strdup(objects);
    OWNED_BY(dataset_free) Dataset *twice = NULL;
    char *properties = strstr(early, "Properties70");
    assert_ok(small_import(
        "7400",
        text_of("%.*sFullWeights: *1 {\n a: 25\n }\n %s", (int)(properties - early), early, properties),
        links, &twice));
    assert_vec3(point_at(twice->mesh.rest, 1), vec3_make(1.0, 0.0, 16.0), 1e-6);
}

/* A binary file in which any word is overwritten is either refused or read, without any crash. */
TEST(test_binary_damage)
{
    static TestRig rig;
    size_t size = 0;
    int refused = 0;
    random_rig(300, 1, -1, &rig);
    rig_write(&rig, path_of("whole.fbx"), true, false);
    OWNED char *bytes = file_read(path_of("whole.fbx"), &size);
    Random random = {.state = 1};
    const char *input = path_of("in.fbx"), *output = path_of("out.h5");
    const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0};
    for (int i = 0; i < 60; i++) {
        OWNED char *broken = memory_array(size, 1);
        memcpy(broken, bytes, size);
        const size_t at = 23 + (size_t)random_below(&random, size - 40);
        const uint32_t word = i % 3 == 0 ? UINT32_MAX : (uint32_t)random_next(&random) >> i % 32;
        memcpy(broken + at, &word, sizeof word);
        bytes_write(input, broken, i % 4 == 3 ? at : size);
        const Status status = format_find("fbx")->import(&options, output);
        assert_true(status.code == STATUS_OK || status.code == STATUS_BAD_INPUT);
        refused += status.code != STATUS_OK;
        unlink(output);
    }
    assert_true(refused > 10);
}
