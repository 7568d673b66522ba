/* Tests hyperspectral inverse skinning on known rigs. All vertices of a patch share one blend, and there
 * are enough of them to determine its transformation, so that theory predicts the bones and weights. Also
 * tests properties of the simplex. */
#include "methods/decomposition/hyperspectral/flats.h"
#include "tests/trials.h"

enum { BONES = 4, FRAMES = 12, PATCHES = 240, VERTICES = 4 * PATCHES };

typedef struct Known {
    Sequence sequence;
    double weights[PATCHES][BONES];
    Transform maps[FRAMES][BONES];
} Known;

static void known_clear(Known *known)
{
    sequence_clear(&known->sequence);
}

/* Makes tetrahedra of side 0.2 to 0.4 in a cube of side 2, each moved by one blend of random affine maps.
 * If `pure`, the first patches have one bone each. Otherwise every patch lacks one bone and has no weight
 * above 0.8, so that the simplex has points on its faces but none at its corners. */
static Known known_make(bool pure)
{
    Known known = {.sequence = {.mesh = {0}}};
    Random random = {7};
    assert_ok(mesh_allocate(&known.sequence.mesh, VERTICES, 4 * PATCHES));
    assert_ok(animation_allocate(&known.sequence.animation, FRAMES, VERTICES, 0));
    for (int f = 0; f < FRAMES; f++)
        for (int b = 0; b < BONES; b++)
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 4; column++)
                    (&known.maps[f][b].m00)[4 * row + column] =
                        (row == column) + 0.5 * random_signed(&random);
    for (int p = 0; p < PATCHES; p++) {
        double sum = 0.0;
        for (int b = 0; b < BONES; b++) {
            const bool none = pure ? p < BONES && b != p : b == p % BONES;
            known.weights[p][b] = none ? 0.0 : 0.3 - log(1e-9 + random_unit(&random));
            sum += known.weights[p][b];
        }
        for (int b = 0; b < BONES; b++)
            known.weights[p][b] /= sum;
        if (!pure && p < BONES * (BONES - 1)) {
            const int most = p / (BONES - 1), other = (most + 1 + p % (BONES - 1)) % BONES;
            memset(known.weights[p], 0, sizeof known.weights[p]);
            known.weights[p][most] = 0.8;
            known.weights[p][other] = 0.2;
        }
        Vec3 middle = vec3_make(random_signed(&random), 0.0, 0.0);
        middle.y = random_signed(&random);
        middle.z = random_signed(&random);
        for (int corner = 0; corner < 4; corner++) {
            const int v = 4 * p + corner;
            const double side = 0.2 + 0.2 * random_unit(&random);
            point_set(known.sequence.mesh.rest, v,
                      vec3_add(middle, vec3_make(corner == 1 ? side : 0.0, corner == 2 ? side : 0.0,
                                                 corner == 3 ? side : 0.0)));
            for (int i = 0; i < 3; i++)
                known.sequence.mesh.triangles[3 * v + i] = 4 * p + (corner + i) % 4;
            for (int f = 0; f < FRAMES; f++) {
                Vec3 place = vec3_make(0.0, 0.0, 0.0);
                for (int b = 0; b < BONES; b++)
                    place = vec3_add_scaled(
                        place, transform_point(known.maps[f][b], point_at(known.sequence.mesh.rest, v)),
                        known.weights[p][b]);
                point_set(known.sequence.animation.positions, (ptrdiff_t)f * VERTICES + v, place);
            }
        }
    }
    return known;
}

/* Matches the found bones with the known bones. Sets `weights` to the largest difference between their
 * weights. Sets `places` to the largest distance between the positions to which they move a vertex. */
static void known_compare(const Known *known, const DecompositionResult *result, double *weights,
                          double *places)
{
    const Rig *rig = &result->rig;
    assert_int_equal(rig->joint_count, BONES);
    *weights = *places = 0.0;
    for (int b = 0; b < BONES; b++) {
        double best = INFINITY;
        int which = 0;
        for (int j = 0; j < BONES; j++) {
            double worst = 0.0;
            for (int f = 0; f < FRAMES; f++)
                for (int v = 0; v < VERTICES; v++) {
                    const Vec3 rest = point_at(known->sequence.mesh.rest, v);
                    worst = fmax(worst,
                                 vec3_length(vec3_sub(transform_point(rig->transforms[f * BONES + j], rest),
                                                      transform_point(known->maps[f][b], rest))));
                }
            if (worst < best) {
                best = worst;
                which = j;
            }
        }
        *places = fmax(*places, best);
        for (int v = 0; v < VERTICES; v++) {
            double weight = 0.0;
            for (int k = 0; k < rig->influence_count; k++)
                if (rig->weight_joints[v * rig->influence_count + k] == which)
                    weight += (double)rig->weight_values[v * rig->influence_count + k];
            *weights = fmax(*weights, fabs(weight - known->weights[v / 4][b]));
        }
    }
}

/* Checks that the fit finds a known rig. Errors of weights and of moved vertices must be within the given
 * bounds. */
static void assert_found(bool pure, int influences, double weight_bound, double place_bound)
{
    CLEANUP(known_clear) Known known = known_make(pure);
    double weights = 0.0, places = 0.0;
    FITTED(result, &known.sequence, "hyperspectral", BONES, influences, 15, 2, "reduction=1e-4");
    known_compare(&known, &result, &weights, &places);
    fail_if(weights > weight_bound || places > place_bound, "weights off by %g, places by %g", weights,
            places);
}

/* If each bone has its own patch, the corners of the simplex are data points. The rig is found up to float
 * rounding (1e-7 of the positions divided by the side of a patch) and the convergence of the sweeps. */
TEST(bones_with_vertices_of_their_own_are_found)
{
    assert_found(true, 8, 1e-4, 3e-4);
}

/* Without patches of single bones, the data fill the faces of the simplex. The smallest simplex around them
 * is the one that generated the data (Lin et al. 2015), and the barrier method ends within 1e-3 of it. */
TEST(full_faces_are_enough)
{
    assert_found(false, 4, 1e-3, 4e-3);
}

/* Two bones blend smoothly between their bands of a sheet. A neighbourhood there does not follow a single
 * affine map, and the published alternation is far from the rig after 15 iterations. However, the weights
 * are linear functions of the trajectories: 6 bones need 24 of the 60 coordinates of 20 frames. The rig is
 * found before the first iteration, up to the rounding of positions to floats, which is 1e-7 of their
 * size. */
TEST(a_smooth_rig_is_found_at_once)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(60, 12, 20, 6, 0.4, 5);
    const double size = squared_size(&sequence);
    {
        FITTED(result, &sequence, "hyperspectral", 6, 8, 15, 1, "preset=paper");
        assert_true(error_in_the_end(&result) > 1e-6 * size);
    }
    FITTED(result, &sequence, "hyperspectral", 6, 8, 0, 1, "reduction=1e-4");
    assert_true(error_in_the_end(&result) < 1e-12 * size);
}

/* Accelerated iterations never raise the error, and lower it further than plain ones. */
TEST(acceleration_descends)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(60, 12, 20, 6, 0.4, 5);
    FITTED(plain, &sequence, "hyperspectral", 4, 4, 20, 1, "window=0");
    FITTED(result, &sequence, "hyperspectral", 4, 4, 20, 1, "window=5");
    assert_descent(&result, result.iteration_count - 1); /* the last iteration rounds weights to float */
    assert_true(error_in_the_end(&result) < error_in_the_end(&plain));
}

/* A triangle around a square of side 1 has an area of at least 2. */
TEST(the_triangle_around_a_square)
{
    enum { POINTS = 400 };
    double shares[POINTS * 3], maps[3 * 4] = {0.0}, corners[3][2];
    Random random = {3};
    for (int p = 0; p < POINTS; p++) {
        shares[3 * p] = 1.0;
        for (int axis = 1; axis < 3; axis++)
            shares[3 * p + axis] = p < 4 ? (double)(p >> (axis - 1) & 1) : random_unit(&random);
    }
    /* Map h starts as the unit vector h, in the coordinates (1, x, y) of a point in the plane. */
    for (int h = 0; h < 3; h++)
        maps[4 * h + h] = 1.0;
    double before[POINTS * 3];
    memcpy(before, shares, sizeof shares);
    Flats flats = {.vertex_count = POINTS,
                   .dimension = 1,
                   .handle_count = 3,
                   .threads = 1,
                   .maps = maps,
                   .shares = shares};
    assert_ok(flats_enclose(&flats, false));
    for (int h = 0; h < 3; h++) {
        assert_true(fabs(maps[4 * h] - 1.0) < 1e-9);
        corners[h][0] = maps[4 * h + 1];
        corners[h][1] = maps[4 * h + 2];
    }
    const double twice = fabs((corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) -
                              (corners[2][0] - corners[0][0]) * (corners[1][1] - corners[0][1]));
    fail_if(twice < 4.0 - 1e-6 || twice > 4.01, "twice its area is %.9g, expected 4", twice);
    for (int p = 0; p < POINTS; p++) {
        double sum = 0.0;
        for (int h = 0; h < 3; h++) {
            assert_true(shares[3 * p + h] >= 0.0);
            sum += shares[3 * p + h];
        }
        assert_true(fabs(sum - 1.0) < 1e-9);
        for (int axis = 0; axis < 2; axis++)
            assert_true(fabs(shares[3 * p] * corners[0][axis] + shares[3 * p + 1] * corners[1][axis] +
                             shares[3 * p + 2] * corners[2][axis] - before[3 * p + 1 + axis]) < 1e-8);
    }
}
