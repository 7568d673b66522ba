/* The surface over which centres of rotation are integrated (CoR 3.2): the rest pose with its skinning
 * weights. Every triangle is bisected until weights differ by at most epsilon along each edge. Each piece
 * gives one sample: its area, its centroid and the mean of its corners' weights.
 *
 * N vertices, T triangles, S samples. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/runtime/skinning_method.h"

enum { WEIGHT_SURFACE_SAMPLES_MAX = 1 << 25 };

/* The non-zero weights of a vertex or sample, with joints in ascending order. */
typedef struct SparseRow {
    int count;
    const int32_t *joints;
    const double *weights;
} SparseRow;

/* Position of a vertex of the refined mesh, by barycentric coordinates in a triangle. */
typedef struct WeightSurfacePoint {
    int32_t triangle;
    double share[3];
} WeightSurfacePoint;

typedef struct WeightSurface {
    int vertex_count;   /* number N of vertices of the original mesh */
    int triangle_count; /* T */
    int sample_count;   /* S */
    int component_count;
    int32_t *vertex_component; /* [N] component of each vertex; -1 if it has no triangle and components are
                                  treated separately */
    /* Triangles, sorted by component and then by their order in the file. */
    int32_t *corners;      /* [T][3] */
    Grouping components;   /* triangles of the file grouped by component */
    int64_t *first_joint;  /* [T + 1] first joint of each triangle in `joints` */
    int32_t *joints;       /* all joints that influence a corner of the triangle */
    int32_t *first_sample; /* [T + 1] first sample of each triangle */
    int64_t *first_value;  /* [T + 1] first value of each triangle in `values`; a sample has one value per
                              joint of its triangle */
    double *values;
    int32_t *triangles; /* [S] triangle of each sample */
    double *areas;      /* [S] */
    double *centroids;  /* [S][3] */
    /* The refined mesh, which exists only with the option `refined`. Its first N points are the vertices of
     * the mesh. */
    int point_count;
    int32_t *pieces;            /* [S][3] corners */
    WeightSurfacePoint *points; /* [point_count] positions of added points; entries below N are unused */
    /* The weights of each vertex, without zeros and with duplicate joints merged. */
    int64_t *first_weight; /* [N + 1] */
    int32_t *weight_joints;
    double *weights;
} WeightSurface;

typedef struct WeightSurfaceOptions {
    double epsilon; /* maximum difference of weights along an edge, as a 2-norm */
    bool apart;     /* whether connected components are treated separately; otherwise the mesh counts as one
                       component */
    bool refined;   /* whether to store the refined mesh (pieces and points) as well */
    bool at_points; /* Whether to take three samples per triangle, at its corners, instead of one sample per
                       piece. The area of such a sample is the part of the triangle that is nearest to the
                       corner. Not allowed together with `refined`. */
} WeightSurfaceOptions;

/* Makes the surface from a mesh and the weights of its rig. Fails with STATUS_BAD_INPUT if a corner is out
 * of range or a vertex has no weight, and with STATUS_USAGE if epsilon requires more than
 * WEIGHT_SURFACE_SAMPLES_MAX pieces. Release with weight_surface_clear. */
Status weight_surface_init(const Mesh *mesh, const Rig *rig, const WeightSurfaceOptions *options,
                           WeightSurface *out);
void weight_surface_clear(WeightSurface *surface);

/* Returns the weights of a vertex of the mesh. */
SparseRow weight_surface_vertex(const WeightSurface *surface, int vertex);
/* Returns the mean weights of a sample; some may be zero. */
SparseRow weight_surface_sample(const WeightSurface *surface, int sample);
