/* The launch path of the CUDA backend against a driver that only checks (tests/fake_cuda.c); kernels are
 * compiled by the real NVRTC. */
#include "methods/registry.h"
#include "tests/rigs.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/skinner.h"

#include <dlfcn.h>

/* The fake driver's own functions. */
static void (*fake_fail)(const char *function);
static const char *(*fake_fault)(void);
static int (*fake_alive)(void);

/* Once it is open, the backend gets it under the name libcuda.so.1. */
static int fake_open(void **state)
{
    (void)state;
    char *program = device_program(skinning_entry_find("lbs"), NULL, NULL, NULL), *ptx = NULL;
    size_t size = 0;
    assert_non_null(program);
    /* NVRTC's first compile crashes where it meets this driver; later ones do not look for it. */
    cuda_compile("lbs", program, &(CudaCompileOptions){.architecture = 0}, &ptx, &size);
    memory_free(ptx);
    memory_free(program);
    void *library = dlopen(FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *addresses[] = {dlsym(library, "fake_cuda_fail"), dlsym(library, "fake_cuda_fault"),
                         dlsym(library, "fake_cuda_alive")};
    memcpy(&fake_fail, &addresses[0], sizeof addresses[0]);
    memcpy(&fake_fault, &addresses[1], sizeof addresses[1]);
    memcpy(&fake_alive, &addresses[2], sizeof addresses[2]);
    return 0;
}

static void skip_without_compiler(void)
{
    char text[256];
    Status status = backend_cuda.probe(text, sizeof text);
    if (status.code == STATUS_OK) {
        assert_string_equal(text, "Fake GPU");
        return;
    }
    test_skip(status.text);
}

static Dataset *chain(void)
{
    return rig_make(
        (RigPlan){.vertices = 300, .joints = 4, .influences = 3, .frames = 5, .angle = 0.3, .seed = 61});
}

/* Binds, poses twice (more frames the second time), skins, reads the last frame, then takes all in file order. */
static Status run(const SkinnerOptions *options, const Dataset *dataset, const Mat3 *scale, float *positions,
                  double *device_s)
{
    Skinner *skinner = NULL;
    float all[5 * 900], normals[5 * 900];
    Status status;
    STATUS_TRY(skinner_create(options, &dataset->mesh, &dataset->rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    STATUS_TRY(skinner_pose(skinner, dataset->rig.transforms, scale, 5));
    STATUS_TRY(skinner_skin(skinner));
    *device_s = skinner_device_time_s(skinner);
    STATUS_TRY(skinner_read(skinner, 4, positions, NULL));
    STATUS_TRY(skinner_skin_frames(skinner, all, options->normals ? normals : NULL));
    for (int frame = 0; frame < 5; frame++)
        assert_memory_equal(all + 900 * frame, dataset->mesh.rest, 900 * sizeof *all);
done:
    skinner_free(skinner);
    return status;
}

static SkinnerOptions options_of(const char *name, bool normals, bool two_phase)
{
    const SkinningEntry *entry = skinning_entry_find(name);
    assert_non_null(entry);
    return (SkinnerOptions){.entry = entry,
                            .parameters =
                                parameters_default(entry->method->parameters, entry->method->parameter_count),
                            .backend = &backend_cuda,
                            .normals = normals,
                            .two_phase = two_phase,
                            .first_phase = skinning_first_phase()};
}

static void launches_are_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        bool normals, two_phase;
    } cases[] = {{"lbs", false, false}, {"dqs", true, false}, {"dqs", true, true}};
    skip_without_compiler();
    Dataset *dataset = chain();
    Mat3 scale[4 * 5];
    for (int i = 0; i < 4 * 5; i++)
        scale[i] = (Mat3){1.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float positions[900];
        double device_s = -1.0;
        SkinnerOptions options = options_of(cases[i].method, cases[i].normals, cases[i].two_phase);
        assert_ok(run(&options, dataset, cases[i].two_phase ? scale : NULL, positions, &device_s));
        assert_string_equal(fake_fault(), "");
        assert_int_equal(fake_alive(), 0);
        assert_near(device_s, 0.25e-3, 1e-9);
        assert_memory_equal(positions, dataset->mesh.rest, sizeof positions); /* what the fake writes */
    }
    dataset_free(dataset);
}

/* Whatever call fails, the message names it, and nothing is left on the device. */
static void every_failure_is_reported(void **state)
{
    (void)state;
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
                                        "cuLaunchKernel",
                                        "cuEventCreate",
                                        "cuEventRecord",
                                        "cuEventSynchronize",
                                        "cuEventElapsedTime"};
    skip_without_compiler();
    Dataset *dataset = chain();
    SkinnerOptions options = options_of("lbs", false, false);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        float positions[900];
        double device_s = 0.0;
        char expected[128];
        snprintf(expected, sizeof expected, "CUDA: %s: an illegal memory access", calls[i]);
        fake_fail(calls[i]);
        assert_refused(STATUS_UNAVAILABLE, expected, run(&options, dataset, NULL, positions, &device_s));
        fake_fail("");
        assert_string_equal(fake_fault(), "");
        assert_int_equal(fake_alive(), 0);
    }
    dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_in_order),
        cmocka_unit_test(every_failure_is_reported),
    };
    return unit_result(cmocka_run_group_tests(tests, fake_open, NULL));
}
