/* Vectorised solvers used by vertex_group.h and bone_scans.h. Each lane holds one of eight vertices or
 * bones. The solvers are compiled for several instruction levels. */
#pragma once

#include "datasets/base/lanes.h"
#include "methods/decomposition/coordinate-descent/bone_pairs.h"

enum { SIMPLEX_CORNERS_MAX = INFLUENCES_MAX };

/* Stores in *less which lanes have a < b. The function compares two lanes at a time, because compilers
 * compare longer vectors element by element if the instruction set does not have them. */
static inline __attribute__((always_inline, unused)) void lanes_less(const Lanes *a, const Lanes *b,
                                                                     LaneMask *less)
{
    typedef double Two __attribute__((vector_size(2 * sizeof(double)), may_alias));
    typedef int64_t TwoMasks __attribute__((vector_size(2 * sizeof(int64_t)), may_alias));
    for (int i = 0; i < LANES / 2; i++)
        ((TwoMasks *)less)[i] = ((const Two *)a)[i] < ((const Two *)b)[i];
}

/* One simplex per lane, represented by the Gram matrix of (corner - target). */
typedef struct Simplices {
    int count;                                            /* maximum number of corners */
    Lanes gram[SIMPLEX_CORNERS_MAX][SIMPLEX_CORNERS_MAX]; /* both triangles of the matrix; an entry is read
                                                             only if both of its corners are usable */
    LaneMask usable[SIMPLEX_CORNERS_MAX]; /* whether the lane's simplex includes this corner; each simplex has
                                             at least one */
    LaneMask face[SIMPLEX_CORNERS_MAX];   /* in: usable corners with which the search starts */
    Lanes
        weights[SIMPLEX_CORNERS_MAX]; /* in: convex weights on the face; out: weights of the nearest point */
    Lanes error;                      /* out: squared distance of the nearest point from the target */
} Simplices;

/* Eight vertices and their rest positions. */
typedef struct VertexGroup {
    const BonePairs *pairs;
    int influences;                /* maximum number of bones per vertex */
    int count;                     /* number of vertices; the remaining lanes repeat the last vertex */
    const double *products[LANES]; /* [4][stride] h = Tr^T c_j of each vertex, products of the columns of Tr
                                      with its target */
    Lanes squared_norms;           /* ||c_j||^2 */
    Lanes rest[3];
} VertexGroup;

/* A few bones for each vertex of a group. Slot k of a lane is in use if simplices.usable[k] is set. */
typedef struct GroupBones {
    int32_t bones[INFLUENCES_MAX][LANES];
    Simplices simplices; /* Gram matrices of (prediction - target) and weights of the bones */
    Lanes forms[INFLUENCES_MAX * (INFLUENCES_MAX + 1) / 2]
               [MONOMIALS]; /* quadratic forms for pairs of slots; the pair k >= l has index k (k + 1) / 2 + l
                             */
    Lanes products[INFLUENCES_MAX][4]; /* products of the bones' columns of Tr with the targets */
} GroupBones;

/* Normal equations of the rest positions. */
typedef struct RestSystem {
    Lanes square[3]
                [4]; /* matrix; its last column holds the products of the linear part with the translation */
    Lanes right[3];  /* right-hand side */
    Lanes step[3];
    LaneMask singular;
} RestSystem;

/* Blend of some bones, and the products needed to find a bone that improves it. */
typedef struct BoneBlend {
    int count;
    int32_t bones[INFLUENCES_MAX];
    double weights[INFLUENCES_MAX];
    const double
        *inner[INFLUENCES_MAX];       /* [stride] inner products of each bone of the blend with all bones */
    const double *squares, *products; /* [stride] */
} BoneBlend;

typedef struct LaneSolvers {
    /* Finds the point of every simplex nearest to its target, only in the lanes of `wanted`. If the corners
     * of a face are dependent, its corner nearest to the target is used. */
    void (*improve)(Simplices *simplices, const LaneMask *wanted);
    /* Computes the Gram matrices of (prediction - target) at the current rest positions. */
    void (*grams_fill)(const VertexGroup *group, GroupBones *set);
    /* Sums the normal equations of the rest positions for the current weights, and solves those systems
     * whose matrix is regular. */
    void (*system_solve)(const VertexGroup *group, const GroupBones *set, RestSystem *system);
    /* Marks predictions that depend affinely on predictions in earlier slots. The tolerance is a sine of
     * 1e-4. */
    void (*edges_factor)(const VertexGroup *group, const Simplices *simplices, LaneMask *dependent);
    /* Finds the bone towards which the error of the blend falls fastest, or -1 if no bone lowers it.
     * `square` is the squared norm of the blend; `excess` is the product of the blend with (blend -
     * target). */
    void (*gains_search)(const BoneBlend *blend, int bone_count, double square, double excess, int32_t *best);
} LaneSolvers;

/* lane_solvers_plain runs on any machine; lane_solvers returns the solvers with the widest vectors that
 * this machine supports. */
extern const LaneSolvers lane_solvers_plain;
const LaneSolvers *lane_solvers(void);
