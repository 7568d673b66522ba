#include "methods/coordinate-descent/transformations.h"

#include "datasets/base/memory.h"
#include "methods/reduction/dense.h"

#include <string.h>

/* The vertices of each bone: the non-zeros of X by block row. */
typedef struct BoneVertices {
    int32_t *first; /* [P + 1] */
    int32_t *slots; /* [used slots] vertex * K + slot, ascending within a bone */
} BoneVertices;

static void bone_vertices_clear(BoneVertices *list)
{
    memory_free(list->first);
    memory_free(list->slots);
}

static Status bone_vertices_make(const Descent *descent, BoneVertices *list)
{
    size_t slots = (size_t)descent->vertex_count * (size_t)descent->influence_count;
    list->first = memory_array((size_t)descent->bone_count + 2, sizeof(int32_t));
    list->slots = memory_array(slots, sizeof(int32_t));
    if (!list->first || !list->slots)
        return status_out_of_memory("the vertices of the bones");
    for (size_t i = 0; i < slots; i++)
        if (descent->weights[i] != 0.0)
            list->first[descent->bones[i] + 2]++;
    for (int bone = 0; bone < descent->bone_count; bone++)
        list->first[bone + 2] += list->first[bone + 1];
    for (size_t i = 0; i < slots; i++)
        if (descent->weights[i] != 0.0)
            list->slots[list->first[descent->bones[i] + 1]++] = (int32_t)i;
    return status_ok();
}

/* Adds to block row `bone` of X X^T (lower triangle) and of (C X^T)^T what its vertices bring. */
static void bone_accumulate(const Descent *descent, const BoneVertices *list, int bone, double *square,
                            double *right)
{
    int influences = descent->influence_count, dimension = descent->dimension;
    ptrdiff_t stride = (ptrdiff_t)4 * descent->bone_count;
    double *square0 = square + stride * 4 * bone;
    double *restrict right0 = right + (ptrdiff_t)4 * bone * dimension, *restrict right1 = right0 + dimension;
    double *restrict right2 = right1 + dimension, *restrict right3 = right2 + dimension;
    for (int32_t at = list->first[bone]; at < list->first[bone + 1]; at++) {
        int vertex = list->slots[at] / influences;
        const double *v = descent->rest + (ptrdiff_t)3 * vertex;
        double weight = descent->weights[list->slots[at]];
        double x[4] = {weight * v[0], weight * v[1], weight * v[2], weight};
        const double *column = descent->coordinates + (ptrdiff_t)vertex * dimension;
        for (int i = 0; i < dimension; i++) {
            right0[i] += x[0] * column[i];
            right1[i] += x[1] * column[i];
            right2[i] += x[2] * column[i];
            right3[i] += x[3] * column[i];
        }
        for (int k = 0; k < influences; k++) {
            ptrdiff_t slot = (ptrdiff_t)vertex * influences + k;
            double other = descent->weights[slot];
            if (other == 0.0 || descent->bones[slot] > bone)
                continue;
            double *block = square0 + (ptrdiff_t)4 * descent->bones[slot];
            for (int i = 0; i < 4; i++) {
                block[i * stride] += x[i] * other * v[0];
                block[i * stride + 1] += x[i] * other * v[1];
                block[i * stride + 2] += x[i] * other * v[2];
                block[i * stride + 3] += x[i] * other;
            }
        }
    }
}

Status transformations_solve(Descent *descent)
{
    int bones = descent->bone_count, dimension = descent->dimension;
    size_t size = 4 * (size_t)bones;
    BoneVertices list = {0};
    double *square = memory_table(size, size, sizeof(double));
    Status status;
    bool singular = false;
    if (!square) {
        status = status_out_of_memory("the normal equations of the bones");
        goto done;
    }
    STATUS_TRY(bone_vertices_make(descent, &list));
    memset(descent->transforms, 0, size * (size_t)dimension * sizeof(double));
#pragma omp parallel for schedule(dynamic)
    for (int bone = 0; bone < bones; bone++)
        bone_accumulate(descent, &list, bone, square, descent->transforms);
    STATUS_TRY(dense_solve(square, 4 * bones, descent->transforms, dimension, &singular));
    descent->singular_systems += singular;
    descent_update_gram(descent);
done:
    bone_vertices_clear(&list);
    memory_free(square);
    return status;
}
