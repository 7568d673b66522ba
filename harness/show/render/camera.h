/* Where a picture is seen from: a perspective camera, given or framed around all that will be shown. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

typedef struct Camera {
    Vec3 eye;
    Vec3 right, up, back; /* unit and orthogonal, right-handed; `back` points from what is seen to the eye */
    double reach[2];      /* half of the picture's width and height, seen at distance 1 */
} Camera;

/* A view by its name, from an eye at the origin that has yet to be framed: "front", "side" (from the right of
 * one who looks at the front), "top" or "three-quarter". up: 'y' (the front is towards +z) or 'z' (towards
 * -y). width, height: of the picture, in pixels. STATUS_USAGE names the views. */
Status camera_view(const char *name, char up, int width, int height, Camera *out);

/* A camera as text: "EX,EY,EZ TX,TY,TZ ANGLE": eye, a point that is seen in the middle, and the vertical
 * angle in degrees, more than 0 and below 170. STATUS_USAGE says what is expected. */
Status camera_parse(const char *text, char up, int width, int height, Camera *out);

/* The world's direction upwards. */
Vec3 camera_world_up(char up);

/* The place of a point: right, up and back from the eye; what is in front has a negative z. */
Vec3 camera_place(const Camera *camera, Vec3 point);

/* The closest eye, without turning, that sees all points of all frames and files, whose order does not
 * matter. */
typedef struct Framing {
    Camera camera;
    double margin[2]; /* reach less what stays free around the points */
    double max[2][2], nearest, farthest;
    int point_count;
} Framing;

/* Begins with a camera's directions. free_share: of the picture's sides, from 0 to below 1. */
Framing framing_start(const Camera *camera, double free_share);
void framing_add(Framing *framing, const float *points, int count);

/* The camera that sees them; without points, as it was. */
Camera framing_finish(const Framing *framing);
