/* Bones one by one, then exchanges as in PAM (Kaufman and Rousseeuw 1987; bone_choice.h). */
#include "methods/fitting/bone_choice.h"

#include "datasets/base/memory.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SAMPLES_MAX = 2048 };

/* What each candidate misses of a sample of the vertices. */
typedef struct Misses {
    int vertex_count, bone_count;
    float *squares; /* [vertices][P] ||M v - a||^2 */
    float *least;   /* [vertices] over the bones taken so far */
    bool *taken;    /* [P] */
} Misses;

static void misses_clear(Misses *misses)
{
    memory_free(misses->squares);
    memory_free(misses->least);
    memory_free(misses->taken);
}

/* One sampled vertex; residual [3F] is workspace. */
static void misses_fill_vertex(const SkinFit *fit, int vertex, double *workspace, float *squares)
{
    int rows = fit->target.row_count;
    const double *v = fit->rest + (ptrdiff_t)3 * vertex;
    trajectories_block(&fit->target, vertex, 1, workspace);
    for (int bone = 0; bone < fit->bone_count; bone++) {
        const double *map = fit->maps + (ptrdiff_t)4 * bone * rows;
        const double *map1 = map + rows, *map2 = map1 + rows, *map3 = map2 + rows;
        double sum = 0.0;
        for (int i = 0; i < rows; i++) {
            double miss = workspace[i] - (v[0] * map[i] + v[1] * map1[i] + v[2] * map2[i] + map3[i]);
            sum += miss * miss;
        }
        squares[bone] = (float)sum;
    }
}

static Status misses_make(const SkinFit *fit, Misses *misses)
{
    int stride = (fit->vertex_count + SAMPLES_MAX - 1) / SAMPLES_MAX;
    size_t rows = (size_t)fit->target.row_count;
    double *workspace = memory_table((size_t)fit->threads, rows, sizeof(double));
    *misses =
        (Misses){.vertex_count = (fit->vertex_count + stride - 1) / stride, .bone_count = fit->bone_count};
    misses->squares = memory_table((size_t)misses->vertex_count, (size_t)fit->bone_count, sizeof(float));
    misses->least = memory_array((size_t)misses->vertex_count, sizeof(float));
    misses->taken = memory_array((size_t)fit->bone_count, sizeof(bool));
    if (!workspace || !misses->squares || !misses->least || !misses->taken) {
        memory_free(workspace);
        return status_out_of_memory("the choice of the bones");
    }
#pragma omp parallel for schedule(dynamic, 16) num_threads(fit->threads)
    for (int i = 0; i < misses->vertex_count; i++) {
        misses->least[i] = INFINITY;
        misses_fill_vertex(fit, i * stride, workspace + (size_t)omp_get_thread_num() * rows,
                           misses->squares + (size_t)i * (size_t)fit->bone_count);
    }
    memory_free(workspace);
    return status_ok();
}

/* The candidate that leaves the least sum of the best predictions, -1 when all are taken. */
static int candidate_best(const Misses *misses, double *sums)
{
    int best = -1;
    memset(sums, 0, (size_t)misses->bone_count * sizeof(double));
    for (int i = 0; i < misses->vertex_count; i++) {
        const float *row = misses->squares + (size_t)i * (size_t)misses->bone_count;
        float least = misses->least[i];
        for (int bone = 0; bone < misses->bone_count; bone++)
            sums[bone] += (double)(row[bone] < least ? row[bone] : least);
    }
    for (int bone = 0; bone < misses->bone_count; bone++)
        if (!misses->taken[bone] && (best < 0 || sums[bone] < sums[best]))
            best = bone;
    return best;
}

/* The candidates that are taken, in the order they were; of every sampled vertex the one that predicts it
 * best, and the squared error of the second best. */
typedef struct Choice {
    Misses *misses;
    int count;
    int32_t *bones;   /* [count] */
    int32_t *best_of; /* [vertices] index into bones */
    float *second;    /* [vertices] */
    double *sums;     /* [P] of a candidate in addition to those taken */
    double *losses;   /* [P][count] what leaving out a bone taken adds to that */
} Choice;

static void choice_clear(Choice *choice)
{
    memory_free(choice->bones);
    memory_free(choice->best_of);
    memory_free(choice->second);
    memory_free(choice->sums);
    memory_free(choice->losses);
}

static Status choice_make(Misses *misses, int wanted, Choice *choice)
{
    size_t vertices = (size_t)misses->vertex_count, candidates = (size_t)misses->bone_count;
    *choice = (Choice){.misses = misses};
    ALLOCATE(choice->bones, wanted, "the choice of the bones");
    ALLOCATE(choice->best_of, vertices, "the choice of the bones");
    ALLOCATE(choice->second, vertices, "the choice of the bones");
    ALLOCATE(choice->sums, candidates, "the choice of the bones");
    ALLOCATE_TABLE(choice->losses, candidates, wanted, "the choice of the bones");
    return status_ok();
}

/* One by one, the candidate that leaves the least. */
static void bones_take(Choice *choice, int wanted)
{
    Misses *misses = choice->misses;
    for (choice->count = 0; choice->count < wanted; choice->count++) {
        int bone = candidate_best(misses, choice->sums);
        misses->taken[bone] = true;
        choice->bones[choice->count] = bone;
        for (int i = 0; i < misses->vertex_count; i++)
            misses->least[i] = fminf(misses->least[i],
                                     misses->squares[(size_t)i * (size_t)misses->bone_count + (size_t)bone]);
    }
}

/* Sets least, second and best_of from scratch; returns the sum of the least. */
static double predictions_rank(const Choice *choice)
{
    const Misses *misses = choice->misses;
    double sum = 0.0;
    for (int i = 0; i < misses->vertex_count; i++) {
        const float *row = misses->squares + (size_t)i * (size_t)misses->bone_count;
        float least = INFINITY, second = INFINITY;
        for (int t = 0; t < choice->count; t++) {
            float square = row[choice->bones[t]];
            if (square < least) {
                second = least;
                least = square;
                choice->best_of[i] = t;
            } else if (square < second) {
                second = square;
            }
        }
        misses->least[i] = least;
        choice->second[i] = second;
        sum += (double)least;
    }
    return sum;
}

/* The exchange of a bone taken for a candidate that leaves the least sum, which is returned. */
static double exchange_find(const Choice *choice, int *out, int *in)
{
    const Misses *misses = choice->misses;
    size_t candidates = (size_t)misses->bone_count, count = (size_t)choice->count;
    double best = INFINITY;
    memset(choice->sums, 0, candidates * sizeof(double));
    memset(choice->losses, 0, candidates * count * sizeof(double));
    for (int i = 0; i < misses->vertex_count; i++) {
        const float *row = misses->squares + (size_t)i * candidates;
        double *losses = choice->losses + choice->best_of[i];
        float least = misses->least[i], second = choice->second[i];
        for (size_t bone = 0; bone < candidates; bone++) {
            double with = (double)(row[bone] < least ? row[bone] : least);
            double alone = (double)(row[bone] < second ? row[bone] : second);
            choice->sums[bone] += with;
            losses[bone * count] += alone - with;
        }
    }
    for (size_t bone = 0; bone < candidates; bone++)
        for (size_t t = 0; t < count && !misses->taken[bone]; t++) {
            double sum = choice->sums[bone] + choice->losses[bone * count + t];
            if (sum < best) {
                best = sum;
                *out = (int)t;
                *in = (int)bone;
            }
        }
    return best;
}

/* Exchanges while one lowers the sum (Kaufman and Rousseeuw 1987, PAM): what was taken early may have become
 * idle. */
static void choice_exchange(Choice *choice)
{
    const double GAIN_LEAST = 1e-6;
    double sum = predictions_rank(choice);
    for (int left = 4 * choice->count; left > 0; left--) {
        int out = 0, in = 0;
        double next = exchange_find(choice, &out, &in);
        if (!(next < (1.0 - GAIN_LEAST) * sum))
            break;
        choice->misses->taken[choice->bones[out]] = false;
        choice->misses->taken[in] = true;
        choice->bones[out] = in;
        sum = predictions_rank(choice);
    }
}

Status skin_fit_choose(SkinFit *fit, int wanted)
{
    if (fit->bone_count <= wanted)
        return status_ok();
    size_t bone_size = 4 * (size_t)fit->target.row_count;
    CLEANUP(misses_clear) Misses misses = {0};
    CLEANUP(choice_clear) Choice choice = {0};
    LOCAL_TABLE(double, maps, wanted, bone_size, "the choice of the bones");
    STATUS_TRY(misses_make(fit, &misses));
    STATUS_TRY(choice_make(&misses, wanted, &choice));
    bones_take(&choice, wanted);
    choice_exchange(&choice);
    for (int t = 0; t < wanted; t++)
        memcpy(maps + (size_t)t * bone_size, fit->maps + (size_t)choice.bones[t] * bone_size,
               bone_size * sizeof(double));
    memory_free(fit->maps);
    fit->maps = maps;
    fit->bone_count = wanted;
    maps = NULL;
    return status_ok();
}
