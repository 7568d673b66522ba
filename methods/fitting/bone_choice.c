/* The choice among more bones than are wanted (skin_fit.h). */
#include "datasets/base/memory.h"
#include "methods/fitting/skin_fit.h"

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

/* One sampled vertex; residual [3F] is room. */
static void misses_fill_vertex(const SkinFit *fit, int vertex, double *room, float *squares)
{
    int rows = fit->target.row_count;
    const double *v = fit->rest + (ptrdiff_t)3 * vertex;
    trajectories_block(&fit->target, vertex, 1, room);
    for (int bone = 0; bone < fit->bone_count; bone++) {
        const double *map = fit->maps + (ptrdiff_t)4 * bone * rows;
        const double *map1 = map + rows, *map2 = map1 + rows, *map3 = map2 + rows;
        double sum = 0.0;
        for (int i = 0; i < rows; i++) {
            double miss = room[i] - (v[0] * map[i] + v[1] * map1[i] + v[2] * map2[i] + map3[i]);
            sum += miss * miss;
        }
        squares[bone] = (float)sum;
    }
}

static Status misses_make(const SkinFit *fit, Misses *misses)
{
    int stride = (fit->vertex_count + SAMPLES_MAX - 1) / SAMPLES_MAX;
    size_t rows = (size_t)fit->target.row_count;
    double *room = memory_table((size_t)omp_get_max_threads(), rows, sizeof(double));
    *misses =
        (Misses){.vertex_count = (fit->vertex_count + stride - 1) / stride, .bone_count = fit->bone_count};
    misses->squares = memory_table((size_t)misses->vertex_count, (size_t)fit->bone_count, sizeof(float));
    misses->least = memory_array((size_t)misses->vertex_count, sizeof(float));
    misses->taken = memory_array((size_t)fit->bone_count, sizeof(bool));
    if (!room || !misses->squares || !misses->least || !misses->taken) {
        memory_free(room);
        return status_out_of_memory("the choice of the bones");
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < misses->vertex_count; i++) {
        misses->least[i] = INFINITY;
        misses_fill_vertex(fit, i * stride, room + (size_t)omp_get_thread_num() * rows,
                           misses->squares + (size_t)i * (size_t)fit->bone_count);
    }
    memory_free(room);
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

Status skin_fit_choose(SkinFit *fit, int wanted)
{
    if (fit->bone_count <= wanted)
        return status_ok();
    size_t bone_size = 4 * (size_t)fit->target.row_count;
    Misses misses = {0};
    double *sums = memory_array((size_t)fit->bone_count, sizeof(double));
    double *maps = memory_table((size_t)wanted, bone_size, sizeof(double));
    Status status = status_ok();
    if (!sums || !maps) {
        status = status_out_of_memory("the choice of the bones");
        goto done;
    }
    STATUS_TRY(misses_make(fit, &misses));
    for (int chosen = 0; chosen < wanted; chosen++) {
        int bone = candidate_best(&misses, sums);
        misses.taken[bone] = true;
        for (int i = 0; i < misses.vertex_count; i++)
            misses.least[i] =
                fminf(misses.least[i], misses.squares[(size_t)i * (size_t)misses.bone_count + (size_t)bone]);
        memcpy(maps + (size_t)chosen * bone_size, fit->maps + (size_t)bone * bone_size,
               bone_size * sizeof(double));
    }
    memory_free(fit->maps);
    fit->maps = maps;
    fit->bone_count = wanted;
    maps = NULL;
done:
    misses_clear(&misses);
    memory_free(sums);
    memory_free(maps);
    return status;
}
