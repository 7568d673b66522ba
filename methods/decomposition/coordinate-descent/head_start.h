/* A head start: coordinate descent on a sample of the vertices and the leading dimensions of the reduction.
 * Transformations have few unknowns, so a fraction of the vertices determines them, at a fraction of the
 * cost of a sweep. */
#ifndef SKINBENCH_COORDINATE_DESCENT_HEAD_START_H
#define SKINBENCH_COORDINATE_DESCENT_HEAD_START_H

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
    int vertices_per_bone;    /* size of the sample, and of every region's share at least a quarter of it */
    double tail;              /* dimensions left out may hold this share of the model's present error */
    int window;               /* of the acceleration */
    bool hurried;             /* vertices off the sample are swept once, not twice, before they count */
    double deadline_s;        /* of the monotonic clock, after which no sweep begins; 0: none */
    const Progress *progress; /* asked before every sweep; a stop leads to what there is */
    VertexUpdateOptions settling; /* the sweeps after the exploring ones */
} HeadStartOptions;

/* What a sweep takes, and what a reduction by the Gram matrix of so many vertices does: in units of what a vertex does of few
 * bones and dimensions (measured; that the shares of a fit agree is all that matters). */
double sweep_cost(int vertex_count, int bone_count, int dimension);
double reduction_cost(int row_count, int all_vertices);

/* Replaces transformations, rest pose and weights of `model`, which must hold one bone per vertex and the
 * transformations that go with it; *squared_error is ||Tr X - C||^2 of that, and
 * becomes that of the result. Coordinates must come in the
 * order of falling energy, as the Gram reduction gives them. */
Status head_start(ReducedModel *model, double *squared_error, const HeadStartOptions *options);

#endif
