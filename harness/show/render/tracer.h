/* Shades a surface by tracing rays (Embree): smooth normals, ambient light with what hides it, one soft key
 * light from above the left of the eye, and its shadow on a white ground that is otherwise not seen. No
 * display, no clock, no random numbers: the same input gives the same bytes, whatever the number of
 * threads. */
#pragma once

#include "datasets/geometry/points.h"
#include "harness/show/render/camera.h"
#include "harness/show/render/color_map.h"
#include "harness/show/render/image.h"

/* What is shaded. Both kinds of colour NULL: the plain colour of clay. */
typedef struct TracerShape {
    const Mesh *mesh;            /* whose triangles, in range; the rest pose is not read */
    const float *positions;      /* [N][3] finite */
    const float *shares;         /* [N] for the colour map (color_map.h), or NULL */
    const unsigned char *colors; /* [N][3] sRGB, or NULL */
} TracerShape;

typedef struct TracerOptions {
    int width, height;
    int samples; /* rays through a pixel, in a square of this many rows, 1 to 16 */
    int threads;
    bool ground;         /* whether there is one, */
    double ground_level; /* how far up in the world, */
    Vec3 world_up;       /* and where that is */
} TracerOptions;

/* The light of a surface that hides nothing from itself, before colour: what tests reckon with. A surface
 * facing along the unit vector n (in the camera's right, up, back) sends TRACER_AMBIENT + TRACER_KEY max(0, n
 * . tracer_key), in linear light; the ground takes some of what comes from below. */
#define TRACER_AMBIENT 0.4
#define TRACER_KEY 0.72
extern const Vec3 tracer_key;

/* Traces a picture into *out, which is allocated here. Rows are traced on options->threads; `progress` (may
 * be NULL) is asked whether to stop, STATUS_STOPPED. STATUS_BAD_INPUT for a mesh without triangles,
 * STATUS_UNAVAILABLE where the program was built without Embree, STATUS_SYSTEM when out of memory. */
Status tracer_render(const TracerShape *shape, const Camera *camera, const TracerOptions *options,
                     const Progress *progress, Image *out);
