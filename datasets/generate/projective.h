/* Soft bodies moved by projective dynamics: implicit Euler steps whose elastic energies are squared distances
 * to what constraints project the positions to, so that one sparse matrix, factored once, serves every step
 * (Bouaziz, Martin, Liu, Kavan and Pauly 2014, Projective Dynamics: Fusing Constraint Projections for Fast
 * Simulation). The same model and scene give the same bits on every run: sums have a fixed order, and nothing
 * but + - * / and square roots is taken. Lengths are in metres, masses in kilograms. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

/* A triangle or a tetrahedron that resists strain: weight / 2 times the squared distance of its deformation
 * gradient F = sum_i x_i gradients[i]^T to the nearest rotation (section 5.1 there, with the singular values
 * held at 1). Of a triangle the gradients live in its own plane (third number 0), and the fourth vertex is
 * not read. */
typedef struct StrainElement {
    int32_t vertices[4];
    double gradients[4][3];
    double weight; /* stiffness times area or volume */
} StrainElement;

/* Two triangles at an edge that resist bending out of a plane: weight / 2 times |sum_i factors[i] x_i|^2
 * (Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006, A Quadratic Bending Model for Inextensible Surfaces):
 * linear, nothing to project. */
typedef struct BendElement {
    int32_t vertices[4];
    double factors[4];
    double weight;
} BendElement;

/* Two vertices that may not be further from each other than `length`. */
typedef struct Tether {
    int32_t vertices[2];
    double length;
} Tether;

typedef struct ProjectiveModel {
    int vertex_count, element_count, bend_count, tether_count, pin_count;
    int corners;             /* of an element: 3 or 4 */
    Vec3 *start, *velocity;  /* [vertex_count] at the start */
    double *masses;          /* [vertex_count] */
    StrainElement *elements; /* [element_count] */
    BendElement *bends;      /* [bend_count] */
    Tether *tethers;         /* [tether_count] */
    int32_t *pins;           /* [pin_count] vertices that the scene moves */
} ProjectiveModel;

/* Allocates what the counts ask for, zeroed; releases it (an empty model too). */
Status projective_allocate(ProjectiveModel *model);
void projective_clear(ProjectiveModel *model);

/* Fills the gradients of the element between vertices [corners] from their rest positions; its weight is
 * `stiffness` times its area or volume, which is returned. */
double strain_element_make(int corners, const int32_t *vertices, const Vec3 *rest, double stiffness,
                           StrainElement *out);

/* The bending of the edge between the first two of four rest positions, each of the others the tip of a
 * triangle. */
void bend_element_make(const int32_t vertices[4], const Vec3 *rest, double stiffness, BendElement *out);

typedef struct Capsule {
    Vec3 ends[2];
    double radius;
} Capsule;

/* How far a point is outside of a capsule, negative inside; `out`, where not NULL, is how much of the way
 * from the first to the second end the nearest point of the axis is. */
double capsule_distance(const Capsule *capsule, Vec3 point, double *along);

/* What acts on a body. Functions that are NULL do nothing. */
typedef struct ProjectiveScene {
    double gravity;        /* downwards, m/s^2 */
    double friction;       /* Coulomb's, on capsules */
    double margin;         /* vertices stay this far outside of capsules, */
    double give;           /* but where they are caught between them they may be this far inside */
    int steps, iterations; /* in a frame of 1/30 s; local and global in a step */
    int capsule_count;
    /* Where capsules [capsule_count] and pins [pin_count] are at a time; called with times that do not go
     * back. */
    void (*move)(const void *context, double time, Capsule *capsules, Vec3 *pins);
    /* Adds to forces [vertex_count], in newtons. */
    void (*push)(const void *context, double time, const Vec3 *positions, const Vec3 *velocities,
                 Vec3 *forces);
    const void *context;
} ProjectiveScene;

/* Where bodies come to rest: positions [count][vertex_count], least elastic energy from those given on, in
 * place; pins stand where they are. `masses` only hold what no element does. */
Status projective_settle(const ProjectiveModel *model, int count, Vec3 *positions);

/* Moves the body from time -lead to the last of `frame_count` frames, the first of which is at time 0, and
 * hands every frame to `deliver`. After every step tethers are shortened and vertices pushed out of capsules
 * by turns, until none is 3 % longer than it may be, 100 times at most. STATUS_SYSTEM: out of memory;
 * STATUS_STOPPED by the progress (may be NULL). */
Status projective_run(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress,
                      void (*deliver)(void *context, int frame, const Vec3 *positions), void *context);
