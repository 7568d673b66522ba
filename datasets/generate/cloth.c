/* A flag on a pole along z at x = 0. The cloth bends in one direction only. Its waves run from the pole to
 * the free end and grow along the way, without stretching the fibres. The mesh is open; the data set has
 * positions only. */
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

#include "datasets/geometry/angles.h"

enum { ACROSS, UP, FRAMES, WAVES, ANGLE, SLANT, SEED, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [ACROSS] = {"across", "number of vertices from the pole to the free end", PARAMETER_INTEGER, 61, 2, 4096,
                NULL},
    [UP] = {"up", "number of vertices along the pole", PARAMETER_INTEGER, 41, 2, 4096, NULL},
    [FRAMES] = {"frames", "number of frames; they show a whole number of cycles of the motion",
                PARAMETER_INTEGER, 60, 1, 4096, NULL},
    [WAVES] = {"waves", "number of waves on the flag", PARAMETER_REAL, 1.7, 0.0, 100.0, NULL},
    [ANGLE] = {"angle", "largest rotation of the cloth out of its plane, degrees", PARAMETER_REAL, 55.0, 0.0,
               180.0, NULL},
    [SLANT] = {"slant", "fraction of a wave by which the top is ahead of the bottom (shears the cloth)",
               PARAMETER_REAL, 0.15, 0.0, 10.0, NULL},
    [SEED] = {"seed", "random seed of the phases", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
};

static const double WIDTH = 1.5, HEIGHT = 1.0;

/* Bends one row of the cloth in one frame. Each segment of the row keeps its length and is rotated by the
 * angle of the wave. */
static void row_bend(const double *values, const double phases[3], double time, double height, float *row)
{
    int across = (int)values[ACROSS];
    double step = WIDTH / (across - 1), x = 0.0, z = 0.0, max = values[ANGLE] * PI / 180.0;
    for (int i = 0; i < across; i++) {
        row[3 * (size_t)i] = (float)x;
        row[3 * (size_t)i + 1] = (float)height;
        row[3 * (size_t)i + 2] = (float)z;
        double fraction = (i + 0.5) / (across - 1), lead = values[SLANT] * height / HEIGHT;
        double wave = 0.75 * sin(2.0 * PI * (values[WAVES] * fraction - 2.0 * time - lead) + phases[0]) +
                      0.25 * sin(2.0 * PI * (2.3 * values[WAVES] * fraction - 3.0 * time + lead) + phases[1]);
        double gust = 0.8 + 0.2 * sin(2.0 * PI * time + phases[2]);
        double angle = max * gust * smooth_step(2.0 * fraction) * wave;
        x += step * cos(angle);
        z += step * sin(angle);
    }
}

static Status cloth_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    (void)progress;
    dataset->animation.frame_count = (int)values[FRAMES];
    const int across = (int)values[ACROSS];
    const int up = (int)values[UP];
    STATUS_TRY(mesh_allocate(&dataset->mesh, across * up, 2 * (across - 1) * (up - 1)));
    int32_t *triangle = dataset->mesh.triangles;
    for (int row = 0; row < up; row++)
        for (int column = 0; column < across; column++) {
            int32_t corner = row * across + column;
            float *rest = dataset->mesh.rest + 3 * (size_t)corner;
            rest[0] = (float)(WIDTH * column / (across - 1));
            rest[1] = (float)(HEIGHT * row / (up - 1));
            if (row + 1 == up || column + 1 == across)
                continue;
            const int32_t pair[6] = {corner, corner + 1,          corner + across + 1,
                                     corner, corner + across + 1, corner + across};
            for (int i = 0; i < 6; i++)
                *triangle++ = pair[i];
        }
    return status_ok();
}

static void cloth_frame(const double *values, const Dataset *dataset, int frame, float *positions)
{
    const int across = (int)values[ACROSS], up = (int)values[UP];
    Random random = {(uint64_t)values[SEED]};
    double phases[3];
    for (int i = 0; i < 3; i++)
        phases[i] = 2.0 * PI * random_unit(&random);
    for (int row = 0; row < up; row++)
        row_bend(values, phases, (double)frame / dataset->animation.frame_count, HEIGHT * row / (up - 1),
                 positions + 3 * (size_t)across * (size_t)row);
}

const Generator generator_cloth = {.name = "cloth",
                                   .title = "flag on a pole in the wind; positions only, open mesh",
                                   .dataset_title = "Flag on a pole in the wind; no rig",
                                   .parameters = parameters,
                                   .fill = cloth_fill,
                                   .frame = cloth_frame};
