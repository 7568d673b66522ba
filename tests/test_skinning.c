/* Every direct method on every backend against reference, whatever the registry holds. */
#include "tests/rigs.h"

#include "datasets/base/memory.h"
#include "methods/skinning.h"

typedef struct Result {
    int count;         /* reals */
    double *positions; /* [F][N][3] */
    double *normals;   /* likewise, NULL without */
} Result;

static SkinnerOptions options_of(const SkinningMethod *method, BackendKind backend)
{
    return (SkinnerOptions){.method = method,
                            .parameters = parameters_standard(method->parameters, method->parameter_count),
                            .backend = backend,
                            .normals = true};
}

/* Whether a method blends as many influences as the rig has. */
static bool takes(const SkinningMethod *method, const Dataset *dataset)
{
    return method->max_influences == 0 || dataset->rig.influence_count <= method->max_influences;
}

/* Skins all frames of a rig. */
static Result skin(const SkinnerOptions *options, const Dataset *dataset)
{
    const int vertices = dataset->mesh.vertex_count, frames = dataset->rig.frame_count;
    Result result = {.count = 3 * vertices * frames};
    result.positions = memory_array((size_t)result.count, sizeof(double));
    result.normals = options->normals ? memory_array((size_t)result.count, sizeof(double)) : NULL;
    Skinner *skinner = NULL;
    assert_ok(skinner_create(options, &dataset->mesh, &dataset->rig, &skinner));
    assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, frames));
    assert_ok(skinner_skin(skinner));
    for (int frame = 0; frame < frames; frame++) {
        size_t first = 3 * (size_t)vertices * (size_t)frame;
        assert_ok(skinner_read_double(skinner, frame, result.positions + first,
                                      options->normals ? result.normals + first : NULL));
    }
    skinner_free(skinner);
    return result;
}

static void result_clear(Result *result)
{
    memory_free(result->positions);
    memory_free(result->normals);
}

static double greatest_difference(const double *one, const double *other, int count)
{
    double greatest = 0.0;
    for (int i = 0; i < count; i++) {
        double difference = fabs(one[i] - other[i]);
        greatest = difference <= greatest ? greatest : difference; /* NaN is greater than any */
    }
    return greatest;
}

static double diagonal_of(const Mesh *mesh)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < mesh->vertex_count; i++) {
            double value = (double)mesh->rest[3 * i + axis];
            low = fmin(low, value);
            high = fmax(high, value);
        }
        sum += mesh->vertex_count ? (high - low) * (high - low) : 0.0;
    }
    return fmax(sqrt(sum), 1.0);
}

/* Holds one set of options against reference; normals to 1e-4 (float cofactors of thin blends). */
static void compare_options(const SkinnerOptions *options, const Dataset *dataset, const Result *truth,
                            const char *what)
{
    Result result = skin(options, dataset);
    double tolerance = options->method->tolerance * diagonal_of(&dataset->mesh);
    double positions = greatest_difference(result.positions, truth->positions, truth->count);
    double normals =
        options->normals ? greatest_difference(result.normals, truth->normals, truth->count) : 0.0;
    if (!(positions <= tolerance) || !(normals <= 1e-4))
        fail_msg("%s on %s (level %s, %d threads), %s: positions off by %g of %g, normals by %g",
                 options->method->name, backend_name(options->backend),
                 options->simd_level ? options->simd_level : "best", options->threads, what, positions,
                 tolerance, normals);
    result_clear(&result);
}

/* One method on one host backend: its levels, 1 and 2 threads, with and without normals. */
static void compare_host(SkinnerOptions options, const Dataset *dataset, const Result *truth,
                         const char *what)
{
    const char *levels[SIMD_LEVELS_MAX] = {NULL};
    int level_count = options.backend == BACKEND_SCALAR ? 1 : backend_simd_levels(levels);
    for (int level = 0; level < level_count; level++)
        for (options.threads = 1; options.threads <= 2; options.threads++) {
            options.simd_level = options.backend == BACKEND_SCALAR ? NULL : levels[level];
            options.normals = true;
            compare_options(&options, dataset, truth, what);
            options.normals = false;
            compare_options(&options, dataset, truth, what);
        }
}

/* All methods on all backends that are here. Opening a device takes longer than all else, so positions alone
 * are left to one test. */
static void compare_all(const Dataset *dataset, const char *what)
{
    for (int m = 0; m < skinning_method_count(); m++) {
        if (!takes(skinning_method_at(m), dataset))
            continue;
        SkinnerOptions options = options_of(skinning_method_at(m), BACKEND_REFERENCE);
        Result truth = skin(&options, dataset);
        for (int kind = BACKEND_SCALAR; kind < BACKEND_COUNT; kind++) {
            char text[256];
            options.backend = (BackendKind)kind;
            if (backend_probe(options.backend, text, sizeof text).code != STATUS_OK)
                continue;
            if (kind < BACKEND_OPENCL)
                compare_host(options, dataset, &truth, what);
            else
                compare_options(&options, dataset, &truth, what);
        }
        result_clear(&truth);
    }
}

static void compare_plan(RigPlan plan)
{
    char what[128];
    snprintf(what, sizeof what, "%d vertices, %d joints, %d influences, %d frames, seed %d", plan.vertices,
             plan.joints, plan.influences, plan.frames, (int)plan.seed);
    Dataset *dataset = rig_make(plan);
    compare_all(dataset, what);
    dataset_free(dataset);
}

static void all_influence_counts(void **state)
{
    (void)state;
    for (int influences = 1; influences <= 12; influences++)
        compare_plan((RigPlan){.vertices = 150,
                               .joints = 12,
                               .influences = influences,
                               .frames = 3,
                               .angle = 0.2,
                               .seed = (uint64_t)influences});
}

/* One joint set of every size around the widths of vectors and tiles. */
static void all_sizes(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 257, 600};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare_plan((RigPlan){
            .vertices = sizes[i], .joints = 1, .influences = 1, .frames = 2, .angle = 1.0, .seed = 7});
}

static void all_frame_counts(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 8, 15, 16, 17, 33};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        compare_plan((RigPlan){
            .vertices = 40, .joints = 3, .influences = 3, .frames = counts[i], .angle = 0.5, .seed = 3});
}

/* Which backends were held against reference, for whoever reads the log; and positions alone on devices. */
static void positions_alone_on_devices(void **state)
{
    (void)state;
    Dataset *dataset = rig_make(
        (RigPlan){.vertices = 90, .joints = 5, .influences = 4, .frames = 2, .angle = 0.5, .seed = 9});
    for (int kind = BACKEND_SCALAR; kind < BACKEND_COUNT; kind++) {
        char text[256];
        Status status = backend_probe((BackendKind)kind, text, sizeof text);
        print_message("%s: %s\n", backend_name((BackendKind)kind),
                      status.code == STATUS_OK ? text : status.text);
        for (int m = 0; kind >= BACKEND_OPENCL && status.code == STATUS_OK && m < skinning_method_count();
             m++) {
            if (!takes(skinning_method_at(m), dataset))
                continue;
            SkinnerOptions options = options_of(skinning_method_at(m), BACKEND_REFERENCE);
            options.normals = false;
            Result truth = skin(&options, dataset);
            options.backend = (BackendKind)kind;
            compare_options(&options, dataset, &truth, "positions alone");
            result_clear(&truth);
        }
    }
    dataset_free(dataset);
}

/* LBS by another route: each joint moves the vertex, the results are averaged. */
static void lbs_is_the_mean_of_the_joints(void **state)
{
    (void)state;
    Dataset *dataset = rig_make(
        (RigPlan){.vertices = 50, .joints = 6, .influences = 5, .frames = 2, .angle = 0.5, .seed = 5});
    const Rig *rig = &dataset->rig;
    SkinnerOptions options = options_of(skinning_method_find("lbs"), BACKEND_REFERENCE);
    Result result = skin(&options, dataset);
    for (int row = 0; row < 100; row++) {
        int frame = row / 50, vertex = row % 50;
        const float *rest = dataset->mesh.rest + 3 * vertex;
        Vec3 mean = {0.0, 0.0, 0.0};
        for (int k = 0; k < rig->influence_count; k++) {
            int slot = vertex * rig->influence_count + k;
            Vec3 moved = transform_point(rig->transforms[frame * rig->joint_count + rig->weight_joints[slot]],
                                         vec3_make((double)rest[0], (double)rest[1], (double)rest[2]));
            mean = vec3_add_scaled(mean, moved, (double)rig->weight_values[slot]);
        }
        assert_near(result.positions[3 * row], mean.x, 1e-12);
        assert_near(result.positions[3 * row + 1], mean.y, 1e-12);
        assert_near(result.positions[3 * row + 2], mean.z, 1e-12);
    }
    result_clear(&result);
    dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_influence_counts),
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(all_frame_counts),
        cmocka_unit_test(positions_alone_on_devices),
        cmocka_unit_test(lbs_is_the_mean_of_the_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
