/* The vectorised solvers of vertex_group.h and bone_scans.h, with eight vertices or bones in the lanes,
 * compiled for several instruction levels. */
#pragma once

#include "datasets/base/lanes.h"
#include "methods/decomposition/coordinate-descent/bone_pairs.h"

enum { SIMPLEX_CORNERS_MAX = INFLUENCES_MAX };

/* One simplex per lane, given by the Gram matrix of (corner - target). */
typedef struct Simplices {
    int count; /* maximum number of corners */
    Lanes gram[SIMPLEX_CORNERS_MAX]
              [SIMPLEX_CORNERS_MAX];      /* both triangles; read only if both corners are usable */
    LaneMask usable[SIMPLEX_CORNERS_MAX]; /* whether a lane has the corner; at least one is usable */
    LaneMask face[SIMPLEX_CORNERS_MAX];   /* in: the usable corners from which the search starts */
    Lanes weights[SIMPLEX_CORNERS_MAX]; /* in: convex weights on the face; out: those of the nearest point */
    Lanes error;                        /* out: squared distance of the nearest point from the target */
} Simplices;

/* Eight vertices and their rest positions. */
typedef struct VertexGroup {
    const BonePairs *pairs;
    int influences;                /* maximum per vertex */
    int count;                     /* number of vertices; lanes beyond them repeat the last vertex */
    const double *products[LANES]; /* [4][stride] h = Tr^T c_j, in the order of BonePairs.columns */
    Lanes squared_norms;           /* ||c_j||^2 */
    Lanes rest[3];
} VertexGroup;

/* A few bones for every vertex of a group. Slot k of a lane is used if simplices.usable[k] is set. */
typedef struct GroupBones {
    int32_t bones[INFLUENCES_MAX][LANES];
    Simplices simplices; /* Gram matrices of predictions minus targets; the weights are those of the bones */
    Lanes forms[INFLUENCES_MAX * (INFLUENCES_MAX + 1) / 2]
               [MONOMIALS];            /* slots k >= l have index k (k + 1) / 2 + l */
    Lanes products[INFLUENCES_MAX][4]; /* products of the slots' columns with the targets */
} GroupBones;

/* The normal equations of the rest positions. */
typedef struct RestSystem {
    Lanes square[3][4]; /* last column: product of the linear part with the translation */
    Lanes right[3];     /* right-hand side */
    Lanes step[3];
    LaneMask singular;
} RestSystem;

/* A blend of some bones, with the data to compare it with others. */
typedef struct BoneBlend {
    int count;
    int32_t bones[INFLUENCES_MAX];
    double weights[INFLUENCES_MAX];
    const double *inner[INFLUENCES_MAX]; /* [stride] products of each bone with all bones */
    const double *squares, *products;    /* [stride] */
} BoneBlend;

typedef struct LaneSolvers {
    /* Finds the point of every simplex nearest to its target, in the lanes of `wanted` only. If the corners
     * of a face are dependent, the nearest corner is taken. */
    void (*improve)(Simplices *simplices, const LaneMask *wanted);
    /* Computes the Gram matrices of predictions minus targets at the current rest positions. */
    void (*grams_fill)(const VertexGroup *group, GroupBones *set);
    /* Fills the normal equations under the weights of the set and solves the regular ones. */
    void (*system_solve)(const VertexGroup *group, const GroupBones *set, RestSystem *system);
    /* Marks predictions that depend on those in earlier slots (affinely, to a sine of 1e-4). */
    void (*edges_factor)(const VertexGroup *group, const Simplices *simplices, LaneMask *dependent);
    /* Finds the bone towards which the error of the blend falls most, or -1. square: squared norm of the
     * blend; excess: its product with its difference from the target. */
    void (*gains_search)(const BoneBlend *blend, int bone_count, double square, double excess, int32_t *best);
} LaneSolvers;

/* Solvers for any machine, and for the widest vectors of this machine. */
extern const LaneSolvers lane_solvers_plain;
const LaneSolvers *lane_solvers(void);
