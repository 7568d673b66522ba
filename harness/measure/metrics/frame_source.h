/* Frames to measure, wherever they come from: stored positions, a rig posed by linear blend skinning in
 * double, or a low-rank model multiplied out. Read in blocks, so that neither a long
 * animation nor what a model makes of it need be in memory at once. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/ranks.h"
#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include "harness/measure/metrics/metrics.h"

typedef struct FrameSource FrameSource;

typedef enum FrameOrigin { FRAMES_STORED, FRAMES_POSED, FRAMES_CORRECTED, FRAMES_LOW_RANK } FrameOrigin;

/* "stored positions", "rig", "rig with corrections" (LowRank in dataset.h), "low-rank model". */
const char *frame_origin_name(FrameOrigin origin);

/* Opens a data set file, its vertices in their original order (datasets/model/vertex_order.h). Stored
 * positions are taken if there are any, else the rig, else the low-rank model; STATUS_BAD_INPUT when it has
 * none of these. While it reads, `progress` (may be NULL) is asked whether to stop. Release with
 * frame_source_close (NULL is allowed). */
Status frame_source_open(const char *path, int threads, const Progress *progress, FrameSource **out);

/* Frames of parts in memory, which must outlive the source; the first that is not empty is taken. low_rank
 * and animation may be NULL. `name` is for messages. */
Status frame_source_of_parts(const char *name, const Mesh *mesh, const Animation *animation, const Rig *rig,
                             const LowRank *low_rank, int threads, FrameSource **out);
void frame_source_close(FrameSource *source);

/* What is measured against this target is shared between ranks, frame by frame: every rank calls the
 * functions below, and has the metrics. Not with a sink, nor with frames held out. */
void frame_source_share(FrameSource *target, const Ranks *ranks);

const char *frame_source_name(const FrameSource *source);
int frame_source_frame_count(const FrameSource *source);
FrameOrigin frame_source_origin(const FrameSource *source);

/* What the file holds but its positions; NULL: the source is of parts in memory. */
const Dataset *frame_source_dataset(const FrameSource *source);

/* Frames first to first + count - 1 into positions [count][N][3]. */
Status frame_source_read(FrameSource *source, int first, int count, float *positions);

/* Frames 0, step, 2 step, ... into positions [count][N][3]. */
Status frame_source_read_every(FrameSource *source, int step, int count, float *positions);

/* The metrics of two sources, block by block: of each, memory holds 32 MB of positions, or eight frames of
 * a large mesh, and besides some 240 bytes a vertex and what metrics_stream_bound says, however many frames
 * there are. Where memory has a limit (memory.h: --memory of a fit, --memory-limit) blocks take half of what
 * it leaves, down to one frame, which is slower: eight are measured in the time of one. Frames are read once,
 * as a rule (metrics_stream_wants_sample); on the threads of the target, whose order of vertices is that of
 * the distances: a candidate of parts in another is brought into it. The target must have stored positions.
 * STATUS_BAD_INPUT names both sources and both counts where they differ. */
Status frame_sources_measure(FrameSource *target, FrameSource *candidate, Metrics *out);

/* Distances of the vertices of some frames, in the target's unit. */
typedef struct DistanceBlock {
    int frame_count, vertex_count; /* of all that is measured, F and N */
    int first, count;              /* which of the frames */
    const float *distances;        /* [count][N] */
} DistanceBlock;

/* Where the distance of every vertex in every frame goes, block by block in the order of the frames. */
typedef struct DistanceSink {
    Status (*take)(void *context, const DistanceBlock *block); /* NULL: nowhere */
    void *context;
} DistanceSink;

/* The same with the single distances. progress: as below. */
Status frame_sources_measure_each(FrameSource *target, FrameSource *candidate, const Progress *progress,
                                  DistanceSink sink, Metrics *out);

/* The same apart for the frames that are and are not held out when every K-th is (methods/fitting/holdout.h):
 * sizes are those of the whole target's first frame, means are over the frames of a part. every 0 or more
 * frames than there are: *held stays empty (frame_count 0). progress: asked before every block whether to
 * stop (STATUS_STOPPED); may be NULL. */
Status frame_sources_measure_apart(FrameSource *target, FrameSource *candidate, int every,
                                   const Progress *progress, Metrics *fitted, Metrics *held);
