/* Metrics of shape and motion that use edges, triangles and earlier frames. They are too slow to be
 * measured after every fit. Each of the files distortion.c, motion_errors.c, seams.c and sted.c adds the
 * contribution of one frame to the sums. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

enum { WINDOW_FRAMES = 6 }; /* number of frames in a window: a frame and those before it that metrics use */

/* An edge between vertices `low` and `high` that has two triangles. `ahead` and `behind` are the third
 * corners: the triangles are (low, high, ahead) and (high, low, behind). */
typedef struct Seam {
    int32_t low, high, ahead, behind;
} Seam;

/* A frame of target and candidate, together with the frames before it. */
typedef struct FrameWindow {
    const Mesh *mesh;
    const MeshEdge *edges; /* [edge_count] */
    const Seam *seams; /* [inner_count] edges with two triangles; the two ends of the first seam_count of them
                          belong to different joint sets */
    int edge_count, seam_count, inner_count;
    int width; /* number of temporal edges in a window of STED: WINDOW_FRAMES - 1, or fewer if the animation
                  is shorter */
    double time_step; /* virtual duration of a frame, dt in STED */
    int count;        /* number of frames available so far, 1 at the first frame */
    const float *target[WINDOW_FRAMES],
        *candidate[WINDOW_FRAMES]; /* [N][3] each; index 0 is the frame itself, 1 the frame before it */
    double *scratch;               /* [N][3] */
} FrameWindow;

/* Each function computes one kind of metric for the window's newest frame, and adds it to the sums. */
void distortion_add(const FrameWindow *window, FurtherSums *sums);
void motion_errors_add(const FrameWindow *window, FurtherSums *sums);
void seams_add(const FrameWindow *window, FurtherSums *sums);
void sted_add(const FrameWindow *window, FurtherSums *sums);

/* Adds the temporal part of STED for a block of at most STED_BLOCK vertices, which begins with vertex
 * `begin`. Callers go through the blocks in order. lengths [WINDOW_FRAMES - 1][STED_BLOCK][2] keeps the
 * lengths of the block's temporal edges between calls, those of frame f at index f % (WINDOW_FRAMES - 1). The
 * function computes the lengths of the `fresh` newest frames and reads the others. */
enum { STED_BLOCK = 256 };
void sted_time_add(const FrameWindow *window, int frame, int fresh, int begin, double *lengths,
                   FurtherSums *sums);

/* Finds edges with a triangle on both sides; edges between vertices of different joint sets come first
 * (none if `rig` is NULL). rows [N] gives the row of the rig for each vertex; NULL means that row v belongs
 * to vertex v. Release *seams with memory_free. */
Status seams_find(const Mesh *mesh, const Rig *rig, const int32_t *rows, const MeshEdge *edges,
                  int edge_count, Seam **seams, int *seam_count, int *inner_count);

/* Measures how far a rig is from the true one, in the variant `rignet` of score.h, with joints paired by
 * name. rows [vertices of mesh] is as in FurtherRigs. All numbers are NAN if either is not a rig, or has more
 * than SCORE_JOINTS_MAX joints; those of weights are NAN if a joint has no name of the true rig. */
Status rig_truth_find(const Mesh *mesh, const Rig *truth, const Rig *rig, const int32_t *rows, RigTruth *out);

/* The rigs of target (truth) and candidate, if they have any. */
typedef struct FurtherRigs {
    const Rig *truth, *rig;
    const int32_t *rows; /* [N] row of the candidate's rig for each vertex; NULL: row v for vertex v */
} FurtherRigs;

/* State of the pass over the frames, which must be added in order. */
typedef struct Further Further;
Status further_open(const Mesh *mesh, const FurtherRigs *rigs, int frame_count, double diagonal, int threads,
                    Further **out);
void further_close(Further *further);
DEFINE_OWNED_BY(Further, further_close)

/* Measures `count` frames from index `first` on. Both sides are given as [count][N][3]. sums [count]
 * receives the sums of each frame. If `sums` is NULL, the frames are only stored, because metrics of later
 * frames need them. */
void further_add(Further *further, int first, int count, const float *target, const float *candidate,
                 FurtherSums *sums);

/* Adds the sums of one frame to the sums over all frames. */
void further_sum(FurtherSums *sums, const FurtherSums *frame);

/* Returns the comparison of the rigs, which does not depend on frames. */
const RigTruth *further_truth(const Further *further);
