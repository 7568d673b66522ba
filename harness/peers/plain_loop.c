/* SBS eq. 1, one vertex at a time in the order of the file: the blend of the joints' matrices, times the rest position.
 * The compiler makes of it what it can. Compiled once per instruction-set level, with these definitions:
 *   LEVEL_OBJECT   the PeerFunctions to define      LEVEL   its level, a string */
#include "harness/peers/peer.h"

#include "datasets/base/memory.h"
#include <stddef.h>

typedef struct PlainLoop {
    PeerRig rig;
    float *matrices; /* [P][12] */
} PlainLoop;

static void *plain_bind(const PeerRig *rig)
{
    PlainLoop *loop = memory_array(1, sizeof *loop);
    if (!loop)
        return NULL;
    loop->rig = *rig;
    loop->matrices = memory_array((size_t)rig->joint_count, 12 * sizeof *loop->matrices);
    if (!loop->matrices) {
        memory_free(loop);
        return NULL;
    }
    return loop;
}

static void plain_release(void *state)
{
    PlainLoop *loop = state;
    memory_free(loop->matrices);
    memory_free(loop);
}

static int plain_skin(void *state, const double *transforms, float *restrict positions)
{
    const PlainLoop *loop = state;
    const PeerRig *rig = &loop->rig;
    const int count = rig->influence_count;
    const float *restrict matrices = loop->matrices;
    for (int i = 0; i < 12 * rig->joint_count; i++)
        loop->matrices[i] = (float)transforms[i];
    for (int v = 0; v < rig->vertex_count; v++) {
        const float *rest = rig->rest + 3 * (ptrdiff_t)v, *weights = rig->weights + (ptrdiff_t)v * count;
        const uint16_t *joints = rig->joints + (ptrdiff_t)v * count;
        float *out = positions + 3 * (ptrdiff_t)v;
        _Alignas(64) float blend[12] = {0.0f};
        for (int k = 0; k < count; k++)
            for (int i = 0; i < 12; i++)
                blend[i] += weights[k] * matrices[12 * joints[k] + i];
        for (int row = 0; row < 3; row++)
            out[row] = blend[4 * row] * rest[0] + blend[4 * row + 1] * rest[1] +
                       blend[4 * row + 2] * rest[2] + blend[4 * row + 3];
    }
    return 1;
}

const PeerFunctions LEVEL_OBJECT = {.abi = PEER_ABI,
                                    .name = "plain-loop",
                                    .title = "one vertex at a time, the compiler's vectors, level " LEVEL,
                                    .bind = plain_bind,
                                    .skin = plain_skin,
                                    .release = plain_release};
