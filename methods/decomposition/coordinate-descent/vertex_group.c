/* Solves eight vertices together. Solves for rest positions by cofactors, chooses bones (by prediction, by
 * gain, or the current ones), and solves for convex weights. */
#include "methods/decomposition/coordinate-descent/vertex_group.h"

#include "datasets/geometry/jacobi.h"
#include "methods/decomposition/coordinate-descent/bone_scans.h"

static const LaneMask EVERY = {-1, -1, -1, -1, -1, -1, -1, -1};
static const Lanes ZERO;

/* Copies the forms and products of the bones in a lane's slots from the arrays that hold them for all
 * bones. */
static void lane_load(const VertexGroup *group, int lane, GroupBones *set)
{
    const BonePairs *pairs = group->pairs;
    for (int k = 0, pair = 0; k < group->influences; k++) {
        for (int i = 0; i < 4; i++)
            set->products[k][i][lane] =
                group->products[lane][(ptrdiff_t)i * pairs->stride + set->bones[k][lane]];
        for (int l = 0; l <= k; l++, pair++) {
            const double *form = bone_pair(pairs, set->bones[k][lane], set->bones[l][lane]);
            double *out = (double *)set->forms[pair] + lane;
            for (int i = 0; i < MONOMIALS; i++)
                out[i * LANES] = form[i];
        }
    }
}

static void bones_load(const VertexGroup *group, GroupBones *set)
{
    for (int lane = 0; lane < LANES; lane++)
        lane_load(group, lane, set);
}

void group_bones_load(const VertexGroup *group, int32_t *const bones[LANES], double *const weights[LANES],
                      GroupBones *set)
{
    set->simplices.count = group->influences;
    for (int k = 0; k < group->influences; k++)
        for (int lane = 0; lane < LANES; lane++) {
            bool used = weights[lane][k] > 0.0;
            set->bones[k][lane] = used ? bones[lane][k] : 0;
            set->simplices.weights[k][lane] = used ? weights[lane][k] : 0.0;
            set->simplices.usable[k][lane] = used ? -1 : 0;
        }
    bones_load(group, set);
}

void group_bones_store(const VertexGroup *group, const GroupBones *set, int lane, int32_t *bones,
                       double *weights)
{
    int slot = 0;
    for (int k = 0; k < group->influences; k++)
        if (set->simplices.usable[k][lane] && set->simplices.weights[k][lane] > 0.0) {
            bones[slot] = set->bones[k][lane];
            weights[slot++] = set->simplices.weights[k][lane];
        }
    for (; slot < group->influences; slot++) {
        bones[slot] = 0;
        weights[slot] = 0.0;
    }
}

/* Computes the step of a lane, pseudoinverse(square) right. */
static void pseudoinverse_step(RestSystem *system, int lane)
{
    double matrix[3][3], axes[3][3];
    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = system->square[i / 3][i % 3][lane];
    jacobi_eigen(&matrix[0][0], 3, &axes[0][0]);
    double max = fmax(matrix[0][0], fmax(matrix[1][1], matrix[2][2]));
    for (int i = 0; i < 3; i++)
        system->step[i][lane] = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(matrix[k][k] > 1e-9 * max))
            continue;
        double amount = 0.0;
        for (int i = 0; i < 3; i++)
            amount += axes[i][k] * system->right[i][lane];
        for (int i = 0; i < 3; i++)
            system->step[i][lane] += amount / matrix[k][k] * axes[i][k];
    }
}

int group_rest_solve(VertexGroup *group, const GroupBones *set)
{
    RestSystem system;
    LaneMask weighted = {0}, has_weight;
    int singular = 0;
    lane_solvers()->system_solve(group, set, &system);
    for (int k = 0; k < group->influences; k++) {
        lanes_less(&ZERO, &set->simplices.weights[k], &has_weight);
        weighted |= has_weight;
    }
    for (int lane = 0; lane < LANES; lane++) {
        if (!weighted[lane])
            continue;
        if (system.singular[lane]) {
            pseudoinverse_step(&system, lane);
            singular += lane < group->count;
        }
        for (int i = 0; i < 3; i++)
            group->rest[i][lane] += system.step[i][lane];
    }
    return singular;
}

/* Marks the slots of bones without weight as unused. */
static void set_drop_unused(GroupBones *set)
{
    Simplices *simplices = &set->simplices;
    LaneMask has_weight;
    for (int k = 0; k < simplices->count; k++) {
        lanes_less(&ZERO, &simplices->weights[k], &has_weight);
        simplices->usable[k] &= has_weight;
    }
}

/* Improves the weights in the lanes of `wanted`. The search starts with all usable bones of the set. */
static void weights_improve(Simplices *simplices, const LaneMask *wanted)
{
    for (int k = 0; k < simplices->count; k++)
        simplices->face[k] = simplices->usable[k];
    lane_solvers()->improve(simplices, wanted);
}

void group_weights_fit(const VertexGroup *group, GroupBones *set)
{
    lane_solvers()->grams_fill(group, set);
    weights_improve(&set->simplices, &EVERY);
    set_drop_unused(set);
}

/* Refits the weights of the current bones; a vertex without bones gets an infinite error. */
static void set_by_habit(const VertexGroup *group, GroupBones *set)
{
    LaneMask has_any = {0};
    for (int k = 0; k < group->influences; k++)
        has_any |= set->simplices.usable[k];
    lane_solvers()->grams_fill(group, set);
    set->simplices.error = LANES_ALL(INFINITY);
    weights_improve(&set->simplices, &has_any);
}

static void lane_vertex(const VertexGroup *group, int lane, VertexProblem *problem, double v[3])
{
    *problem = (VertexProblem){
        .pairs = group->pairs, .products = group->products[lane], .squared_norm = group->squared_norms[lane]};
    for (int i = 0; i < 3; i++)
        v[i] = group->rest[i][lane];
}

static void lane_fill(GroupBones *set, int lane, const int32_t *bones, int count)
{
    for (int k = 0; k < set->simplices.count; k++) {
        set->bones[k][lane] = k < count ? bones[k] : 0;
        set->simplices.usable[k][lane] = k < count ? -1 : 0;
        set->simplices.weights[k][lane] = k < count ? 1.0 / count : 0.0;
    }
}

/* Chooses the bones with the best single predictions. Bones that depend on earlier ones are replaced by the
 * next best. */
static void set_by_prediction(const VertexGroup *group, const ScanWorkspace *workspace, GroupBones *set)
{
    int32_t best[INFLUENCES_MAX];
    ptrdiff_t stride = group->pairs->stride;
    LaneMask dependent;
    set->simplices.count = group->influences;
    for (int lane = 0; lane < LANES; lane++) {
        int best_count = bones_rank(group->pairs->bone_count, workspace->squares + lane * stride,
                                    workspace->products + lane * stride, group->influences, best);
        lane_fill(set, lane, best, best_count);
    }
    bones_load(group, set);
    lane_solvers()->grams_fill(group, set);
    lane_solvers()->edges_factor(group, &set->simplices, &dependent);
    if (lanes_any(&dependent)) {
        for (int lane = 0; lane < LANES; lane++) {
            VertexProblem problem;
            double v[3];
            if (!dependent[lane])
                continue;
            lane_vertex(group, lane, &problem, v);
            int best_count =
                bones_rank_independent(&problem, v, workspace->squares + lane * stride,
                                       workspace->products + lane * stride, group->influences, best);
            lane_fill(set, lane, best, best_count);
        }
        bones_load(group, set);
        lane_solvers()->grams_fill(group, set);
    }
    weights_improve(&set->simplices, &EVERY);
}

/* Stores the products of one bone with all bones as row `slot` of a lane. Copies its products with the
 * bones of the set to the Gram matrix. */
static void lane_append(const VertexGroup *group, int lane, int slot, int32_t bone,
                        const ScanWorkspace *workspace, GroupBones *set)
{
    ptrdiff_t stride = group->pairs->stride;
    Simplices *simplices = &set->simplices;
    const double *products = workspace->products + lane * stride;
    double *inner = workspace->inner + (slot * LANES + lane) * stride;
    double monomials[MONOMIALS], v[3], aside = group->squared_norms[lane] - products[bone];
    for (int i = 0; i < 3; i++)
        v[i] = group->rest[i][lane];
    monomials_make(v, monomials);
    scan_inner(group->pairs, bone, monomials, inner);
    set->bones[slot][lane] = bone;
    simplices->usable[slot][lane] = simplices->face[slot][lane] = -1;
    simplices->weights[slot][lane] = 0.0;
    inner[bone] = workspace->squares[lane * stride + bone];
    for (int k = 0; k < simplices->count; k++)
        if (simplices->usable[k][lane])
            simplices->gram[slot][k][lane] = simplices->gram[k][slot][lane] =
                inner[set->bones[k][lane]] - products[set->bones[k][lane]] + aside;
}

/* Returns the slot for the next bone of a lane: a free slot, or the slot of a bone without weight. Returns
 * -1 if there is none. */
static int lane_free_slot(const GroupBones *set, int lane)
{
    const Simplices *simplices = &set->simplices;
    for (int k = 0; k < simplices->count; k++)
        if (!simplices->usable[k][lane])
            return k;
    for (int k = 0; k < simplices->count; k++)
        if (!(simplices->weights[k][lane] > 0.0))
            return k;
    return -1;
}

/* Adds the bone that promises the largest decrease of the blend's error to a lane. Returns false if no bone
 * promises a decrease or no slot is free. */
static bool lane_grow(const VertexGroup *group, int lane, const ScanWorkspace *workspace, GroupBones *set)
{
    ptrdiff_t stride = group->pairs->stride;
    Simplices *simplices = &set->simplices;
    BoneBlend blend; /* not set to zero, which takes longer than the rest of this function */
    int slot = lane_free_slot(set, lane);
    if (slot < 0)
        return false;
    blend.squares = workspace->squares + lane * stride;
    blend.products = workspace->products + lane * stride;
    blend.count = 0;
    for (int k = 0; k < simplices->count; k++) {
        bool used = simplices->usable[k][lane] && simplices->weights[k][lane] > 0.0;
        simplices->face[k][lane] = used ? -1 : 0;
        if (!used)
            continue;
        blend.bones[blend.count] = set->bones[k][lane];
        blend.weights[blend.count] = simplices->weights[k][lane];
        blend.inner[blend.count++] = workspace->inner + (k * LANES + lane) * stride;
    }
    int32_t bone = bone_of_greatest_gain(&blend, group->pairs->bone_count);
    for (int k = 0; k < blend.count; k++)
        if (blend.bones[k] == bone)
            return false;
    if (bone >= 0)
        lane_append(group, lane, slot, bone, workspace, set);
    return bone >= 0;
}

/* Starts from the bone with the best single prediction. Then repeatedly adds the bone that promises the
 * largest gain. */
static void set_by_gain(const VertexGroup *group, const ScanWorkspace *workspace, const int32_t *nearest,
                        GroupBones *set)
{
    Simplices *simplices = &set->simplices;
    simplices->count = group->influences;
    for (int k = 0; k < group->influences; k++) {
        simplices->usable[k] = simplices->face[k] = (LaneMask){0};
        simplices->weights[k] = LANES_ALL(0.0);
    }
    memset(set->bones, 0, (size_t)group->influences * sizeof *set->bones);
    for (int lane = 0; lane < LANES; lane++)
        lane_append(group, lane, 0, nearest[lane], workspace, set);
    simplices->weights[0] = LANES_ALL(1.0);
    simplices->error = simplices->gram[0][0];
    LaneMask growing = EVERY, fell;
    for (int lane = group->count; lane < LANES; lane++)
        growing[lane] = 0;
    for (int round = 0; round < 2 * group->influences && lanes_any(&growing); round++) {
        for (int lane = 0; lane < group->count; lane++)
            if (growing[lane] && !lane_grow(group, lane, workspace, set))
                growing[lane] = 0;
        Lanes before = simplices->error;
        lane_solvers()->improve(simplices, &growing);
        lanes_less(&simplices->error, &before, &fell);
        growing &= fell;
    }
}

/* Copies bones and weights from `other` to `best` in lanes where `other` has the smaller error. */
static void set_take_better(const VertexGroup *group, const GroupBones *other, GroupBones *best)
{
    const Simplices *from = &other->simplices;
    Simplices *target = &best->simplices;
    LaneMask better;
    lanes_less(&from->error, &target->error, &better);
    for (int k = 0; k < group->influences; k++) {
        for (int lane = 0; lane < LANES; lane++)
            best->bones[k][lane] = better[lane] ? other->bones[k][lane] : best->bones[k][lane];
        target->usable[k] = (better & from->usable[k]) | (~better & target->usable[k]);
        target->weights[k] = LANES_CHOOSE(better, from->weights[k], target->weights[k]);
    }
    target->error = LANES_CHOOSE(better, from->error, target->error);
}

void group_bones_choose(const VertexGroup *group, BoneChoice choice, ScanWorkspace *workspace,
                        GroupBones *set)
{
    GroupBones other;
    int32_t nearest[LANES], loaded[INFLUENCES_MAX][LANES];
    ptrdiff_t stride = group->pairs->stride;
    for (int lane = 0; lane < LANES; lane++) {
        VertexProblem problem;
        double v[3], monomials[MONOMIALS];
        lane_vertex(group, lane, &problem, v);
        monomials_make(v, monomials);
        scan_squares(group->pairs, monomials, workspace->squares + lane * stride);
        scan_products(&problem, v, workspace->products + lane * stride);
    }
    memcpy(loaded, set->bones, (size_t)group->influences * sizeof *loaded);
    if (choice == CHOICE_MIXED)
        set_by_habit(group, set);
    else
        set->simplices.error = LANES_ALL(INFINITY);
    if (choice == CHOICE_GREEDY) {
        for (int lane = 0; lane < LANES; lane++)
            bones_rank(group->pairs->bone_count, workspace->squares + lane * stride,
                       workspace->products + lane * stride, 1, &nearest[lane]);
    } else {
        set_by_prediction(group, workspace, &other);
        memcpy(nearest, other.bones[0], sizeof nearest);
        set_take_better(group, &other, set);
    }
    if (choice != CHOICE_PREDICTION) {
        set_by_gain(group, workspace, nearest, &other);
        set_take_better(group, &other, set);
    }
    set_drop_unused(set);
    /* if other bones were loaded into a lane, reload the bones of the set */
    for (int lane = 0; lane < LANES; lane++)
        for (int k = 0; k < group->influences; k++)
            if (set->bones[k][lane] != loaded[k][lane]) {
                lane_load(group, lane, set);
                break;
            }
}

/* Returns the squared error of the best single bone, excluding the bone `without`. */
static double bone_second(const VertexGroup *group, int lane, int32_t without)
{
    VertexProblem problem;
    double v[3], monomials[MONOMIALS], min = INFINITY;
    lane_vertex(group, lane, &problem, v);
    monomials_make(v, monomials);
    for (int32_t bone = 0; bone < group->pairs->bone_count; bone++) {
        double error = vertex_inner(&problem, bone, bone, monomials) -
                       2.0 * vertex_product(&problem, bone, v) + problem.squared_norm;
        if (bone != without && error < min)
            min = error;
    }
    return min;
}

void group_losses(const VertexGroup *group, GroupBones *set, double *const losses[LANES])
{
    GroupBones others;
    set_by_habit(group, set);
    others.simplices.count = set->simplices.count;
    for (int k = 0; k < group->influences; k++)
        memcpy(others.simplices.gram[k], set->simplices.gram[k], (size_t)group->influences * sizeof(Lanes));
    for (int k = 0; k < group->influences; k++) {
        const Lanes weights = set->simplices.weights[k];
        LaneMask has_others = {0}, has = set->simplices.usable[k];
        for (int l = 0; l < group->influences; l++) {
            others.simplices.usable[l] = l == k ? (LaneMask){0} : set->simplices.usable[l];
            others.simplices.weights[l] =
                l == k ? LANES_ALL(0.0)
                       : LANES_CHOOSE(weights < 1.0, set->simplices.weights[l] / (1.0 - weights),
                                      LANES_ALL(0.0));
            has_others |= others.simplices.usable[l];
        }
        weights_improve(&others.simplices, &has_others);
        for (int lane = 0; lane < group->count; lane++) {
            double error = has_others[lane] ? others.simplices.error[lane]
                                            : bone_second(group, lane, set->bones[k][lane]);
            losses[lane][k] = has[lane] ? fmax(error - set->simplices.error[lane], 0.0) : 0.0;
        }
    }
}
