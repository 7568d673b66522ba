/* Clusters of vertices, each with the linear subspace of SUBSPACE_SIZE dimensions that its trajectories lie
 * nearest to, in reduced coordinates. */
#pragma once

#include "methods/reduction/reduction.h"

enum { SUBSPACE_SIZE = 4 };

typedef struct Subspaces {
    const Reduction *reduction;
    int cluster_count;
    int threads;   /* at least 1 */
    double *bases; /* [P][SUBSPACE_SIZE][d] orthonormal; rows of zeros where there are fewer dimensions */
    int32_t *cluster_of; /* [N] */
    double *errors;      /* [N] squared distance of each vertex from its cluster's subspace */
} Subspaces;

/* Allocates P clusters; cluster_of is to be filled by the caller. Release with subspaces_clear. */
Status subspaces_init(const Reduction *reduction, int cluster_count, int threads, Subspaces *out);
void subspaces_clear(Subspaces *subspaces);

/* Moves the bases towards the leading eigenvectors of each cluster's Gram matrix by steps of orthogonal
 * iteration from where they are (at first from the vertices farthest apart), and sets the errors, whose sum
 * never rises. A cluster without a vertex first takes the vertex with the greatest error of a cluster with
 * several. */
Status subspaces_fit(Subspaces *subspaces, int steps);

/* Moves every vertex to the subspace nearest to it, ties to where it is, then to the lowest; returns how many
 * have moved in *moved. */
Status subspaces_assign(Subspaces *subspaces, int *moved);

/* The sum of the errors. */
double subspaces_error(const Subspaces *subspaces);
