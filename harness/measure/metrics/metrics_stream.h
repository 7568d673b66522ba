/* The metrics of animations that arrive in parts. In double, in a fixed order of summation that does not
 * depend on the number of threads or on the blocks in which frames arrive. */
#pragma once

#include "datasets/base/ranks.h"
#include "harness/measure/metrics/further.h"

/* Open with the target's first frame [N][3], add blocks of frames (target
 * and candidate, [count][N][3]) in order, finish. mesh gives the triangles; holes are closed by fans for its
 * volume. The result does not depend on the number of threads or on the blocks; blocks of LANES frames, or a
 * multiple of them, are fastest (block_errors.h). Kept are some 130 bytes per vertex, while a stream is
 * opened 240, the distances of the last block, and of all distances a tenth, for the percentiles, unless
 * these are bound (below). Over ranks (NULL: alone) each adds the frames of its share (ranks_even_share), and
 * all have the metrics in the end, equal to those of one rank but for rounding.
 * metrics_stream_close is needed on every path; NULL is allowed. */
typedef struct MetricsStream MetricsStream;
/* STATUS_BAD_INPUT when the first frame is one point, or not finite. */
Status metrics_stream_open(const Mesh *mesh, const float *first_frame, int frame_count, int threads,
                           const Ranks *ranks, MetricsStream **out);
/* STATUS_BAD_INPUT when a value is not finite, or more frames come than were announced. */
Status metrics_stream_add(MetricsStream *stream, int count, const float *target, const float *candidate);

/* Before frames are added: measures what takes longer, too (Metric.further), of frames that follow each
 * other; some 170 bytes per vertex more. The rigs must outlive the stream. */
Status metrics_stream_further(MetricsStream *stream, const FurtherRigs *rigs);

/* Where a rank's share begins: how many of the frames before it metrics_stream_lead is to be given first. */
int metrics_stream_wants_lead(const MetricsStream *stream);
void metrics_stream_lead(MetricsStream *stream, int first, int count, const float *target,
                         const float *candidate);

/* Before all that is below: percentiles of frames that can be had again, in no more than 32 MB and 0.5 MB a
 * thread, or, where memory has a limit (memory.h), an eighth of what it leaves for the former; on all ranks
 * together. Few distances are kept all the same. */
Status metrics_stream_bound(MetricsStream *stream);

/* Where metrics_stream_wants_sample, some frames from everywhere are to be counted and then aimed at, before
 * all frames are added. Where metrics_stream_resolve then gives false, as the sample was none of the whole,
 * aim, count all frames, and settle again: it gives true. The percentiles are exact either way, and the same
 * for any sample. */
bool metrics_stream_wants_sample(const MetricsStream *stream);
Status metrics_stream_count(MetricsStream *stream, int count, const float *target, const float *candidate);
void metrics_stream_aim(MetricsStream *stream);
bool metrics_stream_resolve(MetricsStream *stream);
void metrics_stream_close(MetricsStream *stream);
DEFINE_OWNED_BY(MetricsStream, metrics_stream_close)

/* [count][N] The distance of every vertex in the frames that were added last, in the target's unit. The
 * stream's own. */
const float *metrics_stream_distances(const MetricsStream *stream);

/* STATUS_BAD_INPUT when fewer frames came than were announced. Release with metrics_clear. */
Status metrics_stream_finish(MetricsStream *stream, Metrics *out);
/* unit_radius of a target's first frame alone. */
Status metrics_unit_radius(const Animation *target, int vertex_count, double *radius);
