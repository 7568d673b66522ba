/* Perspective cameras. A camera is either given by the user or placed so that everything shown is
 * visible. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

typedef struct Camera {
    Vec3 eye;
    Vec3 right, up, back; /* orthonormal, right-handed; `back` points from the scene to the eye */
    double reach[2];      /* half the width and half the height of the view at distance 1 */
} Camera;

/* Sets up a named view with the eye at the origin, to be framed later: "front", "side" (from the right when
 * looking at the front), "top" or "three-quarter". up: 'y' (the front faces +z) or 'z' (it faces -y).
 * width, height: pixels of the picture. Fails with STATUS_USAGE, naming the views, for an unknown name. */
Status camera_view(const char *name, char up, int width, int height, Camera *out);

/* Parses "EX,EY,EZ TX,TY,TZ ANGLE": the eye, the point at the centre of the picture, and the vertical angle
 * in degrees (above 0 and below 170). Fails with STATUS_USAGE; the message shows the expected form. */
Status camera_parse(const char *text, char up, int width, int height, Camera *out);

/* Returns the unit vector that points upwards in a world with this up axis. */
Vec3 camera_world_up(char up);

/* Returns a point in the coordinates right, up and back from the eye; points in front have negative z. */
Vec3 camera_place(const Camera *camera, Vec3 point);

/* Finds the closest eye that sees all points, without turning the camera. Points of all frames and files
 * may be added in any order. */
typedef struct Framing {
    Camera camera;
    double
        margin[2]; /* half the width and half the height that are visible at distance 1, without the margin */
    double max[2][2], nearest, farthest;
    int point_count;
} Framing;

/* Starts to frame points with a camera that has the directions of `camera`. free_share: margin around the
 * points as a share of each side of the picture, at least 0 and below 1. */
Framing framing_start(const Camera *camera, double free_share);
void framing_add(Framing *framing, const float *points, int count);

/* Returns a camera that sees all points. If there are no points, returns the camera with which framing
 * started. */
Camera framing_finish(const Framing *framing);
