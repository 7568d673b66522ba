/* Shades a surface by ray tracing with Embree: smooth normals, ambient light with occlusion, one soft key
 * light from above left of the eye, and shadows on a white ground that is otherwise invisible. It uses no
 * display, clock or random numbers: the same input gives the same bytes for any number of threads. */
#pragma once

#include "datasets/geometry/points.h"
#include "harness/show/render/camera.h"
#include "harness/show/render/color_map.h"
#include "harness/show/render/image.h"

/* The surface to shade. If shares and colors are both NULL, it has the plain colour of clay. */
typedef struct TracerShape {
    const Mesh *mesh; /* only the triangles are read, not the rest pose; their indices must be in range */
    const float *positions;      /* [N][3] finite */
    const float *shares;         /* [N] positions in the colour map from 0 to 1 (color_map.h), or NULL */
    const unsigned char *colors; /* [N][3] sRGB, or NULL */
} TracerShape;

typedef struct TracerOptions {
    int width, height;
    int samples; /* square root of the number of rays per pixel, from 1 to 16 */
    int threads;
    bool ground;         /* whether the ground is drawn */
    double ground_level; /* height of the ground along world_up */
    Vec3 world_up;       /* upward direction of the world */
} TracerOptions;

/* Light on an unoccluded surface, before its colour is applied; tests rely on it. A surface with unit
 * normal n (in the camera's right, up and back) reflects in linear light
 *
 *   TRACER_AMBIENT + TRACER_KEY max(0, n . tracer_key)
 *
 * The ground reduces the light from below. */
#define TRACER_AMBIENT 0.4
#define TRACER_KEY 0.72
extern const Vec3 tracer_key;

/* Traces a picture with options->threads threads and allocates *out. If `clay` is not NULL, also allocates
 * the same picture of the shape in the colour of clay, from the same rays. `progress` (may be NULL) is asked
 * whether to stop. Fails with STATUS_BAD_INPUT for a mesh without triangles, STATUS_UNAVAILABLE without
 * Embree in the build, STATUS_SYSTEM if memory runs out, STATUS_STOPPED if stopped. */
Status tracer_render(const TracerShape *shape, const Camera *camera, const TracerOptions *options,
                     const Progress *progress, Image *out, Image *clay);
