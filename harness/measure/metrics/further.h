/* Metrics of shape and motion that look at edges, triangles and frames before: too slow for what every fit is
 * measured by. A file for each: distortion.c, motion_errors.c, seams.c, sted.c; they add what one frame
 * gives. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

enum { WINDOW_FRAMES = 6 }; /* a frame, and those before it that a metric looks at */

/* An edge of two triangles, (low, high, ahead) and (high, low, behind). */
typedef struct Seam {
    int32_t low, high, ahead, behind;
} Seam;

/* A frame of both sides and those before it. */
typedef struct FrameWindow {
    const Mesh *mesh;
    const MeshEdge *edges; /* [edge_count] */
    const Seam *seams;     /* [inner_count] the first seam_count between joint sets */
    int edge_count, seam_count, inner_count;
    int width;        /* temporal edges in a window of STED: WINDOW_FRAMES - 1, or all there are */
    double time_step; /* the virtual length of a frame, STED's dt */
    int count;        /* of frames that there are: 1 at the first frame */
    const float *target[WINDOW_FRAMES],
        *candidate[WINDOW_FRAMES]; /* [N][3]; 0: the frame, 1: the one before */
    double *scratch;               /* [N][3] */
} FrameWindow;

/* Each adds to the sums of the window's frame. */
void distortion_add(const FrameWindow *window, FurtherSums *sums);
void motion_errors_add(const FrameWindow *window, FurtherSums *sums);
void seams_add(const FrameWindow *window, FurtherSums *sums);
void sted_add(const FrameWindow *window, FurtherSums *sums);

/* Edges that have a triangle on both sides, first those between vertices of different joint sets; rig NULL:
 * there are none of these. rows [N] says which row of the rig each vertex has; NULL: its own. Release *seams
 * with memory_free. */
Status seams_find(const Mesh *mesh, const Rig *rig, const int32_t *rows, const MeshEdge *edges,
                  int edge_count, Seam **seams, int *seam_count, int *inner_count);

/* How far a rig is from the true one (Xu et al. 2020, RigNet, section 7): NAN where one of them is none, and
 * of the weights where its joints have other names. */
Status rig_truth_find(const Rig *truth, const Rig *rig, const int32_t *rows, int vertex_count, RigTruth *out);

/* The rigs of a target and a candidate, if they have any. */
typedef struct FurtherRigs {
    const Rig *truth, *rig;
    const int32_t *rows; /* [N] the candidate's row of each vertex; NULL: its own */
} FurtherRigs;

/* The pass over the frames, in order. */
typedef struct Further Further;
Status further_open(const Mesh *mesh, const FurtherRigs *rigs, int frame_count, double diagonal, int threads,
                    Further **out);
void further_close(Further *further);
DEFINE_OWNED_BY(Further, further_close)

/* Frames first to first + count - 1, [count][N][3] of both sides, whose sums go to sums [count]; NULL: they
 * are only those before others. */
void further_add(Further *further, int first, int count, const float *target, const float *candidate,
                 FurtherSums *sums);

/* Adds the sums of one frame to those of others. */
void further_sum(FurtherSums *sums, const FurtherSums *frame);

/* What the rigs say, which is of no frame. */
const RigTruth *further_truth(const Further *further);
