/* The text files of the rigs of CraGL/Hyperspectral-Inverse-Skinning that are no meshes: a skeleton and its
 * weights. */
#pragma once

#include "datasets/formats/sequence.h"
#include "datasets/geometry/vec3.h"

typedef struct SkeletonBone {
    int head, tail; /* points of the skeleton, from 0 */
} SkeletonBone;

typedef struct Skeleton {
    Vec3 *points;        /* [point_count] */
    SkeletonBone *bones; /* [bone_count] */
    int point_count, bone_count;
} Skeleton;

/* Reads NAME.tgf into `skeleton`, which is {0}: a line `number x y z` per point, numbered from 1, a line #, a
 * line `head tail` per bone, and # or the end. STATUS_BAD_INPUT when there is no bone. Release with
 * skeleton_clear, on failure too. */
Status skeleton_parse(const SequenceText *file, Skeleton *skeleton);
void skeleton_clear(Skeleton *skeleton);

/* Reads NAME.DMAT: the numbers of columns (bones) and rows (vertices), then a number per line, column by
 * column. *out is [vertex_count][bone_count], for memory_free; untouched on failure. */
Status weight_matrix_parse(const SequenceText *file, int vertex_count, int bone_count, double **out);
