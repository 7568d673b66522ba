/* Computes and times a rig's centres of rotation for studies, and skins with these centres. */
#include "harness/run/studies/center_rig.h"

Status center_rig_open(const StudyInput *input, CenterRig *out)
{
    const Dataset *dataset = input->dataset;
    *out = (CenterRig){.stride = (int)study_number(input, "stride", 1.0)};
    if (!dataset || dataset->rig.joint_count == 0)
        return bad_input("there is no rig to compute centres for");
    out->mesh = &dataset->mesh;
    out->rig = dataset->rig;
    out->rig.centers = NULL;
    STATUS_TRY(study_method(input, "cor", "set", &out->options));
    if (!out->options.entry->method->precompute)
        return status_make(STATUS_UNAVAILABLE, "the method 'cor' of this build has nothing to precompute");
    if (out->stride < 1)
        return bad_input("stride is %d, expected 1 or more", out->stride);
    return status_ok();
}

void center_rig_clear(CenterRig *search)
{
    memory_free(search->rig.centers);
    search->rig.centers = NULL;
}

Status center_rig_search(CenterRig *search, const ParameterValues *parameters, int stride, double *counts,
                         double *time_s)
{
    const SkinningPrecomputation work = {.mesh = search->mesh,
                                         .parameters = parameters->values,
                                         .threads = search->options.threads,
                                         .stride = stride};
    double (*const now_s)(void) = search->of_processor ? clock_thread_s : clock_now_s;
    double start_s = now_s();
    Status status = search->options.entry->method->precompute(&work, &search->rig, counts);
    *time_s = now_s() - start_s;
    return status;
}

double center_rig_terms(const CenterRig *search, const double *counts)
{
    const SkinningMethod *method = search->options.entry->method;
    for (int i = 0; i < method->precompute_counter_count; i++)
        if (strcmp(method->precompute_counters[i].name, "evaluated") == 0)
            return counts[i];
    return NAN;
}

int center_rig_poses(const Rig *rig)
{
    return int_min(rig->frame_count, CENTER_POSES_MAX);
}

Status center_rig_skin(const CenterRig *search, float *centers, float *positions)
{
    Rig rig = search->rig;
    rig.centers = centers;
    SkinnerOptions options = search->options;
    options.parameters = parameters_default(options.entry->method->parameters);
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(&options, search->mesh, &rig, &skinner));
    for (int pose = 0; pose < center_rig_poses(&rig); pose++) {
        const int frame = (int)((int64_t)pose * rig.frame_count / center_rig_poses(&rig));
        STATUS_TRY(skinner_pose(skinner, rig.transforms + (size_t)frame * (size_t)rig.joint_count, NULL, 1));
        STATUS_TRY(skinner_skin(skinner));
        STATUS_TRY(skinner_read(skinner, 0, positions + 3 * (size_t)pose * (size_t)search->mesh->vertex_count,
                                NULL));
    }
    return status_ok();
}
