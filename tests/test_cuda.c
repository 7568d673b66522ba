/* What of the CUDA backend can be tested without a GPU: every kernel compiles. */
#include "methods/registry.h"
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"

/* One thread per vertex and 8 frames, as the backend has it. */
static DeviceKernel kernel_of(int variant, bool normals)
{
    return (DeviceKernel){{.lanes = 1, .frames = 8, .wide_rows = true, .one_entry = true},
                          (normals ? 2u : 1u) << (2 * variant)};
}

static char *ptx_of(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel)
{
    const CudaCompileOptions options = {.architecture = 0};
    char *program = device_program(entry, first_phase, kernel, NULL), *ptx = NULL;
    size_t size = 0;
    assert_non_null(program);
    Status status = cuda_compile(entry->method->name, program, &options, &ptx, &size);
    memory_free(program);
    if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
        test_skip(status.text);
    assert_ok(status);
    assert_non_null(strstr(ptx, ".entry skin_"));
    assert_null(strstr(ptx, ".f64")); /* nothing slipped into double */
    return ptx;
}

/* Every kernel in its first and last variant, or with a first phase of two phases those that have one. */
static void kernels_compile(const SkinningEntry *first_phase)
{
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningEntry *entry = skinning_entry_at(i);
        const int variants = entry->method->variant_count > 1 ? entry->method->variant_count : 1;
        if (first_phase && !entry->method->rigid_only)
            continue;
        for (int variant = 0; variant<variants; variant += variants - 1> 0 ? variants - 1 : 1) {
            const DeviceKernel kernel = kernel_of(variant, true);
            memory_free(ptx_of(entry, first_phase, &kernel));
        }
    }
}

static void nvrtc_every_kernel_compiles(void **state)
{
    (void)state;
    kernels_compile(NULL);
}

static void nvrtc_every_kernel_compiles_in_two_phases(void **state)
{
    (void)state;
    kernels_compile(skinning_first_phase());
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* The code for 1, 2, 3, 4 and 8 influences reads a joint's palette by fours: the rows of a matrix, the parts of a dual
 * quaternion. What is left one by one is read once for all frames: three coordinates, weights and values of the vertex.
 * The code for more influences, a loop that compilers unroll as they like, is allowed 32 more. */
static void nvrtc_loads_are_wide_and_few(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int rows, values;
    } cases[] = {{"lbs", 3, 0}, {"dqs", 2, 0}, {"cor", 4, 3}};
    const DeviceKernel kernel = kernel_of(0, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *ptx = ptx_of(skinning_entry_find(cases[i].method), NULL, &kernel);
        const int wide = occurrences(ptx, "ld.global.nc.v4.f32"), influences = 1 + 2 + 3 + 4 + 8;
        const int single = occurrences(ptx, "ld.global.nc.f32") + occurrences(ptx, "ld.global.f32");
        const int once = 6 * (3 + cases[i].values) + influences;
        print_message("%s: %d loads of 16 bytes, %d of 4\n", cases[i].method, wide, single);
        assert_true(wide >= cases[i].rows * influences);
        assert_in_range(single, 6 * 3 + influences, once + 32);
        assert_null(strstr(ptx, ".local")); /* what is held is held in registers */
        memory_free(ptx);
    }
}

/* The probe either names a device or says what is lacking. */
static void the_probe_explains_itself(void **state)
{
    (void)state;
    char text[256] = "";
    Status status = backend_cuda.probe(text, sizeof text);
    print_message("cuda: %s\n", status.code == STATUS_OK ? text : status.text);
    assert_true(status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE);
    assert_true((status.code == STATUS_OK ? text : status.text)[0] != '\0');
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvrtc_every_kernel_compiles),
        cmocka_unit_test(nvrtc_every_kernel_compiles_in_two_phases),
        cmocka_unit_test(nvrtc_loads_are_wide_and_few),
        cmocka_unit_test(the_probe_explains_itself),
    };
    return unit_run(argc, argv, tests);
}
