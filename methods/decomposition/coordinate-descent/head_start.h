/* A head start: coordinate descent on a sample of the vertices and the leading dimensions of the reduction.
 * Transformations have few unknowns, so a fraction of the vertices determines them, at a fraction of the
 * cost of a sweep. */
#pragma once

#include "datasets/base/progress.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"
#include "methods/reduction/reduction.h"

typedef struct HeadStartOptions {
    int sweeps;       /* of the sample in each round of a contest of starts (contest.h); 0: no head start */
    int explore;      /* how many of the first round's choose bones by prediction */
    int starts;       /* that take part; -1: as many as the budget is worth */
    uint64_t start;   /* the number of the first one (seeds.h) */
    int trials;       /* of moved bones after those sweeps (reseed.h); -1: by the budget */
    int trial_sweeps; /* of each; 0: no trials */
    double budget;    /* trials begin until about this much is spent, as sweep_cost counts; at least one */
    int vertices_per_bone; /* size of the sample, and of every region's share at least a quarter of it */
    /* Dimensions left out may hold this share of the error: at first of what the search starts from, after
     * the contest of what that came to. */
    double tail, last_tail;
    int window;               /* of the acceleration */
    double limit_s;           /* of the monotonic clock, by which the fit must be over; 0: none */
    double unit_s;            /* that a unit of sweep_cost takes, as a first guess; of use within a limit */
    double deadline_s;        /* after which no sweep of the sample begins: found from the limit; 0: none */
    const Progress *progress; /* asked before every sweep; a stop leads to what there is */
    VertexUpdateOptions settling; /* the sweeps after the exploring ones */
} HeadStartOptions;

/* What a sweep takes, and what a reduction by the Gram matrix of this many vertices does: in units of what a
 * vertex does of few bones and dimensions (measured; that the shares of a fit agree is all that matters). */
double sweep_cost(int vertex_count, int bone_count, int dimension);
double reduction_cost(int row_count, int all_vertices);

/* What a unit of sweep_cost takes here, by a sweep over some vertices of a model that stays as it is; on rank
 * 0, and of equal value on all. */
Status head_start_measure(const ReducedModel *model, const VertexUpdateOptions *settling, double *unit_s);

/* What was found on the sample; a sample, its model and its best state. */
typedef struct HeadStart HeadStart;

/* Searches on a sample; within a limit for half of the time that is left beside bringing what is found to all
 * vertices and delivering it, by unit_s of the options: what is found then hangs on the clock. `model` must
 * hold one bone per vertex and the transformations that go with it, squared_error is ||Tr X - C||^2 of that.
 * Coordinates must come in the order of falling energy, as the Gram reduction gives them. *found: about what
 * squared error the whole mesh can expect; *unit_s becomes what was measured. Where the time is too short for
 * a few sweeps of the sample, *out becomes NULL and the rest stays. Release with head_start_free (NULL is
 * allowed). */
Status head_start_search(const ReducedModel *model, double squared_error, const HeadStartOptions *options,
                         HeadStart **out, double *found, double *unit_s);
void head_start_free(HeadStart *start);

/* Replaces transformations, rest pose and weights of the model, which may work on the leading dimensions
 * alone by now, by what was found (NULL: nothing); within a limit with as many sweeps over the vertices as
 * there is time for, or none, of which the first corrects *unit_s. Where affine bones then have more error
 * than before the search, as the vertices off the sample may, all is as before. *squared_error becomes that
 * of the result. */
Status head_start_spread(HeadStart *start, const HeadStartOptions *options, ReducedModel *model,
                         double *squared_error, double *unit_s);
