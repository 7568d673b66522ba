/* Skins all frames of a rig, and compares every method on every backend with the reference. */
#pragma once

#include "methods/registry.h"
#include "tests/rigs.h"

#include "methods/runtime/skinner.h"

typedef struct Result {
    int count;         /* reals */
    double *positions; /* [F][N][3] */
    double *normals;   /* [F][N][3], NULL without normals */
    double slack;      /* factor by which the methods' tolerance is multiplied */
    double *loose;     /* [2][F][N][3] additional tolerances of positions and normals, or NULL */
} Result;

static inline SkinnerOptions options_of(const SkinningEntry *entry, const Backend *backend)
{
    return (SkinnerOptions){.entry = entry,
                            .parameters = parameters_default(entry->method->parameters),
                            .backend = backend,
                            .normals = true};
}

/* Returns whether a backend can run on this machine. */
static inline bool is_here(const Backend *backend)
{
    char text[256];
    return backend->probe(text, sizeof text).code == STATUS_OK;
}

/* BOUND(skinner, &options, dataset) declares a skinner bound to a rig and releases it at the end of its
 * scope. */
#define BOUND(name, options, dataset)                                                                        \
    OWNED_BY(skinner_free) Skinner *name = NULL;                                                             \
    assert_ok(skinner_create(options, &(dataset)->mesh, &(dataset)->rig, &name))

/* Returns the index of a parameter of the method, or -1. */
static inline int parameter_index(const SkinningMethod *method, const char *name)
{
    for (int i = 0; i < parameters_count(method->parameters); i++)
        if (strcmp(method->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* Returns whether a method supports as many influences as the rig has. */
static inline bool supports_influences(const SkinningMethod *method, const Dataset *dataset)
{
    return method->max_influences == 0 || dataset->rig.influence_count <= method->max_influences;
}

/* Skins all frames of a rig, with its scale, in two ways. Checks that skinner_skin_frames gives the result
 * of skinner_skin followed by skinner_read_double, rounded to float. Fills `normals` if the options ask for
 * normals. */
static inline Status skin_frames(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig,
                                 double *positions, double *normals)
{
    const size_t frame = 3 * (size_t)mesh->vertex_count, count = frame * (size_t)rig->frame_count;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    OWNED float *floats = memory_array(count, sizeof *floats);
    OWNED float *float_normals = options->normals ? memory_array(count, sizeof *floats) : NULL;
    STATUS_TRY(skinner_create(options, mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig->transforms, rig->scale, rig->frame_count));
    STATUS_TRY(skinner_skin(skinner));
    for (int f = 0; f < rig->frame_count; f++)
        STATUS_TRY(skinner_read_double(skinner, f, positions + frame * (size_t)f,
                                       options->normals ? normals + frame * (size_t)f : NULL));
    STATUS_TRY(skinner_skin_frames(skinner, floats, float_normals));
    for (size_t i = 0; i < count; i++) {
        assert_float_equal(floats[i], (float)positions[i], 0.0f);
        if (options->normals)
            assert_float_equal(float_normals[i], (float)normals[i], 0.0f);
    }
    return status_ok();
}

static inline Result skin(const SkinnerOptions *options, const Dataset *dataset)
{
    Result result = {.count = 3 * dataset->mesh.vertex_count * dataset->rig.frame_count};
    result.positions = memory_array((size_t)result.count, sizeof(double));
    result.normals = options->normals ? memory_array((size_t)result.count, sizeof(double)) : NULL;
    assert_ok(skin_frames(options, &dataset->mesh, &dataset->rig, result.positions, result.normals));
    return result;
}

static inline void result_clear(Result *result)
{
    FREE_ALL(result->positions, result->normals, result->loose);
}

/* Skins one point by a method on the backend `reference`, for a test against a closed form. Joint k < `count`
 * has the transformation joints[k] and the weight weights[k]. */
static inline Vec3 skin_point(const char *method, Vec3 rest, int count, const Transform *joints,
                              const float *weights)
{
    OWNED_RIG(dataset, .vertices = 1, .joints = count, .influences = count, .frames = 1, .seed = 1);
    const SkinningEntry *entry = skinning_entry_find(method);
    fail_if(!entry, "the method %s is not built", method);
    for (int i = 0; i < 3; i++)
        dataset->mesh.rest[i] = (float)(i == 0 ? rest.x : i == 1 ? rest.y : rest.z);
    for (int k = 0; k < count; k++) {
        dataset->rig.transforms[k] = joints[k];
        dataset->rig.weight_joints[k] = k;
        dataset->rig.weight_values[k] = weights[k];
    }
    const SkinnerOptions options = options_of(entry, &backend_reference);
    CLEANUP(result_clear) Result result = skin(&options, dataset);
    return vec3_at(result.positions, 0);
}

/* Skins all frames by lbs on a backend, into floats [F][N][3]. */
static inline void skin_lbs(const Backend *backend, const Dataset *dataset, float *positions)
{
    const SkinnerOptions options = {.entry = skinning_entry_find("lbs"), .backend = backend};
    BOUND(skinner, &options, dataset);
    assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, dataset->rig.frame_count));
    assert_ok(skinner_skin_frames(skinner, positions, NULL));
}

static inline double diagonal_of(const Mesh *mesh)
{
    return fmax(bounds_of(mesh->rest, mesh->vertex_count).diagonal, 1.0);
}

/* Returns the maximum over i of |one[i] - other[i]| - loose[i], without tolerances if `loose` is NULL. NaN
 * counts as larger than any number. */
static inline double greatest_excess(const double *one, const double *other, const double *loose, int count)
{
    double max = 0.0;
    for (int i = 0; i < count; i++) {
        double excess = fabs(one[i] - other[i]) - (loose ? loose[i] : 0.0);
        max = excess <= max ? max : excess;
    }
    return max;
}

static inline double greatest_difference(const double *one, const double *other, int count)
{
    return greatest_excess(one, other, NULL, count);
}

/* Returns additional tolerances [2][F][N][3] for methods that take a nearest rotation. If two rotations are
 * equally near, the result jumps between them. Close to such a point, small changes of the input have large
 * effects. Float backends round inputs and sums, so their results may differ by as much as the reference
 * changes when its input is rounded in the same way. */
static inline double *looseness(const SkinnerOptions *options, const Dataset *dataset, const Result *truth)
{
    enum { TRIALS = 4 };
    const double sums = 64.0;
    double *loose = memory_array(2 * (size_t)truth->count, sizeof *loose);
    Random random = {17};
    for (int trial = 0; trial < TRIALS; trial++) {
        Dataset rounded = *dataset;
        const size_t reals = 12 * (size_t)dataset->rig.joint_count * (size_t)dataset->rig.frame_count;
        OWNED double *transforms = memory_array(reals, sizeof *transforms);
        for (size_t i = 0; i < reals; i++)
            transforms[i] =
                (&dataset->rig.transforms->m00)[i] * (1.0 + 0x1p-23 * (random_unit(&random) - 0.5));
        rounded.rig.transforms = (Transform *)transforms;
        CLEANUP(result_clear) Result result = skin(options, &rounded);
        for (int i = 0; i < truth->count; i++) {
            loose[i] = fmax(loose[i], sums * fabs(result.positions[i] - truth->positions[i]));
            loose[truth->count + i] =
                fmax(loose[truth->count + i], sums * fabs(result.normals[i] - truth->normals[i]));
        }
    }
    return loose;
}

/* Compares the result of one set of options with the reference. The tolerance of normals is 1e-4, because
 * the cofactors of thin blends are inaccurate in float. */
static inline void compare_options(const SkinnerOptions *options, const Dataset *dataset, const Result *truth,
                                   const char *what)
{
    CLEANUP(result_clear) Result result = skin(options, dataset);
    double tolerance = options->entry->method->tolerance * diagonal_of(&dataset->mesh) * truth->slack;
    const double *loose = truth->loose;
    double positions = greatest_excess(result.positions, truth->positions, loose, truth->count);
    double normals = options->normals ? greatest_excess(result.normals, truth->normals,
                                                        loose ? loose + truth->count : NULL, truth->count)
                                      : 0.0;
    if (!(positions <= tolerance) || !(normals <= 1e-4))
        fail_msg("%s on %s (level %s, %d threads), %s: positions off by %g of %g, normals by %g",
                 options->entry->method->name, options->backend->name,
                 options->simd_level ? options->simd_level : "best", options->threads, what, positions,
                 tolerance, normals);
}

/* What to compare, and how thoroughly. Several threads and devices are tried only by tests in which they
 * matter. */
typedef struct SkinComparison {
    const Dataset *dataset;
    const char *what;
    double slack; /* factor by which the methods' tolerance is multiplied */
    int threads;  /* number of threads up to which all numbers are tried */
    bool devices; /* whether to try devices; opening one is slower than everything else */
} SkinComparison;

/* Compares one method on one host backend at all instruction levels and thread counts, with and without
 * normals. */
static inline void compare_host(SkinnerOptions options, const SkinComparison *comparison, const Result *truth)
{
    const char *levels[SIMD_LEVELS_MAX] = {NULL};
    int level_count = options.backend->takes_level ? simd_levels_here(levels) : 1;
    for (int level = 0; level < level_count; level++)
        for (options.threads = 1; options.threads <= comparison->threads; options.threads++) {
            options.simd_level = options.backend->takes_level ? levels[level] : NULL;
            options.normals = true;
            compare_options(&options, comparison->dataset, truth, comparison->what);
            options.normals = false;
            compare_options(&options, comparison->dataset, truth, comparison->what);
        }
}

/* Compares one method on all backends that work on this machine. Devices without normals are covered by a
 * single test. */
static inline void compare_method(SkinnerOptions options, const SkinComparison *comparison)
{
    if (!supports_influences(options.entry->method, comparison->dataset))
        return;
    options.backend = &backend_reference;
    CLEANUP(result_clear) Result truth = skin(&options, comparison->dataset);
    truth.slack = comparison->slack;
    if (options.entry->method->influences || options.entry->method->frames)
        truth.loose = looseness(&options, comparison->dataset, &truth);
    for (int kind = 1; kind < BACKEND_COUNT; kind++) {
        options.backend = backend_at(kind);
        if ((options.backend->is_device && !comparison->devices) || !is_here(options.backend))
            continue;
        if (!options.backend->is_device)
            compare_host(options, comparison, &truth);
        else
            compare_options(&options, comparison->dataset, &truth, comparison->what);
    }
}

/* Saves arbitrary centres of rotation near the vertices with the rig. Otherwise every binding of cor would
 * search for the real centres, which takes nearly all of the test's time and is tested separately. */
static inline void save_centers(Dataset *dataset)
{
    const size_t count = 3 * (size_t)dataset->mesh.vertex_count;
    memory_free(dataset->rig.centers);
    dataset->rig.centers = memory_array(count, sizeof *dataset->rig.centers);
    assert_non_null(dataset->rig.centers);
    for (size_t i = 0; i < count; i++)
        dataset->rig.centers[i] = dataset->mesh.rest[i] + 0.25f * (float)((int)(i % 7) - 3);
}

/* Computes the values that direct-delta-mush would compute at every binding, and saves them with the rig.
 * Used for large meshes. */
static inline void save_smoothed(Dataset *dataset)
{
    const SkinningEntry *entry = skinning_entry_find("direct-delta-mush");
    double counts[SKINNING_COUNTERS_MAX];
    if (!entry)
        return;
    const ParameterValues values = parameters_default(entry->method->parameters);
    const SkinningPrecomputation work = {.mesh = &dataset->mesh, .parameters = values.values, .threads = 2};
    assert_ok(entry->method->precompute(&work, &dataset->rig, counts));
}

/* Compares every method with its default parameters. */
static inline void compare_methods(const SkinComparison *comparison)
{
    for (int m = 0; m < skinning_entry_count(); m++)
        compare_method(options_of(skinning_entry_at(m), &backend_reference), comparison);
}

/* Compares every method with every choice of its parameters. Devices compile each choice separately, so on
 * them only the choices of dqs are tried. */
static inline void compare_choices(SkinComparison comparison)
{
    compare_methods(&comparison);
    const bool devices = comparison.devices;
    for (int m = 0; m < skinning_entry_count(); m++) {
        const SkinningEntry *entry = skinning_entry_at(m);
        const SkinningMethod *method = entry->method;
        comparison.devices = devices && strcmp(method->name, "dqs") == 0;
        for (int i = 0; i < parameters_count(method->parameters); i++) {
            SkinnerOptions options = options_of(entry, &backend_reference);
            const int fallback = (int)method->parameters[i].default_value;
            for (int choice = 0; method->parameters[i].choices && method->parameters[i].choices[choice];
                 choice++) {
                options.parameters.values[i] = choice;
                comparison.what = method->parameters[i].choices[choice];
                if (choice != fallback)
                    compare_method(options, &comparison);
            }
        }
    }
}

static inline void compare_plan(RigPlan plan, int threads, bool devices)
{
    const char *what = text_of("%d vertices, %d joints, %d influences, %d frames, seed %d", plan.vertices,
                               plan.joints, plan.influences, plan.frames, (int)plan.seed);
    OWNED_BY(dataset_free) Dataset *dataset = rig_make(plan);
    save_centers(dataset);
    compare_methods(&(SkinComparison){dataset, what, 1.0, threads, devices});
}
