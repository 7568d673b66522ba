/* SMA: near-rigid parts found by mean shift on the rotations of triangles, a bone for each, weights by
 * non-negative least squares. */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/sma/parts.h"
#include "methods/decomposition/sma/rotation_sketch.h"
#include "methods/fitting/bone_choice.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/group_maps.h"
#include "methods/fitting/skin_fit.h"
#include "methods/fitting/skin_weights.h"

#include <math.h>

typedef enum SmaParameter {
    SMA_PRESET,
    SMA_KERNEL,
    SMA_BANDWIDTH,
    SMA_SAMPLES,
    SMA_DRAW,
    SMA_SMALLEST,
    SMA_SPLIT,
    SMA_SURPLUS,
    SMA_TRANSFORMS,
    SMA_CHOICE,
    SMA_PENALTY,
    SMA_REST_POSE,
    SMA_PARAMETER_COUNT
} SmaParameter;

static const char *const preset_words[] = {
    "best", "", "paper", "kernel=fams split=no surplus=1 choice=prediction rest-pose=first", NULL};
static const char *const kernel_words[] = {"flat", "fams", NULL};
static const char *const transforms_words[] = {"affine", "rigid", NULL};
static const char *const choice_words[] = {"greedy", "prediction", NULL};

static const Parameter parameters[SMA_PARAMETER_COUNT] = {
    [SMA_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                    PARAMETER_PRESET, 0, 0, 0, preset_words},
    [SMA_KERNEL] = {"kernel",
                    "kernel of mean shift; fams: (1 - distance / bandwidth)^2, as in its public program",
                    PARAMETER_CHOICE, 0, 0, 0, kernel_words},
    [SMA_BANDWIDTH] = {"bandwidth",
                       "bandwidth of mean shift, root mean square Frobenius distance of rotations; 0: "
                       "searched for the number of bones",
                       PARAMETER_REAL, 0, 0, 3, NULL},
    [SMA_SAMPLES] = {"samples", "triangles that represent all in mean shift", PARAMETER_INTEGER, 1024, 1,
                     100000, NULL},
    [SMA_DRAW] = {"draw", "selects the random triangles and the projection, in addition to the seed",
                  PARAMETER_INTEGER, 0, 0, 1e6, NULL},
    [SMA_SMALLEST] = {"smallest", "part that counts as a bone, as a share of area / bones", PARAMETER_REAL,
                      0.05, 0, 1, NULL},
    [SMA_SPLIT] = {"split", "split clusters whose triangles are not connected", PARAMETER_FLAG, 1, 0, 0,
                   NULL},
    [SMA_SURPLUS] = {"surplus", "number of parts that the bones are chosen from, in multiples of the bones",
                     PARAMETER_REAL, 10, 1, 100, NULL},
    [SMA_TRANSFORMS] =
        {"transforms",
         "affine bones (James and Twigg: flexible), or rigid ones: a rotation and a translation per frame",
         PARAMETER_CHOICE, 0, 0, 0, transforms_words},
    [SMA_CHOICE] =
        {"choice",
         "the bones of a vertex: by greedy choice, or those that predict it best individually (prediction)",
         PARAMETER_CHOICE, 0, 0, 0, choice_words},
    [SMA_PENALTY] = {"penalty",
                     "penalty on weights that do not sum to 1, in mean squares of the bones' predictions",
                     PARAMETER_REAL, 10, 0, 1e9, NULL},
    [SMA_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

typedef struct Sma {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    double started_s;
    RotationSketch sketch;
    Cells cells;
    Grouping incidence;
    Parts parts;
    SkinFit fit;
} Sma;

static void sma_clear(Sma *sma)
{
    rotation_sketch_clear(&sma->sketch);
    cells_clear(&sma->cells);
    grouping_clear(&sma->incidence);
    parts_clear(&sma->parts);
    skin_fit_clear(&sma->fit);
}

static Status sma_report(const Sma *sma, const char *what, double share)
{
    return progress_report(sma->options->progress, what, share)
               ? status_ok()
               : status_make(STATUS_STOPPED, "stopped before there was a model");
}

/* The seed of this draw: the seed's own for the first. */
static uint64_t seed_of_draw(const DecompositionOptions *options)
{
    return options->seed + ((uint64_t)options->parameters[SMA_DRAW] << 32);
}

static Status sma_cluster(Sma *sma)
{
    const DecompositionOptions *options = sma->options;
    double limit_s = options->time_limit_s;
    double wanted = ceil(options->parameters[SMA_SURPLUS] * options->bones);
    BandwidthOptions searching = {.kernel = (MeanShiftKernel)options->parameters[SMA_KERNEL],
                                  .bandwidth = options->parameters[SMA_BANDWIDTH],
                                  .wanted = wanted < sma->sketch.count ? (int)wanted : sma->sketch.count,
                                  .smallest =
                                      options->parameters[SMA_SMALLEST] * sma->sketch.area / options->bones,
                                  .deadline_s = limit_s > 0.0 ? sma->started_s + limit_s : 0.0,
                                  .threads = options->threads,
                                  .progress = options->progress};
    STATUS_TRY(cells_sample(&sma->sketch, (int)options->parameters[SMA_SAMPLES], seed_of_draw(options),
                            options->threads, &sma->cells));
    STATUS_TRY(incidence_make(sma->input->mesh, &sma->sketch, &sma->incidence));
    return parts_find(&sma->sketch, &sma->cells,
                      options->parameters[SMA_SPLIT] != 0.0 ? &sma->incidence : NULL, &searching,
                      &sma->parts);
}

/* The corners of each part's triangles, with the area as mass. */
static Status groups_of_parts(const Sma *sma, Groups *groups)
{
    const RotationSketch *sketch = &sma->sketch;
    size_t corners = 3 * (size_t)sketch->count;
    Grouping *vertices = &groups->vertices;
    LOCAL_ARRAY(int32_t, part_of, corners, "the triangles of the bones");
    *groups = (Groups){.masses = memory_array(corners, sizeof(double))};
    if (!groups->masses)
        return status_out_of_memory("the triangles of the bones");
    for (size_t i = 0; i < corners; i++)
        part_of[i] = sma->parts.part_of[i / 3];
    STATUS_TRY(grouping_init(part_of, corners, sma->parts.count, "the triangles of the bones", vertices));
    for (int64_t at = 0; at < vertices->first[vertices->group_count]; at++) {
        int corner = vertices->members[at] % 3, triangle = vertices->members[at] / 3;
        vertices->members[at] =
            sma->input->mesh->triangles[(ptrdiff_t)3 * sketch->triangles[triangle] + corner];
        groups->masses[at] = sketch->areas[triangle];
    }
    return status_ok();
}

/* Without triangles there are no rotations to find parts by: one bone. */
static Status groups_of_one(const Sma *sma, Groups *groups)
{
    int vertices = sma->input->mesh->vertex_count;
    OWNED int32_t *group_of = memory_array((size_t)vertices, sizeof(int32_t));
    return group_of ? groups_of_vertices(group_of, vertices, 1, groups)
                    : status_out_of_memory("the triangles of the bones");
}

static Status sma_bones(Sma *sma, double *clustering_s)
{
    CLEANUP(groups_clear) Groups groups = {0};
    STATUS_TRY(sma_report(sma, "rotations", 0.0));
    STATUS_TRY(rotation_sketch_init(sma->input->mesh, sma->input->animation, seed_of_draw(sma->options),
                                    sma->options->threads, &sma->sketch));
    STATUS_TRY(sma_report(sma, "mean shift", 0.2));
    double started = clock_now_s();
    if (sma->sketch.count > 0)
        STATUS_TRY(sma_cluster(sma));
    *clustering_s = clock_now_s() - started;
    STATUS_TRY(sma->sketch.count > 0 ? groups_of_parts(sma, &groups) : groups_of_one(sma, &groups));
    STATUS_TRY(skin_fit_make(sma->input, sma->options, &sma->fit));
    STATUS_TRY(skin_fit_maps(&sma->fit, &groups, sma->options->parameters[SMA_TRANSFORMS] != 0.0));
    return skin_fit_choose(&sma->fit, sma->options->bones);
}

static Status sma_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    CLEANUP(sma_clear) Sma sma = {.input = input, .options = options, .started_s = clock_now_s()};
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(sma_bones(&sma, &result->clustering_s));
    result->initialization_s = clock_now_s() - sma.started_s;
    STATUS_TRY(sma_report(&sma, "weights", 0.8));
    STATUS_TRY(
        skin_fit_weights(&sma.fit, options->parameters[SMA_CHOICE] == 0.0, options->parameters[SMA_PENALTY]));
    STATUS_TRY(skin_fit_deliver(&sma.fit, result, &result->squared_error[0]));
    result->end = FIT_COMPLETE;
    result->elapsed_s[0] = clock_now_s() - sma.started_s;
    result->sweeps_s = result->elapsed_s[0] - result->initialization_s;
    progress_report(options->progress, "done", 1.0);
    return status_ok();
}

const DecompositionMethod sma_method = {
    .name = "sma",
    .title = "Skinning mesh animations",
    .citation = "James and Twigg 2005, Skinning Mesh Animations",
    .parameters = parameters,
    .parameter_count = SMA_PARAMETER_COUNT,
    .rest_pose_row = SMA_REST_POSE,
    .makes_rig = true,
    .fit = sma_fit,
};
