/* Allocates a fit of bones and weights, and measures its error. */
#include "methods/fitting/skin_fit.h"

#include "datasets/base/memory.h"

Status skin_fit_make(const DecompositionInput *input, const DecompositionOptions *options, SkinFit *fit)
{
    size_t vertices = (size_t)input->mesh->vertex_count, influences = (size_t)options->influences;
    *fit = (SkinFit){.input = input,
                     .vertex_count = input->mesh->vertex_count,
                     .influence_count = options->influences,
                     .threads = options->threads};
    Status status;
    STATUS_TRY(trajectories_make(input->animation, fit->vertex_count, true, fit->threads, &fit->target));
    fit->rest = memory_table(vertices, 3, sizeof(double));
    fit->bones = memory_table(vertices, influences, sizeof(int32_t));
    fit->weights = memory_table(vertices, influences, sizeof(double));
    if (!fit->rest || !fit->bones || !fit->weights) {
        status = status_out_of_memory("the weights of the vertices");
        goto done;
    }
    fit->units = rest_normalize(input->mesh, fit->rest);
done:
    if (status.code != STATUS_OK)
        skin_fit_clear(fit);
    return status;
}

void skin_fit_clear(SkinFit *fit)
{
    trajectories_clear(&fit->target);
    memory_free(fit->rest);
    memory_free(fit->maps);
    memory_free(fit->bones);
    memory_free(fit->weights);
    *fit = (SkinFit){0};
}

LinearBlend skin_fit_blend(const SkinFit *fit)
{
    return (LinearBlend){.vertex_count = fit->vertex_count,
                         .influence_count = fit->influence_count,
                         .row_count = fit->target.row_count,
                         .rest = fit->rest,
                         .maps = fit->maps,
                         .bones = fit->bones,
                         .weights = fit->weights,
                         .offset = fit->target.offset};
}

static void trajectory_copy(const void *context, int j, double *target)
{
    trajectories_block(context, j, 1, target);
}

Status skin_fit_error(const SkinFit *fit, double *squared_error)
{
    const LinearBlend blend = skin_fit_blend(fit);
    return linear_blend_squared_error(&blend, trajectory_copy, &fit->target, fit->threads, squared_error);
}
