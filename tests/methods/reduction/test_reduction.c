/* Tests dimension reduction. Bases must be orthonormal, thresholds are checked by computing the error
 * explicitly, and the optimum is compared with the strategy MAX. */
#include "methods/reduction/reduction.h"

#include "tests/rank_threads.h"
#include "tests/sequences.h"

enum { FRAMES = 12 };

/* Returns frames that are random combinations of `rank` random shapes, plus noise of size `noise`. */
static Sequence noisy_sequence(int width, int height, int frames, int rank, double noise)
{
    Sequence sequence = sequence_sheet(width, height, frames, 0);
    int size = 3 * width * height;
    Random random = {7};
    OWNED double *shapes = memory_table((size_t)rank, (size_t)size, sizeof(double));
    assert_non_null(shapes);
    for (int i = 0; i < rank * size; i++)
        shapes[i] = random_signed(&random);
    for (int frame = 0; frame < frames; frame++)
        for (int shape = 0; shape < rank; shape++) {
            double factor = random_signed(&random) / (1 + shape);
            for (int i = 0; i < size; i++)
                sequence.animation.positions[(ptrdiff_t)frame * size + i] +=
                    (float)(factor * shapes[(ptrdiff_t)shape * size + i]);
        }
    for (ptrdiff_t i = 0; i < (ptrdiff_t)frames * size; i++)
        sequence.animation.positions[i] += (float)(noise * random_signed(&random));
    return sequence;
}

static double orthonormality(const Reduction *reduction)
{
    double worst = 0.0;
    for (int a = 0; a < reduction->dimension; a++)
        for (int b = 0; b <= a; b++) {
            double sum = a == b ? -1.0 : 0.0;
            for (int i = 0; i < reduction->row_count; i++)
                sum += reduction->basis[a * reduction->row_count + i] *
                       reduction->basis[b * reduction->row_count + i];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

/* Returns ||A - offset - B C||^2 by its definition. `misfit` receives the largest |C - B^T (A -
 * offset)|. */
static double explicit_residual(const Sequence *sequence, const Reduction *reduction, double *misfit)
{
    int rows = reduction->row_count, vertices = reduction->vertex_count;
    double sum = 0.0;
    *misfit = 0.0;
    for (int j = 0; j < vertices; j++) {
        double difference[3 * 64];
        assert_true(rows <= 3 * 64);
        for (int i = 0; i < rows; i++)
            difference[i] = (double)sequence->animation.positions[(i / 3 * vertices + j) * 3 + i % 3] -
                            reduction->offset[i];
        for (int k = 0; k < reduction->dimension; k++) {
            double product = 0.0;
            for (int i = 0; i < rows; i++)
                product += difference[i] * reduction->basis[k * rows + i];
            *misfit = fmax(*misfit, fabs(product - reduction->coordinates[j * reduction->dimension + k]));
        }
        for (int k = 0; k < reduction->dimension; k++)
            for (int i = 0; i < rows; i++)
                difference[i] -=
                    reduction->coordinates[j * reduction->dimension + k] * reduction->basis[k * rows + i];
        for (int i = 0; i < rows; i++)
            sum += difference[i] * difference[i];
    }
    return sum;
}

static void check_strategy(const Sequence *sequence, ReductionStrategy strategy, bool center,
                           double threshold, int *dimension)
{
    ReductionOptions options = {
        .strategy = strategy, .threshold = threshold, .stabilize = true, .center = center};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    double misfit = 0.0;
    assert_ok(reduction_init(&sequence->animation, sequence->mesh.vertex_count, &options, &reduction));
    double residual = explicit_residual(sequence, &reduction, &misfit);
    assert_true(orthonormality(&reduction) < 1e-14);
    assert_true(misfit < 1e-10);
    assert_true(fabs(residual - reduction.residual) <= 1e-9 * residual + 1e-18 * reduction.total);
    assert_true(sqrt(residual) <= threshold * (1.0 + 1e-9));
    *dimension = reduction.dimension;
}

/* Every strategy meets the threshold with an orthonormal basis. The Gram matrix gives the optimum that
 * LAPACK's dgesdd finds, and no strategy needs fewer dimensions. Tests both more and fewer vertices than
 * rows. */
TEST(strategies_meet_the_threshold)
{
    for (int shape = 0; shape < 2; shape++) {
        CLEANUP(sequence_clear)
        Sequence sequence =
            shape == 0 ? noisy_sequence(9, 8, FRAMES, 9, 0.01) : noisy_sequence(4, 3, 40, 6, 0.01);
        for (int center = 0; center < 2; center++) {
            int dimensions[REDUCTION_SVD + 1];
            for (int strategy = 0; strategy <= REDUCTION_SVD; strategy++)
                check_strategy(&sequence, (ReductionStrategy)strategy, center != 0, 2.0,
                               &dimensions[strategy]);
            assert_int_equal(dimensions[REDUCTION_GRAM], dimensions[REDUCTION_SVD]);
            for (int strategy = 0; strategy <= REDUCTION_SVD; strategy++)
                assert_true(dimensions[strategy] >= dimensions[REDUCTION_SVD]);
            assert_true(dimensions[REDUCTION_PM2] <= dimensions[REDUCTION_GS]);
        }
    }
}

/* Every frame is the sheet plus a combination of 4 shapes. The x rows are therefore combinations of 5 rows,
 * and so are the y and z rows. The rank is 15. */
TEST(rank_is_found)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(9, 8, FRAMES, 4, 0.0);
    ReductionOptions options = {.strategy = REDUCTION_GRAM, .threshold = 1e-3};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    assert_ok(reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &reduction));
    assert_int_equal(reduction.dimension, 15);
}

/* Every eighth vertex suffices to find the rank of 15. The small noise adds up to the reported residual. */
TEST(some_vertices_show_the_rank)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(40, 33, FRAMES, 4, 1e-3);
    ReductionOptions options = {.strategy = REDUCTION_GRAM, .threshold = 0.3, .every = 8};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    double misfit = 0.0;
    assert_ok(reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &reduction));
    assert_int_equal(reduction.dimension, 15);
    double left = explicit_residual(&sequence, &reduction, &misfit);
    assert_true(sqrt(left) <= options.threshold);
    assert_true(fabs(left - reduction.residual) <= 1e-6 * left);
}

/* The rank is also found without forming the Gram matrix, by searching a range of a few directions. By
 * Pythagoras, the squares of the retained and the discarded part add up to the square of the whole. */
TEST(rank_of_a_long_sequence_is_found)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(40, 40, 510, 4, 0.0);
    ReductionOptions options = {.strategy = REDUCTION_GRAM, .threshold = 0.1};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    assert_ok(reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &reduction));
    assert_int_equal(reduction.dimension, 15);
    assert_true(sqrt(reduction.residual) <= options.threshold);
    double kept = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)15 * reduction.vertex_count; i++)
        kept += reduction.coordinates[i] * reduction.coordinates[i];
    assert_true(fabs(kept + reduction.residual - reduction.total) <= 1e-12 * reduction.total);
}

/* One thread and two give bit-identical numbers. */
TEST(threads_change_nothing)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(30, 20, FRAMES, 9, 0.01);
    ReductionOptions options = {.strategy = REDUCTION_GRAM, .threshold = 1.0, .center = true};
    CLEANUP(reduction_clear) Reduction one = {0}, two = {0};
    assert_ok(reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &one));
    options.threads = 2;
    assert_ok(reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &two));
    assert_int_equal(one.dimension, two.dimension);
    size_t count = (size_t)one.dimension * (size_t)one.vertex_count;
    assert_memory_equal(one.coordinates, two.coordinates, count * sizeof(double));
    assert_memory_equal(&one.residual, &two.residual, sizeof(double));
}

/* The eigenvectors of the input's Gram matrix resolve squared singular values only down to about 1e-14
 * (16^-11) of the largest one. The eigenvectors of the residual's Gram matrix resolve smaller ones, like
 * LAPACK's dgesdd. Tests as many vertices as rows, and fewer. With d directions, the residual is
 *
 *   8 * 16^-d (1 + 1/16 + ...) */
TEST(gram_has_no_floor)
{
    for (int count = 24; count >= 15; count -= 9) {
        CLEANUP(sequence_clear) Sequence sequence = walsh_sequence(count);
        for (int dimension = 4; dimension < count; dimension += 5) {
            double left = 8.0 * (pow(16.0, -dimension) - pow(16.0, -count)) / (1.0 - 1.0 / 16.0);
            static const ReductionStrategy strategies[] = {REDUCTION_GRAM, REDUCTION_SVD};
            for (int i = 0; i < 2; i++) {
                ReductionOptions options = {.strategy = strategies[i], .dimension_max = dimension};
                CLEANUP(reduction_clear) Reduction reduction = {0};
                assert_ok(reduction_init(&sequence.animation, count, &options, &reduction));
                assert_int_equal(reduction.dimension, dimension);
                assert_true(orthonormality(&reduction) < 1e-14);
                if (!(fabs(reduction.residual / left - 1.0) < 0.05))
                    fail_msg("%s, %d of %d: %g, not %g", reduction_strategy_names[strategies[i]], dimension,
                             count, reduction.residual, left);
            }
        }
    }
}

/* Returns the dimension of a sequence at a threshold. Vertex j moves along x by moves[j] in frame j and in
 * no other frame, so the columns are orthogonal. */
static int dimension_of_moves(const float *moves, int count, ReductionStrategy strategy,
                              double squared_threshold)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(count, 1, count, 1);
    memset(sequence.animation.positions, 0, 3 * (size_t)(count * count) * sizeof(float));
    for (int j = 0; j < count; j++)
        sequence.animation.positions[3 * (j * count + j)] = moves[j];
    ReductionOptions options = {
        .strategy = strategy, .threshold = sqrt(squared_threshold), .stabilize = true};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    assert_ok(reduction_init(&sequence.animation, count, &options, &reduction));
    return reduction.dimension;
}

/* The squared moves are 1, 100, 1, 100. At a squared threshold of 8, each column may leave 2, so
 * Gram-Schmidt (GS) skips the small columns. At a threshold of 3 each may leave 0.75, and GS uses all
 * columns. MAX stops after the two large columns, which leave 2. */
TEST(gram_schmidt_passes_over_what_is_near)
{
    static const float moves[] = {1.0f, 10.0f, 1.0f, 10.0f};
    assert_int_equal(dimension_of_moves(moves, 4, REDUCTION_GS, 8.0), 2);
    assert_int_equal(dimension_of_moves(moves, 4, REDUCTION_GS, 3.0), 4);
    assert_int_equal(dimension_of_moves(moves, 4, REDUCTION_MAX, 3.0), 2);
    assert_int_equal(dimension_of_moves(moves, 4, REDUCTION_SVD, 3.0), 2);
}

/* The squared moves are 100 and 1. From the constant vector, one iteration of the power method gives (100,
 * 1), which leaves 101 - 1000001 / 10001 = 1.0099. Two iterations give (10000, 1), which leaves 1.000001.
 * MAX chooses the first column, which leaves 1. */
TEST(power_method_begins_with_the_constant_vector)
{
    static const float moves[] = {10.0f, 1.0f};
    assert_int_equal(dimension_of_moves(moves, 2, REDUCTION_PM1, 1.0098), 2);
    assert_int_equal(dimension_of_moves(moves, 2, REDUCTION_PM1, 1.0100), 1);
    assert_int_equal(dimension_of_moves(moves, 2, REDUCTION_PM2, 1.0098), 1);
    assert_int_equal(dimension_of_moves(moves, 2, REDUCTION_PM2, 1.0000005), 2);
    assert_int_equal(dimension_of_moves(moves, 2, REDUCTION_MAX, 1.0000005), 1);
}

/* A stop by the callback or a failing allocation ends the reduction with a status and leaks nothing. */
TEST(ends_are_typed)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(5, 4, 6, 3, 0.01);
    Progress progress = {stop_at_once, NULL};
    for (int strategy = 0; strategy <= REDUCTION_SVD; strategy++) {
        ReductionOptions options = {.strategy = (ReductionStrategy)strategy, .threshold = 0.1};
        CLEANUP(reduction_clear) Reduction reduction = {0};
        assert_allocations_may_fail(
            0, reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &reduction),
            reduction_clear(&reduction));
        reduction_clear(&reduction);
        options.progress = &progress;
        if (strategy != REDUCTION_SVD)
            assert_refused(
                STATUS_STOPPED, "stopped",
                reduction_init(&sequence.animation, sequence.mesh.vertex_count, &options, &reduction));
    }
}

/* A source for an animation in memory that behaves like a file. Its positions begin with vertex `first`. */
typedef struct Elsewhere {
    const Animation *animation;
    int vertex_count, first;
    int reads, fails_at; /* the number of the read that fails, or 0 */
} Elsewhere;

static Status elsewhere_read(void *context, PositionBlock block, float *positions)
{
    Elsewhere *elsewhere = context;
    elsewhere->reads++;
    if (elsewhere->reads == elsewhere->fails_at)
        return bad_input("elsewhere: damaged");
    block.first_vertex += elsewhere->first;
    return animation_block(elsewhere->animation, elsewhere->vertex_count, block, positions);
}

static void assert_reductions_equal(const Reduction *a, const Reduction *b, int first)
{
    const size_t dimension = (size_t)a->dimension;
    assert_int_equal(a->dimension, b->dimension);
    assert_memory_equal(a->basis, b->basis, dimension * (size_t)a->row_count * sizeof(double));
    assert_memory_equal(a->coordinates + (size_t)first * dimension, b->coordinates,
                        (size_t)b->vertex_count * dimension * sizeof(double));
    assert_memory_equal(a->offset, b->offset, (size_t)a->row_count * sizeof(double));
    assert_true(a->residual == b->residual && a->total == b->total);
}

/* State of three ranks (processes). Each rank reads its own vertices through an Elsewhere and reduces their
 * trajectories. */
typedef struct SharedReduction {
    const Sequence *sequence;
    const ReductionOptions *options;
    const Reduction *whole;
} SharedReduction;

static void share_reduce(const Ranks *ranks, void *context)
{
    const SharedReduction *shared = context;
    const int vertices = shared->sequence->mesh.vertex_count;
    const VertexShare share = ranks_share(ranks, vertices);
    Elsewhere elsewhere = {&shared->sequence->animation, vertices, share.first, 0, 0};
    const PositionSource source = {elsewhere_read, &elsewhere};
    const Animation animation = {.frame_count = shared->sequence->animation.frame_count, .source = &source};
    ReductionOptions options = *shared->options;
    CLEANUP(reduction_clear) Reduction part = {0};
    options.ranks = ranks;
    options.threads = 1;
    assert_ok(reduction_init(&animation, vertices, &options, &part));
    assert_int_equal(part.vertex_count, share.count);
    assert_reductions_equal(shared->whole, &part, share.first);
}

/* A reduction that reads positions in slabs is bit-identical to a reduction in memory, on one rank or
 * three. This holds for the Gram matrix (also of a residual, and with fewer vertices than coordinates) and
 * for a random range. Finding a random range takes three passes over the positions. Finding a basis from
 * some of the vertices takes two passes. */
TEST(slabs_and_ranks_change_nothing)
{
    const struct {
        int width, height, frames, rank;
        double noise, threshold;
        int passes, every;
    } cases[] = {{40, 33, 30, 5, 0.01, 3.0, 3, 0},  {40, 33, 30, 5, 0.01, 3.0, 2, 4},
                 {40, 33, 30, 5, 0.01, 3.0, 2, 31}, {40, 33, 30, 5, 1e-7, 1e-5, 0, 0},
                 {10, 9, 60, 4, 0.01, 2.0, 0, 0},   {40, 40, 510, 4, 1e-3, 2.0, 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CLEANUP(sequence_clear)
        Sequence sequence =
            noisy_sequence(cases[i].width, cases[i].height, cases[i].frames, cases[i].rank, cases[i].noise);
        const int vertices = sequence.mesh.vertex_count;
        Elsewhere elsewhere = {&sequence.animation, vertices, 0, 0, 0};
        const PositionSource source = {elsewhere_read, &elsewhere};
        const Animation read = {.frame_count = cases[i].frames, .source = &source};
        ReductionOptions options = {.strategy = REDUCTION_GRAM,
                                    .threshold = cases[i].threshold,
                                    .every = cases[i].every,
                                    .center = true,
                                    .threads = 2};
        CLEANUP(reduction_clear) Reduction whole = {0}, slabs = {0};
        assert_ok(reduction_init(&sequence.animation, vertices, &options, &whole));
        assert_int_equal(whole.passes, 0);
        memory_limit_set(memory_live() + (80 << 20)); /* leaves memory for slabs of a few blocks */
        assert_ok(reduction_init(&read, vertices, &options, &slabs));
        memory_limit_set(0);
        assert_reductions_equal(&whole, &slabs, 0);
        if (cases[i].passes > 0)
            assert_int_equal(slabs.passes, cases[i].passes);
        reduction_clear(&slabs);
        SharedReduction shared = {&sequence, &options, &whole};
        rank_threads_run(3, share_reduce, &shared);
        elsewhere = (Elsewhere){&sequence.animation, vertices, 0, 0, 2};
        assert_bad_input("elsewhere: damaged", reduction_init(&read, vertices, &options, &slabs));
    }
}

/* Algorithm 1 needs one pass over the positions for every direction, so it is refused if positions are read
 * in slabs. */
TEST(other_strategies_need_memory)
{
    CLEANUP(sequence_clear) Sequence sequence = noisy_sequence(9, 8, FRAMES, 4, 0.0);
    Elsewhere elsewhere = {&sequence.animation, sequence.mesh.vertex_count, 0, 0, 0};
    const PositionSource source = {elsewhere_read, &elsewhere};
    const Animation read = {.frame_count = FRAMES, .source = &source};
    for (int strategy = REDUCTION_MAX; strategy <= REDUCTION_SVD; strategy++) {
        CLEANUP(reduction_clear) Reduction reduction = {0};
        const ReductionOptions options = {.strategy = (ReductionStrategy)strategy, .threshold = 1.0};
        assert_refused(STATUS_USAGE, "reduce=gram",
                       reduction_init(&read, sequence.mesh.vertex_count, &options, &reduction));
    }
}
