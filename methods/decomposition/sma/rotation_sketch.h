/* The rotation sequences of triangles (James and Twigg 2005, section 3.1): the rotations of a triangle's
 * deformation gradients in all frames form a point in R^9F. They are stored as sketches: random projections
 * to a small fixed dimension that preserve distances to about 9 % (Johnson and Lindenstrauss 1984; random
 * signs: Achlioptas 2003). So memory does not grow with the number of frames, and the cost of finding
 * neighbours is that of the sketch. */
#pragma once

#include "datasets/model/dataset.h"

enum { SKETCH_SIZE = 64 };

typedef struct RotationSketch {
    int count;          /* number of triangles with an area in the rest pose */
    int32_t *triangles; /* [count] which */
    double *areas;      /* [count] in the rest pose */
    double area;        /* their sum */
    double *points; /* [count][SKETCH_SIZE]; the distance of two triangles is the root mean square over the
                       frames of the Frobenius distance of their rotations: 2 sqrt(2) sin(a / 2) if they
                       differ by an angle a in every frame */
} RotationSketch;

/* `seed` sets the projection. Release with rotation_sketch_clear. */
Status rotation_sketch_init(const Mesh *mesh, const Animation *animation, uint64_t seed, int threads,
                            RotationSketch *out);
void rotation_sketch_clear(RotationSketch *sketch);
