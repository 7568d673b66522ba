/* Updates rest pose and weights of blocks of vertices alternately (FESAM sections 4.3 and 4.4), eight
 * vertices at once (vertex_group.h). */
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { UPDATE_BLOCK = 128 };

/* A block of vertices, the transformations of a sweep, and the workspace of a thread. */
typedef struct Block {
    ReducedModel *model;
    const VertexUpdateOptions *options;
    const BonePairs *pairs;
    int first, count;
    double *products; /* [UPDATE_BLOCK][4][stride] products h = Tr^T c of the vertices */
    double *norms;    /* [UPDATE_BLOCK] squared norms of the targets */
    double *mean;     /* [stride] mean of the weights of a vertex's neighbours */
    ScanWorkspace scans;
    int64_t singular; /* number of singular systems found so far */
} Block;

/* Rest positions, bones and errors of a group at the start of a round. */
typedef struct RoundStart {
    Lanes rest[3], weights[INFLUENCES_MAX], error;
    LaneMask usable[INFLUENCES_MAX];
} RoundStart;

/* Steps of the rest positions of a group in the previous round, from which rest_extrapolate
 * extrapolates. */
typedef struct RestSteps {
    bool has_any;
    Lanes step[3], end[3];
} RestSteps;

/* Extrapolates the rest position, because alternating with the weights converges slowly. Anderson mixing
 * (1965) finds the blend of this round's step and the previous round's step that is closest to zero. The
 * new position is the same blend of the end points of the two steps. */
static void rest_extrapolate(VertexGroup *group, const Lanes start[3], RestSteps *last)
{
    const Lanes max = LANES_ALL(10.0), none = LANES_ALL(0.0);
    Lanes product = none, square = none, amount;
    LaneMask positive, small;
    for (int i = 0; i < 3; i++) {
        Lanes step = group->rest[i] - start[i], change = step - last->step[i];
        product -= step * change;
        square += change * change;
        last->step[i] = step;
    }
    lanes_less(&none, &square, &positive);
    amount = LANES_CHOOSE(positive, product / square, none);
    lanes_less(&none, &amount, &positive);
    lanes_less(&amount, &max, &small);
    amount = LANES_CHOOSE(positive, LANES_CHOOSE(small, amount, max), none);
    for (int i = 0; i < 3; i++) {
        Lanes end = group->rest[i];
        if (last->has_any)
            group->rest[i] += amount * (end - last->end[i]);
        last->end[i] = end;
    }
    last->has_any = true;
}

/* Undoes the round in lanes whose error did not fall. Returns whether the group gained enough for another
 * round. */
static bool round_judge(const RoundStart *start, VertexGroup *group, GroupBones *set)
{
    static const double ENOUGH = 3e-5;
    Simplices *simplices = &set->simplices;
    double fall = 0.0, left = 0.0;
    LaneMask worse;
    lanes_less(&start->error, &simplices->error, &worse);
    for (int i = 0; i < 3; i++)
        group->rest[i] = LANES_CHOOSE(worse, start->rest[i], group->rest[i]);
    for (int k = 0; k < group->influences; k++) {
        simplices->weights[k] = LANES_CHOOSE(worse, start->weights[k], simplices->weights[k]);
        simplices->usable[k] = (worse & start->usable[k]) | (~worse & simplices->usable[k]);
    }
    simplices->error = LANES_CHOOSE(worse, start->error, simplices->error);
    for (int lane = 0; lane < group->count; lane++) {
        fall += start->error[lane] - simplices->error[lane];
        left += simplices->error[lane];
    }
    return fall > ENOUGH * left;
}

/* Alternates between rest positions and weights, starting from the state and bones of a group. A vertex
 * without weights does not move in the first round. */
static void group_rounds(Block *block, VertexGroup *group, GroupBones *set)
{
    const VertexUpdateOptions *options = block->options;
    const size_t influences = (size_t)group->influences;
    RestSteps last = {0};
    for (int round = 0; round < options->rounds; round++) {
        RoundStart start;
        bool extrapolating = options->extrapolate && round > 0;
        if (extrapolating) {
            memcpy(start.rest, group->rest, sizeof start.rest);
            memcpy(start.weights, set->simplices.weights, influences * sizeof *start.weights);
            memcpy(start.usable, set->simplices.usable, influences * sizeof *start.usable);
            start.error = set->simplices.error;
        }
        if (options->rest_free && !options->weights_first)
            block->singular += group_rest_solve(group, set);
        if (extrapolating)
            rest_extrapolate(group, start.rest, &last);
        if (round == 0)
            group_bones_choose(group, options->choice, &block->scans, set);
        else
            group_weights_fit(group, set);
        if (options->rest_free && options->weights_first)
            block->singular += group_rest_solve(group, set);
        if (extrapolating && !round_judge(&start, group, set))
            break;
    }
}

/* Loads up to eight vertices, given by their indices in the block. They start from their current state or,
 * if `afresh`, from their initial rest positions without weights. */
static void vertex_group_load(const Block *block, const int *members, int count, bool afresh,
                              VertexGroup *group, GroupBones *set)
{
    ReducedModel *model = block->model;
    int32_t *bones[LANES];
    double *weights[LANES], none[INFLUENCES_MAX] = {0.0};
    *group = (VertexGroup){.pairs = block->pairs, .influences = model->influence_count, .count = count};
    for (int lane = 0; lane < LANES; lane++) {
        int member = members[lane < count ? lane : count - 1], vertex = block->first + member;
        const double *rest = (afresh ? model->first_rest : model->rest) + (ptrdiff_t)3 * vertex;
        bones[lane] = model->bones + (ptrdiff_t)vertex * model->influence_count;
        weights[lane] = afresh ? none : model->weights + (ptrdiff_t)vertex * model->influence_count;
        group->products[lane] = block->products + (ptrdiff_t)member * 4 * block->pairs->stride;
        group->squared_norms[lane] = block->norms[member];
        for (int i = 0; i < 3; i++)
            group->rest[i][lane] = rest[i];
    }
    group_bones_load(group, bones, weights, set);
}

/* Solves up to eight vertices. If `afresh`, a result is stored only if it is better. */
static void group_update(Block *block, const int *members, int count, bool afresh)
{
    ReducedModel *model = block->model;
    VertexGroup group;
    GroupBones set;
    vertex_group_load(block, members, count, afresh, &group, &set);
    group_rounds(block, &group, &set);
    for (int lane = 0; lane < count; lane++) {
        const ptrdiff_t vertex = block->first + members[lane], slot = vertex * model->influence_count;
        if (afresh && !(set.simplices.error[lane] < model->errors[vertex]))
            continue;
        model->errors[vertex] = set.simplices.error[lane];
        for (int i = 0; i < 3; i++)
            model->rest[3 * vertex + i] = group.rest[i][lane];
        group_bones_store(&group, &set, lane, model->bones + slot, model->weights + slot);
    }
}

/* Computes the products of the block's vertices with the bones, and the norms of the targets. The smoothness
 * penalty draws the weights of a vertex towards the mean of its neighbours' weights. */
static void block_prepare(const Block *block)
{
    const ReducedModel *model = block->model;
    const double strength = model->smoothing ? model->smoothing->strength : 0.0;
    int stride = block->pairs->stride, columns = 4 * stride, dimension = model->dimension;
    matrix_multiply(block->count, columns, dimension, 1.0,
                    matrix_by_rows(model->coordinates + (ptrdiff_t)block->first * dimension, dimension),
                    matrix_by_rows(block->pairs->columns, columns), 0.0, block->products, columns);
    memcpy(block->norms, model->squared_norms + block->first, (size_t)block->count * sizeof(double));
    for (int i = 0; model->smoothing && i < block->count; i++) {
        double *constants = block->products + (ptrdiff_t)i * columns + (ptrdiff_t)3 * stride, square = 0.0;
        smoothing_mean(model, block->first + i, block->mean);
        for (int bone = 0; bone < model->bone_count; bone++) {
            constants[bone] += strength * block->mean[bone];
            square += block->mean[bone] * block->mean[bone];
        }
        block->norms[i] += strength * square;
    }
}

/* Subtracts the smoothness penalty from the errors of the block's vertices and stores it separately. */
static void block_pay(const Block *block)
{
    ReducedModel *model = block->model;
    for (int j = block->first; model->smoothing && j < block->first + block->count; j++) {
        smoothing_mean(model, j, block->mean);
        model->smoothing->penalties[j] = smoothing_penalty(model, j, block->mean);
        model->errors[j] -= model->smoothing->penalties[j];
    }
}

static void block_update(Block *block)
{
    ReducedModel *model = block->model;
    double outlier = block->options->outlier;
    int members[UPDATE_BLOCK], count = 0;
    block_prepare(block);
    for (int i = 0; i < block->count; i++)
        members[i] = i;
    for (int from = 0; from < block->count; from += LANES)
        group_update(block, members + from, int_min(block->count - from, LANES), false);
    for (int i = 0; i < block->count; i++)
        if (outlier > 0.0 && model->errors[block->first + i] > outlier)
            members[count++] = i;
    for (int from = 0; from < count; from += LANES)
        group_update(block, members + from, int_min(count - from, LANES), true);
    block_pay(block);
}

/* Computes losses [N][K]: the increase of the error of each vertex of the block if each of its bones is
 * removed. */
static void block_losses(const Block *block, double *losses)
{
    block_prepare(block);
    for (int from = 0; from < block->count; from += LANES) {
        int members[LANES], count = int_min(block->count - from, LANES);
        double *rows[LANES];
        VertexGroup group;
        GroupBones set;
        for (int lane = 0; lane < count; lane++) {
            members[lane] = from + lane;
            rows[lane] = losses + (ptrdiff_t)(block->first + from + lane) * block->model->influence_count;
        }
        vertex_group_load(block, members, count, false, &group, &set);
        group_losses(&group, &set, rows);
        for (int lane = 0; lane < count; lane++)
            block->model->errors[block->first + from + lane] = set.simplices.error[lane];
    }
    block_pay(block);
}

/* Solves all vertices. If `losses` is not NULL, measures instead the increase of the errors if each bone is
 * removed. */
static Status blocks_run(ReducedModel *model, const VertexUpdateOptions *options, double *losses)
{
    CLEANUP(bone_pairs_clear) BonePairs pairs = {0};
    int64_t singular = 0;
    if (model->smoothing)
        smoothing_keep(model);
    STATUS_TRY(bone_pairs_make(&pairs, model));
    const size_t stride = (size_t)pairs.stride, scan = LANES * stride;
    const size_t size = UPDATE_BLOCK * (4 * stride + 1) + stride + (2 + INFLUENCES_MAX) * scan;
    LOCAL_TABLE(double, workspace, model->threads, size, "a sweep over the vertices");
#pragma omp parallel for schedule(dynamic) num_threads(model->threads) reduction(+ : singular)
    for (int first = 0; first < model->vertex_count; first += UPDATE_BLOCK) {
        double *products = workspace + (size_t)omp_get_thread_num() * size,
               *norms = products + 4 * UPDATE_BLOCK * stride, *mean = norms + UPDATE_BLOCK,
               *squares = mean + stride;
        Block block = {.model = model,
                       .options = options,
                       .pairs = &pairs,
                       .first = first,
                       .count = int_min(model->vertex_count - first, UPDATE_BLOCK),
                       .products = products,
                       .norms = norms,
                       .mean = mean,
                       .scans = {squares, squares + scan, squares + 2 * scan}};
        if (losses)
            block_losses(&block, losses);
        else
            block_update(&block);
        singular += block.singular;
    }
    model->singular_systems += singular;
    return status_ok();
}

Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options)
{
    return blocks_run(model, options, NULL);
}

Status vertices_measure_losses(ReducedModel *model, double *losses)
{
    return blocks_run(model, &(VertexUpdateOptions){.rounds = 0}, losses);
}
