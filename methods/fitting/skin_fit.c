/* Allocates a fit of bones and weights, measures its error, rounds its weights to floats, and delivers it
 * as a rig. */
#include "methods/fitting/skin_fit.h"

Status skin_fit_make(const DecompositionInput *input, const DecompositionOptions *options, SkinFit *fit)
{
    size_t vertices = (size_t)input->mesh->vertex_count, influences = (size_t)options->influences;
    *fit = (SkinFit){.input = input,
                     .vertex_count = input->mesh->vertex_count,
                     .influence_count = options->influences,
                     .threads = options->threads};
    STATUS_TRY(trajectories_init(input->animation, fit->vertex_count, true, false, fit->threads, NULL, NULL,
                                 &fit->target));
    ALLOCATE_TABLE(fit->rest, vertices, 3, "the weights of the vertices");
    ALLOCATE_TABLE(fit->bones, vertices, influences, "the weights of the vertices");
    ALLOCATE_TABLE(fit->weights, vertices, influences, "the weights of the vertices");
    fit->units = rest_normalize(input->mesh, fit->rest);
    return status_ok();
}

void skin_fit_clear(SkinFit *fit)
{
    trajectories_clear(&fit->target);
    FREE_ALL(fit->rest, fit->maps, fit->bones, fit->weights);
    *fit = (SkinFit){0};
}

/* Returns the fit as a linear blend of centred positions with their offset. */
static LinearBlend skin_fit_blend(const SkinFit *fit)
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

void skin_fit_residual(const SkinFit *fit, int j, int first, int count, double *residual)
{
    const float *position = fit->target.values + (ptrdiff_t)j * fit->target.row_count + first;
    LinearBlend blend = skin_fit_blend(fit);
    blend.offset = NULL; /* the maps are fitted to centred positions, so no offset is added */
    for (int i = 0; i < count; i++)
        residual[i] = (double)position[i] - fit->target.offset[first + i];
    linear_blend_subtract(&blend, j, first, count, residual);
}

static void trajectory_copy(const void *context, int j, double *target)
{
    trajectories_block(context, j, 1, target);
}

Status skin_fit_error(const SkinFit *fit, double *squared_error)
{
    const LinearBlend blend = skin_fit_blend(fit);
    return linear_blend_squared_error(&blend, trajectory_copy, &fit->target, NULL, fit->threads,
                                      squared_error);
}

Status skin_fit_keep(const SkinFit *fit, double *squared_error, KeptFit *kept)
{
    const size_t slots = (size_t)fit->vertex_count * (size_t)fit->influence_count,
                 numbers = 4 * (size_t)fit->bone_count * (size_t)fit->target.row_count;
    if (kept->bone_count > 0 && !(*squared_error < kept->squared_error)) {
        *squared_error = kept->squared_error;
        return status_ok();
    }
    if (kept->bone_count != fit->bone_count) {
        kept_fit_clear(kept);
        ALLOCATE(kept->maps, numbers, "the best bones");
        ALLOCATE(kept->weights, slots, "the best weights");
        ALLOCATE(kept->bones, slots, "the best weights");
    }
    kept->bone_count = fit->bone_count;
    kept->squared_error = *squared_error;
    memcpy(kept->maps, fit->maps, numbers * sizeof *kept->maps);
    memcpy(kept->weights, fit->weights, slots * sizeof *kept->weights);
    memcpy(kept->bones, fit->bones, slots * sizeof *kept->bones);
    return status_ok();
}

void skin_fit_return(KeptFit *kept, SkinFit *fit)
{
    if (kept->bone_count == 0)
        return;
    FREE_ALL(fit->maps, fit->weights, fit->bones);
    fit->bone_count = kept->bone_count;
    fit->maps = kept->maps;
    fit->weights = kept->weights;
    fit->bones = kept->bones;
    *kept = (KeptFit){0};
}

void kept_fit_clear(KeptFit *kept)
{
    FREE_ALL(kept->maps, kept->weights, kept->bones);
    *kept = (KeptFit){0};
}

Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error)
{
    LOCAL_ARRAY(int32_t, numbers, fit->bone_count, "the bones");
    const LinearBlend blend = skin_fit_blend(fit);
    /* Rounds the weights to float in the fit as well. Drops weights too small to change a float sum of
     * 1. */
    enum { RESOLUTION = 1 << 24 };
    int influences = fit->influence_count;
    for (int j = 0; j < fit->vertex_count; j++) {
        double *weights = fit->weights + (ptrdiff_t)j * influences, sum = 0.0;
        for (int k = 0; k < influences; k++) {
            weights[k] = fabs(weights[k]) * RESOLUTION >= 1.0 ? weights[k] : 0.0;
            sum += weights[k];
        }
        for (int k = 0; k < influences; k++)
            weights[k] = (double)(float)(weights[k] / sum);
    }
    STATUS_TRY(rig_begin(&blend, NULL, fit->vertex_count, fit->bone_count, fit->input->animation->frame_count,
                         numbers, &result->rig, &result->rest));
    result->bones_delivered = result->rig.joint_count;
    memcpy(result->rest, fit->input->mesh->rest, 3 * sizeof(float) * (size_t)fit->vertex_count);
    rig_fill_weights(fit->bones, numbers, 0, fit->vertex_count, fit->weights, &result->rig);
    for (int bone = 0; bone < fit->bone_count; bone++)
        if (numbers[bone] >= 0)
            rig_fill_transforms(&fit->units, fit->maps + (ptrdiff_t)4 * bone * fit->target.row_count,
                                fit->target.offset, numbers[bone], &result->rig);
    result->singular_systems = (int)fit->singular_systems;
    return skin_fit_error(fit, squared_error);
}
