/* Draws pictures of a scene for browsers that cannot show it in 3D: every shape in the frame of the largest
 * error. */
#include "harness/show/scenes/viewer_scene.h"

#include "harness/show/render/picture.h"
#include "harness/show/render/tracer.h"

enum { SIDE = 360, SAMPLES = 2 };
static const double FREE_SHARE = 0.08; /* margin around the contents, as a share of each side */

static const float *worst_positions(const ViewerScene *scene, const ViewerShape *shape)
{
    return shape->positions + 3 * (size_t)scene->worst_frame * (size_t)scene->mesh->vertex_count;
}

Status viewer_picture_write(const ViewerScene *scene, const ViewerShape *shape, int threads, const char *path,
                            const Progress *progress)
{
    const int vertices = scene->mesh->vertex_count;
    const PictureLayout layout = {1, 1, SIDE, SIDE, shape->errors != NULL};
    TracerOptions options = {.width = SIDE,
                             .height = SIDE,
                             .samples = SAMPLES,
                             .threads = threads,
                             .ground = true,
                             .world_up = camera_world_up('y')};
    LOCAL_TABLE(unsigned char, colors, vertices, 3, "a picture");
    CLEANUP(image_clear) Image traced = {0}, picture = {0};
    Camera camera;
    for (int v = 0; v < vertices && shape->errors; v++) {
        const double share =
            (double)shape->errors[scene->worst_frame * (ptrdiff_t)vertices + v] / scene->error_maximum;
        (scene->changes ? color_map_change_rgb : color_map_rgb)(share, colors + 3 * (size_t)v);
    }
    const Vec3 up = camera_world_up('y');
    STATUS_TRY(camera_view("three-quarter", 'y', SIDE, SIDE, &camera));
    /* find a camera that sees all shapes, and the lowest vertex */
    Framing framing = framing_start(&camera, FREE_SHARE);
    options.ground_level = INFINITY;
    for (int i = 0; i < scene->shape_count; i++) {
        const float *positions = worst_positions(scene, &scene->shapes[i]);
        framing_add(&framing, positions, scene->mesh->vertex_count);
        for (int v = 0; v < scene->mesh->vertex_count; v++) {
            const double height = vec3_dot(up, point_at(positions, v));
            if (height < options.ground_level)
                options.ground_level = height;
        }
    }
    camera = framing_finish(&framing);
    const TracerShape traced_shape = {.mesh = scene->mesh,
                                      .positions = worst_positions(scene, shape),
                                      .colors = shape->errors ? colors : NULL};
    STATUS_TRY(tracer_render(&traced_shape, &camera, &options, progress, &traced, NULL));
    STATUS_TRY(picture_start(&layout, &picture));
    picture_cell(&picture, &layout, 0, &traced, shape->label);
    if (shape->errors)
        picture_scale(&picture, &layout, scene->error_maximum, scene->changes,
                      scene->changes ? "change of area, %" : "error, % of the diagonal");
    return image_png_write(&picture, path, scene->name);
}
