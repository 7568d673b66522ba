/* How far a candidate animation is from its target. In double, in a fixed order of summation that does not
 * depend on the number of threads or on the blocks in which frames arrive. A is the target, B the candidate,
 * both F frames of N vertices. */
#ifndef SKINBENCH_METRICS_METRICS_H
#define SKINBENCH_METRICS_METRICS_H

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"

typedef struct Metrics {
    int frame_count, vertex_count;
    double unit_radius;            /* of the smallest ball around the target's first frame */
    double diagonal;               /* of the bounding box of the target's first frame */
    double e_rms;                  /* 1000 ||A - B||_F / (unit_radius sqrt(3NF)) (FESAM section 5) */
    double kg_percent;             /* 100 ||A - B||_F / ||A - mean over frames||_F (Karni and Gotsman 2004) */
    double kg_percent_vertex_mean; /* as above, each frame's mean over the vertices subtracted instead */
    double distance_max;           /* vertex distances, as shares of the diagonal */
    double distance_p95,
        distance_p99; /* the least distance that this share of all vertices does not exceed */
    double normal_deviation_mean_degrees, normal_deviation_max_degrees; /* of area-weighted vertex normals */
    double volume_change_percent_min,
        volume_change_percent_max;           /* signed volume against the target's, by frame */
    double edge_stretch_max;                 /* greatest length of an edge over its length in the target */
    double edge_collapse_min;                /* least */
    double *e_rms_per_frame;                 /* [F] */
    double *volume_change_percent_per_frame; /* [F] */
} Metrics;

/* A value that does not exist (a static target has no kg_percent, a flat mesh no volume) is NAN and written
 * as null. Holes of a mesh are closed by fans for its volume. mesh gives the triangles. STATUS_BAD_INPUT when
 * a value is not finite or the first frame is one point. Release with metrics_clear. */
Status metrics_measure(const Mesh *mesh, const Animation *target, const Animation *candidate, Metrics *out);
void metrics_clear(Metrics *metrics);

/* The same for animations that arrive in parts: open with the target's first frame [N][3], add blocks of
 * frames (target and candidate, [count][N][3]) in order, finish. Only one number per vertex and frame is
 * kept. metrics_stream_close is needed on every path; NULL is legal. */
typedef struct MetricsStream MetricsStream;
Status metrics_stream_open(const Mesh *mesh, const float *first_frame, int frame_count, MetricsStream **out);
Status metrics_stream_add(MetricsStream *stream, int count, const float *target, const float *candidate);
/* STATUS_BAD_INPUT when fewer frames came than were announced. */
Status metrics_stream_finish(MetricsStream *stream, Metrics *out);
void metrics_stream_close(MetricsStream *stream);

/* unit_radius of a target's first frame alone. */
Status metrics_unit_radius(const Animation *target, int vertex_count, double *radius);

#endif
