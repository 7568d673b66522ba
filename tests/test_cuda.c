/* What of the CUDA backend can be tested without a GPU: every kernel compiles. */
#include "methods/registry.h"
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device.h"

static void assert_entries(const char *ptx)
{
    assert_non_null(strstr(ptx, ".entry skin_positions"));
    assert_non_null(strstr(ptx, ".entry skin_normals"));
    assert_null(strstr(ptx, ".f64")); /* nothing slipped into double */
}

/* Every kernel, or with a first phase of two phases those that have one. */
static void kernels_compile(const SkinningEntry *first_phase)
{
    const CudaCompileOptions options = {.architecture = 0};
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningEntry *entry = skinning_entry_at(i);
        char *ptx = NULL;
        size_t size = 0;
        if (first_phase && !entry->method->rigid_only)
            continue;
        char *program = device_program(entry, first_phase, NULL);
        assert_non_null(program);
        Status status = cuda_compile(entry->method->name, program, &options, &ptx, &size);
        memory_free(program);
        if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
            test_skip(status.text);
        assert_ok(status);
        assert_entries(ptx);
        memory_free(ptx);
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
        cmocka_unit_test(the_probe_explains_itself),
    };
    return unit_run(argc, argv, tests);
}
