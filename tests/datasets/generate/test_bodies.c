/* Tests the generated bodies. They have as many vertices as the published models, closed surfaces without
 * self-intersection, weights, and joints within their limits. Also tests failed allocations and the
 * remeshing of an octahedron. */
#include "tests/generated.h"
#include "tests/rigs.h"

#include "datasets/generate/figure.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/remesh.h"
#include "datasets/geometry/topology.h"
#include "datasets/geometry/triangle_grid.h"

/* Checks that every edge has one triangle on either side, with consistent orientation, that Euler's formula
 * for a sphere holds, and that the normals point outwards. */
static void assert_sphere(const Mesh *mesh)
{
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    double volume = 0.0;
    assert_ok(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    for (int e = 0; e < count; e++)
        assert_true(edges[e].forwards == 1 && edges[e].backwards == 1);
    assert_int_equal(mesh->vertex_count - count + mesh->triangle_count, 2);
    for (int t = 0; t < mesh->triangle_count; t++)
        volume += vec3_dot(point_at(mesh->rest, mesh->triangles[3 * t]),
                           triangle_cross(mesh->rest, mesh->triangles + 3 * t));
    assert_true(volume > 0.0);
}

/* Checks that no edge passes through a triangle that it does not touch, so that no triangles intersect.
 * Also checks for slivers: area / squared edge lengths (1 for an equilateral triangle) has a lower
 * bound. */
static void assert_embedded(const Mesh *mesh)
{
    const double SHORT = 0.999;
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    assert_ok(
        triangle_grid_init(mesh->rest, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &grid));
    for (int t = 0; t < mesh->triangle_count; t++) {
        double squares = 0.0;
        for (int i = 0; i < 3; i++) {
            const int32_t from = mesh->triangles[3 * t + i], end = mesh->triangles[3 * t + (i + 1) % 3];
            const Vec3 a = point_at(mesh->rest, from), way = vec3_sub(point_at(mesh->rest, end), a);
            squares += vec3_dot(way, way);
            const double hit =
                triangle_grid_hit(&grid, a, vec3_add_scaled(a, way, SHORT), (const int32_t[]){from, -1});
            assert_true(hit > 1.0);
        }
        assert_true(2.0 * sqrt(3.0) * vec3_length(triangle_cross(mesh->rest, mesh->triangles + 3 * t)) /
                        squares >
                    0.3);
    }
}

static void assert_weights(const Dataset *dataset)
{
    const Rig *rig = &dataset->rig;
    assert_int_equal(rig->influence_count, 4);
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++) {
            assert_true(rig->weight_values[4 * v + k] >= 0.0f);
            sum += (double)rig->weight_values[4 * v + k];
        }
        assert_near(sum, 1.0, 1e-6);
    }
}

/* Returns the rotation of a joint relative to its parent, about x, then y, then z, in degrees. Checks that
 * the joint's head moves with the parent. */
static Vec3 joint_turn(const Rig *rig, int frame, int joint)
{
    const Transform *pose = &rig->transforms[frame * rig->joint_count + joint];
    const int parent = rig->parents[joint];
    const Transform above =
        parent < 0 ? transform_identity() : rig->transforms[frame * rig->joint_count + parent];
    const double *a = &above.m00, *b = &pose->m00;
    double local[3][3];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            local[row][column] = 0.0;
            double square = 0.0;
            for (int k = 0; k < 3; k++) {
                local[row][column] += a[4 * k + row] * b[4 * k + column];
                square += b[4 * k + row] * b[4 * k + column];
            }
            assert_near(square, row == column, 1e-12);
        }
    if (parent >= 0) {
        const Vec3 head = {rig->rest[joint].m03, rig->rest[joint].m13, rig->rest[joint].m23};
        assert_vec3(transform_point(*pose, head), transform_point(above, head), 1e-12);
    }
    return vec3_scale(
        vec3_make(atan2(local[2][1], local[2][2]), -asin(local[2][0]), atan2(local[1][0], local[0][0])),
        180.0 / PI);
}

TEST(bodies_have_their_models_sizes)
{
    static const struct {
        const char *name;
        int vertices, joints;
    } rows[] = {{"arm", 1500, 4},
                {"hand", 2402, 23},
                {"biped", 5002, 54},
                {"biped-large", 3356, 78},
                {"creature", 6802, 56}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        OWNED_BY(dataset_free) Dataset *body = GENERATED(rows[i].name, "frames=8");
        assert_int_equal(body->mesh.vertex_count, rows[i].vertices);
        assert_int_equal(body->rig.joint_count, rows[i].joints);
        assert_sphere(&body->mesh);
        assert_embedded(&body->mesh);
        assert_weights(body);
        for (int f = 0; f < 8; f++)
            for (int j = 0; j < rows[i].joints; j++) {
                const Vec3 turn = joint_turn(&body->rig, f, j);
                const char *name = body->rig.joint_names[j];
                /* The middle joint of a finger is a hinge, so it bends about one axis only. */
                if (strstr(name, "index_2") || strstr(name, "middle_2") || strstr(name, "ring_2"))
                    assert_true(fabs(turn.x) < 1e-6 && fabs(turn.y) < 1e-6 && fabs(turn.z) < 95.001);
            }
        /* The animation is the rig's linear blend. */
        for (int v = 0; v < rows[i].vertices; v += 97) {
            const Vec3 rest = point_at(body->mesh.rest, v);
            Vec3 sum = ORIGIN;
            for (int k = 0; k < 4; k++) {
                const int joint = body->rig.weight_joints[4 * v + k];
                const Transform *own = &body->rig.transforms[5 * rows[i].joints + joint];
                sum = vec3_add_scaled(sum, transform_point(*own, rest),
                                      (double)body->rig.weight_values[4 * v + k]);
            }
            assert_vec3(sum, point_at(body->animation.positions, 5 * rows[i].vertices + v), 1e-6);
        }
    }
}

/* The requested number of vertices is reached exactly, whether small or large. A number too small for a
 * closed body is refused. */
TEST(sizes_are_met_exactly)
{
    const struct {
        const char *text;
        int vertices;
    } rows[] = {{"vertices=97", 97}, {"vertices=20001", 20001}};
    for (int i = 0; i < 2; i++) {
        OWNED_BY(dataset_free) Dataset *arm = GENERATED("arm", rows[i].text);
        assert_int_equal(arm->mesh.vertex_count, rows[i].vertices);
        assert_sphere(&arm->mesh);
        assert_weights(arm);
    }
    Dataset *none = NULL;
    assert_refused(STATUS_USAGE, "the surface cannot have 1 vertices",
                   generated_try("arm", ASSIGNMENTS("vertices=1"), NULL, &none));
    assert_null(none);
}

/* Both motions of the human stay within the limits of its joints, and reach them. */
TEST(bipeds_stay_within_their_limits)
{
    const double ROUNDING = 1e-6;
    Figure figure;
    figure_make(true, &figure);
    double widest[2] = {0.0, 0.0};
    for (int swing = 0; swing < 2; swing++) {
        OWNED_BY(dataset_free) Dataset *biped = GENERATED("biped", swing ? "motion=swing" : "motion=walk");
        assert_int_equal(biped->rig.joint_count, figure.joint_count);
        for (int f = 0; f < biped->rig.frame_count; f++)
            for (int j = 0; j < figure.joint_count; j++) {
                const FigureLimits *limits = &figure.joints[j].limits;
                const Vec3 turn = joint_turn(&biped->rig, f, j);
                const double turns[3] = {turn.x, turn.y, turn.z};
                assert_string_equal(biped->rig.joint_names[j], figure.joints[j].name);
                for (int axis = 0; axis < 3; axis++) {
                    /* If a joint rotates about y by more than 90 degrees, other Euler angles describe the
                     * same rotation. Such joints are hinges, so their limits are not checked. */
                    if (limits->low[1] < -90.0 || limits->high[1] > 90.0)
                        continue;
                    assert_true(turns[axis] >= limits->low[axis] - ROUNDING &&
                                turns[axis] <= limits->high[axis] + ROUNDING);
                    widest[swing] = fmax(widest[swing], fabs(turns[axis]));
                }
            }
    }
    assert_true(widest[0] > 35.0 && widest[1] > 100.0);
}

/* The hips bend to their limit in even steps, and no other joint rotates. */
TEST(hips_bend_to_their_limit)
{
    OWNED_BY(dataset_free) Dataset *biped = GENERATED("biped", "motion=hips");
    for (int f = 0; f < biped->rig.frame_count; f++)
        for (int j = 0; j < biped->rig.joint_count; j++) {
            const bool thigh = strstr(biped->rig.joint_names[j], "thigh") != NULL;
            const Vec3 turn = joint_turn(&biped->rig, f, j);
            assert_near(turn.x, thigh ? -105.0 * (f + 1) / biped->rig.frame_count : 0.0, 1e-9);
            assert_near(fabs(turn.y) + fabs(turn.z), 0.0, 1e-9);
        }
}

TEST(same_seed_same_body)
{
    OWNED_BY(dataset_free) Dataset *one = GENERATED("hand", "seed=5"), *same = GENERATED("hand", "seed=5");
    OWNED_BY(dataset_free) Dataset *other = GENERATED("hand", "seed=6");
    const size_t n = (size_t)one->mesh.vertex_count,
                 poses = (size_t)one->rig.frame_count * (size_t)one->rig.joint_count;
    assert_memory_equal(one->mesh.rest, same->mesh.rest, 12 * n);
    assert_memory_equal(one->mesh.triangles, same->mesh.triangles, 12 * (size_t)one->mesh.triangle_count);
    assert_memory_equal(one->rig.weight_values, same->rig.weight_values, 16 * n);
    assert_memory_equal(one->rig.transforms, same->rig.transforms, poses * sizeof(Transform));
    assert_memory_equal(one->mesh.rest, other->mesh.rest, 12 * n);
    assert_true(memcmp(one->rig.transforms, other->rig.transforms, poses * sizeof(Transform)) != 0);
}

static Vec3 onto_sphere(UNUSED const void *context, Vec3 p)
{
    return vec3_normalize(p);
}

static double one_length(UNUSED const void *context, UNUSED Vec3 p)
{
    return 1.0;
}

/* An octahedron on the unit sphere, remeshed to 1002 vertices, is a regular triangulation with nearly the
 * volume of the sphere. */
TEST(an_octahedron_becomes_a_sphere)
{
    const Vec3 points[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const int32_t triangles[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const RemeshSurface sphere = {onto_sphere, one_length, NULL};
    CLEANUP(closed_mesh_clear) ClosedMesh mesh = {0};
    assert_ok(closed_mesh_init(points, 6, triangles, 8, remesh_capacity(6, 1002), &mesh));
    assert_ok(closed_mesh_remesh(&mesh, 1002, &sphere, NULL));
    assert_int_equal(mesh.vertex_count, 1002);
    assert_int_equal(mesh.triangle_count, 2000);
    double volume = 0.0, shortest = 2.0, longest = 0.0;
    for (int t = 0; t < 2000; t++) {
        const int32_t *c = mesh.corners + 3 * t;
        volume += vec3_dot(mesh.points[c[0]], vec3_cross(mesh.points[c[1]], mesh.points[c[2]])) / 6.0;
        for (int i = 0; i < 3; i++) {
            const double length = vec3_length(vec3_sub(mesh.points[c[i]], mesh.points[c[(i + 1) % 3]]));
            shortest = fmin(shortest, length);
            longest = fmax(longest, length);
        }
    }
    /* The mesh is inscribed in the unit sphere. A triangle with edges of length s lies on average s^2 / 8
     * below the surface, so the mesh loses 3 s^2 / 8 of the volume. Each of the 2000 triangles has the area
     * sqrt(3) s^2 / 4, a 2000th of the area of the sphere. */
    assert_near(volume / (4.0 / 3.0 * PI), 1.0 - 3.0 / 8.0 * 16.0 * PI / (2000.0 * sqrt(3.0)), 0.0015);
    assert_true(longest < 4.0 * shortest);
    closed_mesh_clear(&mesh);
    assert_bad_input("not closed", closed_mesh_init(points, 6, triangles, 7, 0, &mesh));
}

TEST(failed_allocations_end_in_a_status)
{
    for (long k = 0;; k += 1 + k / 40) {
        Dataset *dataset = NULL;
        memory_fail_after(k);
        const Status status = generated_try("arm", ASSIGNMENTS("vertices=200", "frames=1"), NULL, &dataset);
        memory_fail_after(-1);
        if (status.code == STATUS_OK) {
            dataset_free(dataset);
            assert_true(k > 40);
            break;
        }
        assert_int_equal(status.code, STATUS_SYSTEM);
        assert_null(dataset);
    }
}
