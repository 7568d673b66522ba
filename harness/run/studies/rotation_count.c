/* Compiled with a Real that counts its operations. */
#include "datasets/geometry/counted_dialect.h"

#include "datasets/geometry/quat.h"
#include "harness/run/studies/rotation_count.h"

/* Computes q v q* as two products, without the terms of the scalar part of v and of the result. */
static Vec3 rotate_by_products(Quat q, Vec3 v)
{
    const Quat left = quat_make(-(q.x * v.x + q.y * v.y + q.z * v.z), q.w * v.x + q.y * v.z - q.z * v.y,
                                q.w * v.y + q.z * v.x - q.x * v.z, q.w * v.z + q.x * v.y - q.y * v.x);
    return vec3_make(left.x * q.w - left.w * q.x - left.y * q.z + left.z * q.y,
                     left.y * q.w - left.w * q.y - left.z * q.x + left.x * q.z,
                     left.z * q.w - left.w * q.z - left.x * q.y + left.y * q.x);
}

OperationCounts rotation_count(bool products, const double q[4], const double v[3], double out[3])
{
    const Quat turn = quat_make(q[0], q[1], q[2], q[3]);
    const Vec3 vector = vec3_make(v[0], v[1], v[2]);
    (void)counted_operations_reset();
    const Vec3 moved = products ? rotate_by_products(turn, vector) : quat_rotate(turn, vector);
    const OperationCounts counts = counted_operations_reset();
    out[0] = (double)moved.x;
    out[1] = (double)moved.y;
    out[2] = (double)moved.z;
    return counts;
}
