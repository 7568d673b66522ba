/* SMA: near-rigid parts found by mean shift on the rotations of triangles, a bone for each, weights by
 * non-negative least squares. */
#include "datasets/base/clock.h"
#include "methods/decomposition/sma/parts.h"
#include "methods/fitting/bone_choice.h"
#include "methods/fitting/group_maps.h"
#include "methods/fitting/skin_weights.h"

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

/* The corners of each part's triangles, with the area as mass. */
static Status groups_of_parts(const Mesh *mesh, const RotationSketch *sketch, const Parts *parts,
                              Groups *groups)
{
    size_t corners = 3 * (size_t)sketch->count;
    Grouping *vertices = &groups->vertices;
    LOCAL_ARRAY(int32_t, part_of, corners, "the triangles of the bones");
    *groups = (Groups){0};
    ALLOCATE(groups->masses, corners, "the triangles of the bones");
    for (size_t i = 0; i < corners; i++)
        part_of[i] = parts->part_of[i / 3];
    STATUS_TRY(grouping_init(part_of, corners, parts->count, "the triangles of the bones", vertices));
    for (int64_t at = 0; at < vertices->first[vertices->group_count]; at++) {
        int corner = vertices->members[at] % 3, triangle = vertices->members[at] / 3;
        vertices->members[at] = mesh->triangles[(ptrdiff_t)3 * sketch->triangles[triangle] + corner];
        groups->masses[at] = sketch->areas[triangle];
    }
    return status_ok();
}

/* Mean shift on the rotations of the triangles finds near-rigid parts. Without triangles there are no
 * rotations to find them by: all vertices are one. */
static Status sma_cluster(const DecompositionInput *input, const DecompositionOptions *options,
                          const RotationSketch *sketch, uint64_t seed, double started_s, Groups *groups)
{
    const Mesh *mesh = input->mesh;
    if (sketch->count == 0) {
        LOCAL_ARRAY(int32_t, group_of, mesh->vertex_count, "the triangles of the bones");
        return groups_of_vertices(group_of, mesh->vertex_count, 1, groups);
    }
    const double limit_s = options->time_limit_s;
    const double wanted = ceil(options->parameters[SMA_SURPLUS] * options->bones);
    const BandwidthOptions searching = {.kernel = (MeanShiftKernel)options->parameters[SMA_KERNEL],
                                        .bandwidth = options->parameters[SMA_BANDWIDTH],
                                        .wanted = wanted < sketch->count ? (int)wanted : sketch->count,
                                        .smallest =
                                            options->parameters[SMA_SMALLEST] * sketch->area / options->bones,
                                        .deadline_s = limit_s > 0.0 ? started_s + limit_s : 0.0,
                                        .threads = options->threads,
                                        .progress = options->progress};
    CLEANUP(cells_clear) Cells cells = {0};
    CLEANUP(grouping_clear) Grouping incidence = {0};
    CLEANUP(parts_clear) Parts parts = {0};
    STATUS_TRY(cells_sample(sketch, (int)options->parameters[SMA_SAMPLES], seed, options->threads, &cells));
    STATUS_TRY(incidence_make(mesh, sketch, &incidence));
    STATUS_TRY(parts_find(sketch, &cells, options->parameters[SMA_SPLIT] != 0.0 ? &incidence : NULL,
                          &searching, &parts));
    return groups_of_parts(mesh, sketch, &parts, groups);
}

static Status sma_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    const double started_s = clock_now_s();
    /* of this draw: the seed itself for the first */
    const uint64_t seed = options->seed + ((uint64_t)options->parameters[SMA_DRAW] << 32);
    CLEANUP(rotation_sketch_clear) RotationSketch sketch = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(decomposition_ask(options, "rotations", 0.0));
    STATUS_TRY(rotation_sketch_init(input->mesh, input->animation, seed, options->threads, &sketch));
    STATUS_TRY(decomposition_ask(options, "mean shift", 0.2));
    const double clustering_started_s = clock_now_s();
    STATUS_TRY(sma_cluster(input, options, &sketch, seed, started_s, &groups));
    result->clustering_s = clock_now_s() - clustering_started_s;
    /* a map for each part, and the best of them as bones */
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(skin_fit_maps(&fit, &groups, options->parameters[SMA_TRANSFORMS] != 0.0));
    STATUS_TRY(skin_fit_choose(&fit, options->bones));
    result->initialization_s = clock_now_s() - started_s;
    STATUS_TRY(decomposition_ask(options, "weights", 0.8));
    STATUS_TRY(
        skin_fit_weights(&fit, options->parameters[SMA_CHOICE] == 0.0, options->parameters[SMA_PENALTY]));
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[0]));
    result->end = FIT_COMPLETE;
    decomposition_result_finish(result, options, started_s);
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
