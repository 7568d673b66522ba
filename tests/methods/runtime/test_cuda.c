/* Tests of the CUDA backend that need no GPU. Every kernel must compile. */
#include "methods/registry.h"
#include "tests/support.h"

#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"

#include <limits.h>

/* Returns the description of a kernel with the work items that the backend uses. */
static DeviceKernel kernel_of(int variant, bool normals)
{
    return (DeviceKernel){cuda_shape, variant, normals, INT_MAX};
}

static char *ptx_of(const SkinningEntry *entry, const SkinningEntry *first_phase, const DeviceKernel *kernel,
                    const char *more)
{
    const CudaCompileOptions options = {.near_division = true};
    char *program = device_program(entry, first_phase, kernel, more), *ptx = NULL;
    size_t size = 0;
    assert_non_null(program);
    Status status = cuda_compile(entry->method->name, program, &options, &ptx, &size);
    memory_free(program);
    if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
        test_skip(status.text);
    assert_ok(status);
    assert_holds(ptx, ".entry " DEVICE_ENTRY_POINT "(");
    assert_lacks(ptx, ".f64"); /* no code uses double */
    return ptx;
}

/* Compiles every kernel in its first and last variant. With `first_phase`, compiles only kernels that
 * support two phases. */
static void kernels_compile(const SkinningEntry *first_phase)
{
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningEntry *entry = skinning_entry_at(i);
        const int variants = entry->method->variant_count > 1 ? entry->method->variant_count : 1;
        if (first_phase && !entry->method->rigid_only)
            continue;
        for (int variant = 0; variant<variants; variant += variants - 1> 0 ? variants - 1 : 1) {
            const DeviceKernel kernel = kernel_of(variant, true);
            memory_free(ptx_of(entry, first_phase, &kernel, NULL));
        }
    }
}

TEST(nvrtc_every_kernel_compiles)
{
    kernels_compile(NULL);
}

TEST(nvrtc_every_kernel_compiles_in_two_phases)
{
    kernels_compile(skinning_first_phase());
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Returns the text of the entry `name` in the PTX of a program. */
static char *entry_body(const char *ptx, const char *name)
{
    const char *begin = strstr(ptx, text_of(".entry %s(", name));
    assert_non_null(begin);
    const char *end = strstr(begin, "\n}");
    assert_non_null(end);
    return memory_text_start(begin, (size_t)(end - begin));
}

/* Numbers of memory accesses in a kernel's code for n influences, 4 vertices and one frame. They are counted
 * in the PTX of an entry point that contains only this code. */
typedef struct Moves {
    int rows, reals, integers; /* loads of 16 bytes, and loads of 4 bytes as a real or an integer */
    int others;                /* loads and stores of any other size or kind */
    int stores;                /* of 16 bytes */
} Moves;

static const int device_counts[] = {1, 2, 3, 4, 8};
enum { DEVICE_COUNTS = sizeof device_counts / sizeof *device_counts };

/* Returns the PTX of a program with one entry counted_<n> for each number n of influences. */
static char *counted_ptx(const SkinningEntry *entry)
{
    const char *more = "";
    const DeviceKernel kernel = kernel_of(0, false);
    for (int i = 0; i < DEVICE_COUNTS; i++)
        more =
            text_of("%s\nKERNEL_ENTRY counted_%d(DEVICE_PARAMETERS)\n{\n"
                    "    {\n        const int flags = 0;\n"
                    "        device_tile_%d(DEVICE_PASS, KERNEL_ITEM_X, 0, DEVICE_REALS, 0, frame_count, 0, "
                    "0);\n    }\n}\n",
                    more, device_counts[i], device_counts[i]);
    return ptx_of(entry, NULL, &kernel, more);
}

static Moves moves_of(const char *ptx, int influences)
{
    OWNED char *body = entry_body(ptx, text_of("counted_%d", influences));
    Moves moves = {.rows = occurrences(body, "ld.global.nc.v4.f32"),
                   .stores = occurrences(body, "st.global.cs.v4.f32")};
    for (int plain = 0; plain < 2; plain++) {
        static const char *const integers[] = {"u32", "s32", "b32"};
        const char *load = plain ? "ld.global." : "ld.global.nc.";
        moves.reals += occurrences(body, text_of("%sf32", load));
        for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
            moves.integers += occurrences(body, text_of("%s%s", load, integers[i]));
    }
    moves.others = occurrences(body, "ld.global") - moves.rows - moves.reals - moves.integers +
                   occurrences(body, "st.global") - moves.stores;
    assert_lacks(body, ".local"); /* all values are in registers */
    return moves;
}

/* A kernel must load and store only the values listed here.
 *
 * The palette is loaded in rows of 16 bytes, which 4 vertices share. For each joint, a matrix takes 3 rows,
 * a dual quaternion 2, and a quaternion 1. A quaternion takes 4 rows together with a matrix, and 2 rows
 * together with a position. A logarithm has 6 values: one row and two single reals.
 *
 * The single reals that serve all frames are the three coordinates, the weights, and the values of each
 * vertex. Each frame loads the values of the joint set. These are a centre and, for few joints, the image of
 * the centre under each joint. The integers are one joint per influence, the start of the set and, if it has
 * values, its index. Three rows are written per frame. */
TEST(nvrtc_loads_are_as_few_as_they_can_be)
{
    static const struct {
        const char *method;
        int rows, reals, vertex_values, set_values, min,
            max; /* min and max are the smallest and the largest number of influences */
    } cases[] = {{"lbs", 3, 0, 0, 0, 1, INT_MAX},       {"dqs", 2, 0, 0, 0, 1, INT_MAX},
                 {"cor", 4, 0, 3, 0, 1, INT_MAX},       {"sbs", 1, 3, 0, 3, 1, 4},
                 {"sbs", 4, 0, 0, 3, 5, INT_MAX},       {"qb", 2, 0, 4, 0, 1, INT_MAX},
                 {"log-matrix", 1, 2, 0, 0, 1, INT_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED char *ptx = counted_ptx(skinning_entry_find(cases[i].method));
        for (int c = 0; c < DEVICE_COUNTS; c++) {
            const int n = device_counts[c];
            if (n < cases[i].min || n > cases[i].max)
                continue;
            const Moves moves = moves_of(ptx, n);
            print_message("%s, %d influences: %d bytes read\n", cases[i].method, n,
                          16 * moves.rows + 4 * (moves.reals + moves.integers) + moves.others);
            assert_int_equal(moves.rows, cases[i].rows * n);
            assert_int_equal(moves.reals, cuda_shape.reals * (3 + n + cases[i].vertex_values) +
                                              cases[i].reals * n + cases[i].set_values);
            assert_int_equal(moves.integers, n + (cases[i].set_values > 0 ? 2 : 1));
            assert_int_equal(moves.others, 0);
            assert_int_equal(moves.stores, 3);
        }
    }
}

/* The probe for a GPU either names a device or states what is missing. */
TEST(the_probe_explains_itself)
{
    char text[256] = "";
    Status status = backend_cuda.probe(text, sizeof text);
    print_message("cuda: %s\n", status.code == STATUS_OK ? text : status.text);
    assert_true(status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE);
    assert_true((status.code == STATUS_OK ? text : status.text)[0] != '\0');
}
