/* State of Delta Mush for a bound rig, shared by its files. */
#pragma once

#include "methods/posing/laplacian_filter.h"
#include "methods/runtime/skinning_method.h"

#include "datasets/geometry/points.h"
#include "datasets/model/welding.h"

/* Ways to find the rotation of a vertex's detail. */
typedef enum Turn {
    TURN_FRAME, /* rotation from the tangent frame of the smoothed rest pose to that of the smoothed posed
                   surface */
    TURN_NEIGHBOURS, /* rotation that best fits the motion of the vertex's neighbours */
    TURN_PIECE       /* rotation that best fits the motion of the whole connected component */
} Turn;

/* A term v'_k s^T of the motion of a patch, where v'_k is the skinned position of vertex k. */
typedef struct PatchTerm {
    int32_t vertex;  /* k, in the file's order */
    double share[3]; /* s = b_k (u_k - c), where c is the mean of the rest positions u with weights b */
} PatchTerm;

/* State of a binding. Vertices in the same place are welded into one; there are W welded vertices. */
typedef struct MushState {
    Welding welding;
    Laplacian laplacian;
    double *places;      /* [W][3] positions p of the smoothed rest pose */
    double *frames;      /* [W][3][3] tangent frames of the smoothed rest pose; zero if there is none */
    double *normals;     /* [N][3] normals of the rest pose, of unit length or zero */
    int32_t *neighbours; /* [W] neighbour to which each vertex's tangent points; -1 if the vertex has none */
    uint8_t *turns;      /* [W] Turn */
    bool has_frames;     /* whether some vertex turns with its tangent frame */
    int width;        /* number of columns that are smoothed per coordinate: 4 if some vertex turns with its
                        neighbours and has no patch, else 1 */
    double *columns;  /* [W][12] smoothed 3 x 4 matrices v' (u, 1)^T of a frame, where u is the rest position;
                        or only v', smoothed */
    double *smoothed; /* [W][3] */
    double *rotations; /* [W][3][3] */
    int32_t *patches;  /* [W] patch with which a vertex turns, or -1 */
    PatchTerm *terms;  /* terms of all patches, one patch after the other */
    int64_t term_count;
    int patch_count;
    int64_t *patch_ends;             /* [patch_count] end of the terms of each patch */
    double (*patch_rotations)[3][3]; /* [patch_count] */
    char note[256];
    /* For float backends: the passes of the smoothing, and the triangles around each vertex. */
    LaplacianFilter filter; /* pass_count is 0 if frames are processed one by one in mush_frame */
    bool in_floats;         /* whether frames are smoothed and turned in floats; otherwise in doubles */
    double unit;            /* length of the unit of coordinates in lanes */
    int64_t *first_corner;  /* [W + 1] vertex w has corners first_corner[w] to first_corner[w + 1] - 1 */
    int32_t (*corners)[2];  /* the two other vertices of the triangle at each corner */
    char *lanes;            /* [lanes_size] working memory of all threads */
    size_t lanes_size;
} MushState;

/* Frames that are processed side by side. */
typedef struct FrameBlock {
    const SkinningBinding *binding;
    const MushState *mush;
    int frame_count;
    double *positions, *normals; /* [frame_count][N][3] */
    void *memory;
} FrameBlock;

/* Process at most `lanes` frames: 1 or 8, or 16 in floats. */
void mush_block_doubles(const FrameBlock *frames, int lanes);
void mush_block_floats(const FrameBlock *frames, int lanes);

/* Prepares the state for mush_lanes. Leaves the filter empty if the smoothing needs a solver, or if some
 * vertex needs smoothed columns (MushState.width). */
Status mush_lanes_bind(MushState *mush, int iterations);

/* Applies Delta Mush to skinned positions [frame_count][N][3] and normals or NULL, for several frames side by
 * side. */
Status mush_lanes(const SkinningBinding *binding, MushState *mush, int frame_count, double *positions,
                  double *normals);
