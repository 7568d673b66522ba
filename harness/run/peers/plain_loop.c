/* Implements SBS eq. 1 vertex by vertex, in the order of the file. The joints' matrices are blended, and
 * the blended matrix is applied to the rest position. Compiled once per instruction-set level, with these
 * definitions:
 *   LEVEL_OBJECT  name of the PeerFunctions to define
 *   LEVEL         name of the level, a string */
#include "harness/run/peers/peer.h"

#include "datasets/base/memory.h"

typedef float Column __attribute__((vector_size(4 * sizeof(float))));

typedef struct PlainLoop {
    PeerRig rig;
    Column (
        *matrices)[4]; /* [P] matrices stored by columns; each column has three numbers and a trailing 0 */
} PlainLoop;

static void *plain_bind(const PeerRig *rig)
{
    PlainLoop *loop = memory_array(1, sizeof *loop);
    if (!loop)
        return NULL;
    loop->rig = *rig;
    loop->matrices = memory_array((size_t)rig->joint_count, sizeof *loop->matrices);
    if (!loop->matrices) {
        memory_free(loop);
        return NULL;
    }
    return loop;
}

static void plain_release(void *state)
{
    PlainLoop *loop = state;
    FREE_ALL(loop->matrices, loop);
}

/* Blends a column of four numbers as one vector, like engines do. Since matrices are stored by columns, no
 * sums across a vector are needed. */
static inline __attribute__((always_inline)) void vertices_skin(const PlainLoop *loop, const int count,
                                                                float *restrict positions)
{
    const PeerRig *rig = &loop->rig;
    const float *rest = rig->rest, *weights = rig->weights;
    const uint16_t *joints = rig->joints;
    for (int v = 0; v < rig->vertex_count;
         v++, rest += 3, weights += count, joints += count, positions += 3) {
        const Column *matrix = loop->matrices[joints[0]];
        Column x = weights[0] * matrix[0], y = weights[0] * matrix[1], z = weights[0] * matrix[2],
               moved = weights[0] * matrix[3];
        for (int k = 1; k < count; k++) {
            matrix = loop->matrices[joints[k]];
            x += weights[k] * matrix[0];
            y += weights[k] * matrix[1];
            z += weights[k] * matrix[2];
            moved += weights[k] * matrix[3];
        }
        moved += rest[0] * x + rest[1] * y + rest[2] * z;
        memcpy(positions, &moved, 3 * sizeof *positions);
    }
}

static int plain_skin(void *state, const double *transforms, float *restrict positions)
{
    const PlainLoop *loop = state;
    for (int joint = 0; joint < loop->rig.joint_count; joint++)
        for (int i = 0; i < 12; i++)
            loop->matrices[joint][i % 4][i / 4] = (float)transforms[12 * (ptrdiff_t)joint + i];
    if (loop->rig.influence_count ==
        4) /* most rigs have 4 influences per vertex, so this case has its own loop */
        vertices_skin(loop, 4, positions);
    else
        vertices_skin(loop, loop->rig.influence_count, positions);
    return 1;
}

const PeerFunctions LEVEL_OBJECT = {
    .abi = PEER_ABI,
    .name = "plain-loop",
    .title = "a loop over one vertex at a time, compiled with vector instructions, level " LEVEL,
    .bind = plain_bind,
    .skin = plain_skin,
    .release = plain_release};
