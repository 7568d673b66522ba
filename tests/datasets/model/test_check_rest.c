/* Tests the detection of a rest pose that does not belong to the frames. Each kind of wrong rest pose is
 * found in several forms, with and without triangles. A rest pose that belongs to the frames has no
 * findings. */
#include "tests/generated.h"

#include "datasets/base/random.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "datasets/model/check.h"

/* Returns the codes of the findings of check_rest.c, joined by spaces. */
static const char *findings_of(const Dataset *dataset)
{
    static char codes[200];
    codes[0] = '\0';
    for (const CheckRow *row = check_rest_rows; row->code; row++) {
        CheckFinding finding;
        assert_ok(dataset_check_row(dataset, row->code, &finding));
        if (finding.count > 0)
            text_append(codes, sizeof codes, "%s%s", codes[0] ? " " : "", row->code);
    }
    return codes;
}

/* Makes one of two data sets whose rest pose belongs to the frames: an articulated figure with a separate
 * rest pose, or a soft body without triangles. */
static Dataset *belonging(int kind)
{
    Dataset *dataset = kind == 0 ? GENERATED("walk", "vertices=1000", "frames=8")
                                 : GENERATED("jelly", "around=16", "along=20", "frames=10");
    dataset->mesh.triangle_count = kind == 0 ? dataset->mesh.triangle_count : 0;
    return dataset;
}

/* Applies a transformation to the rest pose. */
static void rest_move(Dataset *dataset, Transform by)
{
    for (int v = 0; v < dataset->mesh.vertex_count; v++)
        point_set(dataset->mesh.rest, v, transform_point(by, point_at(dataset->mesh.rest, v)));
}

TEST(another_unit_is_seen)
{
    static const double factors[] = {0.01, 0.0254, 1.0 / 3.0, 2.54, 25.4, 100.0};
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
            OWNED_BY(dataset_free) Dataset *dataset = belonging(kind);
            rest_move(dataset, transform_scale(transform_identity(), factors[i]));
            assert_string_equal(findings_of(dataset), "rest-scale");
        }
}

/* A rest pose that is mirrored is found, whether or not it is also rotated and translated. */
TEST(a_mirrored_rest_pose_is_seen)
{
    const Transform turn = transform_rotate_about(vec3_normalize(vec3_make(1.0, 2.0, 3.0)), 2.0,
                                                  vec3_make(0.0, 0.0, 0.0), vec3_make(1.0, -2.0, 0.5));
    for (int axis = 0; axis < 3; axis++)
        for (int turned = 0; turned < 2; turned++) {
            OWNED_BY(dataset_free) Dataset *dataset = belonging(0);
            Transform mirror = transform_identity();
            *(axis == 0 ? &mirror.m00 : axis == 1 ? &mirror.m11 : &mirror.m22) = -1.0;
            rest_move(dataset, turned ? transform_product(turn, mirror) : mirror);
            assert_string_equal(findings_of(dataset), "rest-mirrored");
        }
}

TEST(another_order_is_seen)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        OWNED_BY(dataset_free) Dataset *dataset = belonging(seed % 2 == 0);
        Random random = {seed};
        for (int i = dataset->mesh.vertex_count - 1; i > 0; i--) {
            const int other = (int)(random_unit(&random) * (i + 1));
            const Vec3 a = point_at(dataset->mesh.rest, i), b = point_at(dataset->mesh.rest, other);
            point_set(dataset->mesh.rest, i, b);
            point_set(dataset->mesh.rest, other, a);
        }
        assert_string_equal(findings_of(dataset), "rest-order");
    }
}

/* A sheet that is flat at rest, turned or not, and bends in the frames is found, and so are vertices on a
 * line. If the first frame is flat, too, it is not recommended as the rest pose. */
TEST(a_flat_rest_pose_is_seen)
{
    const Transform turn = transform_rotate_about(vec3_normalize(vec3_make(1.0, 2.0, 3.0)), 2.0,
                                                  vec3_make(0.0, 0.0, 0.0), vec3_make(1.0, -2.0, 0.5));
    for (int kind = 0; kind < 8; kind++) {
        OWNED_BY(dataset_free) Dataset *dataset = belonging(kind & 1);
        Transform flat = transform_identity();
        CheckFinding finding;
        flat.m00 = 0.0;
        flat.m11 = kind & 2 ? 0.0 : 1.0;
        for (int v = 0; kind & 4 && v < dataset->mesh.vertex_count; v++)
            dataset->animation.positions[3 * v + 2] = 0.0f;
        rest_move(dataset, transform_product(turn, flat));
        assert_ok(dataset_check_row(dataset, "rest-flat", &finding));
        assert_int_equal(finding.count, 1);
        assert_holds(finding.text, kind & 2 ? "on one line" : "in one plane");
        if ((kind & 6) == 4)
            assert_lacks(finding.text, "rest-pose=first");
        else
            assert_holds(finding.text, "--set rest-pose=first");
    }
}

/* Coordinates far from the origin along one axis are found, in the rest pose or in the frames alone. */
TEST(coarse_floats_are_seen)
{
    for (int axis = 0; axis < 3; axis++) {
        OWNED_BY(dataset_free) Dataset *dataset = belonging(0);
        for (int v = 0; v < dataset->mesh.vertex_count; v++)
            dataset->mesh.rest[3 * v + axis] += 1e4f; /* float steps of 0.001, for a body of size 2 */
        assert_string_equal(findings_of(dataset), "float-step");
        for (int v = 0; v < dataset->mesh.vertex_count; v++)
            dataset->mesh.rest[3 * v + axis] -= 1e4f - 100.0f; /* float steps of 8e-6 */
        assert_string_equal(findings_of(dataset), "");
    }
}

/* The rest pose of the cloth is flat, which is worth a note. */
TEST(what_belongs_has_no_findings)
{
    static const char *const names[] = {"walk", "jelly", "cloth", "face", "hand", "arm", "creature"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(generated_try(names[i], NULL, NULL, &dataset));
        const char *flat = strcmp(names[i], "cloth") == 0 ? "rest-flat" : "";
        assert_string_equal(findings_of(dataset), flat);
        dataset->mesh.triangle_count = 0;
        assert_string_equal(findings_of(dataset), flat);
    }
}
