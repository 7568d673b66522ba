/* What of the CUDA backend can be tested without a GPU: every kernel compiles. */
#include "tests/support.h"

#include "datasets/base/memory.h"
#include "methods/backends/cuda.h"

static void every_kernel_compiles(void **state)
{
    (void)state;
    for (int i = 0; i < skinning_method_count(); i++) {
        char *ptx = NULL;
        Status status = cuda_compile(skinning_method_at(i), 0, &ptx);
        if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile")) {
            print_message("SKIPPED: %s\n", status.text);
            skip();
        }
        assert_ok(status);
        assert_non_null(strstr(ptx, ".entry skin_positions"));
        assert_non_null(strstr(ptx, ".entry skin_normals"));
        assert_null(strstr(ptx, ".f64")); /* nothing slipped into double */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_compiles),
        cmocka_unit_test(the_probe_explains_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
