/* Transformations of blendshapes. Each frame of a rig is a shape, and shapes are blended by shares, as a
 * player does. In a linearised rig (Kavan et al. 2024) joint j of shape k is I + N_kj. Most N_kj are 0; the
 * others consist of [r]x and t, and only those are stored. S shapes, P joints. */
#pragma once

#include "datasets/model/dataset.h"

enum { SPARSE_LANES = 8, SPARSE_STEP = 4, AFFINE_VALUES = 12 };

typedef enum ShapeForm {
    SHAPES_NONE,
    SHAPES_SPARSE, /* floats of linearised transformations: only the non-zero blocks */
    SHAPES_DENSE,  /* floats of all transformations */
    SHAPES_EXACT   /* the rig's own doubles */
} ShapeForm;

typedef struct ShapeTransforms {
    ShapeForm form;
    const Rig *rig;
    int32_t *first;   /* [P + 1] first block of each joint; multiples of SPARSE_STEP */
    uint16_t *shapes; /* [first[P]] ascending within a joint; 0 in padding blocks */
    float *values;    /* [first[P]][SPARSE_LANES] r, t and two zeros; dense: [S][P][AFFINE_VALUES] N */
    int block_count;  /* transformations other than the identity */
    int entry_count;  /* non-zero numbers in the blocks */
    int cell_count;   /* non-zero cells of all N; each number of r fills two */
} ShapeTransforms;

/* Makes shapes of the rig's frames; the rig must outlive them. STATUS_BAD_INPUT for SHAPES_SPARSE if a
 * transformation is not of this form to 1e-5, and for more than 65536 shapes. Release with
 * shape_transforms_clear. */
Status shape_transforms_make(const Rig *rig, ShapeForm form, ShapeTransforms *out);
void shape_transforms_clear(ShapeTransforms *transforms);

/* Computes M_j = I + sum_k c_k N_kj (eq. 7), where `shares` [S] is c and `out` [P] is M. */
void shape_transforms_blend(const ShapeTransforms *transforms, const float *shares, Transform *out);
