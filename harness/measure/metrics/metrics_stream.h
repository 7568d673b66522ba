/* Metrics of animations that arrive in parts. They are computed in double, in an order of summation that
 * does not depend on the number of threads or on the blocks in which frames arrive. */
#pragma once

#include "datasets/base/ranks.h"
#include "harness/measure/metrics/further.h"

/* Metrics of an animation. Open with the target's first frame [N][3], add blocks of frames (target and
 * candidate, [count][N][3]) in order, then finish. `mesh` gives the triangles; holes are closed by fans to
 * compute its volume. Blocks of a multiple of LANES frames are fastest (block_errors.h).
 *
 * The stream needs some 130 bytes per vertex (240 while opening), the distances of the last block and, for
 * the percentiles, a tenth of all distances unless metrics_stream_bound limits them. Each of several ranks
 * (NULL: one) adds the frames of its share (ranks_even_share). All ranks get the same metrics, equal to
 * those of one rank except for rounding. Always call metrics_stream_close, which accepts NULL. */
typedef struct MetricsStream MetricsStream;
/* Opens a stream. STATUS_BAD_INPUT if the first frame is a single point or not finite. */
Status metrics_stream_open(const Mesh *mesh, const float *first_frame, int frame_count, int threads,
                           const Ranks *ranks, MetricsStream **out);
/* Adds frames. STATUS_BAD_INPUT if a value is not finite or there are more frames than announced. */
Status metrics_stream_add(MetricsStream *stream, int count, const float *target, const float *candidate);

/* Requests the slower metrics as well (Metric.further). Call it before adding frames, which must then be
 * consecutive. Needs another 170 bytes per vertex. The rigs must outlive the stream. */
Status metrics_stream_further(MetricsStream *stream, const FurtherRigs *rigs);

/* Returns the number of frames before this rank's share that must first be passed to
 * metrics_stream_lead. */
int metrics_stream_wants_lead(const MetricsStream *stream);
void metrics_stream_lead(MetricsStream *stream, int first, int count, const float *target,
                         const float *candidate);

/* Bounds the memory of percentiles, if frames can be read twice. Call it before the functions below, on all
 * ranks together. The bound is 32 MB plus 0.5 MB per thread. With a memory limit (memory.h), an eighth of
 * the remaining memory replaces the 32 MB. If there are few distances, all of them are stored anyway. */
Status metrics_stream_bound(MetricsStream *stream);

/* If metrics_stream_wants_sample returns true, count a sample of frames from the whole animation and call
 * metrics_stream_aim before adding all frames. If metrics_stream_resolve then returns false, the sample was
 * not representative. In this case, call metrics_stream_aim again, count all frames, and call
 * metrics_stream_resolve, which then succeeds. The percentiles are always exact and do not depend on the
 * sample. */
bool metrics_stream_wants_sample(const MetricsStream *stream);
Status metrics_stream_count(MetricsStream *stream, int count, const float *target, const float *candidate);
void metrics_stream_aim(MetricsStream *stream);
bool metrics_stream_resolve(MetricsStream *stream);
void metrics_stream_close(MetricsStream *stream);
DEFINE_OWNED_BY(MetricsStream, metrics_stream_close)

/* Returns the distances [count][N] of all vertices in the frames added last, in the target's unit. The
 * stream owns the array. */
const float *metrics_stream_distances(const MetricsStream *stream);

/* Computes the metrics. STATUS_BAD_INPUT if there were fewer frames than announced. Release with
 * metrics_clear. */
Status metrics_stream_finish(MetricsStream *stream, Metrics *out);
/* Computes only unit_radius from a target's first frame. */
Status metrics_unit_radius(const Animation *target, int vertex_count, double *radius);
