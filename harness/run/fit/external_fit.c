/* Lets an external program make a fit, and computes the error of its model. */
#include "harness/run/fit/external_fit.h"

#include "datasets/model/evaluate.h"

static Status external_fit(const DecompositionInput *input, const DecompositionOptions *options,
                           DecompositionResult *result)
{
    External *program = options->context;
    const Animation *animation = input->animation;
    const int vertices = input->mesh->vertex_count;
    const Dataset data = {.name = (char *)"input",
                          .title = (char *)"",
                          .source = (char *)"",
                          .license = (char *)"",
                          .fps = 30.0,
                          .mesh = *input->mesh,
                          .animation = *animation};
    const ExternalTask task = {.data = &data,
                               .bones = options->bones,
                               .influences = options->influences,
                               .iterations = options->iterations,
                               .threads = options->threads,
                               .seed = options->seed,
                               .time_limit_s = options->time_limit_s,
                               .progress = options->progress};
    OWNED_BY(dataset_free) Dataset *made = NULL;
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(external_run(program, &task, &made));
    result->rig = made->rig;
    result->rest = made->mesh.rest;
    made->rig = (Rig){0};
    made->mesh.rest = NULL;
    memory_free(result->rig.scale); /* the harness poses the model by linear blending alone */
    result->rig.scale = NULL;
    result->bones_delivered = result->rig.joint_count;
    result->end = FIT_COMPLETE;
    result->initialization_s = result->elapsed_s[0] = program->facts.wall_s;
    /* the squared error ||A - A'||_F^2 of the model */
    double sum = 0.0;
    for (int frame = 0; frame < animation->frame_count; frame++)
        for (int v = 0; v < vertices; v++) {
            const Vec3 target = point_at(animation->positions, (ptrdiff_t)frame * vertices + v);
            const Vec3 miss =
                rig_skin_point(&result->rig, frame, v, point_at(result->rest, v), vec3_scale(target, -1.0));
            sum += vec3_dot(miss, miss);
        }
    result->squared_error[0] = sum;
    return status_ok();
}

Status external_method(External *program, const DecompositionMethod **out)
{
    *out = &program->method;
    program->method = (DecompositionMethod){.name = program->name,
                                            .title = program->title,
                                            .citation = program->citation,
                                            .makes_rig = true,
                                            .bounds_itself = true,
                                            .fit = external_fit};
    return program->kind == EXTERNAL_FIT
               ? status_ok()
               : bad_usage("the program %s is of the kind '%s', but a fit needs the kind 'fit'",
                           program->name, external_kind_names[program->kind]);
}
