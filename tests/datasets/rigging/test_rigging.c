/* Tests weights computed from bones. Bone heat is compared with its solution on a long cylinder, falloff
 * with results worked out by hand, and the search grid for triangles with a test of every triangle. Also
 * tests properties that all weights have, leaf joints, and parts of a mesh from which no bone is
 * visible. */
#include "tests/rigs.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/triangle_grid.h"
#include "datasets/rigging/binding.h"

enum { AROUND = 24, ALONG = 201 };

/* Makes a closed cylinder about the x axis from -length/2 to length/2. It is inside out, because the
 * orientation must not affect the weights. */
static void cylinder_make(double length, double radius, Mesh *mesh)
{
    const int last = AROUND * ALONG;
    assert_ok(mesh_allocate(mesh, last + 2, 2 * AROUND * ALONG));
    int32_t *t = mesh->triangles;
    for (int i = 0; i < ALONG; i++)
        for (int k = 0; k < AROUND; k++) {
            const double x = length * ((double)i / (ALONG - 1) - 0.5), angle = 2.0 * PI * k / AROUND;
            point_set(mesh->rest, i * AROUND + k, vec3_make(x, radius * cos(angle), radius * sin(angle)));
            const int32_t a = i * AROUND + k, b = i * AROUND + (k + 1) % AROUND;
            const int32_t faces[6] = {a, a + AROUND, b, b, a + AROUND, b + AROUND};
            const int32_t caps[6] = {a, b, last, b, a, last + 1};
            if (i < ALONG - 1)
                for (int corner = 0; corner < 6; corner++)
                    *t++ = faces[corner];
            if (i == 0 || i == ALONG - 1)
                for (int corner = 0; corner < 3; corner++)
                    *t++ = caps[(i == 0 ? 0 : 3) + corner];
        }
    point_set(mesh->rest, last, vec3_make(-0.5 * length, 0.0, 0.0));
    point_set(mesh->rest, last + 1, vec3_make(0.5 * length, 0.0, 0.0));
}

static void joints_make(const Vec3 *heads, const int32_t *parents, int count, Rig *rig)
{
    assert_ok(rig_allocate(rig, 0, count, 0, 1));
    for (int j = 0; j < count; j++) {
        rig->rest[j] = transform_translate(heads[j]);
        rig->parents[j] = parents[j];
    }
}

static void bind(const char *name, const char *assignment, const Mesh *mesh, const RigBones *bones,
                 int influences, Rig *rig)
{
    const Binding *binding = binding_find(name);
    assert_non_null(binding);
    ParameterValues values = parameters_default(binding->parameters);
    if (assignment)
        assert_ok(parameters_set(binding->parameters, name, assignment, &values));
    assert_ok(rig_bind_to_bones(binding, values.values, mesh, bones, influences, NULL, rig));
    for (int v = 0; v < mesh->vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < rig->influence_count; k++) {
            const float weight = rig->weight_values[v * rig->influence_count + k];
            assert_true(weight >= 0.0f);
            sum += (double)weight;
        }
        assert_near(sum, 1.0, 1e-6);
    }
}

static double weight_of(const Rig *rig, int vertex, int joint)
{
    double sum = 0.0;
    for (int k = vertex * rig->influence_count; k < (vertex + 1) * rig->influence_count; k++)
        sum += rig->weight_joints[k] == joint ? (double)rig->weight_values[k] : 0.0;
    return sum;
}

/* Two bones lie along the axis of an infinite cylinder of radius r, so every vertex is at distance r from
 * its bone. p is 1 where the vertex is nearest to the first bone, and 0 elsewhere. The equation w'' = c /
 * r^2 (w - p) for the weight w of the first bone has the solution
 *   1 - exp(x sqrt(c) / r) / 2  before the joint,
 *   exp(-x sqrt(c) / r) / 2     after it. */
TEST(bone_heat_on_a_cylinder)
{
    const double LENGTH = 20.0, RADIUS = 1.0;
    RigBone halves[] = {{{-9.9, 0, 0}, {0, 0, 0}, 0}, {{0, 0, 0}, {9.9, 0, 0}, 1}};
    const RigBones bones = {halves, 2};
    const struct {
        const char *heat;
        double c;
    } rows[] = {{"heat=1", 1.0}, {"heat=0.22", 0.22}};
    for (int row = 0; row < 2; row++) {
        CLEANUP(mesh_clear) Mesh mesh = {0};
        CLEANUP(rig_clear) Rig rig = {.joint_count = 2};
        cylinder_make(LENGTH, RADIUS, &mesh);
        bind("bone-heat", rows[row].heat, &mesh, &bones, 4, &rig);
        assert_int_equal(rig.influence_count, 2);
        double before = 2.0;
        for (int i = 0; i < ALONG; i++) {
            const double x = LENGTH * ((double)i / (ALONG - 1) - 0.5);
            const double fall = 0.5 * exp(-fabs(x) * sqrt(rows[row].c) / RADIUS);
            const double weight = weight_of(&rig, i * AROUND, 0);
            /* The tolerances allow for dropped weights below 0.01, for rings 0.1 apart, and for rings with
             * only 24 corners. */
            if (fabs(x) < 9.0)
                assert_near(weight, x < 0.0 ? 1.0 - fall : fall, 0.012);
            assert_true(weight <= before + 1e-6);
            before = weight;
            /* Weights are symmetric about the joint, and 1/2 in the middle. */
            assert_near(weight + weight_of(&rig, (ALONG - 1 - i) * AROUND, 0), 1.0, 1e-4);
            for (int k = 1; k < AROUND; k++)
                assert_near(weight_of(&rig, i * AROUND + k, 0), weight, 2e-3);
        }
        assert_near(weight_of(&rig, ALONG / 2 * AROUND, 0), 0.5, 1e-6);
    }
}

/* Bones are made from a chain of joints along the cylinder. They lie between the joints, and the last bone
 * extends 0.8 of the way to the end. */
TEST(bones_follow_the_joints)
{
    const Vec3 heads[] = {{-8.0, 0, 0}, {-2.0, 0, 0}, {4.0, 0, 0}, {-2.0, 0.5, 0}, {-9.0, 0, 0}};
    const int32_t parents[] = {-1, 0, 1, 1, -1};
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(rig_clear) Rig rig = {0};
    RigBones bones;
    cylinder_make(20.0, 1.0, &mesh);
    joints_make(heads, parents, 5, &rig);
    assert_ok(rig_bones_init(&rig, &mesh, &bones));
    const struct {
        int joint;
        double x, y;
    } tails[] = {{0, -2.0, 0.0}, {1, 4.0, 0.0}, {1, -2.0, 0.5}, {2, 4.0 + 0.8 * 6.0, 0.0},
                 {3, -2.0, 0.9}, {4, -9.0, 0.0}};
    assert_int_equal(bones.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(bones.bones[i].joint, tails[i].joint);
        assert_near(bones.bones[i].tail.x, tails[i].x, 1e-5);
        assert_near(bones.bones[i].tail.y, tails[i].y, 1e-5);
    }
    rig_bones_clear(&bones);
    for (int j = 0; j < 5; j++)
        rig.rest[j] = transform_identity();
    assert_bad_input("all 5 joints have the same position", rig_bones_init(&rig, &mesh, &bones));
    rig_bones_clear(&bones);
}

/* Two cylinders are side by side, each with a bone. The bone of the first cylinder is the one nearest to
 * the inner side of the second, but it gives no heat because it is behind two walls. A third piece has no
 * bone inside, so its nearest bone counts, as for a vertex without triangles. */
TEST(bones_behind_a_wall_give_no_heat)
{
    CLEANUP(mesh_clear) Mesh one = {0}, mesh = {0};
    CLEANUP(rig_clear) Rig rig = {.joint_count = 2};
    cylinder_make(20.0, 1.0, &one);
    const int n = one.vertex_count;
    assert_ok(mesh_allocate(&mesh, 3 * n + 1, 3 * one.triangle_count));
    for (int piece = 0; piece < 3; piece++) {
        for (int v = 0; v < n; v++)
            point_set(mesh.rest, piece * n + v,
                      vec3_add(point_at(one.rest, v), vec3_make(0.0, 2.2 * piece, 0.0)));
        for (int i = 0; i < 3 * one.triangle_count; i++)
            mesh.triangles[piece * 3 * one.triangle_count + i] = one.triangles[i] + piece * n;
    }
    point_set(mesh.rest, 3 * n, vec3_make(0.0, -5.0, 0.0));
    RigBone rows[] = {{{-9.0, 0.9, 0.0}, {9.0, 0.9, 0.0}, 0}, {{-9.0, 2.9, 0.0}, {9.0, 2.9, 0.0}, 1}};
    const RigBones bones = {rows, 2};
    bind("bone-heat", NULL, &mesh, &bones, 4, &rig);
    for (int v = 0; v < n; v++) {
        assert_near(weight_of(&rig, v, 0), 1.0, 1e-6);
        assert_near(weight_of(&rig, n + v, 1), 1.0, 1e-6);
        assert_near(weight_of(&rig, 2 * n + v, 1), 1.0, 1e-6);
    }
    assert_near(weight_of(&rig, 3 * n, 0), 1.0, 0.0);
}

/* A vertex is at the distances 1, 2 and 4 from three bones. With power 2 and two influences, the weights
 * are in the ratio 1 - 1/16 to 1/4 - 1/16. */
TEST(falloff_by_hand)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(rig_clear) Rig rig = {.joint_count = 3};
    assert_ok(mesh_allocate(&mesh, 2, 0));
    point_set(mesh.rest, 1, vec3_make(0.0, 2.0, 0.0));
    RigBone rows[] = {{{0, -4, 0}, {0, -4, 0}, 0}, {{0, 2, 0}, {0, 2, 0}, 1}, {{1, 0, 0}, {5, 0, 0}, 2}};
    const RigBones bones = {rows, 3};
    bind("falloff", "power=2", &mesh, &bones, 2, &rig);
    assert_near(weight_of(&rig, 0, 2), (15.0 / 16.0) / (18.0 / 16.0), 1e-7);
    assert_near(weight_of(&rig, 0, 1), (3.0 / 16.0) / (18.0 / 16.0), 1e-7);
    assert_near(weight_of(&rig, 1, 1), 1.0, 0.0); /* vertex 1 lies on bone 1 */
    bind("falloff", "power=0", &mesh, &bones, 3, &rig);
    for (int j = 0; j < 3; j++)
        assert_near(weight_of(&rig, 0, j), 1.0 / 3.0, 1e-7);
}

/* For random lines through a random cloud of triangles, the grid finds the same hits as a test of every
 * triangle. */
TEST(grid_finds_what_every_triangle_shows)
{
    enum { TRIANGLES = 300, LINES = 1000 };
    Random random = {7};
    CLEANUP(mesh_clear) Mesh mesh = {0};
    TriangleGrid grid, singles[TRIANGLES];
    assert_ok(mesh_allocate(&mesh, 3 * TRIANGLES, TRIANGLES));
    for (int v = 0; v < 3 * TRIANGLES; v++) {
        const Vec3 offset = vec3_make(random_signed(&random), random_signed(&random), random_signed(&random));
        point_set(mesh.rest, v,
                  v % 3 == 0 ? vec3_make(offset.x, offset.y, 0.3 * offset.z)
                             : vec3_add_scaled(point_at(mesh.rest, v / 3 * 3), offset, 0.3));
        mesh.triangles[v] = v;
    }
    const int n = mesh.vertex_count;
    assert_ok(triangle_grid_init(mesh.rest, n, mesh.triangles, TRIANGLES, &grid));
    for (int t = 0; t < TRIANGLES; t++)
        assert_ok(triangle_grid_init(mesh.rest, n, mesh.triangles + 3 * t, 1, &singles[t]));
    int hits = 0;
    for (int i = 0; i < LINES; i++) {
        const Vec3 from =
            vec3_make(1.5 * random_signed(&random), random_signed(&random), random_signed(&random));
        const Vec3 to = vec3_make(i % 5 == 0 ? from.x : random_signed(&random), 1.5 * random_signed(&random),
                                  i % 7 == 0 ? from.z : random_signed(&random));
        const int spared = i % 3 == 0 ? i % TRIANGLES : -1; /* triangle that the search ignores, named by each
                                                               of its corners in turn; -1 if there is none */
        double min = 2.0;
        for (int t = 0; t < TRIANGLES; t++)
            if (t != spared)
                min = fmin(min, triangle_grid_hit(&singles[t], from, to, (const int32_t[]){-1, -1}));
        hits += min <= 1.0;
        assert_near(
            triangle_grid_hit(&grid, from, to, (const int32_t[]){spared < 0 ? -1 : 3 * spared + i % 3, -1}),
            min, 0.0);
    }
    assert_in_range(hits, LINES / 10, LINES * 9 / 10);
    for (int t = 0; t < TRIANGLES; t++)
        triangle_grid_clear(&singles[t]);
    triangle_grid_clear(&grid);
}

TEST(no_memory_leaves_the_rig)
{
    RigBone halves[] = {{{-9.9, 0, 0}, {0, 0, 0}, 0}, {{0, 0, 0}, {9.9, 0, 0}, 1}};
    const RigBones bones = {halves, 2};
    CLEANUP(mesh_clear) Mesh mesh = {0};
    cylinder_make(20.0, 1.0, &mesh);
    for (int i = 0; bindings[i]; i++) {
        const Binding *binding = bindings[i];
        const ParameterValues values = parameters_default(binding->parameters);
        assert_ok(parameters_check(binding->parameters, binding->name));
        CLEANUP(rig_clear) Rig rig = {.joint_count = 2};
        assert_allocations_may_fail(0,
                                    rig_bind_to_bones(binding, values.values, &mesh, &bones, 2, NULL, &rig),
                                    assert_null(rig.weight_values));
    }
}
