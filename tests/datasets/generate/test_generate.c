/* Compares generated data sets with closed forms: the bar at its full angles, invariant lengths, areas and
 * volumes, and exact counts. */
#include "tests/generated.h"

#include "datasets/geometry/angles.h"
#include "datasets/model/evaluate.h"

/* Returns the linear blend (SBS eq. 1) of one vertex in one frame. */
static Vec3 blended(const Dataset *dataset, int frame, int vertex)
{
    return rig_skin_point(&dataset->rig, frame, vertex, point_at(dataset->mesh.rest, vertex),
                          vec3_make(0.0, 0.0, 0.0));
}

/* Checks that every directed edge has its opposite exactly once: the mesh is closed, manifold and
 * consistently oriented. */
static void assert_closed(const Mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count;
    OWNED unsigned char *seen = memory_table(n, n, 1);
    assert_non_null(seen);
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            size_t a = (size_t)mesh->triangles[3 * t + i], b = (size_t)mesh->triangles[3 * t + (i + 1) % 3];
            assert_true(a != b && seen[a * n + b] == 0);
            seen[a * n + b] = 1;
        }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            assert_int_equal(seen[a * n + b], seen[b * n + a]);
}

static double volume(const float *positions, const Mesh *mesh)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        sum += vec3_dot(point_at(positions, corners[0]),
                        vec3_cross(point_at(positions, corners[1]), point_at(positions, corners[2])));
    }
    return sum / 6.0;
}

TEST(bar_is_a_closed_prism)
{
    OWNED_BY(dataset_free) Dataset *bar = GENERATED("bar", "around=12", "along=9", "length=8", "radius=0.5");
    assert_int_equal(bar->mesh.vertex_count, 12 * 9 + 2);
    assert_closed(&bar->mesh);
    /* A regular polygon with n corners on a circle of radius r has the area n r^2 sin(2 pi / n) / 2. */
    assert_true(fabs(volume(bar->mesh.rest, &bar->mesh) - 8.0 * 12 * 0.25 * sin(PI / 6) / 2) < 1e-5);
    dataset_free(bar);
    bar = GENERATED("bar", "section=square", "around=16", "along=5", "length=8", "radius=0.5");
    assert_closed(&bar->mesh);
    assert_true(fabs(volume(bar->mesh.rest, &bar->mesh) - 8.0) < 1e-5);
}

TEST(bar_moves_as_the_figure_says)
{
    enum { AROUND = 8, ALONG = 9, PER_MOTION = 4, END = AROUND * (ALONG - 1) };
    Dataset *bar = GENERATED("bar", "around=8", "along=9", "length=8", "radius=1", "smoothing=4", "frames=4");
    const Rig *rig = &bar->rig;
    assert_int_equal(rig->frame_count, 5 * PER_MOTION);
    for (int v = 0; v < bar->mesh.vertex_count; v++) {
        assert_true(rig->weight_values[2 * v] + rig->weight_values[2 * v + 1] == 1.0f);
        /* The smooth step 3 s^2 - 2 s^3 at s = x / 4 + 1 / 2 is point-symmetric about the joint. */
        double s = fmin(fmax(bar->mesh.rest[3 * v] / 4.0 + 0.5, 0.0), 1.0), tip = 0.0;
        for (int k = 0; k < 2; k++)
            if (rig->weight_joints[2 * v + k] == 1)
                tip += rig->weight_values[2 * v + k];
        assert_true(fabs(tip - s * s * (3 - 2 * s)) < 1e-7);
    }
    for (int motion = 0; motion < 5; motion++) {
        const double twists[] = {135, 0, 90, 0, 0}, bends[] = {0, 120, 0, 90, 90};
        double twist = twists[motion] * PI / 180, bend = bends[motion] * PI / 180, pull = motion == 4;
        int first = motion * PER_MOTION, last = first + PER_MOTION - 1;
        for (int i = 0; i < AROUND; i++) {
            double angle = 2 * PI * i / AROUND, x = 4 + pull, y = cos(angle + twist), z = sin(angle + twist);
            assert_vec3(blended(bar, first, END + i), vec3_make(4, cos(angle), sin(angle)), 1e-6);
            assert_vec3(blended(bar, last, i), vec3_make(-4, cos(angle), sin(angle)), 1e-6);
            assert_vec3(blended(bar, last, END + i),
                        vec3_make(x * cos(bend) - y * sin(bend), x * sin(bend) + y * cos(bend), z), 1e-6);
        }
        /* With equal weights of a rotation and the identity, the linear blend shrinks to the cosine of half
         * the angle (the candy-wrapper artefact). */
        Vec3 middle = blended(bar, last, AROUND * (ALONG / 2));
        if (bend == 0.0)
            assert_true(fabs(hypot(middle.y, middle.z) - cos(twist / 2)) < 1e-6);
    }
    dataset_free(bar);
    bar = GENERATED("bar", "motion=bend-90", "smoothing=0");
    assert_int_equal(bar->rig.frame_count, 16);
    dataset_free(bar);
    assert_refused(STATUS_USAGE, "multiple of 4",
                   generated_try("bar", ASSIGNMENTS("section=square", "around=10"), NULL, &bar));
    assert_null(bar);
}

/* Checks that the columns of the linear part are orthonormal and right-handed. */
static void assert_rigid(Transform t)
{
    Vec3 axes[3];
    transform_axes(t, axes);
    assert_vec3(vec3_cross(axes[0], axes[1]), axes[2], 1e-12);
    assert_vec3(vec3_cross(axes[1], axes[2]), axes[0], 1e-12);
    assert_true(fabs(vec3_length(axes[0]) - 1.0) < 1e-12);
}

static int compare_sets(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

/* Returns the number of distinct joint sets of the vertices. A set is stored as bits, one for each of the
 * 54 joints. */
static int joint_sets(const Rig *rig, int vertex_count)
{
    OWNED uint64_t *sets = memory_array((size_t)vertex_count, sizeof *sets);
    int count = 0;
    for (int slot = 0; slot < vertex_count * rig->influence_count; slot++)
        if (rig->weight_values[slot] != 0.0f)
            sets[slot / rig->influence_count] |= UINT64_C(1) << rig->weight_joints[slot];
    qsort(sets, (size_t)vertex_count, sizeof *sets, compare_sets);
    for (int v = 0; v < vertex_count; v++)
        count += v == 0 || sets[v] != sets[v - 1];
    return count;
}

TEST(figures_have_the_counts_asked_for)
{
    static const struct {
        const char *vertices, *fingers;
        int vertex_count, joint_count;
    } rows[] = {{"vertices=5000", "fingers=yes", 5000, 54},
                {"vertices=1000", "fingers=yes", 1000, 54},
                {"vertices=1001", "fingers=no", 1001, 24},
                {"vertices=9973", "fingers=no", 9973, 24},
                {"vertices=30011", "fingers=yes", 30011, 54}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        OWNED_BY(dataset_free) Dataset *rig = GENERATED("rig", rows[i].vertices, rows[i].fingers, "frames=2");
        assert_int_equal(rig->mesh.vertex_count, rows[i].vertex_count);
        assert_int_equal(rig->rig.joint_count, rows[i].joint_count);
        assert_true(volume(rig->mesh.rest, &rig->mesh) > 0.01);
        if (i == 0)
            assert_closed(&rig->mesh);
    }
}

/* With arms=2, the arms become twice as long over the frames and keep their volume. Without this parameter
 * the rig has no scale. */
TEST(arms_are_scaled_where_asked_for)
{
    OWNED_BY(dataset_free)
    Dataset *plain = generated("rig", NULL), *longer = GENERATED("rig", "arms=2", "frames=8");
    const Rig *rig = &longer->rig;
    assert_null(plain->rig.scale);
    assert_non_null(rig->scale);
    for (int j = 0; j < rig->joint_count; j++) {
        const Mat3 *first = &rig->scale[j], *last = &rig->scale[7 * rig->joint_count + j];
        double length = strstr(rig->joint_names[j], "arm") ? 2.0 : 1.0;
        assert_true(first->m00 == 1.0 && first->m11 == 1.0 && first->m22 == 1.0);
        assert_true(last->m00 == length && last->m01 == 0.0);
        assert_true(fabs(last->m00 * last->m11 * last->m22 - 1.0) < 1e-15);
    }
}

TEST(rig_is_rigid_and_within_its_limits)
{
    OWNED_BY(dataset_free) Dataset *dataset = generated("rig", NULL);
    const Rig *rig = &dataset->rig;
    int shin = -1;
    for (int j = 0; j < rig->joint_count; j++)
        shin = strcmp(rig->joint_names[j], "left_shin") == 0 ? j : shin;
    assert_true(shin > 0);
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++)
            sum += rig->weight_values[4 * v + k];
        assert_true(fabs(sum - 1.0) < 1e-6);
        /* Frame 0 is the rest pose. */
        assert_vec3(blended(dataset, 0, v), point_at(dataset->mesh.rest, v), 1e-6);
    }
    double widest = 0.0;
    for (int f = 0; f < rig->frame_count; f++) {
        const Transform *frame = rig->transforms + (size_t)f * (size_t)rig->joint_count;
        for (int j = 0; j < rig->joint_count; j++) {
            assert_rigid(frame[j]);
            /* A joint's origin moves with the parent joint. */
            Vec3 head = {rig->rest[j].m03, rig->rest[j].m13, rig->rest[j].m23};
            if (rig->parents[j] >= 0)
                assert_vec3(transform_point(frame[rig->parents[j]], head), transform_point(frame[j], head),
                            1e-12);
        }
        /* A knee is a hinge: the shin rotates relative to the thigh about x, by 0 to 130 degrees. */
        Vec3 axis = {1.0, 0.0, 0.0}, down = {0.0, -1.0, 0.0};
        Transform thigh = frame[rig->parents[shin]];
        assert_vec3(transform_direction(frame[shin], axis), transform_direction(thigh, axis), 1e-12);
        double bend =
            acos(vec3_dot(transform_direction(thigh, down), transform_direction(frame[shin], down)));
        assert_true(bend <= 130.0001 * PI / 180);
        widest = fmax(widest, bend);
    }
    assert_true(widest > 100 * PI / 180);
    /* On average, a joint set has as many vertices as in real rigs (wolf 28, makehuman 24). */
    int sets = joint_sets(rig, dataset->mesh.vertex_count);
    assert_in_range(sets, 5000 / 30, 5000 / 20);
}

TEST(walk_is_the_blend_of_its_rig)
{
    OWNED_BY(dataset_free) Dataset *walk = GENERATED("walk", "vertices=1500", "frames=10");
    int vertices = walk->mesh.vertex_count;
    for (int f = 0; f < 10; f++)
        for (int v = 0; v < vertices; v++)
            assert_vec3(blended(walk, f, v), point_at(walk->animation.positions, f * vertices + v), 2e-7);
    OWNED_BY(dataset_free) Dataset *bulging = GENERATED("walk", "vertices=1500", "frames=10", "bulge=0.01");
    assert_true(memcmp(walk->animation.positions, bulging->animation.positions, 12 * (size_t)vertices) != 0);
}

/* Returns twice the length of the vector area of a ring. It is invariant under rigid motion, twist and
 * area-preserving squash. */
static double ring_area(const float *positions, int first, int count)
{
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++)
        sum = vec3_add(
            sum, vec3_cross(point_at(positions, first + i), point_at(positions, first + (i + 1) % count)));
    return vec3_length(sum);
}

TEST(jelly_keeps_its_cross_sections)
{
    enum { AROUND = 24, ALONG = 20, FRAMES = 7 };
    Dataset *still = GENERATED("jelly", "around=24", "along=20", "bend=0", "twist=0", "swell=0", "ripple=0");
    for (int i = 0; i < 3 * still->mesh.vertex_count; i++)
        assert_true(fabsf(still->animation.positions[i] - still->mesh.rest[i]) < 1e-6f);
    assert_closed(&still->mesh);
    assert_int_equal(still->rig.joint_count, 0);
    dataset_free(still);
    OWNED_BY(dataset_free)
    Dataset *jelly = GENERATED("jelly", "around=24", "along=20", "frames=7", "ripple=0");
    size_t frame_values = 3 * (size_t)jelly->mesh.vertex_count;
    for (int f = 0; f < FRAMES; f++)
        for (int ring = 0; ring < ALONG; ring++) {
            double rest = ring_area(jelly->mesh.rest, AROUND * ring, AROUND);
            double now =
                ring_area(jelly->animation.positions + (size_t)f * frame_values, AROUND * ring, AROUND);
            assert_true(fabs(now - rest) < 1e-6);
        }
}

TEST(cloth_is_not_stretched)
{
    enum { ACROSS = 21, UP = 11, FRAMES = 9 };
    OWNED_BY(dataset_free) Dataset *cloth = GENERATED("cloth", "across=21", "up=11", "frames=9");
    assert_int_equal(cloth->mesh.vertex_count, ACROSS * UP);
    assert_int_equal(cloth->mesh.triangle_count, 2 * (ACROSS - 1) * (UP - 1));
    for (int row = 0; row < UP * FRAMES; row++) {
        assert_vec3(point_at(cloth->animation.positions, row * ACROSS),
                    vec3_make(0, (double)(row % UP) / (UP - 1), 0), 1e-7);
        for (int i = 1; i < ACROSS; i++) {
            Vec3 a = point_at(cloth->animation.positions, row * ACROSS + i - 1);
            Vec3 b = point_at(cloth->animation.positions, row * ACROSS + i);
            assert_true(fabs(vec3_length(vec3_sub(a, b)) - 1.5 / (ACROSS - 1)) < 1e-6);
        }
    }
}

TEST(another_seed_makes_another_jelly)
{
    OWNED_BY(dataset_free)
    Dataset *one = GENERATED("jelly", "seed=1", "frames=1"), *two = GENERATED("jelly", "seed=2", "frames=1");
    assert_true(one->animation.positions[300] != two->animation.positions[300]);
}

/* If an angle is given, the end of the second bone must be where a rotation by this angle moves it. */
TEST(a_bar_bends_by_the_angle_asked_for)
{
    OWNED_BY(dataset_free) Dataset *bar = GENERATED("bar", "motion=bend-90", "degrees=30", "frames=2");
    assert_vec3(transform_point(bar->rig.transforms[3], vec3_make(4.0, 0.0, 0.0)),
                vec3_make(4.0 * cos(PI / 6.0), 2.0, 0.0), 1e-12);
    dataset_free(bar);
    bar = GENERATED("bar", "motion=twist-90", "degrees=180", "frames=2");
    assert_vec3(transform_point(bar->rig.transforms[3], vec3_make(1.0, 1.0, 0.0)), vec3_make(1.0, -1.0, 0.0),
                1e-12);
}

/* Weights decrease with the distance to the joint, and reach 0 where another joint becomes nearer. */
TEST(a_sheet_follows_its_nearest_joints)
{
    OWNED_BY(dataset_free) Dataset *sheet = GENERATED("sheet", "influences=2", "joints=3", "drop-off=2");
    const Rig *rig = &sheet->rig;
    assert_int_equal(sheet->mesh.vertex_count, 2601);
    assert_int_equal(sheet->mesh.triangle_count, 5000);
    assert_int_equal(rig->joint_count, 9);
    /* Joint 4 is in the middle of the sheet. At x = 0.1 the distances are 0.1 to this joint, 0.7 / 3 to the
     * next, and more to two further joints. */
    const int middle = 25 * 51 + 25, beside = middle + 5;
    assert_int_equal(rig->weight_joints[2 * middle], 4);
    assert_true(rig->weight_values[2 * middle] == 1.0f);
    const double near = 1.0 / 0.01, far = 1.0 / pow(0.7 / 3.0, 2.0), next = 1.0 / (0.01 + 1.0 / 9.0);
    assert_int_equal(rig->weight_joints[2 * beside], 4);
    assert_int_equal(rig->weight_joints[2 * beside + 1], 5);
    assert_true(fabs((double)rig->weight_values[2 * beside] - (near - next) / (near + far - 2.0 * next)) <
                1e-6);
    for (int v = 0; v < sheet->mesh.vertex_count; v++)
        assert_true(sheet->mesh.rest[3 * v + 1] == 0.0f);
    for (int joint = 0; joint < rig->joint_count; joint++)
        assert_int_equal(rig->parents[joint], -1);
}

/* Each shape moves some vertices of its region, but never more than half of the 2091 vertices. */
TEST(a_face_moves_region_by_region)
{
    OWNED_BY(dataset_free) Dataset *face = GENERATED("face", "frames=20");
    const int vertices = face->mesh.vertex_count;
    assert_int_equal(vertices, 2091);
    for (int f = 0; f < 20; f++) {
        int moved = 0;
        for (int i = 0; i < 3 * vertices; i++)
            moved +=
                face->animation.positions[3 * (size_t)f * (size_t)vertices + (size_t)i] != face->mesh.rest[i];
        assert_in_range(moved, 3, 3 * vertices / 2);
    }
}

/* In Fig. 7 of DQS, the sheet near each of the two joints follows that joint alone. LBS moves the middle of
 * the sheet by the mean of both motions. In Fig. 8, the third joint does not move, and has weights only on
 * one side of the middle line. */
TEST(a_sheet_has_the_joints_of_the_drawings)
{
    OWNED_BY(dataset_free) Dataset *two = GENERATED("sheet", "layout=two-joints", "across=5");
    OWNED_BY(dataset_free) Dataset *three = GENERATED("sheet", "layout=three-joints", "across=5");
    const int frame = two->rig.frame_count - 1,
              middle = 12; /* vertex 11 is at joint 0, vertex 13 at joint 1 */
    assert_int_equal(two->rig.joint_count, 2);
    for (int j = 0; j < 2;
         j++) { /* each joint is at its own centre of rotation, so its vertex does not move */
        assert_vec3(blended(two, frame, 11 + 2 * j), vec3_make(j == 0 ? -0.25 : 0.25, 0.0, 0.0), 1e-6);
    }
    const double first = 70.0 * PI / 180.0,
                 second = -20.0 * PI / 180.0; /* angles about y; positive angles turn x towards -z */
    assert_vec3(blended(two, frame, middle),
                vec3_make(0.125 * (cos(first) - cos(second)), 0.0, 0.125 * (sin(second) - sin(first))), 1e-6);
    assert_int_equal(three->rig.joint_count, 3);
    for (int v = 0; v < 25; v++) {
        const float third = three->rig.weight_values[3 * v + 2];
        assert_true(v < 15 ? third == 0.0f : third > 0.0f && third <= 0.05f);
        if (v < 15)
            assert_true(three->rig.weight_values[3 * v] == two->rig.weight_values[2 * v]);
    }
}
