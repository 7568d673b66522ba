/* E-divisive means: the series is split at the point where its two sides diverge most. The split is
 * accepted unless random permutations of the values diverge as much. The search is then repeated in each
 * part, until no split is accepted. Tables with sums of distances make each divergence a single
 * subtraction. */
#include "harness/records/history/change_points.h"

/* Smallest number of values on each side of a split. A smaller side would have no distances between its
 * values. */
enum { CLUSTER_MIN = 2 };

typedef struct Divisions {
    double *within; /* [count + 1][count + 1] sums of all pairwise distances of the values from .. end - 1 */
    double *values; /* [count] values, in the given order or permuted */
    const bool *may_change;
    int count;
    int *ends; /* [end_count] ascending: 0, the split positions, count */
    int end_count;
} Divisions;

static double *within_of(const Divisions *divisions, int from, int end)
{
    return &divisions->within[(size_t)from * ((size_t)divisions->count + 1) + (size_t)end];
}

static double mean_of_pairs(double sum, double count)
{
    return count < 2.0 ? 0.0 : sum / (0.5 * count * (count - 1.0));
}

/* Returns the divergence of two samples of sizes n and m (eq. 5 and 6), from the sums of distances between
 * and within them. */
static double divergence(double between, double first, double n, double second, double m)
{
    const double energy = 2.0 * between / (n * m) - mean_of_pairs(first, n) - mean_of_pairs(second, m);
    return n * m / (n + m) * energy;
}

double sample_divergence(const double *first, int first_count, const double *second, int second_count)
{
    double between = 0.0, inner[2] = {0.0, 0.0};
    for (int i = 0; i < first_count; i++)
        for (int k = 0; k < second_count; k++)
            between += fabs(first[i] - second[k]);
    for (int i = 0; i < first_count; i++)
        for (int k = 0; k < i; k++)
            inner[0] += fabs(first[i] - first[k]);
    for (int i = 0; i < second_count; i++)
        for (int k = 0; k < i; k++)
            inner[1] += fabs(second[i] - second[k]);
    return divergence(between, inner[0], first_count, inner[1], second_count);
}

/* Finds the best split of the part from .. stop - 1 (eq. 7). The right side may end before the end of the
 * part, so that a second change in the part does not hide the first. Returns the divergence, or 0 if the
 * part cannot be split. */
static double part_divide(const Divisions *divisions, int from, int stop, int *point)
{
    double best = 0.0;
    for (int division = from + CLUSTER_MIN; division <= stop - CLUSTER_MIN; division++) {
        if (!divisions->may_change[division])
            continue;
        const double left = *within_of(divisions, from, division);
        for (int end = division + CLUSTER_MIN; end <= stop; end++) {
            if (end < stop && !divisions->may_change[end])
                continue;
            const double right = *within_of(divisions, division, end);
            const double between = *within_of(divisions, from, end) - left - right;
            const double score = divergence(between, left, division - from, right, end - division);
            if (score > best) {
                best = score;
                *point = division;
            }
        }
    }
    return best;
}

/* Finds the best split over all parts and returns its divergence. */
static double best_divide(Divisions *divisions, int *point)
{
    double best = 0.0;
    for (int i = 0; i + 1 < divisions->end_count; i++) {
        int place = 0;
        const int from = divisions->ends[i];
        const int stop = divisions->ends[i + 1];
        for (int last = from; last < stop; last++) {
            double sum = 0.0;
            *within_of(divisions, last, last) = 0.0;
            for (int first = last; first >= from; first--) {
                sum += fabs(divisions->values[first] - divisions->values[last]);
                *within_of(divisions, first, last + 1) =
                    (first < last ? *within_of(divisions, first, last) : 0.0) + sum;
            }
        }
        const double score = part_divide(divisions, divisions->ends[i], divisions->ends[i + 1], &place);
        if (score > best) {
            best = score;
            *point = place;
        }
    }
    return best;
}

/* Whether a divergence is significant (section 2.4). Many orders of the values are tried: the given one,
 * and random permutations within the parts. At most a fraction CHANGE_SIGNIFICANCE of these orders may
 * reach the divergence. */
static bool is_significant(Divisions *divisions, double reached, const double *values, int *order,
                           Random *random)
{
    const int max = (int)(CHANGE_SIGNIFICANCE * (CHANGE_PERMUTATIONS + 1) + 0.5) - 1;
    int exceeding = 0, ignored = 0;
    for (int k = 0; k < CHANGE_PERMUTATIONS && exceeding <= max; k++) {
        for (int i = 0; i + 1 < divisions->end_count; i++) {
            const int from = divisions->ends[i], length = divisions->ends[i + 1] - from;
            random_order(random, length, order);
            for (int n = 0; n < length; n++)
                divisions->values[from + n] = values[from + order[n]];
        }
        /* tolerates rounding, because sums in another order differ slightly */
        exceeding += best_divide(divisions, &ignored) >= reached * (1.0 - 1e-12);
    }
    memcpy(divisions->values, values, (size_t)divisions->count * sizeof *values);
    return exceeding <= max;
}

static void divisions_clear(Divisions *divisions)
{
    FREE_ALL(divisions->within, divisions->values, divisions->ends);
}

Status change_points_find(const double *values, const bool *may_change, int count, int *changes,
                          int *change_count)
{
    const int skipped = int_max(count - CHANGE_SERIES_MAX, 0), used = count - skipped;
    const size_t side = (size_t)used + 1;
    CLEANUP(divisions_clear)
    Divisions divisions = {.may_change = may_change + skipped, .count = used, .end_count = 2};
    Random random = {.state = 2014};
    int point = 0;
    *change_count = 0;
    ALLOCATE_TABLE(divisions.within, side, side, "the changes in a measured series");
    ALLOCATE(divisions.values, side, "the changes in a measured series");
    ALLOCATE(divisions.ends, side + 1, "the changes in a measured series");
    LOCAL_ARRAY(int, order, side, "the changes in a measured series");
    memcpy(divisions.values, values + skipped, (size_t)used * sizeof *values);
    divisions.ends[1] = used;
    for (double reached; (reached = best_divide(&divisions, &point)) > 0.0 &&
                         is_significant(&divisions, reached, values + skipped, order, &random);) {
        int place = divisions.end_count++;
        for (; divisions.ends[place - 1] > point; place--)
            divisions.ends[place] = divisions.ends[place - 1];
        divisions.ends[place] = point;
    }
    for (int i = 1; i + 1 < divisions.end_count; i++)
        changes[(*change_count)++] = skipped + divisions.ends[i];
    return status_ok();
}
