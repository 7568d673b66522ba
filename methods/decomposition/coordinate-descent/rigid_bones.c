/* Solves for rotations and translations of the bones, frame by frame and bone by bone (Le and Deng
 * 2012). */
#include "methods/decomposition/coordinate-descent/rigid_bones.h"

#include "datasets/base/exact_sum.h"
#include "datasets/geometry/nearest_rotation.h"
#include "methods/reduction/dense.h"

enum { TILE = 64, PATCH = 20 };

Status rigid_make(RigidBones *rigid, int frame_count, int bone_count, const double *basis, double unit)
{
    size_t columns = 4 * (size_t)bone_count, rows = 3 * (size_t)frame_count;
    *rigid = (RigidBones){.frame_count = frame_count, .basis = basis, .unit = unit};
    ALLOCATE_TABLE(rigid->motions, rows, columns, "the motions of rigid bones");
    ALLOCATE_TABLE(rigid->pivots, bone_count, 3, "the motions of rigid bones");
    for (size_t row = 0; row < rows; row++)
        for (size_t bone = 0; bone < (size_t)bone_count; bone++)
            rigid->motions[row * columns + 4 * bone + row % 3] = unit;
    return status_ok();
}

void rigid_clear(RigidBones *rigid)
{
    FREE_ALL(rigid->motions, rigid->pivots);
    *rigid = (RigidBones){0};
}

void rigid_derive(ReducedModel *model)
{
    const RigidBones *rigid = model->rigid;
    const int columns = 4 * model->bone_count, dimension = model->dimension, rows = 3 * rigid->frame_count;
    const MatrixView transposed = matrix_transposed(rigid->motions, columns);
    matrix_multiply_tiled(columns, dimension, rows, transposed, matrix_transposed(rigid->basis, rows),
                          dimension, model->transforms, model->threads);
    matrix_multiply_tiled(columns, columns, rows, transposed, matrix_by_rows(rigid->motions, columns), TILE,
                          model->gram, model->threads);
}

/* Non-zero blocks of X X^T. The blocks of bone b have indices first[b] to first[b + 1] - 1, and the
 * diagonal block comes first. */
typedef struct Blocks {
    int32_t *first;  /* [P + 1] */
    int32_t *others; /* second bone c of each block */
    double
        *values; /* [blocks][4][4] sum of x_c x_b^T, with rows for the second bone c and columns for bone b */
} Blocks;

static void blocks_clear(Blocks *blocks)
{
    FREE_ALL(blocks->first, blocks->others, blocks->values);
}

/* Returns whether bones a and b share a vertex, which makes the sum of products of their weights
 * positive. */
static bool blocks_meet(const double *square, ptrdiff_t stride, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return square[(4 * high + 3) * stride + 4 * low + 3] > 0.0;
}

static Status blocks_make(const double *square, int bones, Blocks *blocks)
{
    ptrdiff_t stride = (ptrdiff_t)4 * bones;
    size_t count = 0;
    for (int a = 0; a < bones; a++)
        for (int b = 0; b < bones; b++)
            count += blocks_meet(square, stride, a, b);
    ALLOCATE(blocks->first, bones + 1, "the pairs of bones");
    ALLOCATE(blocks->others, count, "the pairs of bones");
    ALLOCATE_TABLE(blocks->values, count, 16, "the pairs of bones");
    int32_t block = 0;
    for (int b = 0; b < bones; b++) {
        blocks->first[b] = block;
        for (int k = 0; k < bones; k++) {
            int c = k == 0 ? b : (k <= b ? k - 1 : k);
            if (!blocks_meet(square, stride, c, b))
                continue;
            double *value = blocks->values + (ptrdiff_t)16 * block;
            blocks->others[block++] = c;
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) {
                    ptrdiff_t row = 4 * c + i, column = 4 * b + j;
                    value[4 * i + j] =
                        row >= column ? square[row * stride + column] : square[column * stride + row];
                }
        }
    }
    blocks->first[bones] = block;
    return status_ok();
}

/* Finds the best rigid motion [3][4] of one bone in one frame from s = sum w^2, k = sum w^2 v and z = sum w
 * q (v, 1)^T, where q is the residual of the other bones. The rotation is found from z - z_4 k^T / s and
 * the translation from the means. */
static void motion_fit(double z[3][4], const double *block, double unit, double *motion, ptrdiff_t stride)
{
    double s = block[15], matrix[3][3], rotation[3][3];
    const double k[3] = {block[12], block[13], block[14]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = z[i][j] - z[i][3] * k[j] / s;
    nearest_rotation((const double(*)[3])matrix, rotation);
    for (int i = 0; i < 3; i++) {
        double *row = motion + i * stride, moved = 0.0;
        for (int j = 0; j < 3; j++) {
            row[j] = unit * rotation[i][j];
            moved += row[j] * k[j];
        }
        row[3] = (z[i][3] - moved) / s;
    }
}

/* Improves the motion of every bone in one frame once. `motions` and `rights` are the three rows of T and
 * of A X^T for this frame. */
static void frame_round(const Blocks *blocks, int bones, double unit, const double *rights, double *motions)
{
    ptrdiff_t columns = (ptrdiff_t)4 * bones;
    for (int b = 0; b < bones; b++) {
        int32_t diagonal = blocks->first[b], end = blocks->first[b + 1];
        double z[3][4];
        if (diagonal == end)
            continue;
        for (int i = 0; i < 3; i++)
            memcpy(z[i], rights + i * columns + (ptrdiff_t)4 * b, sizeof z[i]);
        for (int32_t block = diagonal + 1; block < end; block++) {
            const double *value = blocks->values + (ptrdiff_t)16 * block;
            const double *map = motions + (ptrdiff_t)4 * blocks->others[block];
            for (int i = 0; i < 3; i++, map += columns)
                for (int j = 0; j < 4; j++)
                    z[i][j] -= map[0] * value[j] + map[1] * value[4 + j] + map[2] * value[8 + j] +
                               map[3] * value[12 + j];
        }
        motion_fit(z, blocks->values + (ptrdiff_t)16 * diagonal, unit, motions + (ptrdiff_t)4 * b, columns);
    }
}

/* Returns tr(T X X^T T^T) - 2 tr(T X A^T) for one frame. */
static double frame_error(const Blocks *blocks, int bones, const double *rights, const double *motions)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++, motions += (ptrdiff_t)4 * bones, rights += (ptrdiff_t)4 * bones)
        for (int b = 0; b < bones; b++) {
            const double *map = motions + (ptrdiff_t)4 * b, *right = rights + (ptrdiff_t)4 * b;
            double row[4] = {-2.0 * right[0], -2.0 * right[1], -2.0 * right[2], -2.0 * right[3]};
            for (int32_t block = blocks->first[b]; block < blocks->first[b + 1]; block++) {
                const double *value = blocks->values + (ptrdiff_t)16 * block;
                const double *other = motions + (ptrdiff_t)4 * blocks->others[block];
                for (int j = 0; j < 4; j++)
                    row[j] += other[0] * value[j] + other[1] * value[4 + j] + other[2] * value[8 + j] +
                              other[3] * value[12 + j];
            }
            sum += row[0] * map[0] + row[1] * map[1] + row[2] * map[2] + row[3] * map[3];
        }
    return sum;
}

void rigid_share(ReducedModel *model)
{
    size_t count = (size_t)4 * (size_t)model->bone_count * 3 * (size_t)model->rigid->frame_count;
    ranks_broadcast(model->ranks, model->rigid->motions, count * sizeof(double));
    ranks_broadcast(model->ranks, model->rigid->pivots, 3 * (size_t)model->bone_count * sizeof(double));
}

Status rigid_solve(ReducedModel *model, const double *square, const double *right, double *squared_error)
{
    RigidBones *rigid = model->rigid;
    const int bones = model->bone_count, dimension = model->dimension;
    size_t rows = 3 * (size_t)rigid->frame_count, columns = 4 * (size_t)bones;
    CLEANUP(blocks_clear) Blocks blocks = {0};
    LOCAL_TABLE(double, rights, rows, columns, "the motions of rigid bones");
    LOCAL_ARRAY(double, errors, rigid->frame_count, "the motions of rigid bones");
    if (ranks_is_first(model->ranks)) {
        STATUS_TRY(blocks_make(square, bones, &blocks));
        /* A X^T = B (C X^T) as [3F][4P] */
        matrix_multiply_tiled((int)rows, (int)columns, dimension,
                              matrix_transposed(rigid->basis, (ptrdiff_t)rows),
                              matrix_transposed(right, dimension), (int)columns, rights, model->threads);
        /* solve all bones in every frame, and sum the errors that remain */
#pragma omp parallel for schedule(static) num_threads(model->threads)
        for (int frame = 0; frame < rigid->frame_count; frame++) {
            const double *frame_rights = rights + 3 * (size_t)frame * columns;
            double *motions = rigid->motions + 3 * (size_t)frame * columns;
            frame_round(&blocks, bones, rigid->unit, frame_rights, motions);
            errors[frame] = frame_error(&blocks, bones, frame_rights, motions);
        }
        *squared_error = 0.0;
        for (int frame = 0; frame < rigid->frame_count; frame++)
            *squared_error += errors[frame];
        for (int i = 0; i < 3 * bones; i++) {
            const double *block = blocks.values + (ptrdiff_t)16 * blocks.first[i / 3];
            if (blocks.first[i / 3] < blocks.first[i / 3 + 1])
                rigid->pivots[i] = block[4 * (i % 3) + 3] / block[15];
        }
    }
    ranks_broadcast(model->ranks, squared_error, sizeof *squared_error);
    *squared_error = fmax(*squared_error + reduced_model_sum(model, model->squared_norms), 0.0);
    rigid_share(model);
    rigid_derive(model);
    return status_ok();
}

void rigid_restore(ReducedModel *model)
{
    const RigidBones *rigid = model->rigid;
    const ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count;
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int frame = 0; frame < rigid->frame_count; frame++)
        for (int b = 0; b < model->bone_count; b++) {
            double *motion = rigid->motions + 3 * frame * stride + (ptrdiff_t)4 * b;
            const double *pivot = rigid->pivots + (ptrdiff_t)3 * b;
            double matrix[3][3], rotation[3][3];
            for (int i = 0; i < 3; i++)
                memcpy(matrix[i], motion + i * stride, sizeof matrix[i]);
            nearest_rotation((const double(*)[3])matrix, rotation);
            for (int i = 0; i < 9; i++) {
                double *row = motion + i / 3 * stride;
                row[3] += (matrix[i / 3][i % 3] - rigid->unit * rotation[i / 3][i % 3]) * pivot[i % 3];
                row[i % 3] = rigid->unit * rotation[i / 3][i % 3];
            }
        }
    rigid_share(model);
    rigid_derive(model);
}

void rigid_take_basis(ReducedModel *model, const double *basis, const double *before, const double *offset)
{
    RigidBones *rigid = model->rigid;
    const ptrdiff_t columns = (ptrdiff_t)4 * model->bone_count;
    rigid->basis = basis;
    for (ptrdiff_t row = 0; row < 3 * rigid->frame_count; row++)
        for (ptrdiff_t bone = 0; bone < model->bone_count; bone++)
            rigid->motions[row * columns + 4 * bone + 3] += before[row] - offset[row];
}

void rigid_copy(ReducedModel *target, const ReducedModel *from)
{
    size_t count = (size_t)4 * (size_t)from->bone_count * 3 * (size_t)from->rigid->frame_count;
    memcpy(target->rigid->motions, from->rigid->motions, count * sizeof(double));
    memcpy(target->rigid->pivots, from->rigid->pivots, 3 * (size_t)from->bone_count * sizeof(double));
}

/* Neighbouring vertices to which a bone is moved. Vertices of other ranks have index -1. */
typedef struct Patch {
    int count;
    int32_t vertices[PATCH];
    double closeness[PATCH]; /* negated squared distances from the centre; the nearest vertex has the largest
                                value */
} Patch;

static void patch_add(Patch *patch, int32_t vertex, double distance)
{
    patch->count = largest_insert(-distance, vertex, patch->count, PATCH, patch->closeness, patch->vertices);
}

/* Finds the vertices of all ranks that are nearest to a point in the rest pose. On a tie, the first vertex
 * wins. gathered [2][R][PATCH] is workspace for R ranks. */
static void patch_gather(const ReducedModel *model, const double center[3], double *gathered, Patch *patch)
{
    int rank = model->ranks ? model->ranks->rank : 0, ranks = model->ranks ? model->ranks->count : 1;
    ptrdiff_t all = (ptrdiff_t)ranks * PATCH;
    Patch local = {.count = 0};
    for (int32_t j = 0; j < model->vertex_count; j++) {
        const double *v = model->rest + (ptrdiff_t)3 * j;
        double x = v[0] - center[0], y = v[1] - center[1], z = v[2] - center[2];
        patch_add(&local, j, x * x + y * y + z * z);
    }
    memset(gathered, 0, 2 * (size_t)all * sizeof *gathered);
    for (int i = 0; i < PATCH; i++) /* a sum with error compensation cannot handle infinities */
        gathered[rank * PATCH + i] = i < local.count ? -local.closeness[i] : DBL_MAX;
    ranks_sum(model->ranks, gathered, gathered + all, all);
    patch->count = 0;
    for (int i = 0; i < all; i++)
        if (gathered[i] < DBL_MAX)
            patch_add(patch, i / PATCH == rank ? local.vertices[i % PATCH] : -1, gathered[i]);
}

void rigid_follow(ReducedModel *model, int bone, const double *block, const double *right, double *rights)
{
    RigidBones *rigid = model->rigid;
    int dimension = model->dimension, rows = 3 * rigid->frame_count;
    ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count;
    matrix_multiply(4, rows, dimension, 1.0, matrix_by_rows(right, dimension),
                    matrix_by_rows(rigid->basis, rows), 0.0, rights, rows);
    for (ptrdiff_t frame = 0; frame < rigid->frame_count; frame++) {
        double z[3][4];
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 4; k++)
                z[axis][k] = rights[k * rows + 3 * frame + axis];
        motion_fit(z, block, rigid->unit, rigid->motions + 3 * frame * stride + (ptrdiff_t)4 * bone, stride);
    }
    for (int axis = 0; axis < 3; axis++)
        rigid->pivots[3 * bone + axis] = block[12 + axis] / block[15];
}

/* Fits a bone to the vertices of a patch as if no other bone moved them. Workspace: sums [2][16 + 4d],
 * whose second half holds rounding errors, terms [16 + 4d] and rights [4][3F]. */
static void patch_follow(ReducedModel *model, const Patch *patch, int bone, double *sums, double *terms,
                         double *rights)
{
    int dimension = model->dimension, size = 16 + 4 * dimension;
    memset(sums, 0, 2 * (size_t)size * sizeof *sums);
    for (int i = 0; i < patch->count; i++) {
        if (patch->vertices[i] < 0)
            continue;
        const double *v = model->rest + (ptrdiff_t)3 * patch->vertices[i];
        const double *column = model->coordinates + (ptrdiff_t)patch->vertices[i] * dimension;
        const double x[4] = {v[0], v[1], v[2], 1.0};
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l < 4; l++)
                terms[4 * k + l] = x[k] * x[l];
            for (int l = 0; l < dimension; l++)
                terms[16 + k * dimension + l] = x[k] * column[l];
        }
        exact_sums_add(sums, sums + size, terms, size);
    }
    ranks_sum(model->ranks, sums, sums + size, size);
    rigid_follow(model, bone, sums, sums + 16, rights);
}

Status rigid_reseed(ReducedModel *model, double min)
{
    enum {
        BLOCK = 256
    }; /* number of vertices summed together; each rank's vertices begin at a multiple of it */
    static const char what[] = "new places for bones";
    size_t rows = 3 * (size_t)model->rigid->frame_count, size = 16 + 4 * (size_t)model->dimension;
    size_t ranks = model->ranks ? (size_t)model->ranks->count : 1;
    const int bones = model->bone_count, influences = model->influence_count;
    LOCAL_TABLE(double, squares, 3, bones,
                what); /* squared weights, their rounding errors, and one block's */
    LOCAL_ARRAY(bool, taken, model->vertex_count, what);
    LOCAL_TABLE(double, sums, 3, size, what);
    LOCAL_TABLE(double, gathered, 2 * ranks, PATCH, what);
    LOCAL_TABLE(double, rights, 4, rows, what);
    double *part = squares + (ptrdiff_t)2 * bones;
    int reseeded = 0;
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        const int end = int_min(first + BLOCK, model->vertex_count);
        memset(part, 0, (size_t)bones * sizeof *part);
        for (ptrdiff_t i = (ptrdiff_t)first * influences; i < (ptrdiff_t)end * influences; i++)
            part[model->bones[i]] += model->weights[i] * model->weights[i];
        exact_sums_add(squares, squares + bones, part, bones);
    }
    ranks_sum(model->ranks, squares, squares + bones, bones);
    for (int bone = 0; bone < bones; bone++) {
        double greatest = 0.0, center[3];
        if (squares[bone] != 0.0 && !(squares[bone] < min))
            continue;
        const int worst = reduced_model_max(model, model->errors, taken, &greatest);
        if (worst < 0)
            continue;
        const int own = worst - model->first_vertex;
        for (int axis = 0; axis < 3; axis++)
            center[axis] = own >= 0 && own < model->vertex_count ? model->rest[3 * own + axis] : -INFINITY;
        ranks_max(model->ranks, center, 3);
        Patch patch;
        patch_gather(model, center, gathered, &patch);
        for (int i = 0; i < patch.count; i++)
            if (patch.vertices[i] >= 0)
                taken[patch.vertices[i]] = true;
        patch_follow(model, &patch, bone, sums, sums + 2 * size, rights);
        reseeded++;
    }
    if (reseeded > 0) {
        rigid_share(model);
        rigid_derive(model);
    }
    return status_ok();
}
