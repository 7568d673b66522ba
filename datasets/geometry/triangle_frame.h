/* The frame of a triangle, from which deformation gradients are computed (FESAM section 4.1; James and
 * Twigg 2005). Matrices are [row][column]. Kernels must not include this header. */
#pragma once

#include <math.h>

/* Stores two edges and the unit normal of a triangle as the columns of `frame`. Returns twice the area. If
 * the triangle has no area, its normal is zero. */
static inline double triangle_frame(double corners[3][3], double frame[3][3])
{
    double length = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        frame[axis][0] = corners[1][axis] - corners[0][axis];
        frame[axis][1] = corners[2][axis] - corners[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        frame[axis][2] = frame[next][0] * frame[last][1] - frame[last][0] * frame[next][1];
        length += frame[axis][2] * frame[axis][2];
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3; axis++)
        frame[axis][2] = length > 0.0 ? frame[axis][2] / length : 0.0;
    return length;
}

/* Inverts a frame by cofactors. If the frame is singular, the result is the identity. */
static inline void triangle_frame_invert(double frame[3][3], double inverse[3][3])
{
    double determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = frame[a][c] * frame[b][d] - frame[a][d] * frame[b][c];
        }
    for (int j = 0; j < 3; j++)
        determinant += frame[0][j] * inverse[j][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] = determinant != 0.0 ? inverse[i][j] / determinant : (i == j ? 1.0 : 0.0);
}
