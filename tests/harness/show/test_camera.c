/* Tests cameras: the directions of the named views, and framing that shows all points from the shortest
 * possible distance. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/geometry/points.h"
#include "harness/show/render/camera.h"

enum { POINTS = 500 };

TEST(views_look_where_they_say)
{
    static const struct {
        const char *name;
        char up;
        Vec3 axes[3]; /* directions to the right, up and back */
    } views[] = {
        {"front", 'y', {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {"front", 'z', {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
        {"side", 'y', {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}}, {"side", 'z', {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
        {"top", 'y', {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},  {"top", 'z', {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    Camera camera;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        assert_ok(camera_view(views[i].name, views[i].up, 300, 100, &camera));
        const Vec3 got[3] = {camera.right, camera.up, camera.back};
        for (int k = 0; k < 3; k++)
            assert_vec3(got[k], views[i].axes[k], 1e-12);
        assert_true(fabs(camera.reach[0] - 3.0 * camera.reach[1]) < 1e-12);
    }
    assert_refused(STATUS_USAGE, "three-quarter", camera_view("behind", 'y', 10, 10, &camera));
}

TEST(given_cameras_are_read)
{
    static const char *const wrong[] = {"",
                                        "1,2,3",
                                        "0,0,5 0,0,0",
                                        "0,0,5 0,0,0 0",
                                        "0,0,5 0,0,0 170",
                                        "1,1,1 1,1,1 30",
                                        "0,0,5 0,0,0 30 x",
                                        "nan,0,5 0,0,0 30",
                                        "0,0,5 0,0,0 nan"};
    Camera camera;
    assert_ok(camera_parse("0, 0, 5 0,0,0 90", 'y', 200, 100, &camera));
    assert_true(fabs(camera.reach[1] - 1.0) < 1e-12 &&
                fabs(camera.reach[0] - 2.0) < 1e-12); /* tan 45 degrees */
    assert_vec3(camera_place(&camera, vec3_make(1.0, 2.0, 3.0)), vec3_make(1.0, 2.0, -2.0), 1e-12);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(STATUS_USAGE, "EX,EY,EZ", camera_parse(wrong[i], 'y', 200, 100, &camera));
}

/* Points a camera at random points in a box of the given size and place. max [4] receives how far the
 * points extend towards each side of the picture; 1 means its border. */
static void frame_points(const char *view, char up, const double size[3], double offset, double max[4])
{
    float points[POINTS][3];
    Random random = {7};
    Camera camera;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (float)(offset + size[k] * random_signed(&random));
    assert_ok(camera_view(view, up, 320, 200, &camera));
    Framing framing = framing_start(&camera, 0.1);
    framing_add(&framing, points[0], POINTS / 2);
    framing_add(&framing, points[POINTS / 2], POINTS - POINTS / 2);
    camera = framing_finish(&framing);
    for (int k = 0; k < 4; k++)
        max[k] = -INFINITY;
    for (int i = 0; i < POINTS; i++) {
        const Vec3 place = camera_place(&camera, point_at(points[0], i));
        assert_true(place.z < 0.0);
        const double x = place.x / (-place.z * camera.reach[0]), y = place.y / (-place.z * camera.reach[1]);
        const double sides[4] = {x, -x, y, -y};
        for (int k = 0; k < 4; k++)
            max[k] = fmax(max[k], sides[k]);
    }
}

TEST(framing_sees_all_points_closely)
{
    static const char *const views[] = {"front", "side", "top", "three-quarter"};
    static const double sizes[][3] = {{1, 1, 1}, {1000, 1, 10}, {1e-3, 2e-3, 1e-3},
                                      {1, 0, 0}, {0, 1, 0},     {0, 0, 1}};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int up = 'y'; up <= 'z'; up++) {
                double max[4];
                frame_points(views[v], (char)up, sizes[s], 3.0, max);
                for (int k = 0; k < 4; k++)
                    assert_true(max[k] <= 0.9 + 1e-9);
                /* The points fill the width or the height of the picture, unless they lie on a line that
                 * the camera sees end on. */
                const double wide = fmin(max[0], max[1]), high = fmin(max[2], max[3]);
                if (s < 3)
                    assert_true(fmax(wide, high) > 0.9 - 1e-6);
            }
}

TEST(framing_of_little_still_has_an_eye)
{
    const float point[3] = {5.0f, 6.0f, 7.0f};
    Camera camera;
    assert_ok(camera_view("front", 'y', 100, 100, &camera));
    Framing framing = framing_start(&camera, 0.1);
    camera = framing_finish(&framing);
    assert_true(isfinite(camera.eye.z));
    framing_add(&framing, point, 1);
    camera = framing_finish(&framing);
    assert_true(fabs(camera.eye.x - 5.0) < 1e-9 && fabs(camera.eye.y - 6.0) < 1e-9 && camera.eye.z > 7.0);
}
