/* Solves for each bone with the other bones fixed. With x = w (v, 1), each frame needs only the sums X X^T
 * and A X^T from the vertices (Le and Deng 2012, section 4.3). */
#include "datasets/geometry/cholesky.h"
#include "datasets/geometry/nearest_rotation.h"
#include "methods/decomposition/ssdr/ssdr_steps.h"

#include <omp.h>

/* Finds the best rigid motion, `unit` times a rotation R and a translation, by weighted Procrustes. Z
 * [3][4] is A x^T minus the contribution of the other bones. S [4][4] is the sum of x x^T for this bone. */
static void rigid_map(const double Z[3][4], const double *S, double unit, double map[3][4])
{
    double matrix[3][3], rotation[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = Z[i][j] - Z[i][3] * S[4 * j + 3] / S[15];
    nearest_rotation((const double(*)[3])matrix, rotation);
    for (int i = 0; i < 3; i++) {
        map[i][3] = Z[i][3];
        for (int j = 0; j < 3; j++) {
            map[i][j] = unit * rotation[i][j];
            map[i][3] -= map[i][j] * S[4 * j + 3];
        }
        map[i][3] /= S[15];
    }
}

/* Factors S plus a billionth of its trace by Cholesky. This keeps the map unchanged in directions that the
 * vertices of a flat bone do not determine. */
static void tethered_factor(const double *S, double *tether, double factor[4][4])
{
    *tether = 1e-9 * (S[0] + S[5] + S[10] + S[15]);
    for (int i = 0; i < 4; i++) {
        memcpy(factor[i], S + 4 * i, sizeof factor[i]);
        factor[i][i] += *tether;
        factor[i][i] = sqrt(fmax(cholesky_row(factor[0], 4, i), *tether));
    }
}

/* Finds the affine map M that minimises ||M X - A||^2 + tether ||M - before||^2, where `before` is the
 * current map. */
static void affine_map(const double Z[3][4], const double factor[4][4], double tether, double map[3][4])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++)
            map[i][j] = Z[i][j] + tether * map[i][j];
        cholesky_solve(factor[0], 4, 4, map[i]);
    }
}

/* Equations of all bones: X X^T [P][P][4][4], and A X^T [3][4P] for one frame. */
typedef struct BoneEquations {
    const double *squares, *rights;
    int bones;
} BoneEquations;

/* Turns a bone and all its descendants about the bone's joint by the best rotation for one frame. The
 * parent determines the position y of the joint. For each vertex, let b be the contribution of these bones,
 * W their total weight, and q the residual of the other bones. The rotation is the one nearest to
 *   sum (q - W y) (b - W y)^T
 * If the bone is the root, it also translates. */
static void subtree_turn(const BoneEquations *equations, const FitSkeleton *skeleton, int first, bool *inside,
                         double (*maps)[3][4])
{
    const int bones = equations->bones, root = skeleton->order[first], parent = skeleton->parents[root];
    const double *c = skeleton->joints + 3 * (ptrdiff_t)root;
    double y[3], H[3][3] = {{0.0}}, left[3] = {0.0}, own[3] = {0.0}, mass = 0.0, turn[3][3];
    for (int bone = 0; bone < bones; bone++)
        inside[bone] = bone == root;
    for (int i = first + 1; i < skeleton->count; i++)
        inside[skeleton->order[i]] = inside[skeleton->parents[skeleton->order[i]]];
    for (int i = 0; i < 3; i++) {
        const double *map = maps[parent < 0 ? root : parent][i];
        y[i] = map[0] * c[0] + map[1] * c[1] + map[2] * c[2] + map[3];
    }
    for (int bone = 0; bone < bones; bone++) {
        const double *stripe = equations->squares + (ptrdiff_t)16 * bone * bones;
        double Z[3][4], B[3][4] = {{0.0}};
        if (!inside[bone])
            continue;
        for (int i = 0; i < 3; i++)
            memcpy(Z[i], equations->rights + (ptrdiff_t)(4 * bones) * i + 4 * bone, sizeof Z[i]);
        for (int other = 0; other < bones; other++, stripe += 16) {
            mass += inside[other] ? stripe[15] : 0.0;
            for (int i = 0; i < 12 && stripe[15] > 0.0; i++)
                for (int a = 0; a < 4; a++) {
                    const double product = maps[other][i / 4][a] * stripe[4 * a + i % 4];
                    Z[i / 4][i % 4] -= inside[other] ? 0.0 : product;
                    B[i / 4][i % 4] += inside[other] ? product : 0.0;
                }
        }
        for (int i = 0; i < 3; i++) {
            left[i] += Z[i][3];
            own[i] += B[i][3];
            for (int j = 0; j < 12; j++)
                H[i][j / 4] += Z[i][j % 4] * maps[bone][j / 4][j % 4];
        }
    }
    if (!(mass > 0.0))
        return;
    for (int i = 0; i < 3 && parent < 0; i++)
        y[i] = own[i] / mass; /* the root may turn about any point, because its translation is free */
    for (int i = 0; i < 9; i++)
        H[i / 3][i % 3] += mass * y[i / 3] * y[i % 3] - y[i / 3] * own[i % 3] - left[i / 3] * y[i % 3];
    nearest_rotation((const double(*)[3])H, turn);
    for (int bone = 0; bone < bones; bone++) {
        double before[3][4];
        memcpy(before, maps[bone], sizeof before);
        for (int i = 0; i < 12 && inside[bone]; i++) {
            double *out = &maps[bone][i / 4][i % 4];
            *out = i % 4 < 3 ? 0.0 : parent < 0 ? left[i / 4] / mass : y[i / 4];
            for (int j = 0; j < 3; j++)
                *out += turn[i / 4][j] * (before[j][i % 4] - (i % 4 < 3 ? 0.0 : y[j]));
        }
    }
}

/* Computes X X^T, [P][P][4][4], and adds soft joints. A joint at c acts like a vertex that the bone and its
 * parent should map to the same position, with x = (c, 1) for the bone and -(c, 1) for the parent. */
static void squares_sum(const SkinFit *fit, const FitSkeleton *skeleton, double pull, double *squares)
{
    const int bones = fit->bone_count, influences = fit->influence_count;
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * influences; slot++) {
        const double *rest = fit->rest + 3 * (slot / influences), v[4] = {rest[0], rest[1], rest[2], 1.0};
        const ptrdiff_t first = slot - slot % influences;
        for (ptrdiff_t other = first; fit->weights[slot] > 0.0 && other < first + influences; other++) {
            const double mass = fit->weights[slot] * fit->weights[other];
            double *square = squares + 16 * ((ptrdiff_t)fit->bones[slot] * bones + fit->bones[other]);
            for (int i = 0; i < 16 && mass > 0.0; i++)
                square[i] += mass * v[i / 4] * v[i % 4];
        }
    }
    double mass = 0.0;
    for (int bone = 0; bone < bones; bone++)
        mass += squares[16 * (ptrdiff_t)bone * (bones + 1) + 15] / bones;
    for (int index = 1; skeleton && !isinf(pull) && index < skeleton->count; index++) {
        const ptrdiff_t bone = skeleton->order[index], parent = skeleton->parents[bone];
        const double *joint = skeleton->joints + 3 * bone, c[4] = {joint[0], joint[1], joint[2], 1.0};
        for (int i = 0; i < 16; i++) {
            const double square = pull * mass * c[i / 4] * c[i % 4];
            squares[16 * (bone * bones + bone) + i] += square;
            squares[16 * (parent * bones + parent) + i] += square;
            squares[16 * (bone * bones + parent) + i] -= square;
            squares[16 * (parent * bones + bone) + i] -= square;
        }
    }
}

/* Computes A X^T, [3F][4P]; each row is summed by one thread. */
static void rights_sum(const SkinFit *fit, double *rights)
{
    enum { SLICE = 24 };
    const int rows = fit->target.row_count, influences = fit->influence_count;
    const ptrdiff_t columns = (ptrdiff_t)4 * fit->bone_count;
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int first = 0; first < rows; first += SLICE) {
        const int count = int_min(rows - first, SLICE);
        for (ptrdiff_t vertex = 0; vertex < fit->vertex_count; vertex++) {
            const float *position = fit->target.values + vertex * rows + first;
            const double *v = fit->rest + 3 * vertex;
            double centred[SLICE];
            for (int i = 0; i < count; i++)
                centred[i] = (double)position[i] - fit->target.offset[first + i];
            for (ptrdiff_t slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
                const double weight = fit->weights[slot];
                const double x[4] = {weight * v[0], weight * v[1], weight * v[2], weight};
                double *right = rights + first * columns + (ptrdiff_t)4 * fit->bones[slot];
                for (int i = 0; i < count && weight > 0.0; i++, right += columns)
                    for (int a = 0; a < 4; a++)
                        right[a] += centred[i] * x[a];
            }
        }
    }
}

Status bone_transformations_solve(SkinFit *fit, bool rigid, int rounds, const FitSkeleton *skeleton,
                                  double pull)
{
    static const char what[] = "the equations of the bones";
    const int rows = fit->target.row_count, bones = fit->bone_count;
    const ptrdiff_t columns = (ptrdiff_t)4 * bones;
    const bool exact = skeleton && isinf(pull); /* whether joints are rigid; otherwise they are soft */
    LOCAL_TABLE(double, squares, (size_t)bones *(size_t)bones, 16, what);
    LOCAL_TABLE(double, rights, rows, columns, what);
    LOCAL_TABLE(bool, inside, fit->threads, bones, what);
    LOCAL_TABLE(double, factors, bones, 17, what);
    LOCAL_TABLE(double, workspace, fit->threads, 12 * (size_t)bones, what);
    squares_sum(fit, skeleton, pull, squares);
    rights_sum(fit, rights);
    for (int bone = 0; bone < bones; bone++)
        tethered_factor(squares + 16 * (ptrdiff_t)bone * (bones + 1), factors + 17 * bone,
                        (double(*)[4])(factors + 17 * bone + 1));
        /* solve for each bone in every frame */
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int frame = 0; frame < rows / 3; frame++) {
        double(*maps)[3][4] =
            (double(*)[3][4])(workspace + (size_t)omp_get_thread_num() * 12 * (size_t)bones);
        for (ptrdiff_t column = 0; column < columns; column++)
            for (int axis = 0; axis < 3; axis++)
                maps[column / 4][axis][column % 4] = fit->maps[column * rows + 3 * frame + axis];
        const BoneEquations equations = {squares, rights + 3 * frame * columns, bones};
        for (int turn = 0; exact && turn < rounds * skeleton->count; turn++)
            subtree_turn(&equations, skeleton, turn % skeleton->count,
                         inside + (size_t)omp_get_thread_num() * (size_t)bones, maps);
        for (int turn = 0; !exact && turn < rounds * bones; turn++) {
            const int bone = turn % bones;
            const double *stripe = squares + 16 * (ptrdiff_t)bone * bones,
                         *own = stripe + (ptrdiff_t)16 * bone;
            double Z[3][4];
            if (!(own[15] > 0.0))
                continue;
            for (int axis = 0; axis < 3; axis++)
                memcpy(Z[axis], rights + (3 * (ptrdiff_t)frame + axis) * columns + 4 * bone, sizeof Z[axis]);
            for (int other = 0; other < bones; other++, stripe += 16)
                for (int axis = 0; axis < 3 && other != bone && stripe[15] != 0.0; axis++)
                    for (int a = 0; a < 4; a++)
                        for (int b = 0; b < 4; b++)
                            Z[axis][b] -= maps[other][axis][a] * stripe[4 * a + b];
            if (rigid)
                rigid_map((const double(*)[4])Z, own, fit->units.unit, maps[bone]);
            else
                affine_map((const double(*)[4])Z, (const double(*)[4])(factors + 17 * bone + 1),
                           factors[17 * bone], maps[bone]);
        }
        for (ptrdiff_t column = 0; column < columns; column++)
            for (int axis = 0; axis < 3; axis++)
                fit->maps[column * rows + 3 * frame + axis] = maps[column / 4][axis][column % 4];
    }
    return status_ok();
}

Status bones_make_rigid(SkinFit *fit)
{
    const int rows = fit->target.row_count, bones = fit->bone_count;
    LOCAL_TABLE(double, middles, bones, 4, "the middles of the bones");
    for (ptrdiff_t slot = 0; slot < (ptrdiff_t)fit->vertex_count * fit->influence_count; slot++) {
        const double *v = fit->rest + 3 * (slot / fit->influence_count), weight = fit->weights[slot];
        for (int i = 0; i < 4; i++)
            middles[4 * fit->bones[slot] + i] += weight * weight * (i < 3 ? v[i] : 1.0);
    }
#pragma omp parallel for schedule(static) num_threads(fit->threads)
    for (int frame = 0; frame < rows / 3; frame++)
        for (int bone = 0; bone < bones; bone++) {
            const double *middle = middles + (ptrdiff_t)4 * bone, mass = fmax(middle[3], 1e-300);
            double *map = fit->maps + (ptrdiff_t)4 * bone * rows + 3 * frame, turn[3][3];
            for (int i = 0; i < 9; i++)
                turn[i / 3][i % 3] = map[(ptrdiff_t)(i % 3) * rows + i / 3];
            nearest_rotation((const double(*)[3])turn, turn);
            for (int i = 0; i < 9; i++) {
                double *entry = map + (ptrdiff_t)(i % 3) * rows + i / 3, before = *entry;
                *entry = fit->units.unit * turn[i / 3][i % 3];
                map[(ptrdiff_t)3 * rows + i / 3] += (before - *entry) * middle[i % 3] / mass;
            }
        }
    return status_ok();
}

Status insignificant_bones_move(SkinFit *fit, bool rigid, double min, bool *moved)
{
    enum { NEIGHBOURS = 20 };
    const int rows = fit->target.row_count;
    const size_t slots = (size_t)fit->vertex_count * (size_t)fit->influence_count;
    LOCAL_ARRAY(double, masses, fit->bone_count, "the bones");
    for (size_t slot = 0; slot < slots; slot++)
        masses[fit->bones[slot]] += fit->weights[slot] * fit->weights[slot];
    *moved = false;
    for (int bone = 0; bone < fit->bone_count; bone++)
        *moved = *moved || masses[bone] < min;
    if (!*moved)
        return status_ok();
    LOCAL_ARRAY(double, errors, fit->vertex_count, "the bones");
    LOCAL_ARRAY(double, residual, rows, "the bones");
    for (int i = 0; i < fit->vertex_count; i++) {
        skin_fit_residual(fit, i, 0, rows, residual);
        for (int row = 0; row < rows; row++)
            errors[i] += residual[row] * residual[row];
    }
    SkinFit part = *fit; /* for the linear blend of a single bone */
    part.maps = NULL;
    for (int bone = 0; bone < fit->bone_count; bone++) {
        if (masses[bone] >= min)
            continue;
        int64_t first[2] = {0, 0};
        int32_t members[NEIGHBOURS + 1];
        double closeness[NEIGHBOURS + 1]; /* squared distances, negated */
        int worst = 0;
        for (int i = 1; i < fit->vertex_count; i++)
            worst = errors[i] > errors[worst] ? i : worst;
        if (!(errors[worst] > 0.0))
            break;
        /* find the vertices nearest to the worst vertex, including this vertex itself */
        int count = 0;
        for (int i = 0; i < fit->vertex_count; i++) {
            const double *v = fit->rest + (ptrdiff_t)3 * i, *w = fit->rest + (ptrdiff_t)3 * worst;
            const double distance =
                (v[0] - w[0]) * (v[0] - w[0]) + (v[1] - w[1]) * (v[1] - w[1]) + (v[2] - w[2]) * (v[2] - w[2]);
            count = largest_insert(-distance, i, count, NEIGHBOURS + 1, closeness, members);
        }
        first[1] = count;
        const Groups group = {.vertices = {.group_count = 1, .first = first, .members = members}};
        const Status status = skin_fit_maps(&part, &group, rigid);
        if (status.code == STATUS_OK)
            memcpy(fit->maps + (ptrdiff_t)4 * bone * rows, part.maps, 4 * (size_t)rows * sizeof(double));
        memory_free(part.maps);
        part.maps = NULL;
        STATUS_TRY(status);
        for (int i = 0; i < count; i++)
            errors[members[i]] = 0.0;
    }
    return status_ok();
}
