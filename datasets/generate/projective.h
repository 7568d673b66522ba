/* Soft bodies moved by projective dynamics (Bouaziz, Martin, Liu, Kavan and Pauly 2014, Projective
 * Dynamics: Fusing Constraint Projections for Fast Simulation). Each frame consists of implicit Euler
 * steps. Elastic energies are squared distances to projections of the positions, so that one sparse matrix,
 * factored once, serves all steps. The same model and scene give the same bits on every run: sums have a
 * fixed order, and only + - * / and square roots are used. Lengths are in metres, masses in kilograms. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

/* A triangle or tetrahedron that resists strain. With the deformation gradient F = sum_i x_i
 * gradients[i]^T, its energy is weight / 2 times the squared distance of F from the nearest rotation
 * (section 5.1 of the paper, with singular values fixed at 1). The gradients of a triangle are in its own
 * plane (third component 0), and its fourth vertex is unused. */
typedef struct StrainElement {
    int32_t vertices[4];
    double gradients[4][3];
    double weight; /* stiffness times area or volume */
} StrainElement;

/* Two triangles at an edge that resist bending. Their energy is weight / 2 times |sum_i factors[i] x_i|^2
 * (Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006, A Quadratic Bending Model for Inextensible
 * Surfaces). Its gradient is linear, so nothing is projected. */
typedef struct BendElement {
    int32_t vertices[4];
    double factors[4];
    double weight;
} BendElement;

/* Limits the distance between two vertices to at most `length`. */
typedef struct Tether {
    int32_t vertices[2];
    double length;
} Tether;

typedef struct ProjectiveModel {
    int vertex_count, element_count, bend_count, tether_count, pin_count;
    int corners;             /* corners per element: 3 or 4 */
    Vec3 *start, *velocity;  /* [vertex_count] positions and velocities at the start */
    double *masses;          /* [vertex_count] */
    StrainElement *elements; /* [element_count] */
    BendElement *bends;      /* [bend_count] */
    Tether *tethers;         /* [tether_count] */
    int32_t *pins;           /* [pin_count] vertices that the scene moves */
} ProjectiveModel;

/* Allocate zeroed arrays according to the counts, and release them. Releasing an empty model is allowed. */
Status projective_allocate(ProjectiveModel *model);
void projective_clear(ProjectiveModel *model);

/* Computes the gradients of the element with vertices [corners] from their rest positions. The weight of
 * the element is `stiffness` times its area or volume. Returns the area or volume. */
double strain_element_make(int corners, const int32_t *vertices, const Vec3 *rest, double stiffness,
                           StrainElement *out);

/* Makes the bending element of an edge. The first two of the four rest positions are the ends of the edge;
 * the other two are the opposite vertices of its two triangles. */
void bend_element_make(const int32_t vertices[4], const Vec3 *rest, double stiffness, BendElement *out);

typedef struct Capsule {
    Vec3 ends[2];
    double radius;
} Capsule;

/* The forces and obstacles that act on a body. The functions may be NULL. */
typedef struct ProjectiveScene {
    double gravity;  /* downwards, m/s^2 */
    double friction; /* Coulomb friction coefficient on capsules */
    double margin;   /* smallest distance of vertices from the surface of a capsule */
    double give;     /* how deep inside a capsule a vertex may remain if it is caught between capsules */
    int steps, iterations; /* steps per frame of 1/30 s; local and global iterations per step */
    int capsule_count;
    /* Places capsules [capsule_count] and pins [pin_count] at a time. The time never decreases from call to
     * call. */
    void (*move)(const void *context, double time, Capsule *capsules, Vec3 *pins);
    /* Returns the velocity of the air at a place and time. The air drags on the triangles of a body: the drag
     * across a triangle grows with the square of the speed, and the drag along it is a twentieth of that. */
    Vec3 (*wind)(const void *context, Vec3 place, double time);
    const void *context;
} ProjectiveScene;

/* Moves each of the positions [count][vertex_count] in place to a minimum of the elastic energy. Pins stay
 * where they are. `masses` matter only for vertices without elements. */
Status projective_minimize(const ProjectiveModel *model, int count, Vec3 *positions);

/* Simulates the body from time -lead to the last of `frame_count` frames, and passes every frame to
 * `deliver`. The first frame is at time 0. After each step, alternates between shortening tethers and
 * pushing vertices out of capsules until no tether is more than 3 % too long, but at most 100 times.
 * STATUS_SYSTEM if out of memory; STATUS_STOPPED if `progress` (may be NULL) asks to stop. */
Status projective_run(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress,
                      void (*deliver)(void *context, int frame, const Vec3 *positions), void *context);
