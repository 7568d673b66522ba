/* Interface to a public program that fits bones and weights, so that it can be measured like `skinbench
 * fit`. It is implemented by a shared library that scripts/build-peer makes from the program's sources and
 * a shim in C++. The library is optional and not part of the build.
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
    int bone_count, influence_count; /* largest P and K */
    int iterations;                  /* the main loop has at most this number of iterations */
    int threads;
    double time_limit_s; /* time after which no iteration begins; 0: no limit */
    double smooth;       /* factor of the program's smoothing term for weights */
    double affine; /* factor of the term that keeps a bone's translations close to an affine function of the
                      translations of other bones */
    const float *rest;        /* [N][3] rest positions, which the fit must not change */
    const float *targets;     /* [F][N][3] */
    const int32_t *triangles; /* [T][3] */
} FitPeerTask;

/* The model that a fit fills in. The caller allocates the arrays for the task's P bones and K
 * influences. */
typedef struct FitPeerModel {
    int bone_count;     /* number of bones with transformations, 1 to P */
    int is_limited;     /* whether the time limit ended the fit */
    double *transforms; /* [F][P][3][4] matrices that map rest-pose points to posed points */
    int32_t *joints;    /* [N][K] joints, zero on entry. Unused slots have joint 0 and weight 0. */
    double *weights;    /* [N][K] weights, zero on entry. Each row sums to 1 except for rounding. */
} FitPeerModel;

typedef struct FitPeerFunctions {
    int abi;           /* FIT_PEER_ABI */
    const char *name;  /* "dem-bones" */
    const char *title; /* name and build of the program, in one line */
    /* Fits a model. Returns NULL, or the reason for failure; the text outlives the call. */
    const char *(*fit)(const FitPeerTask *task, FitPeerModel *model);
} FitPeerFunctions;

/* The function that a library exports under the name FIT_PEER_SYMBOL. */
#define FIT_PEER_SYMBOL "skinbench_fit_peer"
const FitPeerFunctions *skinbench_fit_peer(void);

#ifdef __cplusplus
}
#endif
