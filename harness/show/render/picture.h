/* Puts pictures of files and frames together: cells in rows and columns with a label under each, and one
 * scale of the colours below all. */
#pragma once

#include "harness/show/render/image.h"

typedef struct PictureLayout {
    int columns, rows;
    int cell_width, cell_height; /* of what is in a cell, without its label */
    bool scaled;                 /* whether there is a scale */
} PictureLayout;

/* The size of the whole picture; even, as videos want it. STATUS_USAGE where it is larger than pictures are
 * (image.h). */
Status picture_size(const PictureLayout *layout, int *width, int *height);

/* An empty picture. Release with image_clear. */
Status picture_start(const PictureLayout *layout, Image *out);

/* Fills cell `index`, counted row by row: with what was traced, and its label. */
void picture_cell(Image *picture, const PictureLayout *layout, int index, const Image *content,
                  const char *label);

/* Draws the scale of colours with its numbers and a title: of the colour map from 0 to `range`, or, where
 * `changes`, of changes from -range to range. */
void picture_scale(Image *picture, const PictureLayout *layout, double range, bool changes,
                   const char *title);
