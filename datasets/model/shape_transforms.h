/* Transformations of blendshapes: those of a rig's frames, a shape each, blended by shares as a player blends
 * them. Of linearised ones (Kavan et al. 2024) joint j of shape k is I + N_kj, most N_kj are 0, and the
 * others are [r]x and t: those alone are kept. S shapes, P joints. */
#pragma once

#include "datasets/model/dataset.h"

enum { SPARSE_LANES = 8, SPARSE_STEP = 4, AFFINE_VALUES = 12 };

typedef enum ShapeForm {
    SHAPES_NONE,
    SHAPES_SPARSE, /* floats, of linearised transformations: blocks of what is not 0 */
    SHAPES_DENSE,  /* floats, all of them */
    SHAPES_EXACT   /* the rig's own doubles */
} ShapeForm;

typedef struct ShapeTransforms {
    ShapeForm form;
    const Rig *rig;
    int32_t *first;   /* [P + 1] blocks: those of a joint after each other, a multiple of SPARSE_STEP */
    uint16_t *shapes; /* [first[P]] ascending within a joint; of a block that fills a step, shape 0 */
    float *values;    /* [first[P]][SPARSE_LANES] r, t and two 0; dense: [S][P][AFFINE_VALUES] N */
    int block_count;  /* transformations that are not the identity */
    int entry_count;  /* their numbers that are not 0 */
    int cell_count;   /* and how many cells of all N they fill: one of r two */
} ShapeTransforms;

/* Of the rig's frames as shapes; the rig must outlive it. STATUS_BAD_INPUT of SHAPES_SPARSE where a
 * transformation is not of this form to 1e-5, and for more than 65536 shapes. Release with
 * shape_transforms_clear. */
Status shape_transforms_make(const Rig *rig, ShapeForm form, ShapeTransforms *out);
void shape_transforms_clear(ShapeTransforms *transforms);

/* M_j = I + sum_k c_k N_kj (eq. 7): `shares` [S] c, `out` [P]. */
void shape_transforms_blend(const ShapeTransforms *transforms, const float *shares, Transform *out);
