/* Views of joints, each from the side on which what differs is seen best. */
#include "harness/show/render/advice_picture.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "harness/show/render/color_map.h"
#include "harness/show/render/error_range.h"
#include "harness/show/render/picture.h"
#include "harness/show/render/tracer.h"

enum { SIDE = 380, SAMPLES = 3, DIRECTIONS = 8 };
static const double FREE_SHARE = 0.06,
                    NEAR = 1.5, /* times the ball around the joint's skin: where differences count, */
    FRAMED = 2.5;               /* and what a picture is framed around, so that limbs are seen as such */

static bool is_near(const AdviceView *view, int vertex, double times)
{
    return vec3_length(vec3_sub(point_at(view->positions[0], vertex), view->center)) <= times * view->radius;
}

static Status view_render(const Advice *advice, const AdviceView *view, double range, int threads,
                          const PictureLayout *layout, int row, const Progress *progress, Image *picture)
{
    const int vertices = advice->mesh.vertex_count;
    LOCAL_TABLE(unsigned char, colors, vertices, 3, "a picture");
    const TracerOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = SAMPLES,
                                   .threads = threads,
                                   .world_up = camera_world_up('y')};
    Camera camera;
    STATUS_TRY(camera_view("three-quarter", 'y', SIDE, SIDE, &camera));
    /* turns a camera about the vertical, to the direction in which the surfaces that differ most from lbs are
     * looked at */
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0), up = camera_world_up('y');
    LOCAL_TABLE(double, normals, vertices, 3, "a picture");
    const Camera start = camera;
    double max = -1.0;
    vertex_normals(advice->mesh.triangles, advice->mesh.triangle_count, vertices, view->positions[0],
                   normals);
    for (int d = 0; d < DIRECTIONS; d++) {
        const Transform turn = transform_rotate_about(up, 2.0 * PI * d / DIRECTIONS, zero, zero);
        const Vec3 back = transform_direction(turn, start.back);
        double seen = 0.0;
        for (int v = 0; v < vertices; v++) {
            const double *n = normals + 3 * (size_t)v;
            const double facing = vec3_dot(vec3_make(n[0], n[1], n[2]), back);
            if (facing > 0.0 && is_near(view, v, NEAR))
                for (int m = 1; m < view->method_count; m++)
                    seen += facing * vec3_length(vec3_sub(point_at(view->positions[m], v),
                                                          point_at(view->positions[0], v)));
        }
        if (seen > max) {
            max = seen;
            camera.back = back;
            camera.right = transform_direction(turn, start.right);
            camera.up = transform_direction(turn, start.up);
        }
    }
    /* one camera that sees this part of all methods */
    Framing framing = framing_start(&camera, FREE_SHARE);
    for (int m = 0; m < view->method_count; m++)
        for (int v = 0; v < vertices; v++)
            if (is_near(view, v, FRAMED))
                framing_add(&framing, view->positions[m] + 3 * (size_t)v, 1);
    camera = framing_finish(&framing);
    for (int m = 0; m < view->method_count; m++) {
        char label[256];
        CLEANUP(image_clear) Image traced = {0};
        for (int v = 0; v < vertices; v++)
            color_map_change_rgb((double)view->changes[m][v] / range, colors + 3 * (size_t)v);
        const TracerShape shape = {.mesh = &advice->mesh, .positions = view->positions[m], .colors = colors};
        STATUS_TRY(tracer_render(&shape, &camera, &options, progress, &traced));
        const char *method = advice->methods[view->methods[m]].name;
        /* a joint's name may lose its beginning, which many share */
        const char *joint = advice->joints[view->joint].name;
        const int room = SIDE / IMAGE_TEXT_WIDTH - 6 - (int)strlen(method) - (int)strlen(view->pose);
        const bool cut = (int)strlen(joint) > room;
        snprintf(label, sizeof label, "%s: %s%s, %s", method, cut ? ".." : "",
                 joint + (cut ? int_max((int)strlen(joint) - room + 2, 0) : 0), view->pose);
        picture_cell(picture, layout, row * layout->columns + m, &traced, m == 0 ? label : method);
    }
    return status_ok();
}

Status advice_picture(const Advice *advice, int threads, const Progress *progress, Image *out)
{
    OWNED_BY(image_clear) Image *unfinished = out;
    const PictureLayout layout = {advice->views[0].method_count, advice->view_count, SIDE, SIDE, true};
    ErrorRange range = {.total = 0};
    *out = (Image){0};
    if (pictures_lacking())
        return status_make(STATUS_UNAVAILABLE, "pictures need %s when skinbench is built",
                           pictures_lacking());
    for (int i = 0; i < advice->view_count; i++)
        for (int m = 0; m < advice->views[i].method_count; m++)
            for (int v = 0; v < advice->mesh.vertex_count; v++)
                if (is_near(&advice->views[i], v, NEAR))
                    error_range_add(&range, 100.0 * fabs((double)advice->views[i].changes[m][v]));
    const double percent = fmin(100.0, error_range_end(&range));
    STATUS_TRY(picture_start(&layout, out));
    for (int i = 0; i < advice->view_count; i++)
        STATUS_TRY(
            view_render(advice, &advice->views[i], percent / 100.0, threads, &layout, i, progress, out));
    picture_scale(out, &layout, percent, true, "change of area against the rest pose, %");
    unfinished = NULL;
    return status_ok();
}
