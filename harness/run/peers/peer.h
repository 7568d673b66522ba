/* Interface to a public program that skins, so that it can be timed beside ours in the same rounds. It is
 * implemented by a shared library that scripts/build-peer makes from the program's sources and a shim in
 * C++. The library is optional and not part of the build.
 *
 * Peers compute linear blend skinning (SBS eq. 1) of positions only. P joints, N vertices, K influences.
 * Compiled as C and C++. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_ABI = 1 };

typedef struct PeerRig {
    int vertex_count, joint_count, influence_count;
    const float *rest;      /* [N][3] */
    const uint16_t *joints; /* [N][K] joints; an unused slot has joint 0 and weight 0 */
    const float *weights;   /* [N][K] weights; each row sums to 1 */
} PeerRig;

typedef struct PeerFunctions {
    int abi;           /* PEER_ABI */
    const char *name;  /* name in records: "ozz" */
    const char *title; /* name and build of the program, in one line */
    /* Does the work that is needed once per rig. The rig's arrays stay valid as long as the state. Returns
     * NULL if out of memory or if the rig cannot be used. */
    void *(*bind)(const PeerRig *rig);
    /* Skins one frame from transforms [P][3][4], which map rest-pose points to posed points. If the program
     * needs another form, the conversion is part of its work. Writes positions [N][3], packed in file
     * order. Returns 0 on failure. */
    int (*skin)(void *state, const double *transforms, float *positions);
    void (*release)(void *state);
} PeerFunctions;

/* The function that a library exports under the name PEER_SYMBOL. */
#define PEER_SYMBOL "skinbench_peer"
const PeerFunctions *skinbench_peer(void);

#ifdef __cplusplus
}
#endif
