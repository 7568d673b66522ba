/* Shades a surface by ray tracing (Embree): smooth normals, ambient light with occlusion, one soft key
 * light from above left of the eye, and shadows on a white ground that is otherwise invisible. It uses no
 * display, clock or random numbers: the same input gives the same bytes for any number of threads. */
#pragma once

#include "datasets/geometry/points.h"
#include "harness/show/render/camera.h"
#include "harness/show/render/color_map.h"
#include "harness/show/render/image.h"

/* The surface to shade. If shares and colors are both NULL it has the plain colour of clay. */
typedef struct TracerShape {
    const Mesh *mesh;            /* only triangles are read, which must be in range; not the rest pose */
    const float *positions;      /* [N][3] finite */
    const float *shares;         /* [N] for the colour map (color_map.h), or NULL */
    const unsigned char *colors; /* [N][3] sRGB, or NULL */
} TracerShape;

typedef struct TracerOptions {
    int width, height;
    int samples; /* rays per pixel are the square of this number, 1 to 16 */
    int threads;
    bool ground;         /* whether there is a ground */
    double ground_level; /* its height along world_up */
    Vec3 world_up;       /* upward direction of the world */
} TracerOptions;

/* Light on a surface without occlusion, before colour; tests rely on it. A surface facing along the unit
 * vector n (in the camera's right, up, back) reflects TRACER_AMBIENT + TRACER_KEY max(0, n . tracer_key) in
 * linear light; the ground reduces light from below. */
#define TRACER_AMBIENT 0.4
#define TRACER_KEY 0.72
extern const Vec3 tracer_key;

/* Traces a picture and allocates *out. Rows are traced on options->threads; `progress` (may be NULL) is
 * asked whether to stop. Fails with STATUS_BAD_INPUT for a mesh without triangles, STATUS_UNAVAILABLE
 * without Embree in the build, STATUS_SYSTEM if memory runs out, STATUS_STOPPED if stopped. */
Status tracer_render(const TracerShape *shape, const Camera *camera, const TracerOptions *options,
                     const Progress *progress, Image *out);
