/* Compares ray-traced pictures with closed forms. These are the area of a sphere's outline, Lambert's law
 * on the sphere, a wall that hides half of the sky, and the shadow on the ground. One thread and two must
 * give identical bytes. */
#include "tests/support.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "harness/show/render/color_map.h"
#include "harness/show/render/tracer.h"

enum { SIDE = 120, RINGS = 64, AROUND = 128, GREY = 128 };

static const double EYE = 6.0; /* distance of the eye from the centre of a sphere with radius 1 */

static bool lacking(void)
{
    Image image;
    if (!pictures_lacking())
        return false;
    assert_refused(STATUS_UNAVAILABLE, "libembree-dev",
                   tracer_render(&(TracerShape){0}, &(Camera){0}, &(TracerOptions){0}, NULL, &image, NULL));
    return true;
}
#define NEEDS_PICTURES()                                                                                     \
    do {                                                                                                     \
        if (lacking())                                                                                       \
            test_skip("built without libembree-dev and libpng-dev");                                         \
    } while (0)

static Mesh sphere_make(void)
{
    Mesh mesh = {0};
    int triangle = 0;
    assert_ok(mesh_allocate(&mesh, (RINGS + 1) * AROUND, 2 * RINGS * AROUND));
    for (int ring = 0; ring <= RINGS; ring++)
        for (int i = 0; i < AROUND; i++) {
            const double polar = PI * ring / RINGS, turn = 2.0 * PI * i / AROUND;
            point_set(mesh.rest, ring * AROUND + i,
                      vec3_make(sin(polar) * sin(turn), cos(polar), sin(polar) * cos(turn)));
        }
    for (int ring = 0; ring < RINGS; ring++)
        for (int i = 0; i < AROUND; i++) {
            const int32_t a = ring * AROUND + i, b = ring * AROUND + (i + 1) % AROUND;
            const int32_t quad[6] = {a, a + AROUND, b, b, a + AROUND, b + AROUND};
            memcpy(mesh.triangles + 3 * (ptrdiff_t)triangle, quad, sizeof quad);
            triangle += 2;
        }
    return mesh;
}

/* Draws a mesh in one grey. `values` [SIDE][SIDE] receives the linear light of each pixel. */
static void picture_draw(const Mesh *mesh, unsigned char grey, const char *camera_text, bool ground,
                         int threads, Image *image, double *values)
{
    unsigned char *colors = malloc(3 * (size_t)mesh->vertex_count);
    Camera camera;
    memset(colors, grey, 3 * (size_t)mesh->vertex_count);
    assert_ok(camera_parse(camera_text, 'y', SIDE, SIDE, &camera));
    const TracerShape shape = {.mesh = mesh, .positions = mesh->rest, .colors = colors};
    const TracerOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = 4,
                                   .threads = threads,
                                   .ground = ground,
                                   .ground_level = -1.5,
                                   .world_up = camera_world_up('y')};
    assert_ok(tracer_render(&shape, &camera, &options, NULL, image, NULL));
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = srgb_decode(image->rgb[3 * i]);
    free(colors);
}

TEST(outline_has_the_area_of_a_cone)
{
    NEEDS_PICTURES();
    static double values[SIDE * SIDE];
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    CLEANUP(image_clear) Image image = {0};
    double area = 0.0;
    picture_draw(&mesh, 0, "0,0,6 0,0,0 30", false, 2, &image, values); /* black sphere on white */
    for (int i = 0; i < SIDE * SIDE; i++)
        area += 1.0 - values[i];
    /* The tangents from the eye to the sphere form a cone of half angle asin(1 / EYE). An angle of 15
     * degrees corresponds to SIDE / 2 pixels. */
    const double radius = tan(asin(1.0 / EYE)) / tan(15.0 * PI / 180.0) * SIDE / 2.0;
    assert_true(fabs(area / (PI * radius * radius) - 1.0) < 0.005);
    for (int y = 0; y < SIDE; y++) /* the outline is symmetric, up to the sampling of a pixel */
        for (int x = 0; x < SIDE; x++)
            assert_true(fabs(values[y * SIDE + x] - values[(SIDE - 1 - y) * SIDE + SIDE - 1 - x]) < 0.07);
}

TEST(same_rays_also_draw_the_shape_in_clay)
{
    NEEDS_PICTURES();
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    CLEANUP(image_clear) Image colored = {0};
    CLEANUP(image_clear) Image clay = {0};
    CLEANUP(image_clear) Image alone = {0};
    const size_t bytes = (size_t)(3 * mesh.vertex_count);
    unsigned char *colors = malloc(bytes);
    Camera camera;
    memset(colors, GREY, bytes);
    assert_ok(camera_parse("0,0,6 0,0,0 30", 'y', SIDE, SIDE, &camera));
    TracerShape shape = {.mesh = &mesh, .positions = mesh.rest, .colors = colors};
    const TracerOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = 2,
                                   .threads = 2,
                                   .ground = true,
                                   .ground_level = -1.5,
                                   .world_up = camera_world_up('y')};
    assert_ok(tracer_render(&shape, &camera, &options, NULL, &colored, &clay));
    shape.colors = NULL;
    assert_ok(tracer_render(&shape, &camera, &options, NULL, &alone, NULL));
    assert_memory_equal(clay.rgb, alone.rgb, 3 * SIDE * SIDE);
    assert_memory_not_equal(colored.rgb, alone.rgb, 3 * SIDE * SIDE);
    free(colors);
}

TEST(sphere_follows_lamberts_law)
{
    NEEDS_PICTURES();
    static double values[SIDE * SIDE];
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    CLEANUP(image_clear) Image image = {0};
    int compared = 0;
    picture_draw(&mesh, GREY, "0,0,6 0,0,0 30", false, 2, &image, values);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            /* Find the point |eye + t ray| = 1 where the ray through the middle of the pixel hits the unit
             * sphere. */
            const double reach = tan(15.0 * PI / 180.0);
            const Vec3 ray = vec3_normalize(vec3_make(((x + 0.5) / SIDE * 2.0 - 1.0) * reach,
                                                      (1.0 - (y + 0.5) / SIDE * 2.0) * reach, -1.0));
            const double half = EYE * ray.z, within = half * half - (EYE * EYE - 1.0);
            if (within < 0.1)
                continue;
            const Vec3 normal = vec3_add_scaled(vec3_make(0.0, 0.0, EYE), ray, -half - sqrt(within));
            const double facing = vec3_dot(normal, tracer_key);
            if (fabs(facing) < 0.2) /* the light has an extent, so it is partly hidden at grazing angles */
                continue;
            const double expected = srgb_decode(GREY) * (TRACER_AMBIENT + TRACER_KEY * fmax(0.0, facing));
            assert_true(fabs(values[y * SIDE + x] - expected) < 0.004);
            compared++;
        }
    assert_true(compared > 2000);
}

/* A wall stands on a floor. Both are so large that their size makes no difference. */
TEST(wall_hides_half_of_the_sky)
{
    NEEDS_PICTURES();
    static double values[SIDE * SIDE];
    const float points[8][3] = {{-1e3f, 0, -1e3f}, {-1e3f, 0, 1e3f}, {1e3f, 0, 1e3f}, {1e3f, 0, -1e3f},
                                {0, 0, -1e3f},     {0, 0, 1e3f},     {0, 1e3f, 1e3f}, {0, 1e3f, -1e3f}};
    const int32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(image_clear) Image image = {0};
    assert_ok(mesh_allocate(&mesh, 8, 4));
    memcpy(mesh.rest, points, sizeof points);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    picture_draw(&mesh, GREY, "10,1,0 5,0,0 5", false, 2, &image,
                 values); /* views the floor with the light behind the camera */
    const Vec3 up = vec3_make(0.0, 5.0 / sqrt(26.0),
                              1.0 / sqrt(26.0)); /* normal of the floor in the camera's coordinates */
    const double lit = srgb_decode(GREY) * (TRACER_AMBIENT * 0.5 + TRACER_KEY * vec3_dot(up, tracer_key));
    assert_true(fabs(values[SIDE / 2 * SIDE + SIDE / 2] / lit - 1.0) < 0.03);
}

TEST(ground_takes_shadows_alone)
{
    NEEDS_PICTURES();
    static double with[SIDE * SIDE], without[SIDE * SIDE];
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    CLEANUP(image_clear) Image image = {0}, plain = {0};
    int darker = 0;
    picture_draw(&mesh, GREY, "0,3,9 0,0,0 40", true, 2, &image, with);
    picture_draw(&mesh, GREY, "0,3,9 0,0,0 40", false, 2, &plain, without);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_true(with[i] <= without[i] + 0.01);
        darker += without[i] == 1.0 && with[i] < 0.9;
        if (i < SIDE || i % SIDE == 0) /* the shadow does not reach the border */
            assert_true(with[i] == 1.0);
    }
    assert_in_range(darker, SIDE, SIDE * SIDE / 4);
}

TEST(threads_change_no_byte)
{
    NEEDS_PICTURES();
    static double values[SIDE * SIDE];
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    Image images[3];
    for (int i = 0; i < 3; i++)
        picture_draw(&mesh, GREY, "2,3,9 0,0,0 30", true, i == 0 ? 1 : 2, &images[i], values);
    for (int i = 1; i < 3; i++)
        assert_memory_equal(images[0].rgb, images[i].rgb, 3 * SIDE * SIDE);
    for (int i = 0; i < 3; i++)
        image_clear(&images[i]);
}

TEST(what_cannot_be_traced_is_refused)
{
    NEEDS_PICTURES();
    CLEANUP(mesh_clear) Mesh mesh = sphere_make();
    const TracerOptions options = {.width = 20, .height = 20, .samples = 1, .threads = 1};
    const Progress progress = {.report = stop_at_once};
    TracerShape shape = {.mesh = &mesh, .positions = mesh.rest};
    Camera camera;
    Image image;
    assert_ok(camera_view("front", 'y', 20, 20, &camera));
    assert_refused(STATUS_STOPPED, "stopped",
                   tracer_render(&shape, &camera, &options, &progress, &image, NULL));
    assert_null(image.rgb);
    mesh.triangle_count = 0;
    assert_bad_input("triangles", tracer_render(&shape, &camera, &options, NULL, &image, NULL));
}
