/* Updates rest pose and weights of blocks of vertices alternately (FESAM sections 4.3 and 4.4), eight
 * vertices at once (vertex_group.h). */
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { UPDATE_BLOCK = 128 };

/* Workspace of one thread. */
typedef struct VertexWorkspace {
    double *products; /* [UPDATE_BLOCK][4][stride] products h = Tr^T c of the vertices in a block */
    double *norms;    /* [UPDATE_BLOCK] squared norms of the targets */
    double *mean;     /* [stride] mean weights of a vertex's neighbours */
    ScanWorkspace scans;
    int64_t singular;
} VertexWorkspace;

/* One workspace for each thread. */
typedef struct VertexWorkspaces {
    int count;
    VertexWorkspace *each;
} VertexWorkspaces;

static void workspaces_clear(VertexWorkspaces *all)
{
    for (int i = 0; i < all->count; i++) {
        FREE_ALL(all->each[i].products, all->each[i].norms, all->each[i].mean);
        scan_workspace_clear(&all->each[i].scans);
    }
    memory_free(all->each);
}

static Status workspaces_make(int count, int stride, VertexWorkspaces *all)
{
    ALLOCATE(all->each, count, "a sweep over the vertices");
    all->count = count;
    for (VertexWorkspace *workspace = all->each; workspace < all->each + count; workspace++) {
        ALLOCATE_TABLE(workspace->products, UPDATE_BLOCK, 4 * (size_t)stride, "a sweep over the vertices");
        ALLOCATE(workspace->norms, UPDATE_BLOCK, "a sweep over the vertices");
        ALLOCATE(workspace->mean, stride, "a sweep over the vertices");
        STATUS_TRY(scan_workspace_make(&workspace->scans, stride));
    }
    return status_ok();
}

/* A block of vertices and the transformations of a sweep. */
typedef struct Block {
    ReducedModel *model;
    const VertexUpdateOptions *options;
    const BonePairs *pairs;
    int first, count;
    VertexWorkspace *workspace;
} Block;

/* Rest positions, bones and errors of a group at the start of a round. */
typedef struct RoundStart {
    Lanes rest[3], weights[INFLUENCES_MAX], error;
    LaneMask usable[INFLUENCES_MAX];
} RoundStart;

static void round_start_save(const VertexGroup *group, const GroupBones *set, RoundStart *start)
{
    memcpy(start->rest, group->rest, sizeof start->rest);
    memcpy(start->weights, set->simplices.weights, (size_t)group->influences * sizeof *start->weights);
    memcpy(start->usable, set->simplices.usable, (size_t)group->influences * sizeof *start->usable);
    start->error = set->simplices.error;
}

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
    Lanes product = none, square = none;
    for (int i = 0; i < 3; i++) {
        Lanes step = group->rest[i] - start[i], change = step - last->step[i];
        product -= step * change;
        square += change * change;
        last->step[i] = step;
    }
    Lanes amount = LANES_CHOOSE(square > 0.0, product / square, none);
    amount = LANES_CHOOSE(amount > 0.0, LANES_CHOOSE(amount < max, amount, max), none);
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
    LaneMask worse = simplices->error > start->error;
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
static void group_rounds(const Block *block, VertexGroup *group, GroupBones *set)
{
    const VertexUpdateOptions *options = block->options;
    RestSteps last = {0};
    for (int round = 0; round < options->rounds; round++) {
        RoundStart start;
        bool extrapolating = options->extrapolate && round > 0;
        if (extrapolating)
            round_start_save(group, set, &start);
        if (options->rest_free && !options->weights_first)
            block->workspace->singular += group_rest_solve(group, set);
        if (extrapolating)
            rest_extrapolate(group, start.rest, &last);
        if (round == 0)
            group_bones_choose(group, options->choice, &block->workspace->scans, set);
        else
            group_weights_fit(group, set);
        if (options->rest_free && options->weights_first)
            block->workspace->singular += group_rest_solve(group, set);
        if (extrapolating && !round_judge(&start, group, set))
            break;
    }
}

static void lane_store(const Block *block, const VertexGroup *group, const GroupBones *set, int lane,
                       int vertex)
{
    ReducedModel *model = block->model;
    ptrdiff_t slot = (ptrdiff_t)vertex * model->influence_count;
    model->errors[vertex] = set->simplices.error[lane];
    for (int i = 0; i < 3; i++)
        model->rest[(ptrdiff_t)3 * vertex + i] = group->rest[i][lane];
    group_bones_store(group, set, lane, model->bones + slot, model->weights + slot);
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
        group->products[lane] = block->workspace->products + (ptrdiff_t)member * 4 * block->pairs->stride;
        group->squared_norms[lane] = block->workspace->norms[member];
        for (int i = 0; i < 3; i++)
            group->rest[i][lane] = rest[i];
    }
    group_bones_load(group, bones, weights, set);
}

/* Solves up to eight vertices. If `afresh`, a result is stored only if it is better. */
static void group_update(const Block *block, const int *members, int count, bool afresh)
{
    VertexGroup group;
    GroupBones set;
    vertex_group_load(block, members, count, afresh, &group, &set);
    group_rounds(block, &group, &set);
    for (int lane = 0; lane < count; lane++) {
        int vertex = block->first + members[lane];
        if (!afresh || set.simplices.error[lane] < block->model->errors[vertex])
            lane_store(block, &group, &set, lane, vertex);
    }
}

/* Adds the smoothness penalty to the inner products of a vertex. The penalty draws the vertex's weights
 * towards the mean of its neighbours' weights. */
static void vertex_aim(const ReducedModel *model, int vertex, double *products, int stride, double *mean,
                       double *squared_norm)
{
    double strength = model->smoothing->strength, square = 0.0;
    smoothing_mean(model, vertex, mean);
    for (int bone = 0; bone < model->bone_count; bone++) {
        products[3 * stride + bone] += strength * mean[bone];
        square += mean[bone] * mean[bone];
    }
    *squared_norm += strength * square;
}

/* Computes the products of the block's vertices with the bones, and the norms of the targets. */
static void block_prepare(const Block *block)
{
    const ReducedModel *model = block->model;
    int columns = 4 * block->pairs->stride, dimension = model->dimension;
    VertexWorkspace *workspace = block->workspace;
    matrix_multiply(block->count, columns, dimension, 1.0,
                    matrix_by_rows(model->coordinates + (ptrdiff_t)block->first * dimension, dimension),
                    matrix_by_rows(block->pairs->columns, columns), 0.0, workspace->products, columns);
    memcpy(workspace->norms, model->squared_norms + block->first, (size_t)block->count * sizeof(double));
    for (int i = 0; model->smoothing && i < block->count; i++)
        vertex_aim(model, block->first + i, workspace->products + (ptrdiff_t)i * columns,
                   block->pairs->stride, workspace->mean, &workspace->norms[i]);
}

/* Subtracts the smoothness penalty from the errors of the block's vertices and stores it separately. */
static void block_pay(const Block *block)
{
    ReducedModel *model = block->model;
    for (int j = block->first; model->smoothing && j < block->first + block->count; j++) {
        smoothing_mean(model, j, block->workspace->mean);
        model->smoothing->penalties[j] = smoothing_penalty(model, j, block->workspace->mean);
        model->errors[j] -= model->smoothing->penalties[j];
    }
}

static void block_update(const Block *block)
{
    ReducedModel *model = block->model;
    double outlier = block->options->outlier;
    int members[UPDATE_BLOCK], count = 0;
    block_prepare(block);
    for (int i = 0; i < block->count; i++)
        members[i] = i;
    for (int from = 0; from < block->count; from += LANES)
        group_update(block, members + from, block->count - from < LANES ? block->count - from : LANES, false);
    for (int i = 0; i < block->count; i++)
        if (outlier > 0.0 && model->errors[block->first + i] > outlier)
            members[count++] = i;
    for (int from = 0; from < count; from += LANES)
        group_update(block, members + from, count - from < LANES ? count - from : LANES, true);
    block_pay(block);
}

/* Computes losses [N][K]: the increase of the error of each vertex of the block if each of its bones is
 * removed. */
static void block_losses(const Block *block, double *losses)
{
    block_prepare(block);
    for (int from = 0; from < block->count; from += LANES) {
        int members[LANES], count = block->count - from < LANES ? block->count - from : LANES;
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
    CLEANUP(workspaces_clear) VertexWorkspaces workspaces = {0};
    CLEANUP(bone_pairs_clear) BonePairs pairs = {0};
    STATUS_TRY(bone_pairs_make(&pairs, model));
    STATUS_TRY(workspaces_make(model->threads, pairs.stride, &workspaces));
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int first = 0; first < model->vertex_count; first += UPDATE_BLOCK) {
        int left = model->vertex_count - first;
        const Block block = {model,
                             options,
                             &pairs,
                             first,
                             left < UPDATE_BLOCK ? left : UPDATE_BLOCK,
                             &workspaces.each[omp_get_thread_num()]};
        if (losses)
            block_losses(&block, losses);
        else
            block_update(&block);
    }
    for (int i = 0; i < workspaces.count; i++)
        model->singular_systems += workspaces.each[i].singular;
    return status_ok();
}

Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options)
{
    if (model->smoothing)
        smoothing_keep(model);
    return blocks_run(model, options, NULL);
}

Status vertices_measure_losses(ReducedModel *model, double *losses)
{
    if (model->smoothing)
        smoothing_keep(model);
    const VertexUpdateOptions as_they_are = {.rounds = 0};
    return blocks_run(model, &as_they_are, losses);
}
