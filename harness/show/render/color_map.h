/* Colours of pictures and of vertices: a perceptually uniform map for numbers, distinct colours for bones,
 * and sRGB. */
#pragma once

#include "datasets/base/srgb.h"

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
