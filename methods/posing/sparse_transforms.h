/* Transformations of few numbers as a player of blendshapes keeps them (Kavan et al. 2024): joint j of shape
 * k is I + N_kj, most N_kj are 0, and the others are [r]x and t. S shapes, P joints. */
#pragma once

#include "datasets/model/dataset.h"

enum { SPARSE_LANES = 8, SPARSE_STEP = 4, AFFINE_VALUES = 12 };

typedef struct SparseTransforms {
    int shape_count, joint_count;
    int32_t *first;   /* [P + 1] blocks: those of a joint after each other, a multiple of SPARSE_STEP */
    uint16_t *shapes; /* [first[P]] ascending within a joint; of a block that fills a step, shape 0 */
    float *values;    /* [first[P]][SPARSE_LANES] r, t and two 0; 64 bytes aligned */
    int block_count;  /* transformations that are not the identity */
    int entry_count;  /* their numbers that are not 0 */
    int cell_count;   /* and how many cells of all N they fill: one of r two */
} SparseTransforms;

/* Of the rig's frames as shapes. STATUS_BAD_INPUT where a transformation is not of this form to 1e-5, and for
 * more than 65536 shapes. Release with sparse_transforms_clear. */
Status sparse_transforms_make(const Rig *rig, SparseTransforms *out);
void sparse_transforms_clear(SparseTransforms *transforms);

/* M_j = I + sum_k c_k N_kj (eq. 7): `shares` [S] c, `out` [P][AFFINE_VALUES] by rows. */
void sparse_transforms_blend(const SparseTransforms *transforms, const float *shares, float *out);

/* The same of all numbers: `dense` [S][P][AFFINE_VALUES] of N. */
void dense_transforms_blend(const float *dense, int shape_count, int joint_count, const float *shares,
                            float *out);
