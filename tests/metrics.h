/* A regular tetrahedron, and helpers that measure the distance between two animations as the program
 * does. */
#pragma once

#include "harness/measure/metrics/frame_source.h"
#include "tests/rank_threads.h"
#include "tests/support.h"

/* The tetrahedron is inscribed in a cube of diagonal sqrt(12). Its edges have length sqrt(8), its
 * circumradius is sqrt(3) and its volume 8/3. At the corner (1, 1, 1) the normal has the direction (1, 1,
 * 1), outwards; the other corners are mirror images. */
enum { CORNERS = 4 };
static float four_points[3 * CORNERS] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
static int32_t four_faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const Mesh tetrahedron = {
    .vertex_count = CORNERS, .triangle_count = 4, .rest = four_points, .triangles = four_faces};

/* Measures all metrics. `truth`, `rig` and `ranks` may be NULL. */
static inline Status measure(const Mesh *mesh, const Animation *target, const Rig *truth,
                             const Animation *candidate, const Rig *rig, const Ranks *ranks, Metrics *out)
{
    OWNED_BY(frame_source_close) FrameSource *a = NULL, *b = NULL;
    *out = (Metrics){0};
    STATUS_TRY(frame_source_of_parts("the target", mesh, target, truth, NULL, 1, &a));
    STATUS_TRY(frame_source_of_parts("the candidate", mesh, candidate, rig, NULL, 2, &b));
    a->ranks = ranks;
    a->further = true;
    return frame_sources_measure(a, b, out);
}

/* Two animations that several ranks measure together, and the metrics that each rank finds. */
typedef struct SharedMetrics {
    const Mesh *mesh;
    const Animation *target, *candidate;
    Metrics metrics[RANK_THREADS_MAX];
    Status statuses[RANK_THREADS_MAX];
} SharedMetrics;

static inline void share_measure(const Ranks *ranks, void *context)
{
    SharedMetrics *shared = context;
    shared->statuses[ranks->rank] = measure(shared->mesh, shared->target, NULL, shared->candidate, NULL,
                                            ranks, &shared->metrics[ranks->rank]);
}

/* Checks that a metric equals its closed form, up to the rounding of positions to float. */
static inline void near(const Metrics *metrics, const char *name, double expected)
{
    const double value = metric_named(name, metrics);
    if (!(fabs(value - expected) <= 2e-6 * fmax(1.0, fabs(expected))))
        fail_msg("%s is %.9g, expected %.9g", name, value, expected);
}
