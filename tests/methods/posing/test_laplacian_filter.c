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

/* The same in floats. */
static void steps_apply(const LaplacianFilter *filter, int columns, double *x)
{
    const size_t size = (size_t)filter->vertex_count * (size_t)columns, whole = (size + 15) / 16 * 16;
    float *floats = memory_array(4 * whole, sizeof *floats);
    assert_non_null(floats);
    for (size_t i = 0; i < size; i++)
        floats[i] = (float)x[i];
    const SmoothedFloats smoothed = laplacian_filter_smooth_floats(filter, columns, floats, floats + whole);
    for (size_t i = 0; i < size; i++)
        x[i] = (double)smoothed.base[i] + (double)smoothed.moves[i];
    memory_free(floats);
}

/* A tetrahedron and a vertex without edges. */
static int32_t tetrahedron_triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
static float tetrahedron_rest[15];
static const Mesh tetrahedron = {
    .vertex_count = 5, .triangle_count = 4, .triangles = tetrahedron_triangles, .rest = tetrahedron_rest};

/* In a tetrahedron, all eigenvalues of D^-1 L but that of constants are 4/3. A vertex without edges keeps
 * its value. */
TEST(tetrahedron_has_closed_form)
{
    CLEANUP(case_clear) FilterCase smoothing = {0};
    assert_ok(laplacian_init(&tetrahedron, LAPLACIAN_UNIFORM, STEPS_IMPLICIT, 3.0, &smoothing.laplacian));
    assert_ok(laplacian_filter_init(&smoothing.laplacian, 2, &smoothing.filter));
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

/* An explicit step moves a corner of a tetrahedron towards the mean of the others. With the share 0.5, its
 * distance from the mean of all four becomes 1 - 0.5 * 4/3 times as long. */
TEST(explicit_steps_have_closed_form)
{
    CLEANUP(case_clear) FilterCase smoothing = {0};
    assert_ok(laplacian_init(&tetrahedron, LAPLACIAN_UNIFORM, STEPS_EXPLICIT, 1.0, &smoothing.laplacian));
    for (int steps = 1; steps <= 8; steps++) {
        double x[5] = {4.0, 0.0, 0.0, 0.0, 7.0}, passed[5 * FILTER_NARROW] = {0.0};
        for (int v = 0; v < 5; v++)
            passed[v * FILTER_NARROW] = x[v];
        CLEANUP(laplacian_filter_clear) LaplacianFilter filter = {0};
        assert_ok(laplacian_filter_init(&smoothing.laplacian, steps, &filter));
        assert_ok(laplacian_smooth(&smoothing.laplacian, steps, 1, x));
        steps_apply(&filter, FILTER_NARROW, passed);
        for (int v = 0; v < 5; v++) {
            const double expected = v == 4 ? 7.0 : 1.0 + (v == 0 ? 3.0 : -1.0) * pow(1.0 / 3.0, steps);
            assert_near(x[v], expected, 1e-14);
            assert_near(passed[v * FILTER_NARROW], expected, 2e-7);
        }
    }
}

/* Returns the sum of D x^2 over the vertices. */
static double energy_of(const Laplacian *laplacian, const double *x)
{
    double sum = 0.0;
    for (int v = 0; v < laplacian->vertex_count; v++)
        sum += laplacian->degree[v] * x[v] * x[v];
    return sum;
}

/* Explicit steps never increase the sum of D x^2, not even of values that alternate from vertex to vertex, on
 * a sheet whose obtuse triangles have negative cotangents. */
TEST(explicit_steps_are_stable)
{
    enum { WIDTH = 20 };
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, 15, 1, 0);
    const size_t count = (size_t)sequence.mesh.vertex_count;
    OWNED double *x = memory_array(count, sizeof *x);
    for (size_t v = 0; v < count; v++)
        sequence.mesh.rest[3 * v] += 3.0f * sequence.mesh.rest[3 * v + 1];
    for (int weights = LAPLACIAN_UNIFORM; weights <= LAPLACIAN_COTANGENT; weights++) {
        CLEANUP(case_clear) FilterCase smoothing = {0};
        bool negative = false;
        assert_ok(laplacian_init(&sequence.mesh, (LaplacianWeights)weights, STEPS_EXPLICIT, 1e3,
                                 &smoothing.laplacian));
        for (size_t i = 0; i < smoothing.laplacian.edge_count; i++)
            negative |= smoothing.laplacian.edges[i].value < -0.1;
        assert_int_equal(negative, weights == LAPLACIAN_COTANGENT);
        for (size_t v = 0; v < count; v++)
            x[v] = (v % WIDTH + v / WIDTH) % 2 ? 1.0 : -1.0;
        double before = energy_of(&smoothing.laplacian, x);
        for (int step = 0; step < 100; step++) {
            assert_ok(laplacian_smooth(&smoothing.laplacian, 1, 1, x));
            const double after = energy_of(&smoothing.laplacian, x);
            assert_at_most(after, before * (1.0 + 1e-12));
            before = after;
        }
    }
}

/* The passes smooth like explicit steps, and like repeated solves of (D + step L) x = D x. */
TEST(passes_equal_steps)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(20, 15, 1, 0);
    const Mesh *mesh = &sequence.mesh;
    const size_t size = (size_t)mesh->vertex_count * FILTER_WIDE;
    for (int kind = 0; kind < 4; kind++)
        for (int iterations = 0; iterations <= 32; iterations += 16) {
            CLEANUP(case_clear) FilterCase smoothing = {0};
            const SmoothingSteps steps = kind / 2 ? STEPS_EXPLICIT : STEPS_IMPLICIT;
            OWNED double *expected = memory_array(size, sizeof *expected), *x = memory_array(size, sizeof *x);
            assert_ok(laplacian_init(mesh, kind % 2 ? LAPLACIAN_COTANGENT : LAPLACIAN_UNIFORM, steps, 3.0,
                                     &smoothing.laplacian));
            assert_ok(laplacian_filter_init(&smoothing.laplacian, iterations, &smoothing.filter));
            for (size_t i = 0; i < size; i++)
                x[i] = expected[i] = (double)(float)sin((double)(i * i % 1009));
            assert_ok(laplacian_smooth(&smoothing.laplacian, iterations, FILTER_WIDE, expected));
            assert_true(smoothing.filter.pass_count > 0 || (steps == STEPS_EXPLICIT && iterations == 0));
            if (smoothing.filter.pass_count == 0)
                continue;
            (steps == STEPS_EXPLICIT ? steps_apply : filter_apply)(&smoothing.filter, FILTER_WIDE, x);
            for (size_t i = 0; i < size; i++)
                assert_near(x[i], expected[i], steps == STEPS_EXPLICIT ? 1e-6 : 1e-9);
        }
}

/* A function that drops to 0 near eigenvalue 0 needs too many terms. */
TEST(steep_smoothing_has_no_filter)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(4, 4, 1, 0);
    CLEANUP(case_clear) FilterCase smoothing = {0};
    assert_ok(laplacian_init(&sequence.mesh, LAPLACIAN_UNIFORM, STEPS_IMPLICIT, 1e4, &smoothing.laplacian));
    assert_ok(laplacian_filter_init(&smoothing.laplacian, 1000, &smoothing.filter));
    assert_int_equal(smoothing.filter.pass_count, 0);
}
