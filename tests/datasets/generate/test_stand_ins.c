/* Compares the simulated stand-ins for the papers' data with independently computed values: the closed
 * forms of free fall and of a hanging strip, the lengths of edges, the distances to the posed body, and the
 * energies of frames. */
#include "tests/generated.h"

#include "datasets/generate/fabric.h"
#include "datasets/generate/generate_parts.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

/* The stand-ins have the sizes in FESAM Table 2, and by default the same numbers of frames. */
TEST(sizes_are_the_papers)
{
    const struct {
        const char *name;
        int vertices, frames;
    } rows[] = {{"flag", 6906, 200}, {"skirt", 5095, 360}, {"cloak", 3069, 360}, {"elastic", 2904, 204}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Generator *generator = generator_find(rows[i].name);
        for (int p = 0; generator->parameters[p].name; p++)
            if (strcmp(generator->parameters[p].name, "frames") == 0)
                assert_int_equal(generator->parameters[p].default_value, rows[i].frames);
        OWNED_BY(dataset_free) Dataset *dataset = GENERATED(rows[i].name, "frames=1", "lead=0");
        assert_int_equal(dataset->mesh.vertex_count, rows[i].vertices);
        dataset_free(dataset);
        dataset = GENERATED(rows[i].name, "frames=1", "lead=0", "vertices=7001");
        assert_int_equal(dataset->mesh.vertex_count, 7001);
    }
}

/* Returns the maximum over all edges and frames of length / rest length. */
static double greatest_stretch(const Dataset *dataset)
{
    const Mesh *mesh = &dataset->mesh;
    double max = 0.0;
    for (int f = 0; f < dataset->animation.frame_count; f++) {
        const float *frame = dataset->animation.positions + 3 * (ptrdiff_t)f * mesh->vertex_count;
        for (int i = 0; i < 3 * mesh->triangle_count; i++) {
            const int32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
            const double now = vec3_length(vec3_sub(point_at(frame, a), point_at(frame, b)));
            const double rest = vec3_length(vec3_sub(point_at(mesh->rest, a), point_at(mesh->rest, b)));
            max = fmax(max, now / rest);
        }
    }
    return max;
}

/* ---- the body of garment.c, written again from its formulas ---- */

static double s(double turns)
{
    return sin(2.0 * PI * turns);
}

static Vec3 turned(Vec3 origin, double turns, double x, double y, double z)
{
    const double c = cos(2.0 * PI * turns), n = sin(2.0 * PI * turns);
    return vec3_make(origin.x + c * x + n * z, origin.y + y, origin.z - n * x + c * z);
}

/* Returns the signed distance of a point from the body at time t, positive outside. */
static double body_distance(double t, bool arms, Vec3 p)
{
    const double u = t + 1.0, clock = u < 0.0 ? 0.0 : u < 1.0 ? u * u * u - u * u * u * u / 2.0 : t + 0.5;
    const double step = 0.85 * clock, heading = 0.12 * clock + 0.17 * s(clock / 3.4);
    const Vec3 hips = {0.9 * (1.0 - cos(2.0 * PI * 0.12 * clock)), 0.95 + 0.02 * s(2.0 * step),
                       0.9 * s(0.12 * clock)};
    const Vec3 chest = {hips.x, hips.y + 0.42, hips.z};
    const double at_hips = heading + 0.02 * s(step), at_chest = heading - 0.025 * s(step);
    double min =
        segment_distance(p, turned(hips, at_hips, 0.07, 0, 0), turned(hips, at_hips, -0.07, 0, 0)) - 0.11;
    min = fmin(min, segment_distance(p, hips, chest) - 0.105);
    min = fmin(
        min, segment_distance(p, turned(chest, at_chest, 0.12, 0, 0), turned(chest, at_chest, -0.12, 0, 0)) -
                 0.09);
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1.0 : 1.0, phase = step + 0.5 * side;
        double x = sign * 0.085, y = -0.05, z = 0.0, angle = 0.075 * s(phase);
        Vec3 joints[3] = {turned(hips, at_hips, x, y, z)};
        for (int link = 0; link < 2; link++) {
            const double length = link ? 0.44 : 0.42;
            angle -= link ? 0.06 * (1.0 + s(phase + 0.4)) : 0.0;
            y -= length * cos(2.0 * PI * angle);
            z += length * sin(2.0 * PI * angle);
            joints[link + 1] = turned(hips, at_hips, x, y, z);
            min = fmin(min, segment_distance(p, joints[link], joints[link + 1]) - (link ? 0.055 : 0.08));
        }
        x = sign * 0.19, y = 0.0, z = 0.0, angle = -0.05 * s(phase);
        joints[0] = turned(chest, at_chest, x, y, z);
        for (int link = 0; link < 2 && arms; link++) {
            const double length = link ? 0.25 : 0.30;
            angle += link ? 0.06 : 0.0;
            x += sign * 0.25 * length;
            y -= length * cos(2.0 * PI * angle);
            z += length * sin(2.0 * PI * angle);
            joints[link + 1] = turned(chest, at_chest, x, y, z);
            min = fmin(min, segment_distance(p, joints[link], joints[link + 1]) - (link ? 0.04 : 0.05));
        }
    }
    return min;
}

/* Cloth stretches by at most 10 %, and penetrates the body by at most 1 % of its height of 1.75 m. */
TEST(cloth_keeps_its_length_and_outside_of_the_body)
{
    const char *const names[] = {"skirt", "cloak"};
    Dataset *flag = GENERATED("flag", "vertices=1000", "frames=40");
    assert_true(greatest_stretch(flag) < 1.10);
    assert_true(greatest_stretch(flag) > 1.01); /* the flag must stretch a little */
    dataset_free(flag);
    for (int i = 0; i < 2; i++) {
        OWNED_BY(dataset_free) Dataset *cloth = GENERATED(names[i], "vertices=700", "frames=50");
        double min = INFINITY;
        for (int t = 0; t < cloth->mesh.triangle_count;
             t++) { /* the garment is a cone around the y axis, whose triangles face outwards */
            const int32_t *corners = cloth->mesh.triangles + 3 * (ptrdiff_t)t;
            const Vec3 normal = triangle_cross(cloth->mesh.rest, corners);
            const Vec3 at = point_at(cloth->mesh.rest, corners[0]);
            assert_true(normal.x * at.x + normal.z * at.z > 0.0 && normal.y > 0.0);
        }
        assert_true(greatest_stretch(cloth) < 1.10);
        for (int f = 0; f < 50; f++)
            for (int v = 0; v < 700; v++)
                min = fmin(min, body_distance(f / 30.0, i == 1,
                                              point_at(cloth->animation.positions, (ptrdiff_t)f * 700 + v)));
        assert_true(min > -0.01 * 1.75);
        assert_true(min < 0.01); /* the cloth touches the body */
    }
}

/* Returns the stretching energy of a triangle for stiffness 1, computed from its edges: half the rest area
 * times the sum of (s_i - 1)^2 over the singular values s_i of its deformation gradient. The s_i^2 are the
 * eigenvalues of M^-1 N, where M and N are the Gram matrices of two edges at rest and now. *area receives
 * the rest area. */
static double stretch_energy(const float *rest, const float *now, const int32_t *corners, double *area)
{
    double gram[2][3];
    for (int i = 0; i < 2; i++) {
        const float *points = i ? now : rest;
        const Vec3 a = vec3_sub(point_at(points, corners[1]), point_at(points, corners[0]));
        const Vec3 b = vec3_sub(point_at(points, corners[2]), point_at(points, corners[0]));
        gram[i][0] = vec3_dot(a, a), gram[i][1] = vec3_dot(a, b), gram[i][2] = vec3_dot(b, b);
    }
    const double *m = gram[0], *n = gram[1], determinant = m[0] * m[2] - m[1] * m[1];
    const double trace = (m[2] * n[0] - 2.0 * m[1] * n[1] + m[0] * n[2]) / determinant;
    const double product = sqrt((n[0] * n[2] - n[1] * n[1]) / determinant);
    *area = 0.5 * sqrt(determinant);
    return 0.5 * *area * (trace - 2.0 * sqrt(trace + 2.0 * product) + 2.0);
}

/* Returns the kinetic energy between a frame and the next, plus the mean potential energy of both frames,
 * in joules. */
static double energy(const Dataset *dataset, double density, double stiffness, int frame)
{
    const Mesh *mesh = &dataset->mesh;
    const float *frames[2];
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        frames[i] = dataset->animation.positions + 3 * (ptrdiff_t)(frame + i) * mesh->vertex_count;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        double area = 0.0;
        for (int i = 0; i < 2; i++)
            sum += 0.5 * stiffness * stretch_energy(mesh->rest, frames[i], corners, &area);
        for (int i = 0; i < 3; i++) {
            const Vec3 a = point_at(frames[0], corners[i]), b = point_at(frames[1], corners[i]);
            const Vec3 speed = vec3_scale(vec3_sub(b, a), 30.0);
            sum += density * area / 3.0 * (0.5 * vec3_dot(speed, speed) + 9.81 * 0.5 * (a.y + b.y));
        }
    }
    return sum;
}

/* Without wind or motion, cloth falls from its rest pose and comes to hang. Its energy therefore decreases.
 * The maximum over ten frames may exceed the maximum over the ten frames before by at most 3 % of the total
 * loss. This tolerance is needed because speeds are means over frames and bending is left out. */
TEST(energy_does_not_grow)
{
    enum { FRAMES = 60, WINDOW = 10 };
    OWNED_BY(dataset_free) Dataset *flag = GENERATED("flag", "vertices=400", "frames=60", "wind=0", "lead=0");
    OWNED_BY(dataset_free)
    Dataset *skirt = GENERATED("skirt", "vertices=400", "frames=60", "pace=0", "lead=0");
    const Dataset *pieces[] = {flag, skirt};
    const double densities[] = {0.12, 0.15};
    for (int i = 0; i < 2; i++) {
        const double first = energy(pieces[i], densities[i], 150.0, 0);
        const double last = energy(pieces[i], densities[i], 150.0, FRAMES - 2);
        const double tolerance = 0.03 * (first - last);
        double before = first;
        assert_true(last < first);
        for (int f = 1; f + WINDOW < FRAMES; f += WINDOW) {
            double max = -INFINITY;
            for (int k = 0; k < WINDOW; k++)
                max = fmax(max, energy(pieces[i], densities[i], 150.0, f + k));
            assert_true(max < before + tolerance);
            before = max;
        }
    }
}

/* ---- the solver ---- */

typedef struct Seen {
    int frames;
    Vec3 last[2000];
    int count;
} Seen;

static void see(void *context, int frame, const Vec3 *positions)
{
    Seen *seen = context;
    seen->frames = frame + 1;
    memcpy(seen->last, positions, (size_t)seen->count * sizeof *positions);
}

/* A free tetrahedron falls and drifts without strain. After n steps of length h, implicit Euler has fallen
 * by g h^2 n (n + 1) / 2. */
TEST(a_free_body_falls_as_the_method_does)
{
    enum { STEPS = 4, FRAMES = 16 };
    const int32_t corners[4] = {0, 1, 2, 3};
    const Vec3 rest[4] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.5}};
    CLEANUP(projective_clear) ProjectiveModel model = {.vertex_count = 4, .element_count = 1, .corners = 4};
    assert_ok(projective_allocate(&model));
    assert_true(fabs(strain_element_make(4, corners, rest, 1e4, &model.elements[0]) - 0.005) < 1e-15);
    for (int v = 0; v < 4; v++) {
        model.start[v] = rest[v];
        model.velocity[v] = vec3_make(0.5, 0.0, -1.0);
        model.masses[v] = 0.1 * (v + 1);
    }
    const ProjectiveScene scene = {.gravity = 9.81, .steps = STEPS, .iterations = 3};
    Seen seen = {.count = 4};
    assert_ok(projective_run(&model, &scene, 0.0, FRAMES, NULL, see, &seen));
    assert_int_equal(seen.frames, FRAMES);
    const double n = STEPS * (FRAMES - 1), h = 1.0 / (30.0 * STEPS);
    const Vec3 way = {0.5 * n * h, -9.81 * h * h * n * (n + 1) / 2.0, -n * h};
    for (int v = 0; v < 4; v++)
        assert_vec3(seen.last[v], vec3_add(rest[v], way), 1e-9);
}

static Vec3 strip_place(UNUSED const void *context, double along, double across)
{
    return vec3_make(0.2 * along, -across, 0.0);
}

static void strip_hold(const void *context, UNUSED double time, UNUSED Capsule *capsules, Vec3 *pins)
{
    const ProjectiveModel *model = context;
    for (int i = 0; i < model->pin_count; i++)
        pins[i] = model->start[model->pins[i]];
}

/* A hanging strip of rest length L becomes longer by density g L^2 / (2 stretch), here 0.05 m for L = 1 m.
 * The masses of its vertices add up to the mass of the strip. It is planar, so bending adds no energy. */
TEST(a_hanging_strip_is_as_long_as_its_weight_makes_it)
{
    const FabricCut cut = {.vertices = 400, .first = 0.2, .last = 0.2, .width = 1.0, .place = strip_place};
    const FabricMaterial material = {.density = 1.0, .stretch = 98.1, .bend = 1e-3, .limit = 1.0};
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(projective_clear) ProjectiveModel model = {0};
    assert_ok(fabric_make(&cut, &material, &mesh, &model));
    double mass = 0.0, low = 0.0;
    for (int v = 0; v < 400; v++)
        mass += model.masses[v];
    assert_true(fabs(mass - 0.2) < 1e-6);
    const ProjectiveScene scene = {
        .gravity = 9.81, .steps = 2, .iterations = 10, .move = strip_hold, .context = &model};
    Seen seen = {.count = 400};
    assert_ok(projective_run(&model, &scene, 0.0, 240, NULL, see, &seen));
    for (int v = 0; v < 400; v++)
        low = fmin(low, seen.last[v].y);
    assert_true(fabs(low + 1.05) < 0.002);
}

/* Two isosceles triangles of width w share an edge of length l, and are bent to a cylinder of radius r
 * whose axis is parallel to the edge. Their factors give l / w times the second difference w^2 / r, so the
 * energy is 3 / 2 of the area l w divided by r^2. */
TEST(bending_is_that_of_a_cylinder)
{
    const double r = 2.0, l = 0.06, w = 0.05;
    const Vec3 flat[4] = {{0, 0, 0}, {0, l, 0}, {w, 0.5 * l, 0}, {-w, 0.5 * l, 0}};
    const int32_t vertices[4] = {0, 1, 2, 3};
    BendElement bend;
    bend_element_make(vertices, flat, 1.0, &bend);
    Vec3 total = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const double angle = flat[k].x / r;
        total = vec3_add_scaled(total, vec3_make(r * sin(angle), flat[k].y, r * cos(angle)), bend.factors[k]);
    }
    assert_true(fabs(0.5 * bend.weight * vec3_dot(total, total) * r * r / (1.5 * l * w) - 1.0) < 1e-3);
}

static double signed_volume(const Mesh *mesh, const float *points)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        sum += vec3_dot(point_at(points, corners[0]), triangle_cross(points, corners)) / 6.0;
    }
    return sum;
}

/* The soft body flies straight if it is thrown without spin or gravity. Thrown onto the logs, it lands, is
 * deformed, and keeps at least half of its volume. */
TEST(an_elastic_body_flies_and_lands)
{
    Dataset *free = GENERATED("elastic", "vertices=500", "frames=20", "gravity=0", "spin=0", "cell=0.15");
    for (int f = 0; f < 20; f++)
        for (int v = 0; v < 500; v++) {
            const Vec3 way = vec3_make(1.5 * f / 30.0, 1.2 + 0.5 * f / 30.0, 0.1 * f / 30.0);
            assert_vec3(point_at(free->animation.positions, (ptrdiff_t)f * 500 + v),
                        vec3_add(point_at(free->mesh.rest, v), way), 1e-5);
        }
    dataset_free(free);
    OWNED_BY(dataset_free) Dataset *thrown = GENERATED("elastic", "vertices=500", "frames=60", "cell=0.1");
    const double volume = signed_volume(&thrown->mesh, thrown->mesh.rest);
    assert_int_equal(thrown->mesh.triangle_count,
                     2 * (500 - 2)); /* a triangulated sphere with n vertices has 2 (n - 2) triangles */
    assert_true(volume > 0.1 && volume < 0.3);
    for (int f = 0; f < 60; f++) {
        const double now = signed_volume(&thrown->mesh, thrown->animation.positions + 3 * (ptrdiff_t)f * 500);
        assert_true(now > 0.5 * volume && now < 1.5 * volume);
    }
    assert_true(greatest_stretch(thrown) > 1.2);
}

TEST(a_stop_is_a_status)
{
    int reports_left = 3;
    const Progress progress = {stop_in_time, &reports_left};
    Dataset *dataset = NULL;
    assert_refused(STATUS_STOPPED, "simulating",
                   generated_try("flag", ASSIGNMENTS("vertices=300"), &progress, &dataset));
    assert_null(dataset);
    assert_int_equal(reports_left, 0);
}

TEST(sines_are_sines)
{
    for (int i = -4000; i <= 4000; i++) {
        assert_true(fabs(wave_sine(i / 777.0) - sin(2.0 * PI * i / 777.0)) < 2e-11);
        assert_true(fabs(wave_cosine(i / 777.0) - cos(2.0 * PI * i / 777.0)) < 2e-11);
    }
}
