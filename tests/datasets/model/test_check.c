/* Tests dataset_check. A valid data set has no findings, and each kind of damage is found by exactly one
 * row of the table of checks. */
#include "tests/generated.h"

#include "datasets/io/store.h"
#include "datasets/model/check.h"

/* Makes a small walking figure with upright normals and a low-rank model of zeros. */
static Dataset *sound_dataset(void)
{
    Dataset *dataset = GENERATED("walk", "vertices=1000", "frames=6");
    dataset->animation.normals = memory_table(6 * 1000, 3, sizeof(float));
    for (int i = 0; i < 6 * 1000; i++)
        dataset->animation.normals[3 * i + 1] = 1.0f;
    dataset->low_rank = (LowRank){.rank = 2,
                                  .row_count = 18,
                                  .basis = memory_table(18, 2, sizeof(double)),
                                  .coefficients = memory_table(2, 1000, sizeof(float))};
    return dataset;
}

typedef struct Damage {
    const char *code;
    CheckSeverity severity;
    int count;
    const char *text;
    void (*make)(Dataset *dataset);
} Damage;

enum { DAMAGES_MAX = 64 };
static Damage damages[DAMAGES_MAX];
static int damage_count;

/* Defines a kind of damage and the finding that it must cause. The body, or its only statement, damages the
 * data set `d`. */
#define DAMAGE_OF(line, ...)                                                                                 \
    static void damage_##line(Dataset *d);                                                                   \
    __attribute__((constructor)) static void damage_##line##_add(void)                                       \
    {                                                                                                        \
        damages[damage_count++] = (Damage){__VA_ARGS__, damage_##line};                                      \
    }                                                                                                        \
    static void damage_##line(Dataset *d)
#define DAMAGE_ON(line, ...) DAMAGE_OF(line, __VA_ARGS__)
#define DAMAGE(code, severity, count, text) DAMAGE_ON(__LINE__, code, CHECK_##severity, count, text)
#define DAMAGE_BY(code, severity, count, text, ...)                                                          \
    DAMAGE(code, severity, count, text)                                                                      \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }

DAMAGE_BY("rest-finite", ERROR, 1, "mesh/rest[17,2] is inf", d->mesh.rest[3 * 17 + 2] = INFINITY)
DAMAGE_BY("triangle-range", ERROR, 1, "mesh/triangles[5,0] is 1000, expected 0 to 999",
          d->mesh.triangles[3 * 5] = 1000)
/* Sets original_vertices to a permutation that exchanges neighbours. */
static void order_give(Dataset *d)
{
    d->mesh.original_vertices = memory_array(1000, sizeof(int32_t));
    for (int i = 0; i < 1000; i++)
        d->mesh.original_vertices[i] = i ^ 1;
}
DAMAGE("vertex-order", ERROR, 1, "mesh/original_vertices[30] is 16, the same as that of vertex 17")
{
    order_give(d);
    d->mesh.original_vertices[30] = 16;
}
DAMAGE("vertex-order", ERROR, 1, "mesh/original_vertices[17] is -1, expected 0 to 999")
{
    order_give(d);
    d->mesh.original_vertices[17] = -1;
}
/* Adds an attribute of zeros. */
static float *attribute_give(Dataset *d, const char *name)
{
    float *values = NULL;
    assert_ok(mesh_attribute_add(&d->mesh, name, &values));
    return values;
}
DAMAGE_BY("attribute-finite", ERROR, 1, "mesh/attributes/blend[17] is inf, expected a finite number",
          attribute_give(d, "blend")[17] = INFINITY)
DAMAGE_BY("attribute-name", ERROR, 1, "mesh/attributes has the name 'a b', expected 1 to 47 letters",
          attribute_give(d, "a b"))
DAMAGE("attribute-name", ERROR, 1, "mesh/attributes has two attributes named 'blend'")
{
    attribute_give(d, "blend");
    attribute_give(d, "blenx");
    d->mesh.attribute_names[1][4] = 'd';
}
DAMAGE_BY("triangle-degenerate", WARNING, 1, "mesh/triangles[5] is ",
          d->mesh.triangles[3 * 5 + 1] = d->mesh.triangles[3 * 5])
DAMAGE("triangle-degenerate", WARNING, 1, "has no area in the rest pose")
{
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++)
            d->mesh.rest[3 * d->mesh.triangles[3 * 5 + corner] + axis] = (float)corner;
}
static void triangle_duplicate(Dataset *d)
{
    const int32_t corners[] = {d->mesh.triangles[1], d->mesh.triangles[2], d->mesh.triangles[0]};
    memcpy(d->mesh.triangles + 3 * 900, corners, sizeof corners);
}
DAMAGE_BY("triangle-duplicate", WARNING, 1, "mesh/triangles[900] joins the same vertices as [0]",
          triangle_duplicate(d))
DAMAGE_BY("edge-manifold", WARNING, 3, "3 triangles meet at the edge", triangle_duplicate(d))
DAMAGE("edge-orientation", WARNING, 3, "have opposite orientations")
{
    int32_t corner = d->mesh.triangles[3 * 5];
    d->mesh.triangles[3 * 5] = d->mesh.triangles[3 * 5 + 1];
    d->mesh.triangles[3 * 5 + 1] = corner;
}
DAMAGE_BY("edge-boundary", NOTE, 3, "only one triangle at the edge", d->mesh.triangle_count--)
DAMAGE("vertex-unreferenced", WARNING, 1, "vertex 30 is in no triangle")
{
    for (int i = 0; i < 3 * d->mesh.triangle_count; i++)
        if (d->mesh.triangles[i] == 30)
            d->mesh.triangles[i] = 31;
}
DAMAGE_BY("parent-order", ERROR, 1, "rig/parents[3] is 3", d->rig.parents[3] = 3)
DAMAGE("joint-names", WARNING, 1, "two joints are called 'hips'")
{
    memory_free(d->rig.joint_names[4]);
    d->rig.joint_names[4] = memory_text("hips");
}
DAMAGE_BY("joint-range", ERROR, 1, "rig/weights/joints[17,1] is 24, expected 0 to 23",
          d->rig.weight_joints[4 * 17 + 1] = 24)
DAMAGE("joint-duplicate", WARNING, 1, "in slots 0 and 1")
{
    for (int v = 0; v < 1000; v++)
        if (d->rig.weight_values[4 * v + 1] != 0.0f) {
            d->rig.weight_joints[4 * v + 1] = d->rig.weight_joints[4 * v];
            return;
        }
}
DAMAGE("joint-unused", NOTE, 1, "joint 7 (head) moves no vertex")
{
    for (int i = 0; i < 4 * 1000; i++)
        if (d->rig.weight_joints[i] == 7 && i % 4 > 0)
            d->rig.weight_joints[i] = 6;
        else if (d->rig.weight_joints[i] == 7)
            d->rig.weight_joints[i] = 5;
}
DAMAGE_BY("weight-finite", ERROR, 1, "rig/weights/values[17,0] is ", d->rig.weight_values[4 * 17] = NAN)
DAMAGE_BY("weight-none", ERROR, 1, "rig/weights/values of vertex 17 have the sum 0",
          memset(d->rig.weight_values + 4 * 17, 0, 4 * sizeof(float)))
DAMAGE("weight-sum", ERROR, 20, "vertex 0 have the sum 0.875")
{
    for (int i = 0; i < 4 * 20; i++)
        d->rig.weight_values[i] *= 0.875f;
}
DAMAGE("weight-sum", ERROR, 1, "vertex 17 have the sum 2, expected 1 within")
{
    for (int i = 4 * 17; i < 4 * 18; i++)
        d->rig.weight_values[i] *= 2.0f;
}
DAMAGE("weight-sum", ERROR, 1000, "`weights prune --influences 4` scales the weights to sum to 1")
{
    for (int i = 0; i < 4 * 1000; i++)
        d->rig.weight_values[i] *= 1.001f;
}
DAMAGE("weight-negative", NOTE, 1, "rig/weights/values[17,1] is -0.25")
{
    d->rig.weight_values[4 * 17] = 1.25f;
    d->rig.weight_values[4 * 17 + 1] = -0.25f;
    d->rig.weight_values[4 * 17 + 2] = 0.0f;
    d->rig.weight_values[4 * 17 + 3] = 0.0f;
    d->rig.weight_joints[4 * 17 + 1] = d->rig.weight_joints[4 * 17] == 0;
}
DAMAGE_BY("rest-frame-finite", ERROR, 1, "rig/rest[3,1,2] is nan", d->rig.rest[3].m12 = NAN)
DAMAGE_BY("rest-frame-singular", ERROR, 1, "rig/rest[3] has the determinant 0", d->rig.rest[3].m11 = 0.0)
DAMAGE_BY("rest-frame-rigid", NOTE, 1, "rig/rest[3] differs from a rotation by 3", d->rig.rest[3].m11 = 2.0)
DAMAGE_BY("transform-finite", ERROR, 1, "rig/transforms[2,5,0,3] is -inf",
          d->rig.transforms[2 * 24 + 5].m03 = -INFINITY)
DAMAGE_BY("transform-finite", ERROR, 1, "rig/transforms[2,5,0,3] is 1e+308, expected no more than 1e+18",
          d->rig.transforms[2 * 24 + 5].m03 = 1e308)
DAMAGE_BY("transform-rigid", WARNING, 1,
          "rig/transforms[2,5] is refused by rigid methods: it differs from a rotation by 1.25",
          d->rig.transforms[2 * 24 + 5] = (Transform){.m00 = 1.5, .m11 = 1.0, .m22 = 1.0})
DAMAGE_BY("transform-mirrored", WARNING, 1,
          "rig/transforms[2,5] mirrors, which rigid methods refuse: its determinant is -1",
          d->rig.transforms[2 * 24 + 5] = (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = -1.0})
DAMAGE_BY("transform-singular", WARNING, 1,
          "rig/transforms[2,5] cannot be skinned in two phases: its determinant is 0",
          d->rig.transforms[2 * 24 + 5] = (Transform){.m00 = 1.0, .m11 = 1.0})
static void rig_scale(Dataset *d)
{
    d->rig.scale = memory_table(6, 24, sizeof *d->rig.scale);
    d->rig.scale[24].m10 = NAN;
}
DAMAGE_BY("scale-finite", ERROR, 1, "rig/scale[1,0,1,0] is ", rig_scale(d))
DAMAGE_BY("scale", NOTE, 1, "only `skin --two-phase` applies it", rig_scale(d))
DAMAGE("centers-finite", ERROR, 1, "rig/centers[17,2] is -2e+09, expected no more than 1e+09")
{
    d->rig.centers = memory_table(1000, 3, sizeof(float));
    d->rig.centers[3 * 17 + 2] = -2e9f;
}
DAMAGE("joint-unnamed", NOTE, 1, "joint 4 has no name of its own, and is called 'unnamed joint 4'")
{
    memory_free(d->rig.joint_names[4]);
    d->rig.joint_names[4] = memory_text("unnamed joint 4");
}
DAMAGE("joint-names", WARNING, 1, "not")
{
    memory_free(d->rig.joint_names[4]);
    d->rig.joint_names[4] = memory_text("\xff not UTF-8");
}
DAMAGE("texts", WARNING, 2,
       "attribute name has characters that are not printable UTF-8, shown escaped: \\xE9\\x0A")
{
    memory_free(d->name);
    d->name = memory_array(200, 1);
    memset(d->name, 'x', 199);
    memcpy(d->name, "\xe9\n", 2);
}
DAMAGE_BY("fps-finite", ERROR, 1, "attribute fps is nan, expected a positive number", d->fps = NAN)
DAMAGE("clips", ERROR, 1, "clips/times[2] is 0.25, expected times that ascend within a clip")
{
    assert_ok(clips_allocate(&d->clips, 1, 6));
    d->clips.names[0] = memory_text("Walk");
    d->clips.times_s[1] = 0.5;
    d->clips.times_s[2] = 0.25;
}
DAMAGE("clips", ERROR, 1, "clips/times lists 7 frames, but the data set has 6 frames")
{
    assert_ok(clips_allocate(&d->clips, 1, 7));
    d->clips.names[0] = memory_text("Walk");
    for (int f = 0; f < 7; f++)
        d->clips.times_s[f] = f;
}
DAMAGE("animation-size", WARNING, 1, "all vertices of the first frame are at one point")
{
    for (int i = 0; i < 3 * 1000; i++)
        d->animation.positions[i] = 1.0f;
}
DAMAGE("model-size", ERROR, 1, "model/basis times model/coefficients may reach 1e+27")
{
    d->low_rank.basis[2 * 5 + 1] = -1e12;
    d->low_rank.coefficients[1000 + 17] = 1e15f;
}
DAMAGE("rig-away", WARNING, 24, "joint 0 (hips) is ")
{
    for (int j = 0; j < 24; j++) {
        d->rig.rest[j].m03 *= 100.0;
        d->rig.rest[j].m13 *= 100.0;
        d->rig.rest[j].m23 *= 100.0;
    }
}
DAMAGE_BY("weight-tiny", NOTE, 1, "vertex 17 has the weight 1e-09 for joint ",
          d->rig.weight_values[17 * d->rig.influence_count + d->rig.influence_count - 1] = 1e-9f)
DAMAGE_BY("fps", NOTE, 1, "attribute fps is 0", d->fps = 0.0)
DAMAGE_BY("positions-finite", ERROR, 1, "animation/positions[2,17,1] is ",
          d->animation.positions[3 * (2 * 1000 + 17) + 1] = NAN)
DAMAGE_BY("normals-finite", ERROR, 1, "animation/normals[2,17,1] is ",
          d->animation.normals[3 * (2 * 1000 + 17) + 1] = NAN)
DAMAGE_BY("normals-unit", WARNING, 1, "animation/normals[2,17] has the length 0.5",
          d->animation.normals[3 * (2 * 1000 + 17) + 1] = 0.5f)
DAMAGE("frame-counts", ERROR, 1, "the rig has 5 frames, but the animation has 6")
{
    d->rig.frame_count = 5;
    d->low_rank.row_count = 15;
}
DAMAGE("rest-scale", ERROR, 1, "the rest pose is ")
{
    for (int i = 0; i < 3 * 1000 * 6; i++)
        d->animation.positions[i] *= 0.01f;
}
DAMAGE_BY("rest-point", ERROR, 1, "all vertices of the rest pose are at one point",
          memset(d->mesh.rest, 0, 3 * 1000 * sizeof(float)))
DAMAGE("rest-flat", NOTE, 1, "the vertices of the rest pose are in one plane and those of the frames are not")
{
    for (int i = 0; i < 1000; i++)
        d->mesh.rest[3 * i + 2] = 0.5f;
}
/* The factor 379 is coprime to the 1000 vertices, so that the new order is a permutation. */
DAMAGE("rest-order", ERROR, 1, "as if the vertices were in another order")
{
    float *rest = memory_table(1000, 3, sizeof(float));
    for (int i = 0; i < 1000; i++)
        memcpy(rest + 3 * i, d->mesh.rest + 3 * (379 * i % 1000), 3 * sizeof(float));
    memory_free(d->mesh.rest);
    d->mesh.rest = rest;
}
DAMAGE("rest-mirrored", ERROR, 1, "a mirror image of all frames")
{
    for (int i = 0; i < 1000; i++)
        d->mesh.rest[3 * i] *= -1.0f;
}
DAMAGE("frame-mirrored", NOTE, 1, "3 of 6 examined frames are mirror images")
{
    for (int i = 0; i < 3 * 1000; i++)
        d->animation.positions[3 * i] *= -1.0f;
}
DAMAGE("frame-scale", NOTE, 1, "lengths are 1 to 2")
{
    for (int i = 0; i < 3 * 1000 * 6; i++)
        d->animation.positions[i] *= 1.0f + 0.2f * (float)(i / 3000);
}
/* Floats between 65536 and 131072 have a step of 1/128. */
DAMAGE("float-step", WARNING, 1, "floats near the coordinate 1e+05 are 0.00781 apart")
{
    for (int i = 0; i < 1000; i++)
        d->mesh.rest[3 * i + 1] += 1e5f;
}
DAMAGE_BY("model-finite", ERROR, 1, "model/coefficients[1,17] is ", d->low_rank.coefficients[1000 + 17] = NAN)
DAMAGE_BY("model-frames", ERROR, 1, "model/basis has 15 rows, expected 3 for each of the rig's 6 frames",
          d->low_rank.row_count = 15)

TEST(sound_data_have_no_findings)
{
    CheckReport report;
    OWNED_BY(dataset_free) Dataset *dataset = sound_dataset();
    assert_ok(dataset_check(dataset, &report));
    for (int i = 0; i < report.finding_count; i++)
        fail_msg("%s: %s", report.findings[i].code, report.findings[i].text);
    dataset_free(dataset);
    assert_ok(dataset_create("empty", "", "", "", &dataset));
    dataset->fps = 1.0;
    assert_ok(dataset_check(dataset, &report));
    assert_int_equal(report.finding_count, 0);
}

TEST(every_damage_is_found)
{
    for (int i = 0; i < damage_count; i++) {
        const Damage *damage = &damages[i];
        const CheckFinding *found = NULL;
        CheckReport report;
        OWNED_BY(dataset_free) Dataset *dataset = sound_dataset();
        damage->make(dataset);
        assert_ok(dataset_check(dataset, &report));
        for (int k = 0; k < report.finding_count; k++)
            if (strcmp(report.findings[k].code, damage->code) == 0)
                found = &report.findings[k];
        if (!found) {
            fail_msg("%s was not found", damage->code);
            break;
        }
        assert_int_equal(found->severity, damage->severity);
        if (found->count != damage->count || !strstr(found->text, damage->text))
            fail_msg("%s: %d: '%s'", damage->code, (int)found->count, found->text);
        assert_int_equal(report.error_count + report.warning_count + report.note_count, report.finding_count);
        assert_true(damage->severity != CHECK_ERROR || report.error_count > 0);
        /* Damaged topology may have findings from several rows. Any other damage has exactly one error. */
        if (damage->severity == CHECK_ERROR && report.error_count != 1)
            fail_msg("%s: %d errors", damage->code, report.error_count);
    }
}

TEST(every_row_has_its_damage)
{
    for (int index = 0; check_row(index); index++) {
        const CheckRow *row = check_row(index);
        bool tested = false;
        for (int i = 0; i < damage_count; i++)
            tested =
                tested || (strcmp(damages[i].code, row->code) == 0 && damages[i].severity == row->severity);
        fail_if(!tested, "%s (%s) has no test", row->code, row->meaning);
    }
}

/* A reader refuses a data set if and only if a check that is marked as a refusal fails. The reader's
 * message is the message of the check. */
TEST(refusals_are_rows_of_the_checks)
{
    for (int i = 0; i < damage_count; i++) {
        const CheckRow *row = check_row(0);
        OWNED_BY(dataset_free) Dataset *dataset = sound_dataset();
        CheckReport report;
        for (int index = 0; strcmp(row->code, damages[i].code) != 0; index++)
            row = check_row(index);
        damages[i].make(dataset);
        assert_ok(dataset_check(dataset, &report));
        Status status = dataset_validate(dataset, "here");
        if (row->refusal == CHECK_REFUSED) {
            assert_int_equal(status.code, STATUS_BAD_INPUT);
            assert_holds(status.text, damages[i].text);
        }
        bool refused = false;
        for (int k = 0; k < report.finding_count; k++)
            for (int index = 0; check_row(index); index++)
                refused = refused || (check_row(index)->refusal == CHECK_REFUSED &&
                                      strcmp(check_row(index)->code, report.findings[k].code) == 0);
        assert_int_equal(status.code != STATUS_OK, refused);
        assert_true(row->refusal == CHECK_REPORTED || row->severity == CHECK_ERROR);
    }
}

TEST(no_memory_is_a_status)
{
    CheckReport report;
    OWNED_BY(dataset_free) Dataset *dataset = sound_dataset();
    assert_allocations_may_fail(5, dataset_check(dataset, &report), (void)0);
}

TEST(data_have_no_errors)
{
    static const char *const files[] = {"wolf.h5", "cylinder.h5", "makehuman.h5"};
    for (int i = 0; i < 3; i++) {
        CheckReport report;
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        const char *path = test_data(files[i]);
        if (!path)
            skip();
        assert_ok(dataset_read_unchecked(path, NULL, &dataset));
        assert_ok(dataset_check(dataset, &report));
        assert_int_equal(report.error_count + report.warning_count, 0);
    }
}
