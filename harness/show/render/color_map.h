/* Colours of pictures and vertices: a perceptually uniform map for numbers, distinct colours for bones, and
 * a common scale for errors, from 0 to a round number that exceeds nearly all of them. */
#pragma once

#include "datasets/base/srgb.h"
#include "datasets/model/dataset.h"

/* Converts a number from 0 (cream) to 1 (dark violet) to sRGB bytes. Other numbers are clamped, and NaN is
 * grey. The map is the lighter part of magma: equal steps look equally different and get steadily darker,
 * so it works in greyscale and for colour-blind readers. Small numbers are light, so that shading remains
 * visible. */
void color_map_rgb(double share, unsigned char rgb[3]);

/* Converts a change from -1 (blue) over 0 (light grey) to 1 (orange); other values are clamped, NaN is
 * grey. Both sides darken equally and are distinguishable with any kind of colour vision. */
void color_map_change_rgb(double change, unsigned char rgb[3]);

/* Returns the colour of a bone by its index, 0 or more. Successive indices have clearly different colours,
 * and an index has the same colour in every picture. Lightness is medium, so that shading remains
 * visible. */
void color_of_index(int index, unsigned char rgb[3]);

/* Mixes the colours (color_of_index) of the bones of each vertex by weight, in linear light. *rgb is [N][3]
 * in sRGB; release with memory_free. Fails with STATUS_BAD_INPUT, whose message names `path`, if there is
 * no rig. */
Status bone_colors_make(const Dataset *dataset, const char *path, unsigned char **rgb);

enum { ERROR_RANGE_BINS = 1024 };

/* Counts errors in a histogram, so that they need not be stored. Initialise with {0}. */
typedef struct ErrorRange {
    int64_t counts[ERROR_RANGE_BINS], total;
    double max;
} ErrorRange;

/* Adds an error, which must be 0 or more, to the histogram. */
void error_range_add(ErrorRange *range, double error);

/* Returns the end of the colour scale, a number with one or two digits. 99 % of the errors do not exceed
 * it, so that a few outliers do not compress the scale. It is 1 if there are no errors or all errors
 * are 0. */
double error_range_end(const ErrorRange *range);
