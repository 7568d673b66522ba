/* Sketches of rotation sequences (James and Twigg 2005, section 3.1). The rotations of a triangle's
 * deformation gradients in all frames form a point in R^9F. Its sketch is a random projection to a small
 * fixed dimension, which preserves distances to about 9 % (Johnson and Lindenstrauss 1984; random signs:
 * Achlioptas 2003). Memory and the cost of finding neighbours therefore do not grow with the number of
 * frames. */
#pragma once

#include "datasets/model/dataset.h"

enum { SKETCH_SIZE = 64 };

typedef struct RotationSketch {
    int count;          /* number of triangles whose area in the rest pose is not zero */
    int32_t *triangles; /* [count] which */
    double *areas;      /* [count] areas in the rest pose */
    double area;        /* their sum */
    double
        *points; /* [count][SKETCH_SIZE] sketches. The distance of two points approximates the distance of two
                    triangles' rotations: the root mean square, over the frames, of the Frobenius distance. It
                    is 2 sqrt(2) sin(a / 2) if the rotations differ by an angle a in every frame. */
} RotationSketch;

/* Computes the sketches of all triangles; `seed` selects the random projection. Release with
 * rotation_sketch_clear. */
Status rotation_sketch_init(const Mesh *mesh, const Animation *animation, uint64_t seed, int threads,
                            RotationSketch *out);
void rotation_sketch_clear(RotationSketch *sketch);
