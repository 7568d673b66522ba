/* Tests SMA on rigid pieces that it must find, bandwidths with a known outcome, and the division of a
 * cluster into connected parts. */
#include "datasets/geometry/nearest_rotation.h"
#include "tests/trials.h"

enum { WIDTH = 30, HEIGHT = 12, FRAMES = 10 };

/* Cuts the sheet into pieces of equal width by removing the triangles between them. */
static void cut(Sequence *sequence, int pieces)
{
    int kept = 0;
    int32_t *triangles = sequence->mesh.triangles;
    for (int i = 0; i < sequence->mesh.triangle_count; i++) {
        int min = pieces, max = 0;
        for (int corner = 0; corner < 3; corner++) {
            int piece = triangles[3 * i + corner] % WIDTH * pieces / WIDTH;
            min = piece < min ? piece : min;
            max = piece > max ? piece : max;
        }
        if (min == max)
            memmove(triangles + 3 * kept++, triangles + 3 * i, 3 * sizeof(int32_t));
    }
    sequence->mesh.triangle_count = kept;
}

/* Moves each piece by its own random rigid motion in every frame. There are `turns` different rotations, so
 * that some pieces rotate alike. */
static void move_pieces(Sequence *sequence, int pieces, int turns, uint64_t seed)
{
    Random random = {seed};
    for (int frame = 0; frame < FRAMES; frame++) {
        double rotations[8][3][3], shifts[8][3];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < 9; i++)
                rotations[turn][i / 3][i % 3] = (i % 4 == 0 ? 1.0 : 0.0) + 0.6 * random_signed(&random);
            nearest_rotation((const double(*)[3])rotations[turn], rotations[turn]);
        }
        for (int i = 0; i < 24; i++)
            shifts[i / 3][i % 3] = 10.0 * random_signed(&random);
        for (int j = 0; j < WIDTH * HEIGHT; j++) {
            int piece = j % WIDTH * pieces / WIDTH;
            const float *v = sequence->mesh.rest + 3 * j;
            for (int axis = 0; axis < 3; axis++) {
                const double *row = rotations[piece % turns][axis];
                sequence->animation.positions[3 * (frame * WIDTH * HEIGHT + j) + axis] =
                    (float)(row[0] * (double)v[0] + row[1] * (double)v[1] + row[2] * (double)v[2] +
                            shifts[piece][axis]);
            }
        }
    }
}

static void expect(const char *first, const char *second, const Sequence *sequence, int bones, int delivered,
                   double error)
{
    int count = 0;
    double e =
        trial_check(&TRIAL("sma", bones, 4, 0, 1, first, second, "rest-pose=file"), sequence, NULL, &count);
    if (count != delivered || !(e <= error))
        fail_msg("%s %s: %d bones, expected %d, E_RMS %g", first, second, count, delivered, e);
}

/* Pieces with different rotations and their motions are recovered, whatever the number of bones. If more
 * bones are requested than there are pieces, one bone per piece is delivered. */
TEST(rigid_pieces_are_recovered)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    cut(&sequence, 6);
    move_pieces(&sequence, 6, 6, 3);
    expect("transforms=affine", "surplus=1", &sequence, 6, 6, 1e-3);
    expect("transforms=rigid", "surplus=1", &sequence, 6, 6, 1e-3);
    expect("transforms=rigid", "surplus=10", &sequence, 6, 6, 1e-3);
    expect("transforms=rigid", "split=no", &sequence, 6, 6, 1e-3);
    expect("transforms=rigid", "bandwidth=0.02", &sequence, 6, 6, 1e-3);
    expect("transforms=rigid", "samples=60", &sequence, 20, 6, 1e-3);
    expect("transforms=rigid", "preset=paper", &sequence, 6, 6, 1e-3);
}

/* Coordinate descent can start from the clusters of another method. If the clusters are the rigid pieces,
 * it is exact before its first sweep. The pieces are far apart, so that clustered PCA puts a seed in
 * each. */
TEST(coordinate_descent_begins_with_clusters)
{
    static const char *const regions[] = {"regions=sma", "regions=cpca"};
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    cut(&sequence, 6);
    for (int j = 0; j < WIDTH * HEIGHT; j++) {
        const int piece = j % WIDTH * 6 / WIDTH;
        sequence.mesh.rest[3 * j] += 100.0f * (float)piece;
    }
    move_pieces(&sequence, 6, 6, 3);
    for (int i = 0; i < 2; i++) {
        int found = 0;
        const Trial trial =
            TRIAL("coordinate-descent", 6, 4, 0, 1, regions[i], "threshold=1e-4", "search=no");
        assert_at_most(trial_check(&trial, &sequence, NULL, &found), 1e-3);
        assert_int_equal(found, 6);
    }
}

/* Pieces that rotate alike but are not connected form one cluster with six parts. */
TEST(parts_that_turn_alike_are_separated)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    cut(&sequence, 6);
    move_pieces(&sequence, 6, 2, 3);
    expect("bandwidth=0.02", "split=yes", &sequence, 6, 6, 1e-3);
    expect("bandwidth=0.02", "preset=paper", &sequence, 6, 2, 1e9); /* preset=paper adds no bones by motion */
}

/* Two inputs must give a single bone: a large bandwidth, and a mesh without triangles. The largest distance
 * of two rotations is 2 sqrt(2). The bandwidth must exceed this by the error of the sketch that
 * approximates such distances. If everything moves by one rigid motion, the single bone is exact. */
TEST(one_cluster_is_one_bone)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    move_pieces(&sequence, 6, 6, 3);
    expect("bandwidth=3", "surplus=1", &sequence, 6, 1, 1e9);
    move_pieces(&sequence, 1, 1, 3);
    expect("transforms=rigid", "surplus=1", &sequence, 1, 1, 1e-3);
    sequence.mesh.triangle_count = 0;
    expect("transforms=rigid", "surplus=1", &sequence, 6, 1, 1e-3);
}

/* A few vertices and their triangles move erratically. In any unit of length, their pieces are too small to
 * become bones. With one bone per large piece, the error is at most the motion of those vertices. */
TEST(flying_triangles_are_no_bones)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    Random random = {8};
    double flown = 0.0;
    cut(&sequence, 6);
    move_pieces(&sequence, 6, 6, 3);
    for (int i = 0; i < 3 * FRAMES * 4; i++) {
        int vertex = 62 + 71 * (i % 4), row = i / 4;
        double change = random_signed(&random);
        sequence.animation.positions[3 * (row / 3 * WIDTH * HEIGHT + vertex) + row % 3] += (float)change;
        flown += change * change;
    }
    double bound = 1.001 * e_rms(&sequence, flown);
    expect("smallest=0.5", "preset=paper", &sequence, 6, 6, bound);
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
        sequence.mesh.rest[i] *= 64.0f;
    for (int i = 0; i < 3 * WIDTH * HEIGHT * FRAMES; i++)
        sequence.animation.positions[i] *= 64.0f;
    expect("smallest=0.5", "preset=paper", &sequence, 6, 6, bound);
}
