/* A soft closed body that swims. It is a spindle whose spine bends in a travelling wave. Its cross sections
 * twist and swell at constant area, and ripples run over its skin. No part moves rigidly and no rig made
 * the motion, so the body is a deformable target for decompositions. */
#include "datasets/generate/generate.h"

#include "datasets/generate/tube.h"
#include "datasets/geometry/angles.h"

enum { AROUND, ALONG, FRAMES, BEND, TWIST, SWELL, RIPPLE, SEED, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [AROUND] = {"around", "vertices around", PARAMETER_INTEGER, 48, 3, 2048, NULL},
    [ALONG] = {"along", "number of rings of vertices along the body", PARAMETER_INTEGER, 60, 2, 4096, NULL},
    [FRAMES] = {"frames", "number of frames; they show a whole number of cycles of the motion",
                PARAMETER_INTEGER, 60, 1, 4096, NULL},
    [BEND] = {"bend", "largest sideways rotation of the spine, degrees", PARAMETER_REAL, 45.0, 0.0, 180.0,
              NULL},
    [TWIST] = {"twist", "largest twist of head and tail, degrees", PARAMETER_REAL, 40.0, 0.0, 180.0, NULL},
    [SWELL] = {"swell", "how much cross sections squash and stretch, as a fraction of their size",
               PARAMETER_REAL, 0.2, 0.0, 0.9, NULL},
    [RIPPLE] = {"ripple", "height of the ripples on the skin, as a fraction of the radius", PARAMETER_REAL,
                0.03, 0.0, 0.5, NULL},
    [SEED] = {"seed", "random seed of the phases", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
};

static const double RADIUS = 0.25; /* the body is 2 m long, along z */

/* Position and shape of the spine at one point of one frame. */
typedef struct Spine {
    double x, z;         /* the spine bends in the xz plane */
    double heading;      /* angle from +z towards +x */
    double twist, swell; /* scales the cross section by exp(swell) sideways and exp(-swell) vertically */
} Spine;

typedef struct Waves {
    double bend, twist, swell; /* amplitudes: bend and twist in radians, swell as the exponent */
    double phases[4];
} Waves;

static double heading_at(const Waves *waves, double z, double time)
{
    return waves->bend * (0.35 + 0.65 * 0.5 * (1.0 - z)) *
           sin(2.0 * PI * (0.6 * z + time) + waves->phases[0]);
}

/* Returns the spine at the point with rest position z. Integrates the heading from the middle of the body,
 * so that the spine keeps its length. */
static Spine spine_at(const Waves *waves, double z, double time)
{
    enum { STEPS = 32 };
    Spine spine = {.heading = heading_at(waves, z, time)};
    double step = z / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double heading = heading_at(waves, (i + 0.5) * step, time);
        spine.x += step * sin(heading);
        spine.z += step * cos(heading);
    }
    spine.twist = waves->twist * z * sin(2.0 * PI * time + waves->phases[1]);
    spine.swell = waves->swell * sin(2.0 * PI * (0.8 * z - time) + waves->phases[2]);
    return spine;
}

static Status jelly_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    (void)progress;
    dataset->animation.frame_count = (int)values[FRAMES];
    int along = (int)values[ALONG];
    LOCAL_ARRAY(TubeRing, rings, along, "the body");
    for (int i = 0; i < along; i++) {
        /* Rings are denser towards the round ends. */
        double angle = PI * (i + 0.5) / along, z = -cos(angle), radius = RADIUS * pow(sin(angle), 0.8);
        rings[i] = (TubeRing){.center = {0.0, 0.0, z},
                              .u = {1.0, 0.0, 0.0},
                              .v = {0.0, 1.0, 0.0},
                              .radius_u = radius,
                              .radius_v = radius,
                              .vertices = (int)values[AROUND]};
    }
    return tube_mesh_make(rings, along, &dataset->mesh);
}

static void jelly_frame(const double *values, const Dataset *dataset, int frame, float *positions)
{
    const Mesh *mesh = &dataset->mesh;
    const double time = (double)frame / dataset->animation.frame_count;
    Random random = {(uint64_t)values[SEED]};
    Waves waves = {.bend = values[BEND] * PI / 180.0,
                   .twist = values[TWIST] * PI / 180.0,
                   .swell = log(1.0 + values[SWELL])};
    for (int i = 0; i < 4; i++)
        waves.phases[i] = 2.0 * PI * random_unit(&random);
    Spine spine = {0};
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        const float *rest = mesh->rest + 3 * v;
        if (v == 0 || rest[2] != rest[2 - 3]) /* compute the spine only once per ring */
            spine = spine_at(&waves, rest[2], time);
        float *out = positions + 3 * v;
        double x = rest[0], y = rest[1], angle = atan2(y, x), radius = hypot(x, y);
        radius *= 1.0 + values[RIPPLE] * sin(5.0 * angle + waves.phases[3]) *
                            sin(2.0 * PI * (3.0 * rest[2] - 2.0 * time));
        double across = radius * cos(angle + spine.twist) * exp(spine.swell);
        double up = radius * sin(angle + spine.twist) * exp(-spine.swell);
        out[0] = (float)(spine.x + across * cos(spine.heading));
        out[1] = (float)up;
        out[2] = (float)(spine.z - across * sin(spine.heading));
    }
}

const Generator generator_jelly = {.name = "jelly",
                                   .title = "soft closed body swimming; positions only, deformable",
                                   .dataset_title =
                                       "Soft body swimming: bends, twists, swells, ripples; no rig",
                                   .parameters = parameters,
                                   .fill = jelly_fill,
                                   .frame = jelly_frame};
