/* Combines pictures of files and frames: cells in rows and columns, a label below each cell, and one colour
 * scale at the bottom. */
#pragma once

#include "harness/show/render/image.h"

typedef struct PictureLayout {
    int columns, rows;
    int cell_width, cell_height; /* size of a cell's content, without its label */
    bool scaled;                 /* whether the picture has a colour scale */
} PictureLayout;

/* Computes the size of the whole picture. Both sides are even, as videos require. Fails with STATUS_USAGE
 * if a side exceeds IMAGE_SIDE_MAX. */
Status picture_size(const PictureLayout *layout, int *width, int *height);

/* Creates an empty picture. Release with image_clear. */
Status picture_start(const PictureLayout *layout, Image *out);

/* Fills cell `index`, counted row by row, with a traced picture and its label. */
void picture_cell(Image *picture, const PictureLayout *layout, int index, const Image *content,
                  const char *label);

/* Draws the colour scale with numbers and a title. It shows the colour map from 0 to `range` or, with
 * `changes`, the map of changes from -range to range. */
void picture_scale(Image *picture, const PictureLayout *layout, double range, bool changes,
                   const char *title);
