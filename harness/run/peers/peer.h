/* The seam to a public program that skins too, to be timed beside ours in the same rounds: a shared library
 * that scripts/build-peer makes of that program's sources and a shim in C++. Never needed, and no part of the
 * build.
 *
 * Linear blend skinning (SBS eq. 1), positions alone. P joints, N vertices, K influences. Compiled as C and
 * C++. */
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
    const char *name;  /* as in records: "ozz" */
    const char *title; /* what it is and how it was built, in a line */
    /* What is done once per rig, whose arrays outlive the state; NULL: out of memory, or it cannot take the
     * rig. */
    void *(*bind)(const PeerRig *rig);
    /* One frame: transforms [P][3][4], rest-pose point to posed point, as the program gets them from
     * elsewhere: what it converts them to is its own. positions [N][3], packed in file order. 0: it
     * failed. */
    int (*skin)(void *state, const double *transforms, float *positions);
    void (*release)(void *state);
} PeerFunctions;

/* What a peer's library exports, under the name PEER_SYMBOL. */
#define PEER_SYMBOL "skinbench_peer"
const PeerFunctions *skinbench_peer(void);

#ifdef __cplusplus
}
#endif
