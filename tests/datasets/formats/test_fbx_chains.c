/* Compares imported FBX rigs with the evaluation of fbx_rigs.h. Random chains use everything that a node
 * transformation may have, and are written as text and as binary files. */
#include "tests/fbx_files.h"
#include "tests/fbx_rigs.h"
#include "tests/imports.h"

#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"

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
