/* A figure with fingers in seeded poses: every joint swings smoothly within its limits, with its own phase
 * about each axis. The motion fades in, so that frame 0 is the rest pose. The data set has a rig only. */
#include "datasets/generate/figure.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

enum { VERTICES, FINGERS, FRAMES, SEED, ARMS, POSITIONS, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [VERTICES] = {"vertices", "exact number of vertices of the skin", PARAMETER_INTEGER, 5000,
                  FIGURE_VERTICES_MIN, 10e6, NULL},
    [FINGERS] = {"fingers", "whether the figure has fingers: 54 joints with fingers, 24 without",
                 PARAMETER_FLAG, 1, 0, 0, NULL},
    [FRAMES] = {"frames", "poses", PARAMETER_INTEGER, 64, 1, 1e6, NULL},
    [SEED] = {"seed", "random seed of the phases", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
    [ARMS] = {"arms",
              "length of the arms' bones relative to the rest pose; values other than 1 give the rig a scale",
              PARAMETER_REAL, 1.0, 0.1, 10.0, NULL},
    [POSITIONS] = {"positions", "also store the linear blend of every frame as an animation", PARAMETER_FLAG,
                   0, 0, 0, NULL},
};

static Status rig_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    Figure figure;
    figure_make(values[FINGERS] != 0.0, &figure);
    STATUS_TRY(figure_skin(&figure, (int)values[VERTICES], &dataset->mesh));
    STATUS_TRY(figure_bind(&figure, &dataset->mesh, (int)values[FRAMES], &dataset->rig));
    figure_swing(&figure, (uint64_t)values[SEED], &dataset->rig);
    /* Scale the arms along their bones, which are parallel to x in the rest pose. The scale grows from 1 in
     * frame 0 to `arms`. The arms also become thinner, so that they keep their volume. */
    const double arms = values[ARMS];
    size_t joints = (size_t)dataset->rig.joint_count;
    if (arms != 1.0) {
        ALLOCATE_TABLE(dataset->rig.scale, dataset->rig.frame_count, joints, "the scale of a figure");
        for (int f = 0; f < dataset->rig.frame_count; f++) {
            double length = pow(arms, smooth_step(4.0 * f / dataset->rig.frame_count)),
                   width = 1.0 / sqrt(length);
            for (size_t j = 0; j < joints; j++) {
                const char *name = dataset->rig.joint_names[j];
                bool arm = strstr(name, "upper_arm") || strstr(name, "forearm");
                dataset->rig.scale[(size_t)f * joints + j] =
                    (Mat3){.m00 = arm ? length : 1.0, .m11 = arm ? width : 1.0, .m22 = arm ? width : 1.0};
            }
        }
    }
    if (values[POSITIONS] != 0.0)
        STATUS_TRY(generate_blend(progress, dataset));
    return status_ok();
}

const Generator generator_rig = {.name = "rig",
                                 .title = "figure with fingers in seeded poses; a rig, for timing",
                                 .dataset_title = "Figure in seeded poses within its joints' limits",
                                 .parameters = parameters,
                                 .fill = rig_fill};
