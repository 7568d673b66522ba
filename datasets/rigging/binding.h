/* Computes weights from the positions of a mesh and its bones. Each method is a row of a table and has its
 * own source file. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/rigging/bones.h"

typedef struct BindingTask {
    const Mesh *mesh;
    const RigBone *bones; /* bones in ascending order of their joints */
    int bone_count, joint_count;
    int influences; /* largest number of weights per vertex, from 1 to joint_count */
    const Progress *progress;
} BindingTask;

typedef struct Binding {
    const char *name;
    const char *title; /* description in one line */
    const Parameter *parameters;
    /* Fills in joints and weights [vertices][influences], which are zero on entry. Weights must not be
     * negative, and every vertex needs a positive weight; afterwards they are scaled to sum 1. `parameters`
     * has one value for each row of the table. */
    Status (*fill)(const BindingTask *task, const double *parameters, int32_t *joints, double *weights);
} Binding;

/* Fills in joints and values [vertices][influences], which are zero on entry, with weights that sum to
 * 1. */
Status binding_weights(const Binding *binding, const double *parameters, const BindingTask *task,
                       int32_t *joints, float *values);

/* Replaces the rig's weights by new ones, in descending order and with sum 1. A vertex gets at most
 * `influences` of them, or as many as there are joints. Drops the centres of rotation. Vertex numbers of
 * triangles must be in range. STATUS_BAD_INPUT if the bones cannot be used. On any failure, including
 * STATUS_STOPPED and STATUS_SYSTEM, the rig is unchanged. */
Status rig_bind_to_bones(const Binding *binding, const double *parameters, const Mesh *mesh,
                         const RigBones *bones, int influences, const Progress *progress, Rig *rig);

extern const Binding *const bindings[];        /* NULL-terminated */
const Binding *binding_find(const char *name); /* NULL if there is none */

/* The rows. */
extern const Binding binding_bone_heat; /* Baran and Popović 2007 */
extern const Binding binding_falloff;   /* method whose weights fall with a power of the distance */
