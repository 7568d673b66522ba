/* The solvers of vertex_group.h and bone_scans.h that have eight vertices, or bones, in the lanes of vectors,
 * as objects for several levels of instructions. */
#pragma once

#include "datasets/base/lanes.h"
#include "methods/decomposition/coordinate-descent/bone_pairs.h"

enum { SIMPLEX_CORNERS_MAX = INFLUENCES_MAX };

/* Corner k of every lane, as the Gram matrix of (corner - target). */
typedef struct Simplices {
    int count; /* corners, at most */
    Lanes gram[SIMPLEX_CORNERS_MAX]
              [SIMPLEX_CORNERS_MAX];      /* both triangles; read where both corners are usable */
    LaneMask usable[SIMPLEX_CORNERS_MAX]; /* whether a lane has the corner; at least one */
    LaneMask face[SIMPLEX_CORNERS_MAX];   /* in: where the search begins, some of the usable */
    Lanes weights[SIMPLEX_CORNERS_MAX]; /* in: on the face, not negative, sum 1; out: of the nearest point */
    Lanes error;                        /* out: its squared distance from the target */
} Simplices;

/* The vertices, and where they are. */
typedef struct VertexGroup {
    const BonePairs *pairs;
    int influences;                /* at most, per vertex */
    int count;                     /* vertices; lanes behind them repeat the last */
    const double *products[LANES]; /* [4][stride] h = Tr^T c_j, in the order of BonePairs.columns */
    Lanes squared_norms;           /* ||c_j||^2 */
    Lanes rest[3];
} VertexGroup;

/* A few bones of every vertex of a group. Slot k of a lane is one where simplices.usable[k] is set. */
typedef struct GroupBones {
    int32_t bones[INFLUENCES_MAX][LANES];
    Simplices simplices; /* of predictions less targets; the weights are those of the bones */
    Lanes forms[INFLUENCES_MAX * (INFLUENCES_MAX + 1) / 2]
               [MONOMIALS];            /* of slots k >= l at k (k + 1) / 2 + l */
    Lanes products[INFLUENCES_MAX][4]; /* of the slots' columns with the targets */
} GroupBones;

/* The normal equations of the rest positions. */
typedef struct RestSystem {
    Lanes square[3][4]; /* the last column: the product of the linear part with the translation */
    Lanes right[3];     /* of the step */
    Lanes step[3];
    LaneMask singular;
} RestSystem;

/* A blend of some bones, and what it is weighed against. */
typedef struct BoneBlend {
    int count;
    int32_t bones[INFLUENCES_MAX];
    double weights[INFLUENCES_MAX];
    const double *inner[INFLUENCES_MAX]; /* [stride] products of each with all */
    const double *squares, *products;    /* [stride] */
} BoneBlend;

typedef struct LaneSolvers {
    /* The point of every simplex that is nearest to its target, in the lanes of `wanted`; the others stay as
     * they are. A face whose corners depend on each other gives way to the nearest corner. */
    void (*improve)(Simplices *simplices, const LaneMask *wanted);
    /* The Gram matrices of predictions less targets at the present rest positions. */
    void (*grams_fill)(const VertexGroup *group, GroupBones *set);
    /* Fills the normal equations under the weights of the set and solves those that are regular. */
    void (*system_solve)(const VertexGroup *group, const GroupBones *set, RestSystem *system);
    /* Where a prediction depends (affinely, to a sine of 1e-4) on those in the slots before it. */
    void (*edges_factor)(const VertexGroup *group, const Simplices *simplices, LaneMask *dependent);
    /* The bone towards which the error falls the most on the way from the blend, or -1. square: of the blend;
     * excess: its product with what it lies off the target. */
    void (*gains_search)(const BoneBlend *blend, int bone_count, double square, double excess, int32_t *best);
} LaneSolvers;

/* Those every machine can run; those for the widest vectors this machine has. */
extern const LaneSolvers lane_solvers_plain;
const LaneSolvers *lane_solvers(void);
