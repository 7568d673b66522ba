/* A figure walking on the spot, as a rig and as the linear blend of the rig in every frame. It is an
 * articulated target with known bones, for which a decomposition can reach an error of zero. The parameter
 * `bulge` adds a deformation that bones cannot reproduce. */
#include "datasets/generate/figure.h"
#include "datasets/generate/generate.h"
#include "datasets/geometry/angles.h"
#include "datasets/model/evaluate.h"

enum { VERTICES, FINGERS, FRAMES, STRIDE, BULGE, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [VERTICES] = {"vertices", "exact number of vertices of the skin", PARAMETER_INTEGER, 3000,
                  FIGURE_VERTICES_MIN, 1e6, NULL},
    [FINGERS] = {"fingers", "whether the figure has fingers: 54 joints with fingers, 24 without",
                 PARAMETER_FLAG, 0, 0, 0, NULL},
    [FRAMES] = {"frames", "number of frames; they show two steps", PARAMETER_INTEGER, 48, 1, 4096, NULL},
    [STRIDE] = {"stride", "largest rotation of the thighs, degrees", PARAMETER_REAL, 35.0, 0.0, 90.0, NULL},
    [BULGE] = {"bulge", "how far the flesh swells and shakes, metres; 0: exactly the linear blend",
               PARAMETER_REAL, 0.0, 0.0, 0.1, NULL},
};

/* Moves one leg and the opposite arm. `step` is the time as a fraction of a cycle of two steps. */
static void side_walk(const Figure *figure, const char *leg, const char *arm, double step, double stride,
                      Vec3 *turns)
{
    char name[24];
    double swing = sin(2.0 * PI * step), sign = strcmp(arm, "left_") == 0 ? 1.0 : -1.0;
    const struct {
        const char *side, *joint;
        Vec3 turn;
    } rows[] = {
        {leg, "thigh", {-stride * swing, 0.0, 0.0}},
        {leg, "shin", {0.9 * stride * (1.0 - cos(2.0 * PI * (step + 0.2))), 0.0, 0.0}},
        {leg, "foot", {-0.4 * stride * sin(2.0 * PI * (step - 0.1)), 0.0, 0.0}},
        {leg, "toes", {-0.4 * stride * (1.0 - cos(2.0 * PI * (step + 0.5))), 0.0, 0.0}},
        {arm, "clavicle", {0.0, -sign * 5.0 * swing, 0.0}},
        /* The upper arm hangs (rotated down about z) and swings about x. */
        {arm, "upper_arm", {0.0, -sign * 0.7 * stride * swing, -sign * 72.0}},
        {arm, "forearm", {0.0, -sign * (15.0 + 15.0 * (1.0 + swing)), 0.0}},
        {arm, "hand", {0.0, 0.0, -sign * 8.0 * swing}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(name, sizeof name, "%s%s", rows[i].side, rows[i].joint);
        turns[figure_joint_find(figure, name)] = rows[i].turn;
    }
}

void figure_walk(const Figure *figure, double step, double stride, Transform *transforms)
{
    Vec3 turns[FIGURE_JOINTS_MAX] = {{0.0, 0.0, 0.0}};
    double swing = sin(2.0 * PI * step);
    side_walk(figure, "left_", "right_", step, stride, turns);
    side_walk(figure, "right_", "left_", step + 0.5, stride, turns);
    turns[figure_joint_find(figure, "hips")] = vec3_make(3.0, 6.0 * swing, 3.0 * cos(2.0 * PI * step));
    for (int j = figure_joint_find(figure, "spine_1"); j <= figure_joint_find(figure, "chest"); j++)
        turns[j] = vec3_make(1.0 + cos(4.0 * PI * step), -4.0 * swing, -1.5 * cos(2.0 * PI * step));
    turns[figure_joint_find(figure, "head")] = vec3_make(-4.0, 5.0 * swing, 0.0);
    figure_pose(figure, turns, vec3_make(0.0, -0.02 * cos(4.0 * PI * step), 0.0), transforms);
}

static Status walk_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    (void)progress;
    Figure figure;
    figure_make(values[FINGERS] != 0.0, &figure);
    int frames = (int)values[FRAMES];
    Mesh *mesh = &dataset->mesh;
    Rig *rig = &dataset->rig;
    STATUS_TRY(figure_skin(&figure, (int)values[VERTICES], mesh));
    STATUS_TRY(figure_bind(&figure, mesh, frames, rig));
    dataset->animation.frame_count = frames;
    for (int f = 0; f < frames; f++)
        figure_walk(&figure, (double)f / frames, values[STRIDE],
                    rig->transforms + (size_t)f * (size_t)rig->joint_count);
    return status_ok();
}

static void walk_frame(const double *values, const Dataset *dataset, int frame, float *positions)
{
    const Rig *rig = &dataset->rig;
    const double step = (double)frame / dataset->animation.frame_count;
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        const Vec3 p = point_at(dataset->mesh.rest, v);
        double wave = sin(4.0 * PI * step - 4.0 * p.y) * sin(9.0 * p.y + 3.0 * p.x);
        Vec3 rest = vec3_make(p.x, p.y + 0.5 * values[BULGE] * wave, p.z + values[BULGE] * wave);
        point_set(positions, v, rig_skin_point(rig, frame, v, rest, vec3_make(0.0, 0.0, 0.0)));
    }
}

const Generator generator_walk = {.name = "walk",
                                  .title = "figure walking: a known rig and its linear blend; articulated",
                                  .dataset_title = "Figure walking, a known rig and its linear blend",
                                  .parameters = parameters,
                                  .fill = walk_fill,
                                  .frame = walk_frame};
