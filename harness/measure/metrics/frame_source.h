/* Frames to measure: stored positions, a rig posed by linear blend skinning in double, or the product of a
 * low-rank model. Frames are read in blocks, so that neither an animation nor a posed model needs to be in
 * memory as a whole. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

typedef enum FrameOrigin { FRAMES_STORED, FRAMES_POSED, FRAMES_CORRECTED, FRAMES_LOW_RANK } FrameOrigin;

/* A source of frames. The caller may set the members for targets before frames are measured. */
typedef struct FrameSource {
    char *name; /* for messages */
    FrameOrigin origin;
    int frame_count;
    const Dataset *dataset; /* contents of the file except positions; NULL if made from parts in memory */
    /* For targets only. Several `ranks` (NULL: one) share the frames: each rank calls the functions below
     * and gets all metrics, but cannot have a sink or held-out frames. `further` requests the slower
     * metrics (Metric.further), if no frames are held out. */
    const Ranks *ranks;
    bool further;
    /* of frame_source.c */
    const Mesh *mesh;
    const Rig *rig;
    const LowRank *low_rank;
    const float *positions; /* stored positions; NULL if `reader` provides them */
    struct DatasetReader *reader;
    struct Skinner *skinner;
    int threads;
} FrameSource;

/* Returns "stored positions", "rig", "rig with corrections" (LowRank in dataset.h) or "low-rank model". */
const char *frame_origin_name(FrameOrigin origin);

/* Opens a data set file, with vertices in their original order (datasets/model/vertex_order.h). Uses stored
 * positions if there are any, else the rig, else the low-rank model; STATUS_BAD_INPUT if there is none.
 * `progress` (may be NULL) can stop the reading. Release with frame_source_close. */
Status frame_source_open(const char *path, int threads, const Progress *progress, FrameSource **out);

/* Opens parts in memory, which must outlive the source. Uses the first of animation, rig and low_rank that
 * is not empty; animation and low_rank may be NULL. `name` appears in messages. */
Status frame_source_of_parts(const char *name, const Mesh *mesh, const Animation *animation, const Rig *rig,
                             const LowRank *low_rank, int threads, FrameSource **out);
/* Closes a source; it may be NULL. */
void frame_source_close(FrameSource *source);
DEFINE_OWNED_BY(FrameSource, frame_source_close)

/* Reads frames first to first + count - 1 into positions [count][N][3]. */
Status frame_source_read(FrameSource *source, int first, int count, float *positions);

/* Reads frames 0, step, 2 step, ... into positions [count][N][3]. */
Status frame_source_read_every(FrameSource *source, int step, int count, float *positions);

/* Computes all metrics of `candidate` against `target`, which must have stored positions. Reads both in
 * blocks, with the number of threads of the target. If the numbers of vertices or frames differ, the
 * message of STATUS_BAD_INPUT names both sources and both numbers. */
Status frame_sources_measure(FrameSource *target, FrameSource *candidate, Metrics *out);

/* Distances of the vertices of some frames, in the target's unit. */
typedef struct DistanceBlock {
    int frame_count, vertex_count; /* F and N of the whole animation */
    int first, count;              /* first frame of this block, and its number of frames */
    const float *distances;        /* [count][N] */
} DistanceBlock;

/* Receives the distance of every vertex in every frame, block by block in the order of the frames. */
typedef struct DistanceSink {
    Status (*take)(void *context, const DistanceBlock *block); /* NULL: nowhere */
    void *context;
} DistanceSink;

/* Computes the metrics and passes every distance to `sink`, in the target's order of vertices. `progress`
 * (may be NULL) can stop before every block (STATUS_STOPPED). */
Status frame_sources_measure_each(FrameSource *target, FrameSource *candidate, const Progress *progress,
                                  DistanceSink sink, Metrics *out);

/* Measures fitted and held-out frames (every K-th, methods/fitting/holdout.h) separately. Sizes come from
 * the target's first frame; means over frames are those of each part. `held` stays empty (frame_count 0) if
 * `every` is 0 or exceeds the number of frames. `progress` may be NULL. */
Status frame_sources_measure_apart(FrameSource *target, FrameSource *candidate, int every,
                                   const Progress *progress, Metrics *fitted, Metrics *held);
