/* Synthetic animations for the tests of decompositions: a sheet of triangles, and skinned sequences with a
 * known rig. */
#pragma once

#include "datasets/base/random.h"
#include "datasets/model/dataset.h"
#include "tests/support.h"

typedef struct Sequence {
    Mesh mesh;
    Animation animation;
} Sequence;

/* Returns a sheet of width x height vertices over [0, width) x [0, height), gently curved unless `flat`. */
static inline Sequence sequence_sheet(int width, int height, int frames, int flat)
{
    Sequence sequence = {0};
    assert_ok(mesh_allocate(&sequence.mesh, width * height, 2 * (width - 1) * (height - 1)));
    assert_ok(animation_allocate(&sequence.animation, frames, width * height, 0));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float *v = sequence.mesh.rest + 3 * (y * width + x);
            v[0] = (float)x;
            v[1] = (float)y;
            v[2] = flat ? 0.0f : (float)(sin(0.7 * x) + cos(0.9 * y));
        }
    int32_t *triangle = sequence.mesh.triangles;
    for (int y = 0; y + 1 < height; y++)
        for (int x = 0; x + 1 < width; x++, triangle += 6) {
            int32_t corner = y * width + x;
            triangle[0] = triangle[3] = corner;
            triangle[1] = corner + 1;
            triangle[2] = triangle[4] = corner + width + 1;
            triangle[5] = corner + width;
        }
    for (int frame = 0; frame < frames; frame++)
        memcpy(sequence.animation.positions + 3 * (ptrdiff_t)frame * width * height, sequence.mesh.rest,
               3 * sizeof(float) * (size_t)(width * height));
    return sequence;
}

static inline void sequence_clear(Sequence *sequence)
{
    mesh_clear(&sequence->mesh);
    animation_clear(&sequence->animation);
}

/* Returns one coordinate of a point after an affine map. `row` is the map's row for this coordinate. */
static inline double affine_at(const double row[4], const float v[3])
{
    return row[0] * (double)v[0] + row[1] * (double)v[1] + row[2] * (double)v[2] + row[3];
}

/* Moves the sheet by random affine motions of 1 to 8 bones. Each bone owns a band along x. Over the middle
 * half of the distance between two bones, their motions are blended linearly. Up to float rounding,
 * skinning can reproduce the result exactly. */
static inline void sequence_skin(Sequence *sequence, int bones, double strength, uint64_t seed)
{
    Random random = {seed};
    int vertices = sequence->mesh.vertex_count;
    double widest = 0.0;
    for (int j = 0; j < vertices; j++)
        widest = fmax(widest, (double)sequence->mesh.rest[3 * j]);
    for (int frame = 0; frame < sequence->animation.frame_count; frame++) {
        double maps[8][12];
        for (int bone = 0; bone < bones; bone++)
            for (int i = 0; i < 12; i++)
                maps[bone][i] =
                    (i % 5 == 0 ? 1.0 : 0.0) + strength * random_signed(&random) * (i % 4 == 3 ? 4 : 1);
        for (int j = 0; j < vertices; j++) {
            const float *v = sequence->mesh.rest + 3 * j;
            float *out = sequence->animation.positions + 3 * ((ptrdiff_t)frame * vertices + j);
            double along = (double)v[0] / widest * (bones - 1);
            int low = bones == 1 ? 0 : (int)along < bones - 2 ? (int)along : bones - 2;
            double share = fmin(1.0, fmax(0.0, 2.0 * (along - low) - 0.5));
            for (int axis = 0; axis < 3; axis++) {
                const double first = affine_at(maps[low] + 4 * axis, v),
                             second = affine_at(maps[bones == 1 ? 0 : low + 1] + 4 * axis, v);
                out[axis] = (float)((1.0 - share) * first + share * second);
            }
        }
    }
}

/* Returns a curved sheet that was moved by sequence_skin. */
static inline Sequence sequence_skinned(int width, int height, int frames, int bones, double strength,
                                        uint64_t seed)
{
    Sequence sequence = sequence_sheet(width, height, frames, 0);
    sequence_skin(&sequence, bones, strength, seed);
    return sequence;
}

/* Moves every second vertex to the place of the next one, in the rest pose and in all frames. */
static inline void sequence_double(Sequence *sequence)
{
    size_t vertices = (size_t)sequence->mesh.vertex_count;
    for (size_t j = 0; j + 1 < vertices; j += 2) {
        memcpy(sequence->mesh.rest + 3 * j, sequence->mesh.rest + 3 * (j + 1), 3 * sizeof(float));
        for (size_t frame = 0; frame < (size_t)sequence->animation.frame_count; frame++) {
            float *positions = sequence->animation.positions + 3 * frame * vertices;
            memcpy(positions + 3 * j, positions + 3 * (j + 1), 3 * sizeof(float));
        }
    }
}

/* Removes the triangles between the left and the right half of the sheet, which leaves two components. */
static inline void sequence_part(Sequence *sequence, int width)
{
    int kept = 0;
    int32_t *triangles = sequence->mesh.triangles;
    for (int i = 0; i < sequence->mesh.triangle_count; i++) {
        int sides = 0;
        for (int corner = 0; corner < 3; corner++)
            sides += triangles[3 * i + corner] % width >= width / 2;
        if (sides == 0 || sides == 3)
            memmove(triangles + 3 * kept++, triangles + 3 * i, 3 * sizeof(int32_t));
    }
    sequence->mesh.triangle_count = kept;
}

/* Returns the radius of a ball around the first frame, slightly larger than the smallest such ball. */
static inline double sequence_radius(const Sequence *sequence)
{
    double center[3] = {0.0, 0.0, 0.0}, max = 0.0;
    int vertices = sequence->mesh.vertex_count;
    for (int i = 0; i < 3 * vertices; i++)
        center[i % 3] += (double)sequence->animation.positions[i] / vertices;
    for (int j = 0; j < vertices; j++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++)
            square += pow((double)sequence->animation.positions[3 * j + axis] - center[axis], 2.0);
        max = fmax(max, square);
    }
    return sqrt(max);
}

/* Returns 8 frames of `count` vertices with orthogonal trajectories. Vertex 3 j + axis moves along that
 * axis by 4^-(3 j + axis) times row j of the Walsh matrix of order 8. The squared singular values are 8 *
 * 16^-k. */
static inline Sequence walsh_sequence(int count)
{
    Sequence sequence = sequence_sheet(count, 1, 8, 1);
    memset(sequence.animation.positions, 0, 24 * (size_t)count * sizeof(float));
    for (int frame = 0; frame < 8; frame++)
        for (int k = 0; k < count; k++) {
            int common = frame & (k / 3), minus = (common ^ common >> 1 ^ common >> 2) & 1;
            sequence.animation.positions[3 * (frame * count + k) + k % 3] =
                (float)ldexp(minus ? -1.0 : 1.0, -2 * k);
        }
    return sequence;
}
