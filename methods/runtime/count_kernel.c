/* Compiles a method's kernel with a Real that counts operations, once per method, with these definitions:
 *   KERNEL_HEADER   header of the method's kernel
 *   KERNEL_VERTEX   the function that it defines
 *   KERNEL_COUNT    the KernelCounter to define */
#include "datasets/geometry/counted_dialect.h"

#include "methods/runtime/kernel_count.h"

#include KERNEL_HEADER

#include "methods/kernel/iterate.kernel.h"

static Real *values_copy(const double *from, size_t count, Real **target)
{
    Real *const first = *target;
    for (size_t i = 0; i < count; i++)
        first[i] = from[i];
    *target += count;
    return first;
}

/* Computes all values that a backend would store: out [3], or [6] with normals. */
KERNEL_FUNCTION void point_skin(const KernelView *view, const KernelSample *sample, bool normals,
                                volatile double *out)
{
    const SkinnedPoint rest = {{sample->rest[0], sample->rest[1], sample->rest[2]},
                               {sample->rest[3], sample->rest[4], sample->rest[5]}};
    const SkinnedPoint point = KERNEL_VERTEX(view, 0, sample->influences, sample->variant, rest);
    out[0] = (double)point.position.x;
    out[1] = (double)point.position.y;
    out[2] = (double)point.position.z;
    if (normals) {
        out[3] = (double)point.normal.x;
        out[4] = (double)point.normal.y;
        out[5] = (double)point.normal.z;
    }
}

KernelCounter KERNEL_COUNT;
OperationCounts KERNEL_COUNT(const KernelSample *sample)
{
    const size_t per_joint = (size_t)sample->values_per_joint, influences = (size_t)sample->influences;
    Real *next = sample->workspace;
    KernelView view = {.joint_values = next,
                       .joints = sample->positions,
                       .values_per_joint = sample->values_per_joint,
                       .stride = 1,
                       .normal_wanted = sample->normals};
    for (size_t k = 0; k < influences; k++)
        (void)values_copy(sample->joint_values + (size_t)sample->joints[k] * per_joint, per_joint, &next);
    view.weights = values_copy(sample->weights, influences, &next);
    view.set_values = values_copy(sample->set_values, (size_t)sample->values_per_set, &next);
    view.parameters = values_copy(sample->parameters, (size_t)sample->parameter_count, &next);
    view.vertex_values = next;
    for (int i = 0; i < sample->values_per_vertex + sample->influences * sample->values_per_influence; i++)
        next[i] = REAL(0.0);
    volatile double out[6];
    (void)counted_operations_reset();
    if (sample->normals)
        point_skin(&view, sample, true, out);
    else
        point_skin(&view, sample, false, out);
    return counted_operations_reset();
}
