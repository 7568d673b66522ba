/* Tests skinning with centres of rotation: CoR Algorithm 1 as printed, symmetric bars, and cases in which
 * it must equal linear blending. */
#include "tests/generated.h"
#include "tests/skinned.h"

#include "datasets/geometry/angles.h"
#include "methods/skinning/cor/cor.h"

static SkinnerOptions options_named(const char *name)
{
    SkinnerOptions options = options_of(skinning_entry_find(name), NULL);
    options.normals = false;
    return options;
}

static double *skinned_by(const char *name, const char *setting, const Dataset *dataset)
{
    SkinnerOptions options = options_named(name);
    if (setting)
        assert_ok(parameters_set(options.entry->method->parameters, name, setting, &options.parameters));
    return skin(&options, dataset).positions;
}

/* Moves a vertex by lines 5 to 9 of CoR Algorithm 1. The quaternions of its joints must lie in one
 * hemisphere. */
static Vec3 algorithm_1(const Dataset *dataset, int frame, int vertex, const double center[3])
{
    const Rig *rig = &dataset->rig;
    Quat q = quat_make(0.0, 0.0, 0.0, 0.0);
    Transform blend = {0};
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)vertex * (size_t)rig->influence_count + (size_t)k;
        const Transform *t = &rig->transforms[frame * rig->joint_count + rig->weight_joints[slot]];
        double weight = (double)rig->weight_values[slot];
        double w = 0.5 * sqrt(1.0 + t->m00 + t->m11 + t->m22); /* no joint rotates by more than 90 degrees */
        Quat own = quat_make(w, (t->m21 - t->m12) / (4.0 * w), (t->m02 - t->m20) / (4.0 * w),
                             (t->m10 - t->m01) / (4.0 * w));
        q = quat_add_scaled(q, own, weight);
        blend = transform_add_scaled(blend, *t, weight);
    }
    q = quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
    Vec3 p = vec3_at(center, 0), translation = vec3_sub(transform_point(blend, p), quat_rotate(q, p));
    return vec3_add(quat_rotate(q, point_at(dataset->mesh.rest, vertex)), translation);
}

TEST(equals_the_papers_algorithm)
{
    enum { VERTICES = 60, FRAMES = 4 };
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = 6, .influences = 4, .frames = FRAMES, .angle = 0.15,
              .seed = 8);
    ParameterValues values = parameters_default(cor_method.parameters);
    CentersOptions options = cor_centers_options(values.values, 1);
    double centers[3 * VERTICES];
    assert_ok(centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL));
    OWNED double *skinned = skinned_by("cor", NULL, dataset);
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < VERTICES; v++)
            assert_vec3(vec3_at(skinned, f * VERTICES + v), algorithm_1(dataset, f, v, centers + 3 * v),
                        1e-10);
}

/* Returns the round bar of CoR Fig. 2. Its second bone is twisted by 180 degrees in frame 0 and bent by 90
 * degrees in frame 1. Every ring is symmetric about the x axis, so all centres are on the axis. */
static Dataset *bar(void)
{
    Dataset *dataset = GENERATED("bar", "around=16", "along=41");
    dataset->rig.frame_count = 2;
    dataset->rig.transforms[1] = transform_about(quat_about(AXES[0], PI), ORIGIN, ORIGIN);
    dataset->rig.transforms[2] = dataset->rig.transforms[0];
    dataset->rig.transforms[3] = transform_about(quat_about(AXES[2], PI / 2.0), ORIGIN, ORIGIN);
    return dataset;
}

/* Returns the gradient of eq. 2 with respect to the translation, divided by the surface's mass. This is the
 * mean difference between two images of the surface. One is moved rigidly by the vertex's transformation
 * `own`, the other by linear blending with the vertex's weights. */
static Vec3 gradient_of_eq_2(const Dataset *dataset, const WeightSurface *surface, int vertex,
                             const Transform *own)
{
    const Rig *rig = &dataset->rig;
    double dense[2] = {0.0}, mass = 0.0;
    Transform blend = {0};
    Vec3 sum = ORIGIN;
    weights_scatter(weight_surface_vertex(surface, vertex), dense);
    for (int j = 0; j < 2; j++) /* blends the transformations of frame 1 */
        blend = transform_add_scaled(blend, rig->transforms[2 + j], dense[j]);
    for (int s = 0; s < surface->sample_count; s++) {
        const Vec3 at = vec3_at(surface->centroids, s);
        const double share =
            surface->areas[s] * weights_similarity(dense, weight_surface_sample(surface, s), 0.1);
        sum = vec3_add_scaled(sum, vec3_sub(transform_point(*own, at), transform_point(blend, at)), share);
        mass += share;
    }
    return vec3_scale(sum, 1.0 / mass);
}

/* The method's translation minimises eq. 2 for the bar bent by 90 degrees. To read the transformation of
 * each vertex, the test skins a rest pose of the origin and the unit axes with the centres of the bar. */
TEST(translations_minimise_equation_2)
{
    OWNED_BY(dataset_free) Dataset *dataset = bar();
    CLEANUP(weight_surface_clear) WeightSurface surface = {0};
    const int vertices = dataset->mesh.vertex_count;
    OWNED double *centers = memory_table((size_t)vertices, 3, sizeof *centers);
    OWNED Transform *own = memory_array((size_t)vertices, sizeof *own);
    ParameterValues values = parameters_default(cor_method.parameters);
    CentersOptions options = cor_centers_options(values.values, 1);
    assert_ok(weight_surface_init(&dataset->mesh, &dataset->rig, &(WeightSurfaceOptions){.epsilon = 0.1},
                                  &surface));
    assert_ok(centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL));
    dataset->rig.centers = memory_table((size_t)vertices, 3, sizeof(float));
    for (int i = 0; i < 3 * vertices; i++)
        dataset->rig.centers[i] = (float)centers[i];
    for (int axis = -1; axis < 3; axis++) {
        for (int i = 0; i < 3 * vertices; i++)
            dataset->mesh.rest[i] = i % 3 == axis ? 1.0f : 0.0f;
        OWNED double *skinned = skinned_by("cor", NULL, dataset);
        for (int v = 0; v < vertices; v++)
            for (int row = 0; row < 3; row++) {
                double *elements = &own[v].m00 + 4 * row;
                const double at = skinned[3 * (vertices + v) + row]; /* frame 1 */
                elements[axis < 0 ? 3 : axis] = axis < 0 ? at : at - elements[3];
            }
    }
    int tried = 0;
    for (int v = 0; v < vertices; v++)
        if (weight_surface_vertex(&surface, v).count == 2) {
            /* The tolerance allows for centres stored as floats, a few units from the origin. */
            assert_true(vec3_length(gradient_of_eq_2(dataset, &surface, v, &own[v])) < 2e-6);
            tried++;
        }
    assert_true(tried > 100);
}

TEST(centres_of_a_bar_are_on_its_axis)
{
    OWNED_BY(dataset_free) Dataset *dataset = bar();
    const Mesh *mesh = &dataset->mesh;
    OWNED double *centers = memory_table((size_t)mesh->vertex_count, 3, sizeof *centers);
    static const char *const searches[] = {"search=exact", "search=clustered", "search=brute-force"};
    for (int search = 0; search < 3; search++) {
        ParameterValues values = parameters_default(cor_method.parameters);
        assert_ok(parameters_set(cor_method.parameters, "cor", searches[search], &values));
        CentersOptions options = cor_centers_options(values.values, 1);
        CentersReport report;
        assert_ok(centers_compute(mesh, &dataset->rig, &options, centers, &report));
        assert_true(report.with_center > 0 && report.with_center < mesh->vertex_count);
        for (int v = 0; v < mesh->vertex_count; v++) {
            const double *center = centers + 3 * (size_t)v;
            const float *rest = mesh->rest + 3 * (size_t)v;
            double weight = (double)dataset->rig.weight_values[2 * v];
            if (weight == 1.0) {
                assert_true(center[1] == (double)rest[1]);
                continue;
            }
            assert_near(center[1], 0.0, 1e-6); /* ring positions are floats */
            assert_near(center[2], 0.0, 1e-6);
            /* The surface and its weights are mirror-symmetric about the joint, but the diagonals of the
             * quads are not. They shift pieces of surface by less than the distance of two rings, 0.2. */
            if (weight == 0.5)
                assert_near(center[0], (double)rest[0], 0.02);
        }
    }
}

/* In a twist, each vertex keeps its distance from the axis, even at the joint, where linear blending
 * collapses this distance to zero. */
TEST(half_twist_keeps_the_radius)
{
    OWNED_BY(dataset_free) Dataset *dataset = bar();
    OWNED double *linear = skinned_by("lbs", NULL, dataset), *skinned = skinned_by("cor", NULL, dataset);
    double thinnest = INFINITY;
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        const float *rest = dataset->mesh.rest + 3 * (size_t)v;
        double radius = hypot((double)rest[1], (double)rest[2]);
        assert_near(hypot(skinned[3 * v + 1], skinned[3 * v + 2]), radius, 2e-6);
        assert_near(skinned[3 * v], (double)rest[0], 2e-6);
        if (radius > 0.5)
            thinnest = fmin(thinnest, hypot(linear[3 * v + 1], linear[3 * v + 2]));
    }
    assert_near(thinnest, 0.0, 1e-6);
}

/* In a bend by 90 degrees, a ring stays a planar circle of the same radius about its moved centre. It shows
 * neither the collapse of linear blending nor the bulge of rotation about the joint. */
TEST(bend_keeps_cross_sections)
{
    OWNED_BY(dataset_free) Dataset *dataset = bar();
    const size_t frame = 3 * (size_t)dataset->mesh.vertex_count;
    OWNED double *skinned = skinned_by("cor", NULL, dataset);
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        const float *rest = dataset->mesh.rest + 3 * (size_t)v;
        if ((double)dataset->rig.weight_values[2 * v] == 1.0 || v < 1 ||
            rest[-3] != rest[0]) /* skips a vertex if the vertex before it belongs to another ring */
            continue;
        const double *here = skinned + frame + 3 * (size_t)v, *before = here - 3;
        double now = vec3_length(vec3_sub(vec3_at(here, 0), vec3_at(before, 0)));
        double then = hypot((double)rest[1] - (double)rest[-2], (double)rest[2] - (double)rest[-1]);
        assert_near(now, then, 2e-6);
    }
}

TEST(common_motion_is_rigid)
{
    enum { VERTICES = 80 };
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = 5, .influences = 5, .frames = 1, .seed = 21);
    Transform common = transform_about(quat_about(vec3_make(1.0, 2.0, 3.0), 2.5), vec3_make(1.0, 0.0, 2.0),
                                       vec3_make(-3.0, 4.0, 5.0));
    for (int j = 0; j < 5; j++)
        dataset->rig.transforms[j] = common;
    OWNED double *skinned = skinned_by("cor", NULL, dataset);
    /* Weights are floats and sum to 1 only within 3e-7. The linearly blended centre is scaled by this
     * sum. */
    for (int v = 0; v < VERTICES; v++)
        assert_vec3(vec3_at(skinned, v), transform_point(common, point_at(dataset->mesh.rest, v)), 1e-5);
}

static void assert_same_skin(const Dataset *dataset, const char *setting, double tolerance)
{
    OWNED double *linear = skinned_by("lbs", NULL, dataset), *skinned = skinned_by("cor", setting, dataset);
    for (int i = 0; i < 3 * dataset->mesh.vertex_count * dataset->rig.frame_count; i++)
        assert_near(skinned[i], linear[i], tolerance);
}

TEST(without_centres_it_is_linear_blending)
{
    RigPlan plan = {.vertices = 50, .joints = 6, .influences = 1, .frames = 3, .angle = 2.0, .seed = 2};
    OWNED_BY(dataset_free) Dataset *dataset = rig_make(plan);
    assert_same_skin(dataset, NULL, 1e-12);
    dataset_free(dataset);
    plan.influences = 4;
    dataset = rig_make(plan);
    dataset->mesh.triangle_count = 0;
    assert_same_skin(dataset, NULL, 1e-12);
}

/* Centres saved with the rig are used unchanged. Here each vertex is its own centre, which gives linear
 * blending. */
TEST(saved_centres_are_reused)
{
    OWNED_RIG(dataset, .vertices = 50, .joints = 6, .influences = 4, .frames = 2, .angle = 1.0, .seed = 3);
    OWNED double *computed = skinned_by("cor", NULL, dataset);
    dataset->rig.centers = memory_table(50, 3, sizeof(float));
    memcpy(dataset->rig.centers, dataset->mesh.rest, 150 * sizeof(float));
    assert_same_skin(dataset, NULL, 1e-12);
    OWNED double *again = skinned_by("cor", "centers=computed", dataset);
    assert_memory_equal(again, computed, 300 * sizeof(double));
}

/* Precomputed centres equal the centres that the method would compute when it binds, rounded to float. If
 * memory runs out, the rig keeps its previous centres. */
TEST(centres_computed_ahead)
{
    enum { VERTICES = 50 };
    double truth[3 * VERTICES], counts[SKINNING_COUNTERS_MAX];
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = 6, .influences = 4, .seed = 3);
    Rig *rig = &dataset->rig;
    ParameterValues values = parameters_default(cor_method.parameters);
    CentersOptions options = cor_centers_options(values.values, 1);
    SkinningPrecomputation work = {.mesh = &dataset->mesh, .parameters = values.values, .threads = 1};
    CentersReport report;
    assert_ok(centers_compute(&dataset->mesh, rig, &options, truth, &report));
    float *before = rig->centers = memory_table(VERTICES, 3, sizeof(float));
    assert_allocations_may_fail(10, cor_method.precompute(&work, rig, counts),
                                assert_ptr_equal(rig->centers, before));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(rig->centers[i] == (float)truth[i]);
    assert_int_equal(cor_method.precompute_counter_count, 3);
    assert_string_equal(cor_method.precompute_counters[0].name, "with_center");
    assert_true(counts[0] == report.with_center && counts[1] == report.sample_count);
    /* With a stride of three, two of three vertices get no centre, and their rest positions are stored
     * instead. */
    work.stride = 3;
    assert_ok(cor_method.precompute(&work, rig, counts));
    for (int v = 0; v < VERTICES; v++)
        for (int axis = 3 * v; axis < 3 * v + 3; axis++)
            assert_true(rig->centers[axis] == (v % 3 == 0 ? (float)truth[axis] : dataset->mesh.rest[axis]));
}

TEST(scale_and_bad_rigs_are_refused)
{
    OWNED_RIG(dataset, .vertices = 5, .joints = 2, .influences = 2, .frames = 1, .seed = 3);
    const SkinnerOptions options = options_named("cor");
    Skinner *skinner = NULL;
    dataset->rig.transforms[1].m00 *= 1.1;
    assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_bad_input("joint 1 is not rigid", skinner_pose(skinner, dataset->rig.transforms, NULL, 1));
    skinner_free(skinner);
    dataset->mesh.triangles[2] = -1;
    assert_bad_input("corner 2 of triangle 0 is vertex -1",
                     skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_null(skinner);
}

TEST(every_allocation_may_fail)
{
    OWNED_RIG(dataset, .vertices = 10, .joints = 3, .influences = 2, .frames = 1, .seed = 3);
    const SkinnerOptions options = options_named("cor");
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    assert_allocations_may_fail(0, skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner),
                                assert_null(skinner));
    assert_non_null(skinner);
}
