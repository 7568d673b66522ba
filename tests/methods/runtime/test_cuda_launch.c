/* Tests the launch path of the CUDA backend with a fake driver that only checks the calls that it receives
 * (tests/fake_cuda.c). The real NVRTC compiles the kernels. */
#include "methods/registry.h"
#include "tests/rigs.h"

#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/kernel_cache.h"
#include "methods/runtime/skinner.h"

#include <dlfcn.h>

/* Functions of the fake driver that tests call. */
static void (*fake_fail)(const char *function);
static const char *(*fake_fault)(void);
static int (*fake_alive)(void);
static void (*fake_forget)(void);
static int (*fake_copies)(size_t sizes[64]);
static const char *(*fake_program)(void);

/* Opens the fake driver. The backend then finds it under the name libcuda.so.1. */
static void fake_open(void)
{
    char *program = device_program(skinning_entry_find("lbs"), NULL, NULL, NULL), *ptx = NULL;
    size_t size = 0;
    assert_non_null(program);
    /* NVRTC looks for a driver in its first compilation, and crashes if it finds the fake one. Compile once
     * before the fake driver is present. */
    cuda_compile("lbs", program, &(CudaCompileOptions){.architecture = 0}, &ptx, &size);
    FREE_ALL(ptx, program);
    void *library = dlopen(FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *addresses[] = {dlsym(library, "fake_cuda_fail"),    dlsym(library, "fake_cuda_fault"),
                         dlsym(library, "fake_cuda_alive"),   dlsym(library, "fake_cuda_copies"),
                         dlsym(library, "fake_cuda_program"), dlsym(library, "fake_cuda_forget")};
    memcpy(&fake_fail, &addresses[0], sizeof addresses[0]);
    memcpy(&fake_fault, &addresses[1], sizeof addresses[1]);
    memcpy(&fake_alive, &addresses[2], sizeof addresses[2]);
    memcpy(&fake_copies, &addresses[3], sizeof addresses[3]);
    memcpy(&fake_program, &addresses[4], sizeof addresses[4]);
    memcpy(&fake_forget, &addresses[5], sizeof addresses[5]);
}

static void skip_without_compiler(void)
{
    char text[256];
    if (!fake_fail)
        fake_open();
    test_needs(backend_cuda);
    assert_ok(backend_cuda.probe(text, sizeof text));
    assert_string_equal(text, "Fake GPU");
}

static Dataset *chain(void)
{
    return rig_make(
        PLAN(.vertices = 300, .joints = 4, .influences = 3, .frames = 5, .angle = 0.3, .seed = 61));
}

/* Times measured on the device, and the sample that they are compared with. */
typedef struct Measured {
    DeviceTimes skin, frames;
    DeviceSample sample;
} Measured;

/* Binds a skinner, poses twice (with more frames the second time), skins, reads the last frame and
 * measures. Finally skins all frames in file order. */
static Status run(const SkinnerOptions *options, const Dataset *dataset, const Mat3 *scale, float *positions,
                  Measured *measured)
{
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    float all[5 * 900], normals[5 * 900];
    STATUS_TRY(skinner_create(options, &dataset->mesh, &dataset->rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    STATUS_TRY(skinner_pose(skinner, dataset->rig.transforms, scale, 5));
    STATUS_TRY(skinner_skin(skinner));
    assert_true(skinner_device_times(skinner, &measured->skin));
    STATUS_TRY(skinner_read(skinner, 4, positions, NULL));
    STATUS_TRY(skinner_device_measure(skinner, &measured->sample));
    STATUS_TRY(skinner_skin_frames(skinner, all, options->normals ? normals : NULL));
    assert_true(skinner_device_times(skinner, &measured->frames));
    assert_int_equal(skinner_device_measure(skinner, &measured->sample).code, STATUS_USAGE);
    for (int frame = 0; frame < 5; frame++)
        assert_memory_equal(all + 900 * frame, dataset->mesh.rest, 900 * sizeof *all);
    return status_ok();
}

/* Returns half of the bytes that a kernel must move in 5 frames of the chain. The rest pose and the weights
 * are moved once, and the results in every frame. Every frame also moves the transformations: for each
 * joint, a matrix of 12 floats or a dual quaternion of 8, and in two-phase skinning another matrix. */
static size_t copies_of(const Dataset *dataset, const char *method, bool normals, bool two_phase)
{
    const Rig *rig = &dataset->rig;
    const size_t vertices = 300, components = normals ? 6 : 3;
    size_t weights = 0;
    for (size_t i = 0; i < vertices * (size_t)rig->influence_count; i++)
        weights += rig->weight_values[i] > 0.0f;
    const size_t per_joint = (strcmp(method, "dqs") == 0 ? 8u : 12u) + (two_phase ? 12u : 0u);
    const size_t frame = 4 * (4 * per_joint + components * vertices);
    return (4 * (components * vertices + weights) + 5 * frame) / 2 + 1;
}

static SkinnerOptions options_of(const char *name, bool normals, bool two_phase)
{
    const SkinningEntry *entry = skinning_entry_find(name);
    assert_non_null(entry);
    return (SkinnerOptions){.entry = entry,
                            .parameters = parameters_default(entry->method->parameters),
                            .backend = &backend_cuda,
                            .normals = normals,
                            .two_phase = two_phase,
                            .first_phase = skinning_first_phase()};
}

TEST(launches_are_in_order)
{
    static const struct {
        const char *method;
        bool normals, two_phase;
    } cases[] = {{"lbs", false, false}, {"dqs", true, false}, {"dqs", true, true}};
    skip_without_compiler();
    OWNED_BY(dataset_free) Dataset *dataset = chain();
    Mat3 scale[4 * 5];
    for (int i = 0; i < 4 * 5; i++)
        scale[i] = (Mat3){1.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float positions[900];
        Measured measured = {.skin = {-1.0, -1.0, -1.0}};
        size_t copies[64];
        fake_copies(copies);
        SkinnerOptions options = options_of(cases[i].method, cases[i].normals, cases[i].two_phase);
        assert_ok(run(&options, dataset, cases[i].two_phase ? scale : NULL, positions, &measured));
        assert_string_equal(fake_fault(), "");
        assert_int_equal(fake_alive(), 0);
        /* The fake driver reports a quarter of a millisecond between any two events. */
        assert_near(measured.skin.kernel_s, 0.25e-3, 1e-9);
        assert_true(measured.skin.upload_s > 0.0 && measured.skin.download_s == 0.0);
        assert_near(measured.frames.kernel_s, 0.25e-3, 1e-9);
        assert_near(measured.frames.download_s, 0.25e-3, 1e-9);
        /* Five copies are expected. The first two run with a warm cache. The third fills the fake's cache
         * of 40 MiB with other bytes, so that the fourth runs with a cold cache. The fifth fills the cache
         * again before the kernel. */
        const size_t half = copies_of(dataset, cases[i].method, cases[i].normals, cases[i].two_phase);
        const size_t expected[] = {half, half, 40 << 20, half, 40 << 20};
        assert_int_equal(fake_copies(copies), 5);
        assert_memory_equal(copies, expected, sizeof expected);
        assert_memory_equal(positions, dataset->mesh.rest, sizeof positions); /* the fake driver's result */
    }
}

/* A kernel is launched with the frames per thread and threads per block that it was compiled for. The
 * driver checks the grid, and the program contains the number of frames. */
TEST(other_shapes_are_launched)
{
    skip_without_compiler();
    OWNED_BY(dataset_free) Dataset *dataset = chain();
    for (int frames = 1; frames <= 16; frames *= 4) {
        float positions[900];
        Measured measured;
        SkinnerOptions options = options_of("lbs", false, false);
        options.device_frames = frames;
        options.device_group = 32 * frames;
        assert_ok(run(&options, dataset, NULL, positions, &measured));
        assert_string_equal(fake_fault(), "");
    }
}

/* Whichever driver call fails, the message names the call and nothing is left on the device. */
TEST(every_failure_is_reported)
{
    static const char *const calls[] = {"cuInit",
                                        "cuDeviceGetCount",
                                        "cuDeviceGet",
                                        "cuDeviceGetName",
                                        "cuDeviceGetAttribute",
                                        "cuDevicePrimaryCtxRetain",
                                        "cuModuleLoadData",
                                        "cuModuleGetFunction",
                                        "cuMemAlloc",
                                        "cuStreamCreate",
                                        "cuMemcpyHtoD",
                                        "cuMemcpyDtoH",
                                        "cuMemcpyDtoHAsync",
                                        "cuMemcpyDtoDAsync",
                                        "cuLaunchKernel",
                                        "cuEventCreate",
                                        "cuEventRecord",
                                        "cuEventSynchronize",
                                        "cuEventElapsedTime"};
    skip_without_compiler();
    OWNED_BY(dataset_free) Dataset *dataset = chain();
    SkinnerOptions options = options_of("lbs", false, false);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        float positions[900];
        Measured measured;
        const char *expected = text_of("CUDA: %s: an illegal memory access", calls[i]);
        fake_fail(calls[i]);
        assert_refused(STATUS_UNAVAILABLE, expected, run(&options, dataset, NULL, positions, &measured));
        fake_fail("");
        assert_string_equal(fake_fault(), "");
        assert_int_equal(fake_alive(), 0);
    }
}

/* Appends `mark` to the only cached program, or replaces the whole program by `mark`. */
static void kept_change(const char *folder, const char *mark, bool append)
{
    size_t size = 0;
    OWNED void *kept = NULL;
    assert_int_equal(files_in(folder), 1);
    const char *key = text_of("%.64s", name_in(folder, 0));
    assert_ok(kernel_cache_load(key, &kept, &size));
    assert_non_null(kept);
    const char *changed = text_of("%s%s", append ? (const char *)kept : "", mark);
    assert_ok(kernel_cache_store(key, changed, strlen(changed) + 1));
}

/* A cached program is used instead of compiling again. If the driver refuses the cached program, it is
 * compiled again. */
TEST(programs_are_kept)
{
    float positions[900];
    Measured measured;
    skip_without_compiler();
    setenv("SKINBENCH_CACHE", path_of(""), 1);
    OWNED_BY(dataset_free) Dataset *dataset = chain();
    SkinnerOptions options = options_of("lbs", false, false);
    assert_ok(run(&options, dataset, NULL, positions, &measured));
    kept_change(path_of(""), "// as it was kept\n", true);
    assert_ok(run(&options, dataset, NULL, positions, &measured));
    assert_holds(fake_program(), "// as it was kept");
    assert_string_equal(fake_fault(), "");
    kept_change(path_of(""), "neither PTX nor machine code", false);
    assert_ok(run(&options, dataset, NULL, positions, &measured));
    assert_lacks(fake_program(), "// as it was kept");
    assert_memory_equal(positions, dataset->mesh.rest, sizeof positions);
    assert_string_equal(fake_fault(), "cuModuleLoadData of what is no PTX");
    fake_forget();
    assert_int_equal(fake_alive(), 0);
    assert_ok(run(&options, dataset, NULL, positions, &measured));
    assert_string_equal(fake_fault(), ""); /* the cached program has been replaced */
    unsetenv("SKINBENCH_CACHE");
    assert_int_equal(files_in(path_of("")), 1); /* no temporary file is left */
}
