#include "datasets/rigging/influences.h"

int influence_insert(int32_t joint, double weight, int held, int slots, int32_t *joints, double *weights)
{
    int at = held < slots ? held : slots - 1;
    if (held == slots && weights[at] >= weight)
        return held;
    for (; at > 0 && weights[at - 1] < weight; at--) {
        weights[at] = weights[at - 1];
        joints[at] = joints[at - 1];
    }
    weights[at] = weight;
    joints[at] = joint;
    return held < slots ? held + 1 : held;
}
