/* Colours of pictures and of vertices: a perceptually uniform map for numbers, distinct colours for bones,
 * and the common scale of the colours of errors: from 0 to a plain number that nearly all of them are within.
 */
#pragma once

#include "datasets/base/srgb.h"
#include "datasets/model/dataset.h"

/* The colour of a share from 0 (cream) to 1 (dark violet) as sRGB bytes; what lies outside is clamped, NaN is
 * grey. The map is magma from its light end on: equal steps of the share look equally different, and darkness
 * grows throughout, so that it reads in grey and by readers who see colours otherwise. Light where there is
 * little to see, so that shading shows. */
void color_map_rgb(double share, unsigned char rgb[3]);

/* The colour of a change from -1 (blue) over 0 (light grey) to 1 (orange), clamped; NaN is grey. Both sides
 * grow darker alike and are told apart by all kinds of colour vision. */
void color_map_change_rgb(double change, unsigned char rgb[3]);

/* A colour for the thing of this number (a bone), 0 or more: neighbours differ clearly, the same number has
 * the same colour everywhere. Of medium lightness, so that shading shows on it. */
void color_of_index(int index, unsigned char rgb[3]);

/* Mixes the colours of each vertex' bones (color_of_index) by their weights, in linear light. *rgb is [N][3],
 * sRGB; release it with memory_free. STATUS_BAD_INPUT names `path` if there is no rig. */
Status bone_colors_make(const Dataset *dataset, const char *path, unsigned char **rgb);

enum { ERROR_RANGE_BINS = 1024 };

/* The errors so far, counted by size, so that no list of them is needed. Begins as {0}. */
typedef struct ErrorRange {
    int64_t counts[ERROR_RANGE_BINS], total;
    double max;
} ErrorRange;

/* error: 0 or more. */
void error_range_add(ErrorRange *range, double error);

/* The end of the scale: 99 % of the errors are within it (the others are few, and would leave all others at
 * its beginning). A number with one or two digits; 1 where there are no errors, or all are 0. */
double error_range_end(const ErrorRange *range);
