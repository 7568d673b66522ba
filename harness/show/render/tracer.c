/* Traces rays with Embree. Coordinates are right, up and back from the camera's eye, scaled to at most 1.
 * Embree finds occlusion and the triangle hit; the exact hit point is computed in double, so that results
 * hardly depend on the instructions that Embree chose. The file exceeds 450 lines because directions,
 * light, ground and pixels all work on one scene. */
#include "harness/show/render/tracer.h"

const Vec3 tracer_key = {-0.48, 0.64, 0.6};

#ifdef SKINBENCH_PICTURES

#include "datasets/geometry/angles.h"
#include <rtcore.h>

enum {
    ROWS_AT_ONCE = 16, /* number of rows traced before asking again whether to stop */
    PACKET = 4, /* number of rays that are traced together from a hit point, to the sky or to the key light */
    PATTERN_MAX = 1024, /* number of secondary directions, enough for 16 x 16 rays per pixel */
    GROUND_PATTERN = 256,
    GROUND_STEP = 4 /* distance in pixels between the ground points at which light is traced */
};

/* Factors for the light of the ground: the fraction that it reflects upwards, and the fractions that it
 * loses if the sky or the key light is hidden. */
static const double GROUND_BOUNCE = 0.55, GROUND_SKY_SHADOW = 0.5, GROUND_KEY_SHADOW = 0.22;
static const double KEY_WIDTH = 0.16; /* radius of the key light divided by its distance from the scene */
static const double CLEARANCE = 1e-4; /* height above a surface at which rays start, in the units of the
                                         scene, whose coordinates are at most 1 */
static const double CLAY[3] = {0.62, 0.585, 0.54};
static const double BACKGROUND = 1.0;
static const double BORDER_SHARE = 0.15; /* width of the picture's border in which the ground's shadows fade
                                            out, as a fraction of the shorter side */

/* Evenly distributed directions of secondary rays. Every n-th direction alone is evenly distributed,
 * too. */
typedef struct Pattern {
    int count;             /* number of directions, a multiple of PACKET */
    Vec3 sky[PATTERN_MAX]; /* unit vectors around z, with cosine distribution */
    Vec3 key[PATTERN_MAX]; /* unit vectors towards points of the key light */
} Pattern;

/* Everything needed to trace a picture. Positions are scaled and in the camera's coordinates. */
typedef struct Tracing {
    const TracerShape *shape;
    const TracerOptions *options;
    RTCScene scene;
    const float *
        places; /* [N][3] positions, followed by one unused float, because Embree loads four floats at once */
    const double *normals; /* [N][3] normals, not normalised */
    double reach[2];
    Vec3 up;             /* the world's */
    double ground_level; /* height of the ground along `up`; NAN if there is no ground */
    float *ground;       /* [ground_rows][ground_columns] light at every GROUND_STEP-th pixel corner */
    int ground_columns, ground_rows;
    Pattern surface_pattern, ground_pattern;
    double decoded[256];
} Tracing;

/* Returns the bits of a number mirrored at the binary point (van der Corput's sequence). */
static double radical_inverse(unsigned number)
{
    double value = 0.0;
    for (double digit = 0.5; number; number >>= 1, digit *= 0.5)
        if (number & 1)
            value += digit;
    return value;
}

/* Fills the pattern with Hammersley points on the disc. They are projected up to the hemisphere for the
 * sky, and spread over the disc of the key light. */
static void pattern_fill(Pattern *pattern, int count)
{
    const Vec3 key = vec3_normalize(tracer_key);
    const Vec3 across = vec3_normalize(vec3_cross(vec3_make(0.0, 1.0, 0.0), key)),
               along = vec3_cross(key, across);
    pattern->count = count;
    for (int i = 0; i < count; i++) {
        const double square = (i + 0.5) / count, turn = 2.0 * PI * radical_inverse((unsigned)i);
        const double radius = sqrt(square), x = radius * cos(turn), y = radius * sin(turn);
        pattern->sky[i] = vec3_make(x, y, sqrt(fmax(0.0, 1.0 - square)));
        pattern->key[i] = vec3_normalize(
            vec3_add_scaled(vec3_add_scaled(key, across, KEY_WIDTH * x), along, KEY_WIDTH * y));
    }
}

/* Rotates a direction around z to one around the unit vector n. Continuous for all n except -z, which no
 * eye sees (Duff et al. 2017, Building an Orthonormal Basis, Revisited). */
static Vec3 direction_around(Vec3 n, Vec3 local)
{
    const double a = -1.0 / fmax(1.0 + n.z, 1e-9), b = n.x * n.y * a;
    const Vec3 x = vec3_make(1.0 + n.x * n.x * a, b, -n.x), y = vec3_make(b, 1.0 + n.y * n.y * a, -n.y);
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(n, local.z), x, local.x), y, local.y);
}

/* Embree 3 needs a context for every query, Embree 4 does not. */
#if RTC_VERSION_MAJOR < 4
static void rays_occlude(const int *wanted, RTCScene scene, struct RTCRay8 *rays)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded8(wanted, scene, &context, rays);
}

static void ray_intersect(RTCScene scene, struct RTCRayHit *hit)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, hit);
}
#else
static void rays_occlude(const int *wanted, RTCScene scene, struct RTCRay8 *rays)
{
    rtcOccluded8(wanted, scene, rays, NULL);
}

static void ray_intersect(RTCScene scene, struct RTCRayHit *hit)
{
    rtcIntersect1(scene, hit, NULL);
}
#endif

static struct RTCRay ray_make(Vec3 start, Vec3 direction)
{
    return (struct RTCRay){.org_x = (float)start.x,
                           .org_y = (float)start.y,
                           .org_z = (float)start.z,
                           .dir_x = (float)direction.x,
                           .dir_y = (float)direction.y,
                           .dir_z = (float)direction.z,
                           .tfar = INFINITY,
                           .mask = ~0u};
}

/* The light at a surface point, as fractions of the light of an open sky and of an unoccluded key light. It
 * is traced with the rays of the pattern that have the indices `first`, first + count / PACKET, and so
 * on. */
typedef struct Light {
    double sky, key;
} Light;

static Light light_at(const Tracing *tracing, const Pattern *pattern, int first, Vec3 start, Vec3 normal,
                      Vec3 face)
{
    struct RTCRay8 rays;
    Vec3 directions[2 * PACKET];
    int wanted[2 * PACKET] __attribute__((aligned(32)));
    Light light = {0.0, 0.0};
    for (int i = 0; i < 2 * PACKET; i++) {
        const int sample = first + i % PACKET * (pattern->count / PACKET);
        directions[i] = i < PACKET ? direction_around(normal, pattern->sky[sample]) : pattern->key[sample];
        wanted[i] = vec3_dot(directions[i], face) > 0.0 && vec3_dot(directions[i], normal) > 0.0 ? -1 : 0;
        const struct RTCRay ray = ray_make(start, directions[i]);
        rays.org_x[i] = ray.org_x;
        rays.org_y[i] = ray.org_y;
        rays.org_z[i] = ray.org_z;
        rays.dir_x[i] = ray.dir_x;
        rays.dir_y[i] = ray.dir_y;
        rays.dir_z[i] = ray.dir_z;
        rays.tnear[i] = rays.time[i] = 0.0f;
        rays.tfar[i] = ray.tfar;
        rays.mask[i] = ray.mask;
        rays.id[i] = rays.flags[i] = 0;
    }
    rays_occlude(wanted, tracing->scene, &rays);
    for (int i = 0; i < 2 * PACKET; i++) {
        if (!wanted[i] || rays.tfar[i] < 0.0f)
            continue;
        const bool from_ground = !isnan(tracing->ground_level) && vec3_dot(directions[i], tracing->up) < 0.0;
        if (i < PACKET)
            light.sky += (from_ground ? GROUND_BOUNCE : 1.0) / PACKET;
        else
            light.key += vec3_dot(directions[i], normal) / PACKET;
    }
    return light;
}

static void color_at(const Tracing *tracing, const int32_t corners[3], const double shares[3],
                     double color[3])
{
    const TracerShape *shape = tracing->shape;
    if (shape->shares) {
        unsigned char rgb[3];
        double share = 0.0;
        for (int i = 0; i < 3; i++)
            share += shares[i] * (double)shape->shares[corners[i]];
        color_map_rgb(share, rgb);
        for (int k = 0; k < 3; k++)
            color[k] = tracing->decoded[rgb[k]];
        return;
    }
    for (int k = 0; k < 3; k++) {
        color[k] = shape->colors ? 0.0 : CLAY[k];
        for (int i = 0; shape->colors && i < 3; i++)
            color[k] += shares[i] * tracing->decoded[shape->colors[3 * (size_t)corners[i] + (size_t)k]];
    }
}

/* Returns the light of the ground. It is as bright as the background if nothing is above the ground. */
static double ground_trace(const Tracing *tracing, Vec3 ray)
{
    const double down = vec3_dot(ray, tracing->up);
    const double distance = down < 0.0 ? tracing->ground_level / down : -1.0;
    if (!(distance > 0.0)) /* the ray misses the ground, or the eye is below it */
        return 1.0;
    const Vec3 start = vec3_add_scaled(vec3_scale(ray, distance), tracing->up, CLEARANCE);
    const double open = fmax(vec3_dot(tracing->up, vec3_normalize(tracer_key)), 1e-3);
    const int packets = GROUND_PATTERN / PACKET;
    Light light = {0.0, 0.0};
    for (int i = 0; i < packets; i++) {
        const Light more = light_at(tracing, &tracing->ground_pattern, i, start, tracing->up, tracing->up);
        light.sky += more.sky / packets;
        light.key += more.key / packets / open;
    }
    return (1.0 - GROUND_SKY_SHADOW * (1.0 - light.sky)) *
           (1.0 - GROUND_KEY_SHADOW * fmax(0.0, 1.0 - light.key));
}

/* Returns the direction of the ray through a point of the picture, given in pixels from the top left. It is
 * not normalised. */
static Vec3 ray_through(const Tracing *tracing, double x, double y)
{
    return vec3_make((2.0 * x / tracing->options->width - 1.0) * tracing->reach[0],
                     (1.0 - 2.0 * y / tracing->options->height) * tracing->reach[1], -1.0);
}

/* Interpolates the ground's light between traced points, and fades it to the background at the picture's
 * borders. */
static double ground_light(const Tracing *tracing, double x, double y)
{
    if (!tracing->ground)
        return BACKGROUND;
    const double width = tracing->options->width, height = tracing->options->height;
    const int column = (int)(x / GROUND_STEP), row = (int)(y / GROUND_STEP);
    const double right = x / GROUND_STEP - column, below = y / GROUND_STEP - row;
    const float *cell = tracing->ground + (size_t)row * (size_t)tracing->ground_columns + column;
    const float *next = cell + tracing->ground_columns;
    const double light = (1.0 - below) * ((1.0 - right) * (double)cell[0] + right * (double)cell[1]) +
                         below * ((1.0 - right) * (double)next[0] + right * (double)next[1]);
    const double border =
        fmin(fmin(x, width - x), fmin(y, height - y)) / (BORDER_SHARE * fmin(width, height));
    const double inside = fmin(1.0, border);
    return BACKGROUND * (1.0 - inside * inside * (3.0 - 2.0 * inside) * (1.0 - light));
}

/* Traces the ray through a point of the picture. Adds its linear light to `sum`, and adds to `in_clay` the
 * light that it would have if the shape were made of clay. */
static void ray_trace(const Tracing *tracing, double x, double y, int sample, double sum[3],
                      double in_clay[3])
{
    const Vec3 ray = vec3_normalize(ray_through(tracing, x, y));
    /* find the first triangle along the ray */
    struct RTCRayHit hit = {.ray = ray_make(vec3_make(0.0, 0.0, 0.0), ray),
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    ray_intersect(tracing->scene, &hit);
    const int triangle = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : (int)hit.hit.primID;
    if (triangle < 0) {
        const double light = ground_light(tracing, x, y);
        for (int k = 0; k < 3; k++) {
            sum[k] += light;
            in_clay[k] += light;
        }
        return;
    }
    /* compute the hit point, and the triangle's unit normal towards the eye */
    const int32_t *corners = tracing->shape->mesh->triangles + 3 * (size_t)triangle;
    const Vec3 cross = triangle_cross(tracing->places, corners);
    const double facing = vec3_dot(cross, ray);
    Vec3 points[3], normals[3];
    for (int i = 0; i < 3; i++)
        points[i] = point_at(tracing->places, corners[i]);
    const Vec3 place = facing != 0.0 ? vec3_scale(ray, vec3_dot(cross, points[0]) / facing) : points[0];
    const Vec3 face = vec3_scale(vec3_normalize(cross), facing > 0.0 ? -1.0 : 1.0);
    /* compute barycentric coordinates by areas, and the smooth normal */
    double shares[3], area = 0.0;
    Vec3 normal = vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        const Vec3 a = vec3_sub(points[(i + 1) % 3], place), b = vec3_sub(points[(i + 2) % 3], place);
        shares[i] = fmax(0.0, vec3_dot(vec3_cross(a, b), cross));
        area += shares[i];
    }
    for (int i = 0; i < 3; i++) {
        const double *vertex_normal = tracing->normals + 3 * (size_t)corners[i];
        shares[i] = area > 0.0 ? shares[i] / area : 1.0 / 3.0;
        normals[i] = vec3_normalize(vec3_make(vertex_normal[0], vertex_normal[1], vertex_normal[2]));
        normal = vec3_add_scaled(normal, normals[i], shares[i]);
    }
    normal = vec3_normalize(normal);
    normal = vec3_length(normal) > 0.0 ? normal : face;
    const double side = vec3_dot(normal, face) < 0.0 ? -1.0 : 1.0;
    normal = vec3_scale(normal, side);
    /* start secondary rays from a point lifted to the planes of the corners' normals, because the flat
     * triangle would show in its shadow (Hanika 2021, Hacking the Shadow Terminator) */
    Vec3 start = vec3_add_scaled(place, face, CLEARANCE);
    for (int i = 0; i < 3; i++) {
        const double below = side * vec3_dot(vec3_sub(place, points[i]), normals[i]);
        start = vec3_add_scaled(start, normals[i], -side * shares[i] * fmin(0.0, below));
    }
    double color[3];
    color_at(tracing, corners, shares, color);
    const Light light = light_at(tracing, &tracing->surface_pattern, sample, start, normal, face);
    const double reflected = TRACER_AMBIENT * light.sky + TRACER_KEY * light.key;
    for (int k = 0; k < 3; k++) {
        sum[k] += reflected * color[k];
        in_clay[k] += reflected * CLAY[k];
    }
}

static void pixel_set(Image *image, int x, int y, const double sum[3], int count)
{
    unsigned char *pixel = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        pixel[k] = srgb_encode(sum[k] / count);
}

static Status rows_trace(const Tracing *tracing, const Progress *progress, Image *image, Image *clay)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(tracing->options->threads)
    for (int row = 0; row < tracing->ground_rows; row++)
        for (int column = 0; column < tracing->ground_columns; column++) {
            const Vec3 ray = vec3_normalize(ray_through(tracing, column * GROUND_STEP, row * GROUND_STEP));
            tracing->ground[(size_t)row * (size_t)tracing->ground_columns + (size_t)column] =
                (float)ground_trace(tracing, ray);
        }
    for (int first = 0; first < image->height; first += ROWS_AT_ONCE) {
        const int end = int_min(first + ROWS_AT_ONCE, image->height);
#pragma omp parallel for schedule(dynamic, 1) num_threads(tracing->options->threads)
        for (int y = first; y < end; y++)
            for (int x = 0; x < image->width; x++) {
                /* cast one ray in each row, each column and each cell of a grid over the pixel (correlated
                 * multi-jittered sampling) */
                const int samples = tracing->options->samples;
                double sum[3] = {0.0, 0.0, 0.0}, in_clay[3] = {0.0, 0.0, 0.0};
                for (int i = 0; i < samples; i++)
                    for (int k = 0; k < samples; k++)
                        ray_trace(tracing, x + (i + (k + 0.5) / samples) / samples,
                                  y + (k + (i + 0.5) / samples) / samples, i * samples + k, sum, in_clay);
                pixel_set(image, x, y, sum, samples * samples);
                if (clay)
                    pixel_set(clay, x, y, in_clay, samples * samples);
            }
        if (progress_stopped(progress))
            return status_make(STATUS_STOPPED, "stopped while tracing a picture");
    }
    return status_ok();
}

static Status embree_status(RTCDevice device)
{
    const enum RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_NONE)
        return status_ok();
    return error == RTC_ERROR_OUT_OF_MEMORY
               ? status_out_of_memory("a picture")
               : status_make(STATUS_SYSTEM, "Embree failed with error %d", (int)error);
}

/* Opens the one device of the process. The device is never released, because releasing it lets TBB start a
 * thread, and TBB throws if it cannot. Embree allocates memory for a thread's errors at the first query, so
 * errors are queried before anything can fail. A single thread builds the same tree on every machine. */
static Status device_open(RTCDevice *out)
{
    static RTCDevice device;
    STATUS_TRY(embree_status(NULL));
    if (!device) {
        device = rtcNewDevice("threads=1,set_affinity=0");
        STATUS_TRY(embree_status(device));
    }
    *out = device;
    return status_ok();
}

static void tracing_free(Tracing *tracing)
{
    FREE_ALL(tracing->ground, tracing);
}
DEFINE_OWNED_BY(Tracing, tracing_free)

static void rtc_scene_release(RTCScene *scene)
{
    if (*scene)
        rtcReleaseScene(*scene);
}

Status tracer_render(const TracerShape *shape, const Camera *camera, const TracerOptions *options,
                     const Progress *progress, Image *out, Image *clay)
{
    static const unsigned char black[3] = {0, 0, 0};
    const Mesh *mesh = shape->mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    UNDO_ON_FAILURE(image_clear) Image *unfinished = out;
    UNDO_ON_FAILURE(image_clear) Image *unfinished_clay = clay;
    RTCDevice device = NULL;
    *out = (Image){0};
    if (clay)
        *clay = (Image){0};
    LOCAL_ARRAY(float, places, 3 * vertices + 4, "a picture");
    LOCAL_TABLE(double, normals, vertices, 3, "a picture");
    OWNED_BY(tracing_free) Tracing *tracing = NULL;
    ALLOCATE(tracing, 1, "a picture");
    if (mesh->triangle_count == 0)
        return bad_input("a mesh without triangles cannot be shaded");
    STATUS_TRY(image_allocate(out, options->width, options->height, black));
    if (clay)
        STATUS_TRY(image_allocate(clay, options->width, options->height, black));
    /* transform positions to the camera's coordinates, scaled to at most 1 */
    double max = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < mesh->vertex_count; v++) {
            const Vec3 place = camera_place(camera, point_at(shape->positions, v));
            if (pass == 0)
                max = fmax(max, fmax(fabs(place.x), fmax(fabs(place.y), fabs(place.z))));
            else
                point_set(places, v, vec3_scale(place, max > 0.0 ? 1.0 / max : 1.0));
        }
    const double scale = max > 0.0 ? 1.0 / max : 1.0;
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, places, normals);
    STATUS_TRY(device_open(&device));
    CLEANUP(rtc_scene_release) RTCScene scene = NULL;
    /* Embree reads the mesh's arrays in place. */
    scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, places, 0,
                               3 * sizeof(float), (size_t)mesh->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->triangles, 0,
                               3 * sizeof(int32_t), (size_t)mesh->triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(scene);
    STATUS_TRY(embree_status(device));
    /* prepare the data for rays */
    *tracing = (Tracing){.shape = shape,
                         .options = options,
                         .scene = scene,
                         .places = places,
                         .normals = normals,
                         .reach = {camera->reach[0], camera->reach[1]},
                         .ground_level = NAN};
    tracing->up =
        vec3_make(vec3_dot(camera->right, options->world_up), vec3_dot(camera->up, options->world_up),
                  vec3_dot(camera->back, options->world_up));
    pattern_fill(&tracing->surface_pattern, PACKET * options->samples * options->samples);
    for (int byte = 0; byte < 256; byte++)
        tracing->decoded[byte] = srgb_decode((unsigned char)byte);
    if (options->ground) {
        tracing->ground_level = scale * (options->ground_level - vec3_dot(camera->eye, options->world_up));
        const int columns = tracing->options->width / GROUND_STEP + 2,
                  rows = tracing->options->height / GROUND_STEP + 2;
        ALLOCATE_TABLE(tracing->ground, rows, columns, "a picture");
        tracing->ground_columns = columns;
        tracing->ground_rows = rows;
        pattern_fill(&tracing->ground_pattern, GROUND_PATTERN);
    }
    STATUS_TRY(rows_trace(tracing, progress, out, clay));
    unfinished = unfinished_clay = NULL;
    return status_ok();
}

#else

Status tracer_render(const TracerShape *shape, const Camera *camera, const TracerOptions *options,
                     const Progress *progress, Image *out, Image *clay)
{
    (void)shape;
    (void)camera;
    (void)options;
    (void)progress;
    *out = (Image){0};
    if (clay)
        *clay = (Image){0};
    return status_make(STATUS_UNAVAILABLE, "to draw pictures, build skinbench with %s", pictures_lacking());
}

#endif
