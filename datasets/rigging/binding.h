/* Weights for a mesh and its bones, computed from where they stand: a way of doing it is a row of a table, a
 * file each. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/rigging/bones.h"

typedef struct BindingTask {
    const Mesh *mesh;
    const RigBone *bones; /* ascending by joint */
    int bone_count, joint_count;
    int influences; /* per vertex at most, from 1 to joint_count; the largest */
    const Progress *progress;
} BindingTask;

typedef struct Binding {
    const char *name;
    const char *title; /* what it is, one line */
    const Parameter *parameters;
    /* Fills joints and weights [vertices][influences], which are zero, with weights that are not negative.
     * They are scaled to sum 1 afterwards; a vertex must have one. parameters are parallel to the rows. */
    Status (*fill)(const BindingTask *task, const double *parameters, int32_t *joints, double *weights);
} Binding;

/* Fills joints and values [vertices][influences], which are zero, with the weights of a task, of sum 1. */
Status binding_weights(const Binding *binding, const double *parameters, const BindingTask *task,
                       int32_t *joints, float *values);

/* Gives the rig new weights, descending, of sum 1, at most `influences` (cut down to the joints there are)
 * per vertex, in place of any it has; centres of rotation are dropped. Triangles must be in range.
 * STATUS_BAD_INPUT where the bones cannot be used, STATUS_STOPPED, STATUS_SYSTEM; the rig is as it was
 * then. */
Status rig_bind_to_bones(const Binding *binding, const double *parameters, const Mesh *mesh,
                         const RigBones *bones, int influences, const Progress *progress, Rig *rig);

int binding_count(void);
const Binding *binding_at(int index);
const Binding *binding_find(const char *name); /* NULL: there is none */

/* The rows. */
extern const Binding binding_bone_heat; /* Baran and Popović 2007 */
extern const Binding binding_falloff;   /* a power of the distance */
