/* The seam to a public program that fits bones and weights, too, to be measured as `skinbench fit` measures
 * its own: a shared library that scripts/build-peer makes of that program's sources and a shim in C++. Never
 * needed, and no part of the build.
 *
 * F frames, N vertices, T triangles, P bones, K influences. Compiled as C and C++. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FIT_PEER_ABI = 1 };

typedef struct FitPeerTask {
    int frame_count, vertex_count, triangle_count;
    int bone_count, influence_count; /* P and K at most */
    int iterations;                  /* of the main loop, at most */
    int threads;
    double time_limit_s;      /* no iteration begins after it; 0: none */
    double smooth;            /* what the program weighs smooth weights with */
    double affine;            /* what it weighs translations with that are affine to those of other bones */
    const float *rest;        /* [N][3], which is kept */
    const float *targets;     /* [F][N][3] */
    const int32_t *triangles; /* [T][3] */
} FitPeerTask;

/* Allocated by the caller for P and K of the task. */
typedef struct FitPeerModel {
    int bone_count;     /* of which there are transformations: 1 to P */
    int is_limited;     /* whether the time limit ended the fit */
    double *transforms; /* [F][P][3][4] rest-pose point to posed point */
    int32_t *joints;    /* [N][K] zero before; unused slots: joint 0, weight 0 */
    double *weights;    /* [N][K] zero before; rows sum to 1 to rounding */
} FitPeerModel;

typedef struct FitPeerFunctions {
    int abi;           /* FIT_PEER_ABI */
    const char *name;  /* "dem-bones" */
    const char *title; /* what it is and how it was built, in a line */
    /* NULL, or why there is no model, in a text that outlives the call. */
    const char *(*fit)(const FitPeerTask *task, FitPeerModel *model);
} FitPeerFunctions;

/* What a library exports, under the name FIT_PEER_SYMBOL. */
#define FIT_PEER_SYMBOL "skinbench_fit_peer"
const FitPeerFunctions *skinbench_fit_peer(void);

#ifdef __cplusplus
}
#endif
