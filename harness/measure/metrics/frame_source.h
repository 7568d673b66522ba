/* Frames to measure: stored positions, a rig posed by linear blend skinning in double, or a low-rank model
 * multiplied out. Frames are read in blocks: neither an animation nor a posed model is in memory as a
 * whole. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

typedef enum FrameOrigin { FRAMES_STORED, FRAMES_POSED, FRAMES_CORRECTED, FRAMES_LOW_RANK } FrameOrigin;

/* Opened by the functions below. As a target it may be told more before frames are measured against it. */
typedef struct FrameSource {
    char *name; /* for messages */
    FrameOrigin origin;
    int frame_count;
    const Dataset *dataset; /* contents of the file except positions; NULL if made from parts in memory */
    /* For a target only. `ranks` share its frames: each calls the functions below and gets the metrics,
     * without sink or held-out frames (NULL: one rank). `further` asks for the slower metrics, too
     * (Metric.further), if no frames are held out. */
    const Ranks *ranks;
    bool further;
    /* of frame_source.c */
    const Mesh *mesh;
    const Rig *rig;
    const LowRank *low_rank;
    const float *positions; /* NULL if the reader provides them */
    struct DatasetReader *reader;
    struct Skinner *skinner;
    int threads;
} FrameSource;

/* "stored positions", "rig", "rig with corrections" (LowRank in dataset.h), "low-rank model". */
const char *frame_origin_name(FrameOrigin origin);

/* Opens a data set file, with vertices in their original order (datasets/model/vertex_order.h). Uses stored
 * positions if there are any, else the rig, else the low-rank model; STATUS_BAD_INPUT: there is none.
 * `progress` is asked while reading whether to stop; it may be NULL. Release with frame_source_close. */
Status frame_source_open(const char *path, int threads, const Progress *progress, FrameSource **out);

/* Opens parts in memory, which must outlive the source. Uses the first of animation, rig and low_rank that is
 * not empty; low_rank and animation may be NULL. `name` is for messages. */
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
 * blocks, on the target's threads. STATUS_BAD_INPUT names both sources and counts if they differ. */
Status frame_sources_measure(FrameSource *target, FrameSource *candidate, Metrics *out);

/* Distances of the vertices of some frames, in the target's unit. */
typedef struct DistanceBlock {
    int frame_count, vertex_count; /* of everything that is measured, F and N */
    int first, count;              /* range of frames in this block */
    const float *distances;        /* [count][N] */
} DistanceBlock;

/* Receives the distance of every vertex in every frame, block by block in the order of the frames. */
typedef struct DistanceSink {
    Status (*take)(void *context, const DistanceBlock *block); /* NULL: nowhere */
    void *context;
} DistanceSink;

/* Computes the metrics and passes every distance to `sink`, in the target's order of vertices. `progress` is
 * asked before every block whether to stop (STATUS_STOPPED); it may be NULL. */
Status frame_sources_measure_each(FrameSource *target, FrameSource *candidate, const Progress *progress,
                                  DistanceSink sink, Metrics *out);

/* Measures fitted and held-out frames (every K-th, methods/fitting/holdout.h) separately. Sizes come from the
 * target's first frame, means are per part. `held` stays empty (frame_count 0) if `every` is 0 or above
 * the frame count. `progress` may be NULL. */
Status frame_sources_measure_apart(FrameSource *target, FrameSource *candidate, int every,
                                   const Progress *progress, Metrics *fitted, Metrics *held);
