/* Kernels that measure a device, selected by LIMIT_KERNEL (device_limits.c). They use the dialect and the
 * arguments of methods/kernel/device_kernel.h: `tile_count` work items in each of `frame_count` rows.
 *
 *   0  does nothing: the time of a launch
 *   1  reads LIMIT_TURNS floats, next to those of neighbouring work items
 *   2  writes LIMIT_TURNS floats
 *   3  computes LIMIT_STEPS multiply-adds of each of 8 independent numbers
 *   4  LBS (SBS eq. 1) as in textbooks: a work item for each vertex and frame, in the order of the file,
 *      which gathers the matrices of 4 influences; rest [N][3], joints and weights [N][4] */
#include "datasets/geometry/dialect.h"

/* Index of the float for turn i. Each block is shared by 32 work items, which access adjacent floats in
 * each turn. */
#define LIMIT_PLACE(i) ((size_t)(item / 32) * 32 * LIMIT_TURNS + (size_t)(i)*32 + item % 32)

KERNEL_ENTRY LIMIT_ENTRY(KERNEL_GLOBAL const float *rest, KERNEL_GLOBAL const float *weights,
                         KERNEL_GLOBAL const float *vertex_values, KERNEL_GLOBAL const float *parameters,
                         KERNEL_GLOBAL const int *set_of_tile, KERNEL_GLOBAL const int *tile_slots,
                         KERNEL_GLOBAL const int *joints, KERNEL_GLOBAL const int *vertices,
                         KERNEL_GLOBAL const float *joint_values, KERNEL_GLOBAL const float *set_values,
                         KERNEL_GLOBAL const float *first_values, KERNEL_GLOBAL float *out,
                         KERNEL_GLOBAL float *out_normals, int vertex_count, int tile_count, int set_count,
                         int joint_count, int first_frame, int first_result, int frame_count, int flags)
{
    const int item = KERNEL_ITEM_X;
    if (item >= tile_count)
        return;
#if LIMIT_KERNEL == 1
    float sum = 0.0f;
    for (int i = 0; i < LIMIT_TURNS; i++)
        sum += rest[LIMIT_PLACE(i)];
    if (sum == -1.0f) /* the condition is never true; it keeps the compiler from removing the reads */
        out[item] = sum;
#elif LIMIT_KERNEL == 2
    for (int i = 0; i < LIMIT_TURNS; i++)
        out[LIMIT_PLACE(i)] = 1.0f;
#elif LIMIT_KERNEL == 3
    float a = item, b = a + 1.0f, c = a + 2.0f, d = a + 3.0f, e = a + 4.0f, f = a + 5.0f, g = a + 6.0f,
          h = a + 7.0f;
    const float by = rest[0], add = rest[1];
    for (int i = 0; i < LIMIT_STEPS; i++) {
        a = a * by + add, b = b * by + add, c = c * by + add, d = d * by + add;
        e = e * by + add, f = f * by + add, g = g * by + add, h = h * by + add;
    }
    if (a + b + c + d + e + f + g + h == -1.0f)
        out[item] = a;
#elif LIMIT_KERNEL == 4
    const size_t frame = (size_t)KERNEL_ITEM_Y;
    const float x = rest[3 * item], y = rest[3 * item + 1], z = rest[3 * item + 2];
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; k++) {
        KERNEL_GLOBAL const float *matrix = joint_values + 12 * (frame * joint_count + joints[4 * item + k]);
        for (int axis = 0; axis < 3; axis++, matrix += 4)
            sum[axis] += weights[4 * item + k] * (matrix[0] * x + matrix[1] * y + matrix[2] * z + matrix[3]);
    }
    for (int axis = 0; axis < 3; axis++)
        out[3 * (frame * vertex_count + item) + axis] = sum[axis];
#endif
}
