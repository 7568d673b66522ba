/* What of the CUDA backend can be tested without a GPU: every kernel compiles. */
#include "methods/registry.h"
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/cuda.h"

static void assert_entries(const char *ptx)
{
    assert_non_null(strstr(ptx, ".entry skin_positions"));
    assert_non_null(strstr(ptx, ".entry skin_normals"));
    assert_null(strstr(ptx, ".f64")); /* nothing slipped into double */
}

static void nvrtc_every_kernel_compiles(void **state)
{
    (void)state;
    for (int i = 0; i < skinning_method_count(); i++) {
        char *ptx = NULL;
        Status status = cuda_compile(skinning_method_at(i), 0, &ptx);
        if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
            test_skip(status.text);
        assert_ok(status);
        assert_entries(ptx);
        memory_free(ptx);
    }
}

/* With the first phase of two-phase skinning, which only the methods for rigid transformations have. */
static void nvrtc_every_kernel_compiles_in_two_phases(void **state)
{
    (void)state;
    CudaCompileOptions options = {.two_phase = true};
    for (int i = 0; i < skinning_method_count(); i++) {
        char *ptx = NULL;
        size_t size = 0;
        if (!skinning_method_at(i)->rigid_only)
            continue;
        Status status = cuda_compile_with(skinning_method_at(i), &options, &ptx, &size);
        if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
            test_skip(status.text);
        assert_ok(status);
        assert_entries(ptx);
        memory_free(ptx);
    }
}

/* The probe either names a device or says what is lacking. */
static void the_probe_explains_itself(void **state)
{
    (void)state;
    char text[256] = "";
    Status status = backend_probe(BACKEND_CUDA, text, sizeof text);
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
