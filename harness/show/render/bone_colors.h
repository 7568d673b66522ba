/* Vertices coloured by the bones that move them. */
#pragma once

#include "datasets/model/dataset.h"

/* Mixes the colours of each vertex' bones (color_of_index) by their weights, in linear light. *rgb is [N][3],
 * sRGB; release it with memory_free. STATUS_BAD_INPUT names `path` if there is no rig. */
Status bone_colors_make(const Dataset *dataset, const char *path, unsigned char **rgb);
