/* Rounds weights so that they sum to 1 as floats, and delivers a fit as a rig. */
#include "methods/fitting/skin_delivery.h"

#include "datasets/base/memory.h"

#include <string.h>

/* Weights as float, those below what a float sum of 1 can hold dropped, in the fit too. */
static void weights_round(SkinFit *fit)
{
    enum { RESOLUTION = 1 << 24 };
    int influences = fit->influence_count;
    for (int j = 0; j < fit->vertex_count; j++) {
        double *weights = fit->weights + (ptrdiff_t)j * influences, sum = 0.0;
        for (int k = 0; k < influences; k++) {
            weights[k] = weights[k] * RESOLUTION >= 1.0 ? weights[k] : 0.0;
            sum += weights[k];
        }
        for (int k = 0; k < influences; k++)
            weights[k] = (double)(float)(weights[k] / sum);
    }
}

Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error)
{
    int32_t *numbers = memory_array((size_t)fit->bone_count, sizeof(int32_t));
    const LinearBlend blend = skin_fit_blend(fit);
    Status status;
    if (!numbers) {
        status = status_out_of_memory("the bones");
        goto done;
    }
    weights_round(fit);
    STATUS_TRY(rig_begin(&blend, fit->bone_count, fit->input->animation->frame_count, numbers, &result->rig,
                         &result->rest));
    result->bones_delivered = result->rig.joint_count;
    memcpy(result->rest, fit->input->mesh->rest, 3 * sizeof(float) * (size_t)fit->vertex_count);
    rig_fill_weights(fit->bones, numbers, fit->vertex_count, fit->weights, &result->rig);
    for (int bone = 0; bone < fit->bone_count; bone++)
        if (numbers[bone] >= 0)
            rig_fill_transforms(&fit->units, fit->maps + (ptrdiff_t)4 * bone * fit->target.row_count,
                                fit->target.offset, numbers[bone], &result->rig);
    result->singular_systems = (int)fit->singular_systems;
    status = skin_fit_error(fit, squared_error);
done:
    memory_free(numbers);
    return status;
}
