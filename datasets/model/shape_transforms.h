/* The transformations of blendshapes. Each frame of a rig is a shape, and the shapes are blended with
 * factors, as an animation player does. In a linearised rig (Kavan et al. 2024), joint j of shape k has the
 * transformation I + N_kj, and most N_kj are 0. Each of the other N_kj is given by two vectors: r for the
 * linear part [r]x, and t for the translation. Only these vectors are stored. S is the number of shapes, P
 * the number of joints. */
#pragma once

#include "datasets/model/dataset.h"

enum { SPARSE_LANES = 8, SPARSE_STEP = 4, AFFINE_VALUES = 12 };

typedef enum ShapeForm {
    SHAPES_NONE,
    SHAPES_SPARSE, /* linearised transformations as floats; only non-zero blocks are stored */
    SHAPES_DENSE,  /* all transformations as floats */
    SHAPES_EXACT   /* transforms of the rig, as doubles */
} ShapeForm;

typedef struct ShapeTransforms {
    ShapeForm form;
    const Rig *rig;
    int32_t *first;   /* [P + 1] first block of each joint; multiples of SPARSE_STEP */
    uint16_t *shapes; /* [first[P]] shape of each block, ascending for each joint; 0 in padding blocks */
    float *values;    /* [first[P]][SPARSE_LANES] r, t and two zeros per block. For SHAPES_DENSE: all N as
                         [S][P][AFFINE_VALUES]. */
    int block_count;  /* number of transformations other than the identity */
    int entry_count;  /* number of non-zero values in the blocks */
    int cell_count;   /* number of non-zero elements in all matrices N; each number of r counts twice, because
                         it occurs twice in [r]x */
} ShapeTransforms;

/* Makes shapes from the frames of a rig, which must outlive the shapes. STATUS_BAD_INPUT if SHAPES_SPARSE
 * is requested but there are more than 65536 shapes, or a transformation deviates from the linearised form
 * by more than 1e-5. Release with shape_transforms_clear. */
Status shape_transforms_make(const Rig *rig, ShapeForm form, ShapeTransforms *out);
void shape_transforms_clear(ShapeTransforms *transforms);

/* Blends the shapes with the factors c, given as `shares` [S]. Stores in out [P] for every joint (eq. 7):
 *
 *   M_j = I + sum_k c_k N_kj */
void shape_transforms_blend(const ShapeTransforms *transforms, const float *shares, Transform *out);
