/* Chooses bones greedily, then exchanges chosen bones for other candidates as in PAM, partitioning around
 * medoids (Kaufman and Rousseeuw 1987; skin_fit.h). */
#include "methods/fitting/skin_fit.h"

#include <omp.h>

enum { SAMPLES_MAX = 2048 };

/* Squared errors of a sample of vertices under each candidate bone, and the bones chosen so far. */
typedef struct Choice {
    int vertex_count, bone_count, count;
    float *squares;   /* [vertices][P] ||M v - a||^2 */
    bool *taken;      /* [P] */
    int32_t *bones;   /* [count] */
    float *min;       /* [vertices] smallest square over the chosen bones */
    float *second;    /* [vertices] second smallest square over the chosen bones */
    int32_t *best_of; /* [vertices] index into `bones` of the bone with the smallest square */
    double *sums;     /* [P] sum of the smallest squares if a candidate is added to the chosen bones */
    double *losses;   /* [P][count] increase of that sum if the candidate replaces one of the chosen bones,
                         compared with adding the candidate */
} Choice;

static void choice_clear(Choice *choice)
{
    FREE_ALL(choice->squares, choice->taken, choice->bones, choice->min, choice->second, choice->best_of,
             choice->sums, choice->losses);
}

/* Fills in the squared errors of one sampled vertex under all bones; workspace [3F]. */
static void squares_fill_vertex(const SkinFit *fit, int vertex, double *workspace, float *squares)
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

static Status choice_init(const SkinFit *fit, int wanted, Choice *choice)
{
    static const char what[] = "the choice of the bones";
    const int stride = (fit->vertex_count + SAMPLES_MAX - 1) / SAMPLES_MAX;
    const int vertices = (fit->vertex_count + stride - 1) / stride;
    const size_t bones = (size_t)fit->bone_count, rows = (size_t)fit->target.row_count;
    LOCAL_TABLE(double, workspace, fit->threads, rows, what);
    *choice = (Choice){.vertex_count = vertices, .bone_count = fit->bone_count};
    ALLOCATE_TABLE(choice->squares, vertices, bones, what);
    ALLOCATE(choice->taken, bones, what);
    ALLOCATE(choice->bones, wanted, what);
    ALLOCATE(choice->min, vertices, what);
    ALLOCATE(choice->second, vertices, what);
    ALLOCATE(choice->best_of, vertices, what);
    ALLOCATE(choice->sums, bones, what);
    ALLOCATE_TABLE(choice->losses, bones, wanted, what);
#pragma omp parallel for schedule(dynamic, 16) num_threads(fit->threads)
    for (int i = 0; i < vertices; i++) {
        choice->min[i] = INFINITY;
        squares_fill_vertex(fit, i * stride, workspace + (size_t)omp_get_thread_num() * rows,
                            choice->squares + (size_t)i * bones);
    }
    return status_ok();
}

/* Recomputes `min`, `second` and `best_of`. Returns the sum of `min`. */
static double predictions_rank(const Choice *choice)
{
    double sum = 0.0;
    for (int i = 0; i < choice->vertex_count; i++) {
        const float *row = choice->squares + (size_t)i * (size_t)choice->bone_count;
        float min = INFINITY, second = INFINITY;
        for (int t = 0; t < choice->count; t++) {
            float square = row[choice->bones[t]];
            if (square < min) {
                second = min;
                min = square;
                choice->best_of[i] = t;
            } else if (square < second) {
                second = square;
            }
        }
        choice->min[i] = min;
        choice->second[i] = second;
        sum += (double)min;
    }
    return sum;
}

/* Finds the exchange of a chosen bone for a candidate that gives the smallest sum of errors, and returns
 * this sum. */
static double exchange_find(const Choice *choice, int *out, int *in)
{
    size_t candidates = (size_t)choice->bone_count, count = (size_t)choice->count;
    double best = INFINITY;
    memset(choice->sums, 0, candidates * sizeof(double));
    memset(choice->losses, 0, candidates * count * sizeof(double));
    for (int i = 0; i < choice->vertex_count; i++) {
        const float *row = choice->squares + (size_t)i * candidates;
        double *losses = choice->losses + choice->best_of[i];
        float min = choice->min[i], second = choice->second[i];
        for (size_t bone = 0; bone < candidates; bone++) {
            double with = (double)(row[bone] < min ? row[bone] : min);
            double alone = (double)(row[bone] < second ? row[bone] : second);
            choice->sums[bone] += with;
            losses[bone * count] += alone - with;
        }
    }
    for (size_t bone = 0; bone < candidates; bone++)
        for (size_t t = 0; t < count && !choice->taken[bone]; t++) {
            double sum = choice->sums[bone] + choice->losses[bone * count + t];
            if (sum < best) {
                best = sum;
                *out = (int)t;
                *in = (int)bone;
            }
        }
    return best;
}

Status skin_fit_choose(SkinFit *fit, int wanted)
{
    if (fit->bone_count <= wanted)
        return status_ok();
    size_t bone_size = 4 * (size_t)fit->target.row_count;
    CLEANUP(choice_clear) Choice choice = {0};
    LOCAL_TABLE(double, maps, wanted, bone_size, "the choice of the bones");
    STATUS_TRY(choice_init(fit, wanted, &choice));
    /* add candidates one after another, each time the candidate that gives the smallest sum */
    for (; choice.count < wanted; choice.count++) {
        int best = -1;
        memset(choice.sums, 0, (size_t)choice.bone_count * sizeof(double));
        for (int i = 0; i < choice.vertex_count; i++) {
            const float *row = choice.squares + (size_t)i * (size_t)choice.bone_count;
            for (int bone = 0; bone < choice.bone_count; bone++)
                choice.sums[bone] += (double)(row[bone] < choice.min[i] ? row[bone] : choice.min[i]);
        }
        for (int bone = 0; bone < choice.bone_count; bone++)
            if (!choice.taken[bone] && (best < 0 || choice.sums[bone] < choice.sums[best]))
                best = bone;
        choice.taken[best] = true;
        choice.bones[choice.count] = best;
        for (int i = 0; i < choice.vertex_count; i++)
            choice.min[i] =
                fminf(choice.min[i], choice.squares[(size_t)i * (size_t)choice.bone_count + (size_t)best]);
    }
    /* exchange bones until no exchange lowers the sum (PAM), because bones chosen early may have become
     * useless */
    const double GAIN_MIN = 1e-6;
    double sum = predictions_rank(&choice);
    for (int left = 4 * choice.count; left > 0; left--) {
        int out = 0, in = 0;
        double next = exchange_find(&choice, &out, &in);
        if (!(next < (1.0 - GAIN_MIN) * sum))
            break;
        choice.taken[choice.bones[out]] = false;
        choice.taken[in] = true;
        choice.bones[out] = in;
        sum = predictions_rank(&choice);
    }
    for (int t = 0; t < wanted; t++)
        memcpy(maps + (size_t)t * bone_size, fit->maps + (size_t)choice.bones[t] * bone_size,
               bone_size * sizeof(double));
    memory_free(fit->maps);
    fit->maps = TAKE(maps);
    fit->bone_count = wanted;
    return status_ok();
}
