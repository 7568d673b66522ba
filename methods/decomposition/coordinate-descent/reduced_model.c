/* Allocates the reduced problem min ||Tr X - C||_F (FESAM section 4), chooses its dimensions, and measures its
 * error. */
#include "methods/decomposition/coordinate-descent/reduced_model.h"

#include "datasets/base/memory.h"

#include <string.h>

Status reduced_model_allocate(ReducedModel *model, int vertex_count, int bone_count, int influence_count,
                              int dimension, int threads, const double *coordinates)
{
    size_t vertices = (size_t)vertex_count, influences = (size_t)influence_count;
    size_t columns = 4 * (size_t)bone_count;
    *model = (ReducedModel){.vertex_count = vertex_count,
                            .bone_count = bone_count,
                            .influence_count = influence_count,
                            .dimension = dimension,
                            .threads = threads,
                            .coordinates = coordinates};
    model->squared_norms = memory_array(vertices, sizeof(double));
    model->rest = memory_table(vertices, 3, sizeof(double));
    model->first_rest = memory_table(vertices, 3, sizeof(double));
    model->bones = memory_table(vertices, influences, sizeof(int32_t));
    model->weights = memory_table(vertices, influences, sizeof(double));
    model->transforms = memory_table(columns, (size_t)dimension, sizeof(double));
    model->gram = memory_table(columns, columns, sizeof(double));
    model->errors = memory_array(vertices, sizeof(double));
    if (!model->squared_norms || !model->rest || !model->first_rest || !model->bones || !model->weights ||
        !model->transforms || !model->gram || !model->errors) {
        reduced_model_clear(model);
        return status_out_of_memory("the unknowns of coordinate descent");
    }
    reduced_model_take_coordinates(model, coordinates, dimension);
    return status_ok();
}

void reduced_model_take_coordinates(ReducedModel *model, const double *coordinates, int dimension)
{
    model->coordinates = coordinates;
    model->dimension = dimension;
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int j = 0; j < model->vertex_count; j++) {
        const double *column = coordinates + (ptrdiff_t)j * dimension;
        double sum = 0.0;
        for (int i = 0; i < dimension; i++)
            sum += column[i] * column[i];
        model->squared_norms[j] = sum;
    }
}

Status leading_dimensions(const double *coordinates, int vertex_count, int all, double allowed,
                          int *dimension, double *tail)
{
    double *energies = memory_array((size_t)all, sizeof(double));
    if (!energies)
        return status_out_of_memory("the energies of the dimensions");
    for (int j = 0; j < vertex_count; j++)
        for (int i = 0; i < all; i++) {
            double value = coordinates[(ptrdiff_t)j * all + i];
            energies[i] += value * value;
        }
    *tail = 0.0;
    *dimension = all;
    while (*dimension > 1 && *tail + energies[*dimension - 1] <= allowed)
        *tail += energies[--*dimension];
    memory_free(energies);
    return status_ok();
}

void reduced_model_clear(ReducedModel *model)
{
    memory_free(model->squared_norms);
    memory_free(model->rest);
    memory_free(model->first_rest);
    memory_free(model->bones);
    memory_free(model->weights);
    memory_free(model->transforms);
    memory_free(model->gram);
    memory_free(model->errors);
    *model = (ReducedModel){0};
}

static void column_copy(const void *context, int j, double *target)
{
    const ReducedModel *model = context;
    memcpy(target, model->coordinates + (ptrdiff_t)j * model->dimension,
           (size_t)model->dimension * sizeof(double));
}

LinearBlend reduced_model_blend(const ReducedModel *model)
{
    return (LinearBlend){.vertex_count = model->vertex_count,
                         .influence_count = model->influence_count,
                         .row_count = model->dimension,
                         .rest = model->rest,
                         .maps = model->transforms,
                         .bones = model->bones,
                         .weights = model->weights};
}

Status reduced_model_squared_error(const ReducedModel *model, double *squared_error)
{
    const LinearBlend blend = reduced_model_blend(model);
    return linear_blend_squared_error(&blend, column_copy, model, model->threads, squared_error);
}
