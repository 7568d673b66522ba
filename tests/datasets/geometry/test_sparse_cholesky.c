/* Tests sparse systems. Smoothing several columns at once must give the same result as repeated
 * multiplication and solving. */
#include "datasets/geometry/sparse_cholesky.h"

#include "tests/sequences.h"

enum { UNKNOWNS = 200, COLUMNS_MAX = 19, TIMES = 5 };

/* Returns the factor of a matrix on `parts` rings with chords, which is strictly diagonally dominant. */
static SparseCholesky *rings_factor(int parts)
{
    const int size = UNKNOWNS / parts;
    SparseEntry entries[3 * UNKNOWNS];
    SparseCholesky *factor = NULL;
    size_t count = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        const int ring = i / size * size, next = ring + (i + 1) % size, far = ring + (i * 7 + 3) % size;
        entries[count++] = (SparseEntry){i, i, 9.0 + i % 5};
        entries[count++] = (SparseEntry){int_max(i, next), int_min(i, next), -1.0};
        if (far != i)
            entries[count++] = (SparseEntry){int_max(i, far), int_min(i, far), -0.5};
    }
    assert_ok(sparse_cholesky_factor(UNKNOWNS, count, entries, SPARSE_REPEATABLE, &factor));
    assert_non_null(factor);
    return factor;
}

TEST(smoothing_equals_solutions)
{
    static double diagonal[UNKNOWNS], smoothed[UNKNOWNS * COLUMNS_MAX], solved[UNKNOWNS * COLUMNS_MAX];
    Random random = {4};
    for (int i = 0; i < UNKNOWNS; i++)
        diagonal[i] = 6.0 + random_signed(&random);
    for (int columns = 1; columns <= COLUMNS_MAX; columns += 3)
        for (int parts = 1; parts <= 4; parts *= 2) { /* with 4, one value in one of the rings is not zero */
            OWNED_BY(sparse_cholesky_free) SparseCholesky *factor = rings_factor(parts);
            for (int i = 0; i < UNKNOWNS * columns; i++)
                smoothed[i] = solved[i] = parts < 4 || i == 120 * columns ? random_signed(&random) : 0.0;
            assert_ok(sparse_cholesky_smooth(factor, diagonal, TIMES, columns, smoothed));
            for (int time = 0; time < TIMES; time++) {
                for (int i = 0; i < UNKNOWNS * columns; i++)
                    solved[i] *= diagonal[i / columns];
                assert_ok(sparse_cholesky_solve(factor, solved, columns));
            }
            for (int i = 0; i < UNKNOWNS * columns; i++)
                if (!(fabs(smoothed[i] - solved[i]) <= 1e-14))
                    fail_msg("%d columns, %d parts, value %d: %g, expected %g", columns, parts, i,
                             smoothed[i], solved[i]);
        }
}
