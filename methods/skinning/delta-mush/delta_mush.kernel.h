/* Delta Mush smooths the result of linear blend skinning (SBS eq. 1), which this kernel computes. The
 * whole-frame stage computes the normals. */
#include "methods/kernel/linear_blend.kernel.h"

KERNEL_FUNCTION SkinnedPoint delta_mush_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    SkinnedPoint skinned;
    skinned.position = linear_blend_position(KERNEL_PASS, count, rest.position);
    skinned.normal = rest.normal;
    return skinned;
}
