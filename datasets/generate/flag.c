/* A flag on a pole that bends and wrinkles in gusts, simulated by projective dynamics. The mesh is open and
 * has as many vertices as the flag in FESAM Table 2; the data set has positions only. The pole is the y
 * axis; the wind blows along +x. */
#include "datasets/generate/fabric.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

enum { VERTICES, FRAMES, LEAD, WIND, GUST, STRETCH, BEND, STEPS, ITERATIONS, SEED, ROW_COUNT };
enum { GUSTS = 4 };

static const Parameter parameters[ROW_COUNT + 1] = {
    [VERTICES] = {"vertices", "vertices, exactly", PARAMETER_INTEGER, 6906, FABRIC_VERTICES_MIN, 1e6, NULL},
    [FRAMES] = {"frames", "frames", PARAMETER_INTEGER, 200, 1, 4096, NULL},
    [LEAD] = {"lead", "time simulated before the first frame, seconds; it starts with a flat flag",
              PARAMETER_REAL, 2.0, 0.0, 60.0, NULL},
    [WIND] = {"wind", "mean speed of the wind, m/s", PARAMETER_REAL, 6.0, 0.0, 30.0, NULL},
    [GUST] = {"gust", "speed of the gusts across the wind, as a fraction of the mean speed of the wind",
              PARAMETER_REAL, 0.4, 0.0, 2.0, NULL},
    [STRETCH] = {"stretch", "stiffness against stretch, N/m", PARAMETER_REAL, 150.0, 1.0, 1e5, NULL},
    [BEND] = {"bend", "stiffness against bending, N m", PARAMETER_REAL, 1e-3, 0.0, 1.0, NULL},
    [STEPS] = {"steps", "number of simulation steps per frame", PARAMETER_INTEGER, 8, 1, 256, NULL},
    [ITERATIONS] = {"iterations", "number of local and global solves per simulation step", PARAMETER_INTEGER,
                    2, 1, 256, NULL},
    [SEED] = {"seed", "random seed of the gusts", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
};

static const double WIDTH = 1.5, HEIGHT = 1.0;

typedef struct Weather {
    const ProjectiveModel *model;
    double wind, gust;
    double phases[GUSTS][2];
} Weather;

/* Returns the start position of a vertex. The first row is on the pole, from the top down. */
static Vec3 flag_place(const void *context, double along, double across)
{
    (void)context;
    return vec3_make(WIDTH * across, HEIGHT * (1.0 - along), 0.0);
}

static void pole_move(const void *context, double time, Capsule *capsules, Vec3 *pins)
{
    (void)time;
    (void)capsules;
    const Weather *weather = context;
    for (int i = 0; i < weather->model->pin_count; i++)
        pins[i] = weather->model->start[weather->model->pins[i]];
}

/* Returns the velocity of the wind. It is a sum of waves that travel with the wind; shorter waves change
 * faster and are weaker. */
static Vec3 gusts_at(const void *context, Vec3 place, double time)
{
    const Weather *weather = context;
    Vec3 wind = {weather->wind, 0.0, 0.0};
    double length = 1.9, rise = 0.6;
    for (int i = 0; i < GUSTS; i++, length *= 0.65, rise *= -1.2) {
        const double *phases = weather->phases[i], speed = weather->gust * weather->wind * (length / 1.9);
        const double phase = (place.x + rise * place.y - 0.7 * weather->wind * time) / length;
        wind.z += speed * wave_sine(phase + phases[0]);
        wind.x += 0.4 * speed * wave_sine(0.7 * phase + phases[1]);
        wind.y += 0.3 * speed * wave_sine(0.8 * phase - phases[0]);
    }
    return wind;
}

static Status flag_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    const FabricCut cut = {.vertices = (int)values[VERTICES],
                           .first = HEIGHT,
                           .last = HEIGHT,
                           .width = WIDTH,
                           .place = flag_place};
    const FabricMaterial material = {
        .density = 0.12, .stretch = values[STRETCH], .bend = values[BEND], .limit = 0.06};
    CLEANUP(projective_clear) ProjectiveModel model = {0};
    Weather weather = {.model = &model, .wind = values[WIND], .gust = values[GUST]};
    const ProjectiveScene scene = {.gravity = 9.81,
                                   .steps = (int)values[STEPS],
                                   .iterations = (int)values[ITERATIONS],
                                   .move = pole_move,
                                   .wind = gusts_at,
                                   .context = &weather};
    Random random = {(uint64_t)values[SEED]};
    for (int i = 0; i < 2 * GUSTS; i++)
        weather.phases[i / 2][i % 2] = random_unit(&random);
    STATUS_TRY(fabric_make(&cut, &material, &dataset->mesh, &model));
    return fabric_animate(&model, &scene, values[LEAD], (int)values[FRAMES], progress, &dataset->animation);
}

const Generator generator_flag = {.name = "flag",
                                  .title = "flag in gusts, simulated; positions only, open mesh, deformable",
                                  .dataset_title = "Flag on a pole in gusts, simulated; no rig",
                                  .parameters = parameters,
                                  .fill = flag_fill};
