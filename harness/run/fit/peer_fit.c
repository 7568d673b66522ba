/* Lets another program make a fit. Passes the input to the program, and makes a rig of the bones and
 * weights that it returns; the rest pose stays unchanged. */
#include "harness/run/fit/peer_fit.h"

#include "datasets/model/evaluate.h"
#include "harness/run/peers/peer_load.h"

typedef enum PeerParameter { PEER_SMOOTH, PEER_AFFINE, PEER_PARAMETER_COUNT } PeerParameter;

static const Parameter parameters[PEER_PARAMETER_COUNT + 1] = {
    [PEER_SMOOTH] =
        {"smooth",
         "how strongly weights are smoothed (weightsSmooth of Dem Bones, whose own default is 0.0001)",
         PARAMETER_REAL, 0, 0, 1e6, NULL},
    [PEER_AFFINE] =
        {"affine",
         "strength of the constraint on the translations of bones (Dem Bones calls it transAffine; "
         "its own default is 10)",
         PARAMETER_REAL, 0, 0, 1e6, NULL},
};

static void fit_peer_model_clear(FitPeerModel *model)
{
    FREE_ALL(model->transforms, model->joints, model->weights);
}

static Status dem_bones_fit(const DecompositionInput *input, const DecompositionOptions *options,
                            DecompositionResult *result)
{
    const FitPeerTask task = {.frame_count = input->animation->frame_count,
                              .vertex_count = input->mesh->vertex_count,
                              .triangle_count = input->mesh->triangle_count,
                              .bone_count = options->bones,
                              .influence_count = options->influences,
                              .iterations = options->iterations,
                              .threads = options->threads,
                              .time_limit_s = options->time_limit_s,
                              .smooth = options->parameters[PEER_SMOOTH],
                              .affine = options->parameters[PEER_AFFINE],
                              .rest = input->mesh->rest,
                              .targets = input->animation->positions,
                              .triangles = input->mesh->triangles};
    const FitPeerFunctions *peer = NULL;
    const char *fault = NULL;
    const double started_s = clock_now_s();
    CLEANUP(fit_peer_model_clear)
    FitPeerModel model = {
        .transforms = memory_table((size_t)task.frame_count * (size_t)task.bone_count, 12, sizeof(double)),
        .joints = memory_table((size_t)task.vertex_count, (size_t)task.influence_count, sizeof(int32_t)),
        .weights = memory_table((size_t)task.vertex_count, (size_t)task.influence_count, sizeof(double))};
    ALLOCATED(model.transforms && model.joints && model.weights, "the model that the other program fitted");
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(fit_peer_load("dem-bones", &peer));
    fault = peer->fit(&task, &model);
    if (fault || model.bone_count < 1 || model.bone_count > task.bone_count)
        return status_make(STATUS_CHECK_FAILED, "the peer %s gave no model: %.128s", peer->name,
                           fault ? fault : "it returned no bones, or more bones than requested");
    /* Make a rig of the model, and scale the weights of each vertex to sum 1. */
    const int bones = model.bone_count, frames = task.frame_count, influences = task.influence_count;
    Rig *rig = &result->rig;
    STATUS_TRY(rig_allocate(rig, task.vertex_count, bones, frames, influences));
    result->bones_delivered = bones;
    ALLOCATE_TABLE(result->rest, task.vertex_count, 3, "the rest pose");
    memcpy(result->rest, task.rest, 3 * (size_t)task.vertex_count * sizeof(float));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)frames * bones; i++) {
        const double *m = model.transforms + 12 * (i / bones * task.bone_count + i % bones);
        rig->transforms[i] =
            (Transform){m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]};
    }
    for (ptrdiff_t j = 0; j < task.vertex_count; j++) {
        double sum = 0.0;
        for (int k = 0; k < influences; k++)
            sum += model.weights[j * influences + k];
        for (ptrdiff_t slot = j * influences; slot < (j + 1) * influences; slot++) {
            rig->weight_joints[slot] = model.joints[slot];
            rig->weight_values[slot] = (float)(model.weights[slot] / sum);
        }
    }
    result->end = model.is_limited ? FIT_TIME_LIMIT : FIT_ITERATION_CAP;
    result->initialization_s = result->elapsed_s[0] = clock_now_s() - started_s;
    /* compute the squared error ||A - A'||_F^2 of the rig, outside the peer's measured time */
    double sum = 0.0;
    for (int frame = 0; frame < task.frame_count; frame++)
        for (int j = 0; j < task.vertex_count; j++) {
            Vec3 miss = vec3_scale(point_at(task.targets, (ptrdiff_t)frame * task.vertex_count + j), -1.0);
            miss = rig_skin_point(&result->rig, frame, j, point_at(result->rest, j), miss);
            sum += vec3_dot(miss, miss);
        }
    result->squared_error[0] = sum;
    return status_ok();
}

static const DecompositionMethod dem_bones_peer = {
    .name = "dem-bones",
    .title = "Dem Bones, another program, run as a peer",
    .citation = "Le and Deng 2012, Smooth Skinning Decomposition with Rigid Bones; electronicarts/dem-bones",
    .parameters = parameters,
    .makes_rig = true,
    .fit = dem_bones_fit,
};

Status peer_fit_method(const char *name, const DecompositionMethod **out)
{
    const FitPeerFunctions *peer = NULL;
    *out = NULL;
    if (strcmp(name, dem_bones_peer.name) != 0)
        return bad_usage("--peer %.64s: `fit` does not know this program; the only one is dem-bones", name);
    STATUS_TRY(fit_peer_load(name, &peer));
    *out = &dem_bones_peer;
    return status_ok();
}
