/* Tests centres of rotation: eq. 1 and 4 worked out by hand, the refined mesh, and fast searches compared
 * with brute force. */
#include "tests/rigs.h"

#include "methods/skinning/cor/centers.h"
#include "methods/skinning/cor/weight_surface.h"

static const CentersOptions defaults = {.epsilon = 0.1, .sigma = 0.1, .omega = 0.1, .cutoff = 1e-6};

static CentersReport centers_of(const Dataset *dataset, CentersOptions options, double *centers)
{
    CentersReport report;
    assert_ok(centers_compute(&dataset->mesh, &dataset->rig, &options, centers, &report));
    return report;
}

/* Makes two unconnected triangles with legs of length 1 in the planes z = 0 and z = 3. All vertices of a
 * triangle have the same weights for joints 0 and 1. The centroids are (1/3, 1/3, 0) and (1/3, 1/3, 3). */
static Dataset *two_triangles(const float lower[2], const float upper[2])
{
    static const float rest[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 3, 0, 1, 3};
    Dataset *dataset = dataset_made(NULL, 0.0, 6, 2, 2, 0, 2);
    memcpy(dataset->mesh.rest, rest, sizeof rest);
    for (int i = 0; i < 6; i++) {
        dataset->mesh.triangles[i] = i;
        dataset->rig.weight_joints[2 * i + 1] = 1;
        memcpy(dataset->rig.weight_values + 2 * i, i < 3 ? lower : upper, 2 * sizeof(float));
    }
    return dataset;
}

#define TWO_TRIANGLES(name, a, b, c, d)                                                                      \
    OWNED_BY(dataset_free) Dataset *name = two_triangles((float[]){a, b}, (float[]){c, d})

TEST(equation_4_by_hand)
{
    /* The similarity s of a vertex of the lower triangle to its own triangle is 2 / 16. Its similarity to
     * the upper triangle is 2 (1/2)(1/2)(3/4)(1/4) e^-h with
     *   h = ((1/2)(1/4) - (1/2)(3/4))^2 / sigma^2 = 1/4 for sigma = 1/2. */
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    CentersOptions options = defaults;
    options.sigma = 0.5;
    options.omega = 1.0; /* large enough to reach the other triangle, whose weights are sqrt(1/8) away */
    const double own = 2.0 / 16.0, other = 2.0 * 3.0 / 64.0 * exp(-0.25);
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        double centers[18];
        assert_int_equal(centers_of(dataset, options, centers).with_center, 6);
        for (int i = 0; i < 3; i++) {
            assert_near(centers[3 * i], 1.0 / 3.0, 1e-10);
            assert_near(centers[3 * i + 1], 1.0 / 3.0, 1e-10);
            assert_near(centers[3 * i + 2], 3.0 * other / (own + other), 1e-10);
        }
    }
    /* The paper's omega is too small to reach the other triangle, and no edge leads to it. */
    double centers[18];
    options.omega = 0.1;
    options.search = CENTERS_CLUSTERED;
    centers_of(dataset, options, centers);
    assert_near(centers[2], 0.0, 1e-12);
}

/* A sheet has 120 x 120 vertices and three joints. The sum for each pair of joints has 4e8 terms, so it is
 * computed by a transform (weight_transform.h). Every 97th vertex is compared with brute force. In both
 * methods, rounding errors come from sums of 28,322 terms of one sign. */
TEST(many_terms_are_summed_by_a_transform)
{
    enum { SIDE = 120, VERTICES = SIDE * SIDE, STRIDE = 97 };
    OWNED_BY(dataset_free)
    Dataset *dataset = dataset_made(NULL, 0.0, VERTICES, 2 * (SIDE - 1) * (SIDE - 1), 3, 0, 3);
    static double exact[3 * VERTICES], truth[3 * VERTICES];
    int32_t *corner = dataset->mesh.triangles;
    for (int i = 0; i < VERTICES; i++) {
        const int column = i % SIDE, row = i / SIDE;
        const double x = (double)column / (SIDE - 1), y = (double)row / (SIDE - 1);
        const double weights[3] = {(1.0 - x) * (1.0 - 0.5 * y * y), x * (1.0 - 0.5 * y * y), 0.5 * y * y};
        memcpy(dataset->mesh.rest + 3 * i, (const float[]){(float)x, (float)y, (float)(x * y)},
               3 * sizeof(float));
        for (int k = 0; k < 3; k++) {
            dataset->rig.weight_joints[3 * i + k] = k;
            dataset->rig.weight_values[3 * i + k] = (float)weights[k];
        }
        if (i % SIDE < SIDE - 1 && i / SIDE < SIDE - 1) {
            memcpy(corner, (const int32_t[]){i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE},
                   6 * sizeof *corner);
            corner += 6;
        }
    }
    CentersOptions options = defaults;
    (void)centers_of(dataset, options, exact);
    options.search = CENTERS_BRUTE_FORCE;
    options.stride = STRIDE;
    (void)centers_of(dataset, options, truth);
    for (int i = 0; i < VERTICES; i += STRIDE)
        for (int axis = 0; axis < 3; axis++)
            assert_near(exact[3 * i + axis], truth[3 * i + axis], 1e-12);
    /* several threads give identical bytes */
    options = defaults;
    options.threads = 3;
    (void)centers_of(dataset, options, truth);
    assert_memory_equal(exact, truth, sizeof exact);
}

/* Receives reports of progress between tasks, and may stop the work. */
static bool report_once(void *context, const char *what, double share)
{
    assert_holds(what, "centres of rotation");
    assert_true(share > 0.0 && share <= 1.0);
    return ++*(int *)context < 2;
}

TEST(centres_are_stopped)
{
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    int asked = 0;
    const Progress progress = {report_once, &asked};
    CentersOptions options = defaults;
    double centers[18];
    options.progress = &progress;
    assert_ok(centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL));
    assert_int_equal(asked, 1);
    assert_refused(STATUS_STOPPED, "centres of rotation",
                   centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL));
}

/* The Gaussian of weights that are sqrt(1/8) apart, with sigma 1/2, is exp(-1/2). For equal weights it is
 * 1. */
TEST(gaussians_by_hand)
{
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    CentersOptions options = defaults;
    options.sigma = 0.5;
    options.omega = 1.0;
    options.gaussian = true;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        double centers[18];
        centers_of(dataset, options, centers);
        assert_near(centers[2], 3.0 * exp(-0.5) / (1.0 + exp(-0.5)), 1e-10);
        assert_near(centers[17], 3.0 / (1.0 + exp(-0.5)), 1e-10);
    }
}

/* In a right triangle with equal legs, half of the area is nearest to the corner with the right angle, (0,
 * 0), and a quarter to each other corner. An obtuse triangle is divided in the same proportions. In an
 * equilateral triangle, each corner has a third. */
TEST(vertices_stand_for_the_area_nearest_to_them)
{
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.5f, 0.5f);
    CentersOptions options = defaults;
    double centers[18];
    options.at_points = options.apart = true;
    for (int brute = 0; brute < 2; brute++) {
        options.search = brute ? CENTERS_BRUTE_FORCE : CENTERS_EXACT;
        centers_of(dataset, options, centers);
        assert_near(centers[0], 0.25, 1e-7);
        assert_near(centers[1], 0.25, 1e-7);
        assert_near(centers[2], 0.0, 1e-12);
    }
    memcpy(dataset->mesh.rest + 6, (float[]){-1, 1, 0},
           3 * sizeof(float)); /* the angle at (0, 0) is now 135 degrees */
    centers_of(dataset, options, centers);
    assert_near(centers[0], 0.0, 1e-7);
    assert_near(centers[1], 0.25, 1e-7);
    memcpy(dataset->mesh.rest + 6, (float[]){0.5f, (float)sqrt(0.75), 0}, 3 * sizeof(float));
    centers_of(dataset, options, centers);
    assert_near(centers[0], 0.5, 1e-6);
    assert_near(centers[1], sqrt(0.75) / 3.0, 1e-6);
    options.search = CENTERS_CLUSTERED;
    assert_refused(STATUS_USAGE, "integral=vertices",
                   centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL));
}

TEST(components_can_be_kept_apart)
{
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.5f, 0.5f);
    CentersOptions options = defaults;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        double centers[18];
        options.apart = false;
        centers_of(dataset, options, centers);
        assert_near(centers[2], 1.5, 1e-12);
        assert_near(centers[17], 1.5, 1e-12);
        options.apart = true;
        centers_of(dataset, options, centers);
        assert_near(centers[2], 0.0, 1e-12);
        assert_near(centers[17], 3.0, 1e-12);
        assert_near(centers[15], 1.0 / 3.0, 1e-7);
    }
}

TEST(no_centre_is_the_vertex_itself)
{
    /* If every vertex has one influence, there are no pairs of joints. */
    TWO_TRIANGLES(dataset, 1.0f, 0.0f, 0.0f, 1.0f);
    CentersOptions options = defaults;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++)
        for (int triangles = 0; triangles <= 2;
             triangles++) { /* with 0 triangles there is no surface to integrate over */
            double centers[18];
            options.apart = triangles == 1;
            dataset->mesh.triangle_count = triangles;
            dataset->rig.weight_values[0] = dataset->rig.weight_values[1] = 0.5f;
            if (triangles > 0)
                dataset->rig.weight_values[0] = 1.0f, dataset->rig.weight_values[1] = 0.0f;
            assert_int_equal(centers_of(dataset, options, centers).with_center, 0);
            for (int i = 0; i < 18; i++)
                assert_true(centers[i] == (double)dataset->mesh.rest[i]);
        }
}

/* Adding degenerate triangles, some with two equal corners, changes no centre. */
TEST(degenerate_triangles_count_nothing)
{
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    static const int32_t faces[12] = {0, 1, 2, 3, 4, 5, 0, 0, 4, 3, 3, 3};
    memory_free(dataset->mesh.triangles);
    dataset->mesh.triangles = memory_table(4, 3, sizeof(int32_t));
    memcpy(dataset->mesh.triangles, faces, sizeof faces);
    CentersOptions options = defaults;
    options.omega = 1.0;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        double plain[18], more[18];
        dataset->mesh.triangle_count = 2;
        centers_of(dataset, options, plain);
        dataset->mesh.triangle_count = 4;
        centers_of(dataset, options, more);
        for (int i = 0; i < 18; i++)
            assert_near(more[i], plain[i], 1e-14);
    }
}

/* Returns the number of pieces of a triangle whose corners each have one joint. */
static int pieces_of(const int32_t joints[3], double epsilon)
{
    CLEANUP(weight_surface_clear) WeightSurface surface = {0};
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made(NULL, 0.0, 3, 1, 3, 0, 1);
    for (int i = 0; i < 3; i++) {
        dataset->mesh.triangles[i] = i;
        dataset->rig.weight_joints[i] = joints[i];
        dataset->rig.weight_values[i] = 1.0f;
    }
    assert_ok(weight_surface_init(&dataset->mesh, &dataset->rig, &(WeightSurfaceOptions){.epsilon = epsilon},
                                  &surface));
    return surface.sample_count;
}

TEST(refinement_of_known_triangles)
{
    /* The weights at the corners are (1, 0), (0, 1) and (0, 1), so two edges have a length of sqrt 2.
     * Halving them gives three triangles of the same shape and half the size. */
    static const int32_t sliver[] = {0, 1, 1}, equilateral[] = {0, 1, 2};
    assert_int_equal(pieces_of(sliver, 1.5), 1);
    assert_int_equal(pieces_of(sliver, 0.8), 3);
    assert_int_equal(pieces_of(sliver, 0.4), 9);
    /* An equilateral triangle with sides of length sqrt 2 is halved along a median, and each half is cut
     * along a midline. All edges of the four pieces are then shorter than 1.4. */
    assert_int_equal(pieces_of(equilateral, 1.4), 4);
    assert_true(pieces_of(equilateral, 1e-2) > 1000);
}

TEST(refined_edges_close)
{
    /* The corners of an octahedron have random weights. After any bisection of its faces, V - E + F of the
     * closed surface is 2. E = 3 F / 2 shows that no edge is left open. */
    static const float rest[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    OWNED_RIG(dataset, .vertices = 6, .joints = 9, .influences = 5, .seed = 4);
    mesh_clear(&dataset->mesh);
    assert_ok(mesh_allocate(&dataset->mesh, 6, 8));
    memcpy(dataset->mesh.rest, rest, sizeof rest);
    for (int face = 0; face < 8; face++)
        for (int axis = 0; axis < 3; axis++)
            dataset->mesh.triangles[3 * face + axis] = 2 * axis + (face >> axis & 1);
    for (int step = 0; step < 6; step++) {
        const double epsilon = 1.0 / (1 << step);
        CLEANUP(weight_surface_clear) WeightSurface surface = {0};
        assert_ok(weight_surface_init(&dataset->mesh, &dataset->rig,
                                      &(WeightSurfaceOptions){.epsilon = epsilon, .refined = true},
                                      &surface));
        assert_int_equal(surface.sample_count % 2, 0);
        assert_int_equal(surface.point_count - surface.sample_count / 2, 2);
        double area = 0.0;
        for (int i = 0; i < surface.sample_count; i++)
            area += surface.areas[i];
        assert_near(area, 4.0 * sqrt(3.0), 1e-12);
    }
}

TEST(impossible_surfaces_are_refused)
{
    double centers[18];
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    dataset->mesh.triangles[4] = 6;
    assert_bad_input("corner 1 of triangle 1 is vertex 6, expected 0 to 5",
                     centers_compute(&dataset->mesh, &dataset->rig, &defaults, centers, NULL));
    dataset->mesh.triangles[4] = 4;
    dataset->rig.weight_values[2] = NAN;
    assert_bad_input("vertex 1", centers_compute(&dataset->mesh, &dataset->rig, &defaults, centers, NULL));
    /* Weights of 1e30 and 1 would divide an edge into 1e31 pieces. */
    dataset->rig.weight_values[2] = 1e30f;
    assert_refused(STATUS_USAGE, "epsilon 0.1",
                   centers_compute(&dataset->mesh, &dataset->rig, &defaults, centers, NULL));
}

/* Returns a random rig. Every third seed gives some negative weights. */
static Dataset *rig_of_seed(int seed)
{
    Dataset *dataset = rig_make(PLAN(.vertices = 120, .joints = 4 + seed, .influences = 1 + seed % 7,
                                     .frames = 0, .seed = (uint64_t)seed));
    if (seed % 3 == 2)
        for (int i = 0; i < 120; i += 3) {
            float *weights = dataset->rig.weight_values + (size_t)i * (size_t)dataset->rig.influence_count;
            if (weights[0] < 1.0f) { /* another follows */
                weights[1] += 2.0f * weights[0];
                weights[0] = -weights[0];
            }
        }
    return dataset;
}

TEST(searches_equal_brute_force)
{
    double truth[360], centers[360];
    for (int seed = 1; seed < 12; seed++) {
        OWNED_BY(dataset_free) Dataset *dataset = rig_of_seed(seed);
        CentersOptions options = defaults;
        options.epsilon = 0.3;
        options.omega = 10.0; /* so large that the clustered search starts at every point, and every piece of
                                 surface touches a start */
        options.cutoff = 0.0;
        for (int apart = 0; apart < 2; apart++) {
            options.apart = apart;
            options.search = CENTERS_BRUTE_FORCE;
            int found = centers_of(dataset, options, truth).with_center;
            for (options.search = CENTERS_EXACT; options.search <= CENTERS_CLUSTERED; options.search++) {
                assert_int_equal(centers_of(dataset, options, centers).with_center, found);
                for (int i = 0; i < 360; i++)
                    assert_near(centers[i], truth[i], 1e-9);
            }
        }
    }
}

TEST(centres_stay_in_the_bounding_box)
{
    double centers[360];
    for (int seed = 2; seed < 12; seed += 3) {
        OWNED_BY(dataset_free) Dataset *dataset = rig_of_seed(seed);
        CentersOptions options = defaults;
        options.epsilon = 0.3;
        centers_of(dataset, options, centers);
        for (int i = 0; i < 360; i++)
            assert_true(centers[i] >= (i % 3 ? -1.0 : 0.0) &&
                        centers[i] <= (i % 3 ? 1.0 : dataset->rig.joint_count));
    }
}

TEST(threads_change_nothing)
{
    double one[360], many[360];
    OWNED_BY(dataset_free) Dataset *dataset = rig_of_seed(5);
    CentersOptions options = defaults;
    options.epsilon = 0.3;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        options.threads = 1;
        centers_of(dataset, options, one);
        for (options.threads = 2; options.threads < 5; options.threads++) {
            centers_of(dataset, options, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
}

TEST(every_allocation_may_fail)
{
    double centers[18];
    TWO_TRIANGLES(dataset, 0.5f, 0.5f, 0.75f, 0.25f);
    CentersOptions options = defaults;
    for (options.search = CENTERS_EXACT; options.search <= CENTERS_BRUTE_FORCE; options.search++) {
        options.apart = options.search == CENTERS_EXACT;
        assert_allocations_may_fail(
            15, centers_compute(&dataset->mesh, &dataset->rig, &options, centers, NULL), (void)0);
    }
}

/* Returns a quantile of the distances between two sets of centres, relative to the diagonal of the bounding
 * box. Only every `stride`-th vertex has centres. */
static double distance_at(const Dataset *dataset, int stride, const double *one, const double *other,
                          double share)
{
    int count = 0, vertices = dataset->mesh.vertex_count;
    OWNED double *distances = memory_array((size_t)vertices, sizeof *distances);
    for (int v = 0; v < vertices; v += stride)
        distances[count++] = vec3_length(vec3_sub(vec3_at(one, v), vec3_at(other, v)));
    values_sort(distances, (size_t)count);
    return distances[(int)(share * (count - 1))] / bounds_of(dataset->mesh.rest, vertices).diagonal;
}

/* On every 40th vertex of a production rig, the default search equals brute force. For one vertex in 50,
 * the paper's search misses similar surface that is not connected to the vertex. With omega = 0.3 and
 * cutoff = 1e-14, it misses such surface for less than one vertex in 100. */
TEST(data_makehuman)
{
    OWNED_DATA(dataset, "makehuman.h5");
    const size_t vertices = (size_t)dataset->mesh.vertex_count;
    OWNED double *truth = memory_table(vertices, 3, sizeof *truth);
    OWNED double *centers = memory_table(vertices, 3, sizeof *centers);
    CentersOptions options = defaults;
    options.stride = 40;
    options.search = CENTERS_BRUTE_FORCE;
    options.threads = 2;
    CentersReport brute = centers_of(dataset, options, truth);
    options.search = CENTERS_EXACT;
    CentersReport exact = centers_of(dataset, options, centers);
    assert_int_equal(exact.with_center, brute.with_center);
    assert_true(distance_at(dataset, options.stride, centers, truth, 1.0) < 1e-9);
    options.search = CENTERS_CLUSTERED;
    centers_of(dataset, options, centers);
    assert_true(distance_at(dataset, options.stride, centers, truth, 0.95) < 1e-3);
    options.omega = 0.3;
    options.cutoff = 1e-14;
    centers_of(dataset, options, centers);
    assert_true(distance_at(dataset, options.stride, centers, truth, 0.99) < 1e-3);
}
