/* Cameras, and the closest eye that sees all points. For a fixed direction of view, each side of the
 * picture is a plane through the eye. The point farthest beyond each of these four planes decides where the
 * eye is. */
#include "harness/show/render/camera.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

static const double DEFAULT_ANGLE_DEGREES = 28.0, ANGLE_DEGREES_MAX = 170.0;
static const double LEAST_GAP =
    1e-3; /* smallest distance from the eye to the nearest point, as a fraction of the depth of all points */

Vec3 camera_world_up(char up)
{
    return up == 'z' ? vec3_make(0.0, 0.0, 1.0) : vec3_make(0.0, 1.0, 0.0);
}

/* Turns a camera so that `back` points away from the scene. If the camera looks straight down, the front of
 * the scene is at the bottom of the picture. */
static void camera_orient(Camera *camera, Vec3 back, char up)
{
    const Vec3 world_up = camera_world_up(up);
    const Vec3 front = up == 'z' ? vec3_make(0.0, -1.0, 0.0) : vec3_make(0.0, 0.0, 1.0);
    camera->back = vec3_normalize(back);
    Vec3 right = vec3_cross(world_up, camera->back);
    if (vec3_length(right) < 1e-6) /* the camera looks straight down or up */
        right =
            vec3_cross(vec3_scale(front, vec3_dot(world_up, camera->back) > 0.0 ? -1.0 : 1.0), camera->back);
    camera->right = vec3_normalize(right);
    camera->up = vec3_cross(camera->back, camera->right);
}

static void camera_open(Camera *camera, double angle_degrees, int width, int height)
{
    camera->reach[1] = tan(0.5 * angle_degrees * PI / 180.0);
    camera->reach[0] = camera->reach[1] * width / height;
}

Status camera_view(const char *name, char up, int width, int height, Camera *out)
{
    static const struct {
        const char *name;
        double turn_degrees, rise_degrees; /* turn_degrees: angle from the front towards the right;
                                              rise_degrees: angle above the horizon */
    } views[] = {{"front", 0.0, 0.0}, {"side", 90.0, 0.0}, {"top", 0.0, 90.0}, {"three-quarter", 35.0, 20.0}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(name, views[i].name) == 0) {
            const double turn = views[i].turn_degrees * PI / 180.0, rise = views[i].rise_degrees * PI / 180.0;
            const double x = cos(rise) * sin(turn), height_up = sin(rise), front = cos(rise) * cos(turn);
            *out = (Camera){0};
            camera_orient(out, up == 'z' ? vec3_make(x, -front, height_up) : vec3_make(x, height_up, front),
                          up);
            camera_open(out, DEFAULT_ANGLE_DEGREES, width, height);
            return status_ok();
        }
    return bad_usage("no view '%s', expected front, side, top or three-quarter", name);
}

Status camera_parse(const char *text, char up, int width, int height, Camera *out)
{
    double numbers[7] = {0.0};
    bool sound =
        text_numbers(text, ",, ,, ", numbers) == 7 && numbers[6] > 0.0 && numbers[6] < ANGLE_DEGREES_MAX;
    for (int i = 0; i < 6; i++)
        sound = sound && fabs(numbers[i]) < 1e30;
    const Vec3 eye = vec3_make(numbers[0], numbers[1], numbers[2]),
               seen = vec3_make(numbers[3], numbers[4], numbers[5]);
    const Vec3 back = sound ? vec3_sub(eye, seen) : vec3_make(0.0, 0.0, 0.0);
    if (!(vec3_length(back) > 0.0))
        return bad_usage("the camera is '%s', expected \"EX,EY,EZ TX,TY,TZ ANGLE\": the eye, another point "
                         "that it looks at, and an angle from 0 to %g degrees",
                         text, ANGLE_DEGREES_MAX);
    *out = (Camera){.eye = eye};
    camera_orient(out, back, up);
    camera_open(out, numbers[6], width, height);
    return status_ok();
}

Vec3 camera_place(const Camera *camera, Vec3 point)
{
    const Vec3 from_eye = vec3_sub(point, camera->eye);
    return vec3_make(vec3_dot(camera->right, from_eye), vec3_dot(camera->up, from_eye),
                     vec3_dot(camera->back, from_eye));
}

Framing framing_start(const Camera *camera, double free_share)
{
    Framing framing = {.camera = *camera, .nearest = -INFINITY, .farthest = INFINITY};
    framing.camera.eye = vec3_make(0.0, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        framing.margin[side] = camera->reach[side] * (1.0 - free_share);
        framing.max[side][0] = framing.max[side][1] = -INFINITY;
    }
    return framing;
}

void framing_add(Framing *framing, const float *points, int count)
{
    for (int i = 0; i < count; i++) {
        const Vec3 place = camera_place(&framing->camera, point_at(points, i));
        const double sides[2] = {place.x, place.y};
        /* comparisons instead of fmax, because gcc 12 crashes on such loops for aarch64 */
        for (int side = 0; side < 2; side++)
            for (int end = 0; end < 2; end++) {
                const double bound = (end ? -sides[side] : sides[side]) + framing->margin[side] * place.z;
                if (bound > framing->max[side][end])
                    framing->max[side][end] = bound;
            }
        if (place.z > framing->nearest)
            framing->nearest = place.z;
        if (place.z < framing->farthest)
            framing->farthest = place.z;
    }
    framing->point_count += count > 0;
}

/* An eye at (ex, ez) sees a point at (x, z) if |x - ex| <= m (ez - z), that is, if x + m z <= ex + m ez and
 * -x + m z <= -ex + m ez. The sum of the two bounds gives the smallest ez, and half their difference the
 * matching ex. */
Camera framing_finish(const Framing *framing)
{
    Camera camera = framing->camera;
    if (framing->point_count == 0)
        return camera;
    double middle[2], distance = -INFINITY;
    for (int side = 0; side < 2; side++) {
        const double *max = framing->max[side];
        middle[side] = 0.5 * (max[0] - max[1]);
        distance = fmax(distance, 0.5 * (max[0] + max[1]) / framing->margin[side]);
    }
    const double size = framing->nearest - framing->farthest; /* extent in depth; it is 0 for a single point
                                                                 and for points in a plane across the view */
    distance = fmax(distance, framing->nearest + (size > 0.0                    ? LEAST_GAP * size
                                                  : distance > framing->nearest ? 0.0
                                                                                : 1.0));
    camera.eye = vec3_add_scaled(vec3_add_scaled(vec3_scale(camera.right, middle[0]), camera.up, middle[1]),
                                 camera.back, distance);
    return camera;
}
