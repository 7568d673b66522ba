/* Makes rigs for tests of direct methods: a chain of joints along x with limited rotations, vertices around
 * it, and random weights and poses from a seed. */
#pragma once

#include "datasets/base/random.h"
#include "datasets/geometry/dual_quat.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "datasets/io/store.h"
#include "datasets/model/arrays.h"
#include "tests/support.h"

/* Allocates a data set without texts. An `fps` of 0 means the default frame rate; no `joints` means no
 * rig. */
static inline Dataset *dataset_made(const char *name, double fps, int vertices, int triangles, int joints,
                                    int frames, int influences)
{
    Dataset *dataset = NULL;
    assert_ok(dataset_create(name, NULL, NULL, NULL, &dataset));
    dataset->fps = fps > 0.0 ? fps : dataset->fps;
    assert_ok(mesh_allocate(&dataset->mesh, vertices, triangles));
    if (joints > 0)
        assert_ok(rig_allocate(&dataset->rig, vertices, joints, frames, influences));
    return dataset;
}

/* OWNED_DATA(dataset, "wolf.h5") declares one of the real data sets, or skips the test if it is missing. */
#define OWNED_DATA(name, file) OWNED_BY(dataset_free) Dataset *name = dataset_real(file)
static inline Dataset *dataset_real(const char *file)
{
    Dataset *dataset = NULL;
    const char *path = test_data(file);
    if (!path)
        skip();
    assert_ok(dataset_read(path, NULL, &dataset));
    return dataset;
}

/* Checks that two data sets have the same texts and counts, and bit-identical values. A missing joint name
 * equals an empty one. */
static inline void assert_same_data(const Dataset *a, const Dataset *b)
{
    const char *const texts[][2] = {
        {a->name, b->name}, {a->title, b->title}, {a->source, b->source}, {a->license, b->license}};
    for (int i = 0; i < 4; i++)
        assert_string_equal(texts[i][0], texts[i][1]);
    assert_true(a->fps == b->fps);
    for (const DatasetArray *array = dataset_arrays; array->path; array++) {
        int64_t extents[2][ARRAY_RANK_MAX] = {{0}};
        dataset_array_extents(a, array, extents[0]);
        dataset_array_extents(b, array, extents[1]);
        assert_memory_equal(extents[0], extents[1], sizeof extents[0]);
        const void *first = dataset_array_values(a, array), *second = dataset_array_values(b, array);
        assert_true(!first == !second);
        if (!first || dataset_array_bytes(a, array) == 0)
            continue;
        if (array->element != ARRAY_TEXT)
            assert_memory_equal(first, second, dataset_array_bytes(a, array));
        for (int i = 0; array->element == ARRAY_TEXT && i < extents[0][0]; i++) {
            const char *one = ((char *const *)first)[i], *other = ((char *const *)second)[i];
            assert_string_equal(one ? one : "", other ? other : "");
        }
    }
    for (int i = 0; i < a->mesh.attribute_count; i++)
        assert_string_equal(a->mesh.attribute_names[i], b->mesh.attribute_names[i]);
}

typedef struct RigPlan {
    int vertices, joints, influences, frames;
    double angle; /* largest rotation of a joint relative to its parent, in radians */
    uint64_t seed;
} RigPlan;

static inline double random_between(Random *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

static inline Quat quat_about(Vec3 axis, double angle_rad)
{
    Vec3 v = vec3_scale(vec3_normalize(axis), sin(angle_rad / 2.0));
    return quat_make(cos(angle_rad / 2.0), v.x, v.y, v.z);
}

/* Returns the rigid transformation that rotates by the unit quaternion q and then translates by t. */
static inline DualQuat dual_quat_from_rotation_translation(Quat q, Vec3 t)
{
    return (DualQuat){q, quat_scale(quat_mul(quat_make(0.0, t.x, t.y, t.z), q), 0.5)};
}

/* Returns the translation of a dual quaternion whose real part is a unit quaternion: the vector part of 2
 * dual conj(real) (DQS eq. 14). */
static inline Vec3 dual_quat_translation(DualQuat q)
{
    Vec3 d0 = quat_vector(q.real), de = quat_vector(q.dual);
    Vec3 turned = vec3_cross(d0, de);
    turned = vec3_add_scaled(turned, de, q.real.w);
    turned = vec3_add_scaled(turned, d0, -q.dual.w);
    return vec3_scale(turned, 2.0);
}

/* Returns the rotation by q about `center`, followed by a translation by t. */
static inline Transform transform_about(Quat q, Vec3 center, Vec3 t)
{
    return transform_rigid(q, vec3_add(vec3_sub(center, quat_rotate(q, center)), t));
}

static inline Vec3 random_axis(Random *random)
{
    return vec3_make(random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0),
                     random_between(random, 0.1, 1.0));
}

/* Returns a rotation by `low` to `high` radians about a random axis and centre, followed by a random
 * translation. */
static inline Transform random_motion(Random *random, double low, double high)
{
    const Vec3 axis = random_axis(random);
    const Quat turn = quat_about(axis, random_between(random, low, high));
    const Vec3 center = random_axis(random);
    return transform_about(turn, center, random_axis(random));
}

static const Vec3 ORIGIN = {0.0, 0.0, 0.0}, AXES[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Gives a vertex `count` consecutive joints, beginning with `first`, and random weights that sum to 1. */
static inline void vertex_weights_set(Rig *rig, int vertex, int first, int count, Random *random)
{
    int32_t *joints = rig->weight_joints + (size_t)vertex * (size_t)rig->influence_count;
    float *values = rig->weight_values + (size_t)vertex * (size_t)rig->influence_count;
    double sum = 0.0, shares[64];
    for (int k = 0; k < count; k++)
        sum += shares[k] = random_between(random, 0.1, 1.0);
    for (int k = 0; k < count; k++) {
        joints[k] = (first + k) % rig->joint_count;
        values[k] = (float)(shares[k] / sum);
    }
}

/* Makes a rig whose vertices each have 1 to plan->influences joints of the chain. Triangles connect
 * consecutive vertices. */
static inline Dataset *rig_make(RigPlan plan)
{
    Random random = {plan.seed};
    const int triangles = plan.vertices > 2 ? plan.vertices - 2 : 0;
    Dataset *dataset =
        dataset_made("chain", 0.0, plan.vertices, triangles, plan.joints, plan.frames, plan.influences);
    Rig *rig = &dataset->rig;
    for (int i = 0; i < plan.vertices; i++) {
        float *rest = dataset->mesh.rest + 3 * (size_t)i;
        rest[0] = (float)random_between(&random, 0.0, plan.joints);
        rest[1] = (float)random_between(&random, -1.0, 1.0);
        rest[2] = (float)random_between(&random, -1.0, 1.0);
        int max = plan.influences < plan.joints ? plan.influences : plan.joints;
        vertex_weights_set(rig, i, (int)random_between(&random, 0.0, plan.joints),
                           1 + (int)random_between(&random, 0.0, max), &random);
    }
    for (int i = 0; i < triangles; i++)
        for (int corner = 0; corner < 3; corner++)
            dataset->mesh.triangles[3 * i + corner] = i + (i % 2 ? 2 - corner : corner);
    for (int j = 0; j < plan.joints; j++) {
        rig->parents[j] = j - 1;
        rig->rest[j] = transform_translate(vec3_make(j, 0.0, 0.0));
    }
    for (int f = 0; f < plan.frames; f++)
        for (int j = 0; j < plan.joints; j++) {
            Transform *pose = &rig->transforms[(size_t)f * (size_t)plan.joints + (size_t)j];
            Quat turn = quat_about(random_axis(&random), random_between(&random, -plan.angle, plan.angle));
            Vec3 moved =
                vec3_make(random_between(&random, -0.1, 0.1), random_between(&random, -0.1, 0.1), 0.0);
            *pose = transform_product(j > 0 ? pose[-1] : transform_identity(),
                                      transform_about(turn, vec3_make(j, 0.0, 0.0), moved));
        }
    return dataset;
}

/* Makes a data set with everything that a data set may contain. No two values of an array are equal. */
static inline Dataset *dataset_full(RigPlan plan)
{
    enum { RANK = 2 };
    Dataset *dataset = rig_make(plan);
    const size_t vertices = (size_t)plan.vertices, frames = (size_t)plan.frames;
    assert_ok(animation_allocate(&dataset->animation, plan.frames, plan.vertices, 1));
    dataset->mesh.original_vertices = memory_array(vertices, sizeof(int32_t));
    dataset->rig.scale = memory_table(frames, (size_t)plan.joints, sizeof(Mat3));
    dataset->rig.centers = memory_table(vertices, 3, sizeof(float));
    dataset->low_rank = (LowRank){.rank = RANK,
                                  .row_count = 3 * plan.frames,
                                  .basis = memory_table(3 * frames, RANK, sizeof(double)),
                                  .coefficients = memory_table(RANK, vertices, sizeof(float))};
    for (int v = 0; v < plan.vertices; v++)
        dataset->mesh.original_vertices[v] = (v + 1) % plan.vertices;
    for (size_t i = 0; i < 3 * vertices * frames; i++) {
        dataset->animation.positions[i] = 0.7f * (float)i;
        dataset->animation.normals[i] = -0.7f * (float)i;
    }
    for (int i = 0; i < 2; i++) {
        float *painted = NULL;
        assert_ok(mesh_attribute_add(&dataset->mesh, i == 0 ? "Stiff_ness.2-a" : "blend", &painted));
        for (int v = 0; v < plan.vertices; v++)
            painted[v] = 0.1f * (float)(v + 1) - 30.0f * (float)i;
    }
    for (size_t i = 0; i < 9 * frames * (size_t)plan.joints; i++)
        (&dataset->rig.scale->m00)[i] = 1.0 / ((double)i + 7.0);
    for (size_t i = 0; i < 3 * vertices; i++)
        dataset->rig.centers[i] = 0.3f * (float)i;
    for (size_t i = 0; i < 3 * frames * RANK; i++)
        dataset->low_rank.basis[i] = 1.0 / ((double)i + 3.0);
    for (size_t i = 0; i < RANK * vertices; i++)
        dataset->low_rank.coefficients[i] = 0.5f + (float)i;
    return dataset;
}

/* PLAN(.vertices = 9, .joints = 3, ...) is a RigPlan. OWNED_RIG(dataset, .vertices = 9, ...) declares the
 * rig made from a plan and releases it at the end of its scope. */
#define PLAN(...) ((RigPlan){__VA_ARGS__})
#define OWNED_RIG(name, ...) OWNED_BY(dataset_free) Dataset *name = rig_make(PLAN(__VA_ARGS__))
