/* The surface that centres of rotation are integrated over (CoR 3.2): the rest pose with its skinning
 * weights, every triangle bisected until weights differ by at most epsilon along each edge, and one sample
 * per piece: its area, its centroid and the mean of its corners' weights.
 *
 * N vertices, T triangles, S samples. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/runtime/skinning_method.h"

enum { WEIGHT_SURFACE_SAMPLES_MAX = 1 << 25 };

/* Weights row by row without their zeros; joints ascend within a row. */
typedef struct SparseRow {
    int count;
    const int32_t *joints;
    const double *weights;
} SparseRow;

/* Where a vertex of the refined mesh lies: barycentric coordinates in a triangle. */
typedef struct WeightSurfacePoint {
    int32_t triangle;
    double share[3];
} WeightSurfacePoint;

typedef struct WeightSurface {
    int vertex_count;   /* N, of the mesh */
    int triangle_count; /* T */
    int sample_count;   /* S */
    int component_count;
    int32_t *vertex_component; /* [N] -1 for a vertex of no triangle when components are apart */
    /* Triangles stand in the order of their components, then of the file. */
    int32_t *corners;      /* [T][3] */
    Grouping components;   /* triangles of the file by component; first: those of this order */
    int64_t *first_joint;  /* [T + 1] into joints */
    int32_t *joints;       /* of a triangle: all that move a corner */
    int32_t *first_sample; /* [T + 1] samples of a triangle stand together */
    int64_t *first_value;  /* [T + 1] into values; a sample has a value per joint of its triangle */
    double *values;
    int32_t *triangles; /* [S] the triangle a sample lies in */
    double *areas;      /* [S] */
    double *centroids;  /* [S][3] */
    /* Only when asked for: the refined mesh, its first N vertices those of the mesh. */
    int point_count;
    int32_t *pieces;            /* [S][3] corners */
    WeightSurfacePoint *points; /* [point_count] meaningless below N */
    /* The vertices' own weights, zeros dropped, joints listed twice merged. */
    int64_t *first_weight; /* [N + 1] */
    int32_t *weight_joints;
    double *weights;
} WeightSurface;

typedef struct WeightSurfaceOptions {
    double epsilon; /* greatest difference of weights along an edge, as a 2-norm */
    bool apart;     /* components are separate; else the whole mesh counts as one */
    bool refined;   /* pieces and points are wanted */
    bool at_points; /* instead of pieces three samples per triangle: its corners, with the share of its area
                     * that is nearest to each; without `refined` */
} WeightSurfaceOptions;

/* STATUS_BAD_INPUT names a corner out of range or a vertex without weight; STATUS_USAGE an epsilon that needs
 * more than WEIGHT_SURFACE_SAMPLES_MAX pieces. Release with weight_surface_clear. */
Status weight_surface_init(const Mesh *mesh, const Rig *rig, const WeightSurfaceOptions *options,
                           WeightSurface *out);
void weight_surface_clear(WeightSurface *surface);

/* Weights of a vertex of the mesh. */
SparseRow weight_surface_vertex(const WeightSurface *surface, int vertex);
/* Mean weights of a sample; zeros may stand in it. */
SparseRow weight_surface_sample(const WeightSurface *surface, int sample);
