/* Interface to a public program that skins, so that it can be timed beside ours in the same rounds: a
 * shared library that scripts/build-peer makes from that program's sources and a shim in C++. It is
 * optional and not part of the build.
 *
 * Linear blend skinning (SBS eq. 1) of positions only. P joints, N vertices, K influences. Compiled as C
 * and C++. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_ABI = 1 };

typedef struct PeerRig {
    int vertex_count, joint_count, influence_count;
    const float *rest;      /* [N][3] */
    const uint16_t *joints; /* [N][K] unused slots: joint 0, weight 0 */
    const float *weights;   /* [N][K] rows sum to 1 */
} PeerRig;

typedef struct PeerFunctions {
    int abi;           /* PEER_ABI */
    const char *name;  /* name in records: "ozz" */
    const char *title; /* what it is and how it was built, in one line */
    /* Work done once per rig, whose arrays outlive the state. NULL if out of memory or the rig cannot be
     * used. */
    void *(*bind)(const PeerRig *rig);
    /* Skins one frame from transforms [P][3][4], rest-pose point to posed point, which the program receives
     * from elsewhere; any conversion is part of its work. Writes positions [N][3], packed in file order.
     * Returns 0 on failure. */
    int (*skin)(void *state, const double *transforms, float *positions);
    void (*release)(void *state);
} PeerFunctions;

/* The function that a peer's library exports, named PEER_SYMBOL. */
#define PEER_SYMBOL "skinbench_peer"
const PeerFunctions *skinbench_peer(void);

#ifdef __cplusplus
}
#endif
