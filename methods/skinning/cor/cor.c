/* Skinning with optimised centres of rotation. The bind stage computes the centres or reads those saved in
 * the rig. */
#include "methods/skinning/cor/cor.h"

#include "methods/posing/rigid_pose.h"

typedef enum CorParameter {
    COR_EPSILON,
    COR_SIGMA,
    COR_OMEGA,
    COR_CUTOFF,
    COR_SEARCH,
    COR_COMPONENTS,
    COR_CENTERS,
    COR_SIMILARITY,
    COR_INTEGRAL,
    COR_HEMISPHERE,
    COR_PARAMETER_COUNT
} CorParameter;

static const char *const search_choices[] = {"exact", "clustered", "brute-force", NULL};
static const char *const component_choices[] = {"joined", "apart", NULL};
static const char *const similarity_choices[] = {"pairs", "gaussian", NULL};
static const char *const integral_choices[] = {"triangles", "vertices", NULL};
static const char *const center_choices[] = {"saved", "computed", NULL};

static const Parameter cor_parameters[COR_PARAMETER_COUNT + 1] = {
    [COR_EPSILON] = {"epsilon",
                     "maximum difference of weights along an edge (2-norm); longer edges are halved",
                     PARAMETER_REAL, 0.1, 1e-3, 10.0, NULL},
    [COR_SIGMA] = {"sigma", "width of the function that measures the similarity of weights", PARAMETER_REAL,
                   0.1, 1e-3, 1e3, NULL},
    [COR_OMEGA] = {"omega",
                   "clustered search: starts at points whose weights differ by less than this (2-norm)",
                   PARAMETER_REAL, 0.1, 1e-6, 10.0, NULL},
    [COR_CUTOFF] = {"cutoff", "clustered search: continues only at points whose similarity is at least this",
                    PARAMETER_REAL, 1e-6, 0.0, 1.0, NULL},
    [COR_SEARCH] = {"search", "how the relevant surface of a vertex is found", PARAMETER_CHOICE,
                    CENTERS_EXACT, 0, 0, search_choices},
    [COR_COMPONENTS] = {"components", "whether a vertex uses the whole surface or only its own component",
                        PARAMETER_CHOICE, 0, 0, 0, component_choices},
    [COR_CENTERS] = {"centers", "use centres saved with the rig, if there are any, or compute them",
                     PARAMETER_CHOICE, 0, 0, 0, center_choices},
    [COR_SIMILARITY] = {"similarity",
                        "similarity of weights: the paper's sum over pairs of joints, or a Gaussian of the "
                        "distance of weights",
                        PARAMETER_CHOICE, 0, 0, 0, similarity_choices},
    [COR_INTEGRAL] = {"integral",
                      "integrate over pieces of the triangles, or over the area nearest to each vertex",
                      PARAMETER_CHOICE, 0, 0, 0, integral_choices},
    [COR_HEMISPHERE] = HEMISPHERE_PARAMETER,
};

CentersOptions cor_centers_options(const double *parameters, int threads)
{
    return (CentersOptions){
        .epsilon = parameters[COR_EPSILON],
        .sigma = parameters[COR_SIGMA],
        .omega = parameters[COR_OMEGA],
        .cutoff = parameters[COR_CUTOFF],
        .search = (CentersSearch)parameters[COR_SEARCH],
        .apart = parameters[COR_COMPONENTS] != 0.0,
        .gaussian = parameters[COR_SIMILARITY] != 0.0,
        .at_points = parameters[COR_INTEGRAL] != 0.0,
        .threads = threads,
    };
}

static InfluenceOrder cor_influence_order(const double *parameters)
{
    return hemisphere_influence_order(&parameters[COR_HEMISPHERE]);
}

/* Computes the centres, or reads those saved in the rig. State: rigid_pose_bind's. */
static Status cor_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const size_t vertices = (size_t)binding->mesh->vertex_count;
    LOCAL_TABLE(double, centers, vertices, 3, "the centres of rotation");
    const CentersOptions options = cor_centers_options(binding->parameters, binding->threads);
    const float *saved = binding->parameters[COR_CENTERS] == 0.0 ? binding->rig->centers : NULL;
    if (!saved)
        STATUS_TRY(centers_compute(binding->mesh, binding->rig, &options, centers, NULL));
    for (size_t i = 0; i < 3 * vertices && saved; i++)
        centers[i] = (double)saved[i];
    STATUS_TRY(rigid_pose_bind(binding, NULL, state));
    for (size_t i = 0; i < vertices; i++)
        for (size_t axis = 0; axis < 3; axis++)
            vertex_values[3 * i + axis] = centers[3 * (size_t)binding->sets->vertices[i] + axis];
    return status_ok();
}

static Status cor_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    rigid_pose_center(binding, state, hemisphere_policy(binding->parameters[COR_HEMISPHERE]), pose);
    return status_ok();
}

typedef enum CorCounter { COR_WITH_CENTER, COR_PIECES, COR_EVALUATED, COR_COUNTER_COUNT } CorCounter;

static const SkinningCounter cor_precompute_counters[COR_COUNTER_COUNT] = {
    [COR_WITH_CENTER] = {"with_center", "vertices with a centre of rotation"},
    [COR_PIECES] = {"pieces", "pieces of surface"},
    [COR_EVALUATED] = {"evaluated", "terms evaluated"},
};

/* Stores the centres in the rig, as floats. */
static Status cor_precompute(const SkinningPrecomputation *work, Rig *rig, double *counts)
{
    const size_t vertices = (size_t)work->mesh->vertex_count;
    LOCAL_TABLE(double, centers, vertices, 3, "the centres of rotation");
    LOCAL_TABLE(float, saved, vertices, 3, "the centres of rotation");
    CentersOptions options = cor_centers_options(work->parameters, work->threads);
    CentersReport report = {0};
    options.stride = work->stride;
    options.progress = work->progress;
    STATUS_TRY(centers_compute(work->mesh, rig, &options, centers, &report));
    for (size_t i = 0; i < 3 * vertices; i++)
        saved[i] = (float)centers[i];
    memory_free(rig->centers);
    rig->centers = TAKE(saved);
    counts[COR_WITH_CENTER] = report.with_center;
    counts[COR_PIECES] = report.sample_count;
    counts[COR_EVALUATED] = (double)report.evaluated;
    return status_ok();
}

const SkinningMethod cor_method = {
    .name = "cor",
    .title = "Skinning with optimised centres of rotation",
    .citation = "Le and Hodgins 2016, section 3",
    .summary = "Rotates each vertex about a centre that is computed once from its weights, which avoids "
               "collapse and bulging alike.",
    .parameters = cor_parameters,
    .floats_per_joint = RIGID_CENTER_FLOATS,
    .floats_per_vertex = 3,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = cor_influence_order,
    .bind = cor_bind,
    .pose = cor_pose,
    .release = rigid_pose_release,
    .precompute = cor_precompute,
    .precompute_counters = cor_precompute_counters,
    .precompute_counter_count = COR_COUNTER_COUNT,
};
