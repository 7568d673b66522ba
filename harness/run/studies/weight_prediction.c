/* Predicts the weights of a rig from its mesh and its joints, or transfers them from a copy of the mesh, and
 * scores the result against the rig's own weights, as `skinbench score` does.
 *
 *   parameters
 *     predictor            a method of `skinbench weights` that binds a mesh to bones, or "transfer"
 *     external             name of an external program that replaces the predictor
 *     copy, share          transfer: "decimated" or "remeshed", and how many vertices the copy has, as a
 *                          share of the rig's; its weights are those of the closest points of the rig
 *     set                  texts name=value, parameters of the predictor
 *   measures
 *     NAME                 the numbers of a score (harness/measure/score/score.h)
 *     predict_s            time of the prediction; the copy is made before
 *     matched_percent      transfer: vertices with a match, which were not inpainted */
#include "harness/run/studies/study.h"

#include "datasets/model/resampled_mesh.h"
#include "datasets/rigging/binding.h"
#include "datasets/rigging/transfer.h"
#include "harness/measure/score/score.h"
#include "harness/run/peers/external.h"

/* Makes a copy of the data set on another mesh. */
static Status copy_make(const StudyInput *input, Dataset **out)
{
    static const double closest[] = {0.0, 0.0, 0.0, 0.0}; /* of transfer_parameters: nothing is inpainted */
    const Dataset *data = input->dataset;
    const char *kind = study_text(input, "copy", "decimated");
    const Resampling resampling = strcmp(kind, "remeshed") == 0 ? RESAMPLE_REMESH : RESAMPLE_DECIMATE;
    TransferCounts counts;
    STATUS_TRY(dataset_create(data->name, NULL, NULL, NULL, out));
    STATUS_TRY(mesh_resample(&data->mesh, resampling, study_number(input, "share", 1.0), &(*out)->mesh));
    const int influences = 3 * data->rig.influence_count; /* of the corners of a triangle */
    return weights_transfer(data, closest, influences, input->progress, *out, &counts);
}

static Status prediction_score(const StudyInput *input, const Mesh *mesh, const Rig *rig, Measures *measures)
{
    const Dataset *data = input->dataset;
    const ScoreTask task = {.mesh = &data->mesh,
                            .truth = &data->rig,
                            .rig_mesh = mesh,
                            .rig = rig,
                            .parameters = parameters_default(score_parameters)};
    Score score;
    STATUS_TRY(score_rigs(&task, &score));
    for (int i = 0; i < SCORE_COUNT; i++)
        if (!isnan(score.values[i]))
            measures_add(measures, score_rows[i].name, score.values[i]);
    return status_ok();
}

static Status transfer_score(const StudyInput *input, int influences, Measures *measures)
{
    OWNED_BY(dataset_free) Dataset *copy = NULL, *made = NULL;
    ParameterValues values = parameters_default(transfer_parameters);
    TransferCounts counts;
    STATUS_TRY(study_settings(input, "set", transfer_parameters, "transfer", &values));
    STATUS_TRY(copy_make(input, &copy));
    STATUS_TRY(dataset_create("prediction", NULL, NULL, NULL, &made));
    STATUS_TRY(mesh_copy(&input->dataset->mesh, &made->mesh));
    const double start_s = clock_now_s();
    STATUS_TRY(weights_transfer(copy, values.values, influences, input->progress, made, &counts));
    measures_add_timed(measures, "predict_s", clock_now_s() - start_s);
    measures_add(measures, "matched_percent",
                 100.0 * counts.matched / (counts.matched + counts.inpainted + counts.unmatched));
    return prediction_score(input, &made->mesh, &made->rig, measures);
}

static Status binding_score(const StudyInput *input, const Binding *binding, int influences,
                            Measures *measures)
{
    const Dataset *data = input->dataset;
    CLEANUP(rig_bones_clear) RigBones bones = {NULL, 0};
    ParameterValues values = parameters_default(binding->parameters);
    Rig bound = data->rig; /* the joints are borrowed */
    bound.weight_joints = NULL;
    bound.weight_values = NULL;
    bound.centers = NULL;
    STATUS_TRY(study_settings(input, "set", binding->parameters, binding->name, &values));
    STATUS_TRY(rig_bones_init(&data->rig, &data->mesh, &bones));
    const double start_s = clock_now_s();
    STATUS_TRY(
        rig_bind_to_bones(binding, values.values, &data->mesh, &bones, influences, input->progress, &bound));
    OWNED int32_t *joints = bound.weight_joints;
    OWNED float *weights = bound.weight_values;
    measures_add_timed(measures, "predict_s", clock_now_s() - start_s);
    return prediction_score(input, &data->mesh, &bound, measures);
}

static Status external_score(const StudyInput *input, int influences, Measures *measures)
{
    OWNED_BY(dataset_free) Dataset *made = NULL;
    const ExternalTask task = {.data = input->dataset,
                               .bones = EXTERNAL_BONES_MAX,
                               .influences = influences,
                               .threads = input->threads,
                               .seed = 1,
                               .progress = input->progress};
    if (!input->external)
        return status_make(STATUS_UNAVAILABLE,
                           "its description is not at hand: name it by --external, or put it into the "
                           "user's folder");
    if (input->external->kind != EXTERNAL_WEIGHTS && input->external->kind != EXTERNAL_RIG)
        return bad_usage("the program %s is of the kind '%s', but predictions need 'weights' or 'rig'",
                         input->external->name, external_kind_names[input->external->kind]);
    STATUS_TRY(external_run(input->external, &task, &made));
    measures_add_timed(measures, "predict_s", input->external->facts.wall_s);
    return prediction_score(input, &made->mesh, &made->rig, measures);
}

Status study_weight_prediction(const StudyInput *input, Measures *measures)
{
    const Dataset *data = input->dataset;
    const char *predictor = study_text(input, "predictor", "transfer");
    const Binding *binding = binding_find(predictor);
    if (!data || !data->rig.weight_values || data->mesh.triangle_count == 0)
        return bad_input("there is no rig with weights and triangles");
    const int influences = int_max(data->rig.influence_count, 4);
    if (study_text(input, "external", "")[0])
        return external_score(input, influences, measures);
    if (strcmp(predictor, "transfer") == 0)
        return transfer_score(input, influences, measures);
    return binding ? binding_score(input, binding, influences, measures)
                   : bad_input("there is no predictor of weights '%s'", predictor);
}
