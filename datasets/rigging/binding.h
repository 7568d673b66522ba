/* Computes weights from the positions of a mesh and its bones. Each method is a row of a table, in a file
 * of its own. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/rigging/bones.h"

typedef struct BindingTask {
    const Mesh *mesh;
    const RigBone *bones; /* ascending by joint */
    int bone_count, joint_count;
    int influences; /* largest number per vertex, from 1 to joint_count; the largest weights are kept */
    const Progress *progress;
} BindingTask;

typedef struct Binding {
    const char *name;
    const char *title; /* description in one line */
    const Parameter *parameters;
    /* Fills joints and weights [vertices][influences], zero on entry, with weights that are not negative.
     * Every vertex needs a positive one; they are scaled to sum 1 afterwards. `parameters` are parallel to
     * the rows. */
    Status (*fill)(const BindingTask *task, const double *parameters, int32_t *joints, double *weights);
} Binding;

/* Fills joints and values [vertices][influences], zero on entry, with weights that sum to 1. */
Status binding_weights(const Binding *binding, const double *parameters, const BindingTask *task,
                       int32_t *joints, float *values);

/* Replaces the rig's weights by new ones: descending, of sum 1, at most `influences` per vertex (or the
 * number of joints if that is less). Centres of rotation are dropped. Triangles must be in range.
 * STATUS_BAD_INPUT if the bones cannot be used, STATUS_STOPPED, STATUS_SYSTEM; the rig is then
 * unchanged. */
Status rig_bind_to_bones(const Binding *binding, const double *parameters, const Mesh *mesh,
                         const RigBones *bones, int influences, const Progress *progress, Rig *rig);

int binding_count(void);
const Binding *binding_at(int index);
const Binding *binding_find(const char *name); /* NULL if there is none */

/* The rows. */
extern const Binding binding_bone_heat; /* Baran and Popović 2007 */
extern const Binding binding_falloff;   /* a power of the distance */
