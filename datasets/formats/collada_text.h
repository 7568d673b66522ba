/* Checks and repairs the text of a Collada file in the confined process before assimp reads it. Finds
 * errors that assimp would misread without a warning. */
#pragma once

#include "datasets/base/memory.h"

#include <stdbool.h>

/* Returns STATUS_BAD_INPUT if a joint of a skin is ambiguous; the message names the joint. In COLLADA 1.4 a
 * skin names its joints by `sid`, which is unique only below the skeleton's root, but assimp binds every
 * skin to the first node with this `sid`. */
Status collada_joints_check(const void *bytes, size_t size);

/* Returns STATUS_BAD_INPUT if an index of a polygon or a vertex weight is beyond the end of its source, or
 * if the array of a source is shorter than declared. assimp would read beyond the end or use vertex 0. */
Status collada_indices_check(const void *bytes, size_t size);

/* Copies the text, adds an identity bind_shape_matrix to every skin that lacks one, and gives the axis of
 * every rotation length 1. assimp would assume a matrix of zeros, and would stretch what another axis
 * rotates. Release *out with free. */
Status collada_text_repair(const void *bytes, size_t size, char **out, size_t *out_size);

/* Returns STATUS_BAD_INPUT if a channel of an animation has a target that the file lacks, or one that assimp
 * would ignore or take for another number of the node. */
Status collada_channels_check(const void *bytes, size_t size);

/* Joins all animations of a library into one by overwriting the tags between them, since they play together.
 * assimp would make a clip of each that moves several nodes. Animations stay apart if two channels have the
 * same target, or if two samplers have the same id. Clips of joined animations are dropped. */
Status collada_animations_join(char *text, size_t size);

/* Whether the file has morph controllers. */
bool collada_morphs_found(const void *bytes, size_t size);

/* Whether a clip of the file has keys that are not interpolated linearly. */
bool collada_curves_found(const void *bytes, size_t size);
