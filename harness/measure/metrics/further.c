/* Measures the frames in order. Each frame is summed by one thread, so no digit depends on the number of
 * threads. Copies of the frames before a block are stored, because metrics of motion need them. */
#include "harness/measure/metrics/further.h"

#include "datasets/model/welding.h"

#include <omp.h>

enum { KEPT = WINDOW_FRAMES - 1, SIDES = 2 };

struct Further {
    FrameWindow shape; /* members that have the same value in every window */
    Mesh mesh; /* The mesh with coincident vertices merged. Its triangles refer to the merged vertex with the
                  lowest number. All its other arrays are borrowed. */
    MeshEdge *edges;
    Seam *seams;
    RigTruth truth;
    int threads, seen;  /* seen: index of the frame that follows the last stored frame */
    float *kept[SIDES]; /* [KEPT][N][3] stored frames; frame f is at index f % KEPT */
    double *scratch;    /* [threads][N][3] */
};

Status further_open(const Mesh *mesh, const FurtherRigs *rigs, int frame_count, double diagonal, int threads,
                    Further **out)
{
    OWNED_BY(further_close) Further *further = memory_array(1, sizeof *further);
    *out = NULL;
    ALLOCATED(further, "the metrics");
    *further = (Further){.threads = int_max(threads, 1)};
    int edge_count = 0, seam_count = 0, inner_count = 0;
    const size_t vertices = (size_t)mesh->vertex_count;
    /* use the edges of the welded surface; a rig tells which coincident vertices move together */
    const Rig *welder = rigs->truth && rigs->truth->joint_count > 0 ? rigs->truth
                        : rigs->rig && !rigs->rows                  ? rigs->rig
                                                                    : NULL;
    further->mesh = *mesh;
    ALLOCATE_TABLE(further->mesh.triangles, mesh->triangle_count, 3, "the metrics");
    if (mesh->triangle_count > 0)
        memcpy(further->mesh.triangles, mesh->triangles,
               3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    if (welder && welder->joint_count > 0) {
        CLEANUP(welding_clear) Welding welding = {0};
        STATUS_TRY(welding_find(mesh, welder, &welding));
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; c++)
            further->mesh.triangles[c] = welding_lowest(&welding, mesh->triangles[c]);
    }
    mesh = &further->mesh;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &further->edges,
                               &edge_count));
    const Rig *rig = rigs->rig && rigs->rig->joint_count > 0 ? rigs->rig : NULL;
    STATUS_TRY(seams_find(mesh, rig, rigs->rows, further->edges, edge_count, &further->seams, &seam_count,
                          &inner_count));
    STATUS_TRY(rig_truth_find(mesh, rigs->truth, rigs->rig, rigs->rows, &further->truth));
    for (int side = 0; side < SIDES; side++)
        ALLOCATE_TABLE(further->kept[side], KEPT * vertices, 3, "the metrics");
    ALLOCATE_TABLE(further->scratch, (size_t)further->threads * vertices, 3, "the metrics");
    further->shape = (FrameWindow){.mesh = mesh,
                                   .edges = further->edges,
                                   .seams = further->seams,
                                   .edge_count = edge_count,
                                   .seam_count = seam_count,
                                   .inner_count = inner_count,
                                   .width = int_min(KEPT, frame_count - 1),
                                   .time_step = 0.01 * diagonal};
    *out = TAKE(further);
    return status_ok();
}

void further_close(Further *further)
{
    if (!further)
        return;
    FREE_ALL(further->mesh.triangles, further->edges, further->seams);
    for (int side = 0; side < SIDES; side++)
        memory_free(further->kept[side]);
    FREE_ALL(further->scratch, further);
}

void further_sum(FurtherSums *sums, const FurtherSums *frame)
{
    double *total = (double *)sums;
    const double *from = (const double *)frame;
    for (size_t i = 0; i < sizeof *sums / sizeof *total; i++)
        total[i] += from[i];
}

const RigTruth *further_truth(const Further *further)
{
    return &further->truth;
}

/* Returns a frame of the target or candidate. The frame is taken from the block that starts with frame
 * `first`, or from the stored earlier frames. */
static const float *frame_at(const Further *further, int side, const float *block, int first, int frame)
{
    const size_t values = 3 * (size_t)further->shape.mesh->vertex_count;
    return frame >= first ? block + (size_t)(frame - first) * values
                          : further->kept[side] + (size_t)(frame % KEPT) * values;
}

/* Returns the window that ends with frame f of a block. The block starts with frame `first`, and `before`
 * stored frames precede it. */
static FrameWindow window_at(const Further *further, int first, int before, int f, const float *target,
                             const float *candidate)
{
    FrameWindow window = further->shape;
    window.count = int_min(before + f + 1, WINDOW_FRAMES);
    for (int i = 0; i < window.count; i++) {
        window.target[i] = frame_at(further, 0, target, first, first + f - i);
        window.candidate[i] = frame_at(further, 1, candidate, first, first + f - i);
    }
    return window;
}

void further_add(Further *further, int first, int count, const float *target, const float *candidate,
                 FurtherSums *sums)
{
    const size_t values = 3 * (size_t)further->shape.mesh->vertex_count;
    const int before = further->seen == first ? int_min(first, KEPT)
                                              : 0; /* number of stored frames that precede the block */
#pragma omp parallel for schedule(dynamic, 1) num_threads(further->threads)
    for (int f = 0; f < (sums ? count : 0); f++) {
        FrameWindow window = window_at(further, first, before, f, target, candidate);
        window.scratch = further->scratch + (size_t)omp_get_thread_num() * values;
        sums[f] = (FurtherSums){.velocity = 0.0};
        distortion_add(&window, &sums[f]);
        motion_errors_add(&window, &sums[f]);
        seams_add(&window, &sums[f]);
        sted_add(&window, &sums[f]);
    }
    /* The windows overlap, so each thread goes through consecutive frames and keeps the lengths of their
     * temporal edges, for one block of vertices after the other. */
#pragma omp parallel for schedule(static, 1) num_threads(further->threads)
    for (int part = 0; part < (sums ? further->threads : 0); part++) {
        const int from = count * part / further->threads, to = count * (part + 1) / further->threads;
        double lengths[KEPT * STED_BLOCK * 2];
        for (int begin = 0; begin < further->mesh.vertex_count; begin += STED_BLOCK)
            for (int f = from; f < to; f++) {
                const FrameWindow window = window_at(further, first, before, f, target, candidate);
                sted_time_add(&window, first + f, f == from ? KEPT : 1, begin, lengths, &sums[f]);
            }
    }
    for (int f = int_max(0, count - KEPT); f < count; f++) {
        const size_t place = (size_t)((first + f) % KEPT) * values, from = (size_t)f * values;
        memcpy(further->kept[0] + place, target + from, values * sizeof *target);
        memcpy(further->kept[1] + place, candidate + from, values * sizeof *candidate);
    }
    further->seen = first + count;
}
