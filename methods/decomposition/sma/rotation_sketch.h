/* The rotation sequences of triangles (James and Twigg 2005, section 3.1), each a point in R^9F: the
 * rotations of its deformation gradients in all frames. They are kept as sketches: random projections to a
 * fixed, small dimension that keep distances (Johnson and Lindenstrauss 1984; random signs: Achlioptas 2003),
 * to about 9 %. So memory does not grow with the number of frames, and neighbours are found at the cost of
 * the sketch. */
#pragma once

#include "datasets/model/dataset.h"

enum { SKETCH_SIZE = 64 };

typedef struct RotationSketch {
    int count;          /* triangles with an area in the rest pose */
    int32_t *triangles; /* [count] which */
    double *areas;      /* [count] in the rest pose */
    double area;        /* their sum */
    double *points;     /* [count][SKETCH_SIZE] in units where the distance of two triangles is the root mean
                         * square over the frames of the Frobenius distance of their rotations: an angle a
                         * between them in every frame is 2 sqrt(2) sin(a / 2) */
} RotationSketch;

/* `seed` is that of the projection. Release with rotation_sketch_clear. */
Status rotation_sketch_init(const Mesh *mesh, const Animation *animation, uint64_t seed, int threads,
                            RotationSketch *out);
void rotation_sketch_clear(RotationSketch *sketch);
