/* Allocates the reduced problem min ||Tr X - C||_F (FESAM section 4), chooses its dimensions and measures
 * its error. */
#include "methods/decomposition/coordinate-descent/reduced_model.h"

#include "datasets/base/exact_sum.h"

enum {
    MODEL_BLOCK = 256
}; /* number of vertices summed in plain double precision; each rank's vertices begin at a multiple of it */

Status reduced_model_allocate(ReducedModel *model, const Ranks *ranks, int all_vertices, int bone_count,
                              int influence_count, int dimension, int threads, const double *coordinates)
{
    const VertexShare share = ranks_share(ranks, all_vertices);
    const int vertices = share.count, columns = 4 * bone_count;
    *model = (ReducedModel){.vertex_count = share.count,
                            .ranks = ranks,
                            .first_vertex = share.first,
                            .all_vertices = all_vertices,
                            .block = ranks_block_size(all_vertices),
                            .bone_count = bone_count,
                            .influence_count = influence_count,
                            .dimension = dimension,
                            .threads = threads,
                            .coordinates = coordinates};
    ALLOCATE(model->squared_norms, vertices, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->rest, vertices, 3, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->first_rest, vertices, 3, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->bones, vertices, influence_count, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->weights, vertices, influence_count, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->transforms, columns, dimension, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->gradient, columns, dimension, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->gram, columns, columns, "the unknowns of coordinate descent");
    ALLOCATE(model->errors, vertices, "the unknowns of coordinate descent");
    reduced_model_take_coordinates(model, coordinates, dimension);
    return status_ok();
}

Status reduced_model_resize(ReducedModel *model, const double *coordinates, int dimension)
{
    const int columns = 4 * model->bone_count;
    memory_release(&model->transforms);
    memory_release(&model->gradient);
    ALLOCATE_TABLE(model->transforms, columns, dimension, "the unknowns of coordinate descent");
    ALLOCATE_TABLE(model->gradient, columns, dimension, "the unknowns of coordinate descent");
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

Status leading_dimensions(const ReducedModel *model, const double *coordinates, int all, double allowed,
                          int *dimension, double *tail)
{
    LOCAL_TABLE(double, energies, 3, all, "the norms of the dimensions");
    double *rests = energies + all, *part = rests + all;
    for (int first = 0; first < model->vertex_count; first += MODEL_BLOCK) {
        memset(part, 0, (size_t)all * sizeof *part);
        for (int j = first; j < model->vertex_count && j < first + MODEL_BLOCK; j++)
            for (int i = 0; i < all; i++) {
                double value = coordinates[(ptrdiff_t)j * all + i];
                part[i] += value * value;
            }
        exact_sums_add(energies, rests, part, all);
    }
    ranks_sum(model->ranks, energies, rests, all);
    *tail = 0.0;
    *dimension = all;
    while (*dimension > 1 && *tail + energies[*dimension - 1] <= allowed)
        *tail += energies[--*dimension];
    return status_ok();
}

void reduced_model_set_regions(ReducedModel *model, const int32_t *regions)
{
    const size_t influences = (size_t)model->influence_count, vertices = (size_t)model->vertex_count;
    memset(model->bones, 0, vertices * influences * sizeof(int32_t));
    memset(model->weights, 0, vertices * influences * sizeof(double));
    for (size_t j = 0; j < vertices; j++) {
        model->bones[j * influences] = regions[j];
        model->weights[j * influences] = 1.0;
    }
}

int32_t reduced_model_main_bone(const ReducedModel *model, int vertex)
{
    ptrdiff_t slot = (ptrdiff_t)vertex * model->influence_count;
    int best = 0;
    for (int k = 1; k < model->influence_count; k++)
        if (model->weights[slot + k] > model->weights[slot + best])
            best = k;
    return model->bones[slot + best];
}

double reduced_model_sum(const ReducedModel *model, const double *values)
{
    ExactSum sum = {0};
    for (int first = 0; first < model->vertex_count; first += MODEL_BLOCK) {
        double part = 0.0;
        for (int j = first; j < model->vertex_count && j < first + MODEL_BLOCK; j++)
            part += values[j];
        exact_sum_add(&sum, part);
    }
    ranks_sum(model->ranks, &sum.sum, &sum.rest, 1);
    return sum.sum;
}

int reduced_model_max(const ReducedModel *model, const double *values, const bool *taken, double *greatest)
{
    double local = -INFINITY, first = -INFINITY;
    int best = -1;
    for (int j = 0; j < model->vertex_count; j++)
        if (values[j] > fmax(*greatest, local) && !(taken && taken[j])) {
            local = values[j];
            best = j;
        }
    *greatest = local;
    ranks_max(model->ranks, greatest, 1);
    if (best >= 0 && local == *greatest)
        first = -(double)(model->first_vertex + best);
    ranks_max(model->ranks, &first, 1);
    return first > -INFINITY ? (int)-first : -1;
}

void reduced_model_clear(ReducedModel *model)
{
    FREE_ALL(model->squared_norms, model->rest, model->first_rest, model->bones, model->weights,
             model->transforms, model->gradient, model->gram, model->errors);
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
    return linear_blend_squared_error(&blend, column_copy, model, model->ranks, model->threads,
                                      squared_error);
}
