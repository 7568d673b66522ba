/* Tests smoothing by a polynomial against a closed form and against the solver. */
#include "methods/posing/laplacian_filter.h"
#include "tests/sequences.h"

#include <math.h>

typedef struct FilterCase {
    Laplacian laplacian;
    LaplacianFilter filter;
} FilterCase;

static void case_clear(FilterCase *smoothing)
{
    laplacian_clear(&smoothing->laplacian);
    laplacian_filter_clear(&smoothing->filter);
}

/* Smooths x [N][columns] in place by the filter. */
static void filter_apply(const LaplacianFilter *filter, int columns, double *x)
{
    const size_t size = (size_t)filter->vertex_count * (size_t)columns;
    double *copy = memory_array(3 * (size + 8), sizeof *copy);
    assert_non_null(copy);
    double *work = copy + (size + 7) / 8 * 8, *out = work + (size + 7) / 8 * 8;
    memcpy(copy, x, size * sizeof *x);
    laplacian_filter_smooth(filter, columns, copy, work, out);
    memcpy(x, out, size * sizeof *x);
    memory_free(copy);
}

/* In a tetrahedron, all eigenvalues of D^-1 L but that of constants are 4/3. A vertex without edges keeps
 * its value. */
TEST(tetrahedron_has_closed_form)
{
    static int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    float rest[15] = {0.0f};
    const Mesh mesh = {.vertex_count = 5, .triangle_count = 4, .triangles = triangles, .rest = rest};
    CLEANUP(case_clear) FilterCase smoothing = {0};
    assert_ok(laplacian_init(&mesh, LAPLACIAN_UNIFORM, 3.0, &smoothing.laplacian));
    assert_ok(laplacian_filter_init(&smoothing.laplacian, 3.0, 2, &smoothing.filter));
    double x[5 * FILTER_NARROW] = {0.0};
    x[0] = 4.0;
    x[4 * FILTER_NARROW] = 7.0;
    filter_apply(&smoothing.filter, FILTER_NARROW, x);
    const double kept = 1.0 / 25.0; /* (1 + 3 * 4/3)^-2 */
    assert_near(x[0], 1.0 + 3.0 * kept, 1e-9);
    for (int v = 1; v < 4; v++)
        assert_near(x[v * FILTER_NARROW], 1.0 - kept, 1e-9);
    assert_near(x[4 * FILTER_NARROW], 7.0, 1e-9);
}

/* The polynomial smooths like repeated solves of (D + step L) x = D x. */
TEST(filter_equals_solver)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(20, 15, 1, 0);
    const Mesh *mesh = &sequence.mesh;
    const size_t size = (size_t)mesh->vertex_count * FILTER_WIDE;
    for (int cotangent = 0; cotangent < 2; cotangent++)
        for (int iterations = 0; iterations <= 32; iterations += 16) {
            CLEANUP(case_clear) FilterCase smoothing = {0};
            OWNED double *expected = memory_array(size, sizeof *expected), *x = memory_array(size, sizeof *x);
            assert_ok(laplacian_init(mesh, cotangent ? LAPLACIAN_COTANGENT : LAPLACIAN_UNIFORM, 3.0,
                                     &smoothing.laplacian));
            assert_ok(laplacian_filter_init(&smoothing.laplacian, 3.0, iterations, &smoothing.filter));
            assert_true(smoothing.filter.term_count > 0);
            for (size_t i = 0; i < size; i++)
                x[i] = expected[i] = sin((double)(i * i % 1009));
            assert_ok(laplacian_smooth(&smoothing.laplacian, iterations, FILTER_WIDE, expected));
            filter_apply(&smoothing.filter, FILTER_WIDE, x);
            for (size_t i = 0; i < size; i++)
                assert_near(x[i], expected[i], 1e-9);
        }
}

/* A function that drops to 0 near eigenvalue 0 needs too many terms. */
TEST(steep_smoothing_has_no_filter)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(4, 4, 1, 0);
    CLEANUP(case_clear) FilterCase smoothing = {0};
    assert_ok(laplacian_init(&sequence.mesh, LAPLACIAN_UNIFORM, 1e4, &smoothing.laplacian));
    assert_ok(laplacian_filter_init(&smoothing.laplacian, 1e4, 1000, &smoothing.filter));
    assert_int_equal(smoothing.filter.term_count, 0);
}
