/* STED, the spatiotemporal edge difference (Váša and Skala 2011), measures how unevenly the edges around a
 * vertex change their lengths. It also measures this for temporal edges, which lead from a vertex in one
 * frame to the same vertex in the next. Uniform changes cost nothing.
 *
 * Parameters: the edges at a vertex (d = 1), WINDOW_FRAMES - 1 temporal edges, a virtual frame length of 1
 * % of the diagonal (dt), and equal weight of space and time (c = 1). */
#include "harness/measure/metrics/further.h"

#include "datasets/geometry/points.h"

/* Returns the standard deviation of weighted relative changes, from the sum of the weights and the sums of
 * the changes and of their squares. */
static double deviation(double weight, double sum, double squares)
{
    const double mean = weight > 0.0 ? sum / weight : 0.0,
                 rest = weight > 0.0 ? squares / weight - mean * mean : 0.0;
    return sqrt(fmax(rest, 0.0));
}

static double length_between(const float *one, ptrdiff_t i, const float *other, ptrdiff_t k)
{
    return vec3_length(vec3_sub(point_at(one, i), point_at(other, k)));
}

void sted_add(const FrameWindow *window, FurtherSums *sums)
{
    /* add the deviation over the edges at each vertex, a neighbourhood of width 1 */
    const int vertices = window->mesh->vertex_count;
    double *vertex_sums = window->scratch;
    memset(vertex_sums, 0, 3 * (size_t)vertices * sizeof *vertex_sums);
    for (int e = 0; e < window->edge_count; e++) {
        const int32_t ends[] = {window->edges[e].low, window->edges[e].high};
        const double before = length_between(window->target[0], ends[0], window->target[0], ends[1]);
        if (!(before > 0.0))
            continue;
        const double after = length_between(window->candidate[0], ends[0], window->candidate[0], ends[1]),
                     change = fabs(after - before) / before;
        for (int i = 0; i < 2; i++) {
            double *sum = vertex_sums + 3 * (size_t)ends[i];
            sum[0] += before;
            sum[1] += before * change;
            sum[2] += before * change * change;
        }
    }
    for (int v = 0; v < vertices; v++) {
        const double *sum = vertex_sums + 3 * (size_t)v;
        sums->sted_space += deviation(sum[0], sum[1], sum[2]);
        sums->sted_space_count += sum[0] > 0.0;
    }
}

/* Adds the deviation over a window of temporal edges, from a vertex in one frame to itself in the next. */
void sted_time_add(const FrameWindow *window, int frame, int fresh, int begin, double *lengths,
                   FurtherSums *sums)
{
    enum { KEPT = WINDOW_FRAMES - 1 };
    const int count = int_min(STED_BLOCK, window->mesh->vertex_count - begin);
    double *edges[KEPT]; /* the newest first */
    for (int f = 0; f < KEPT; f++)
        edges[f] = lengths + (frame + KEPT - f) % KEPT * (2 * STED_BLOCK);
    for (int f = 0; f < int_min(fresh, window->count - 1); f++)
        for (int i = 0; i < count; i++) {
            const int v = begin + i;
            edges[f][2 * i] =
                hypot(length_between(window->target[f], v, window->target[f + 1], v), window->time_step);
            edges[f][2 * i + 1] = hypot(length_between(window->candidate[f], v, window->candidate[f + 1], v),
                                        window->time_step);
        }
    if (window->width < 1 || window->count <= window->width)
        return;
    for (int i = 0; i < count; i++) {
        double weight = 0.0, sum = 0.0, squares = 0.0;
        for (int f = 0; f < window->width; f++) {
            const double before = edges[f][2 * i], after = edges[f][2 * i + 1],
                         change = fabs(after - before) / before;
            weight += before;
            sum += before * change;
            squares += before * change * change;
        }
        sums->sted_time += deviation(weight, sum, squares);
    }
    sums->sted_time_count += count;
}
