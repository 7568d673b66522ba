/* Pictures of sRGB bytes: allocation, pasting, text and PNG. */
#pragma once

#include "datasets/base/base.h"

enum {
    IMAGE_SIDE_MAX = 32768,      /* pixels */
    IMAGE_TEXT_WIDTH = 9,        /* width of a character */
    IMAGE_TEXT_HEIGHT = 14,      /* height of a line from the highest mark to the lowest descender */
    IMAGE_TEXT_LINE_HEIGHT = 20, /* height of a line with space around it */
};

typedef struct Image {
    int width, height;
    unsigned char *rgb; /* [height][width][3] sRGB bytes of the pixels, row by row from the top left corner */
} Image;

/* Allocates a picture filled with a colour. Fails with STATUS_USAGE for a side below 1 or above
 * IMAGE_SIDE_MAX, STATUS_SYSTEM if memory runs out. Release with image_clear. */
Status image_allocate(Image *image, int width, int height, const unsigned char rgb[3]);
void image_clear(Image *image);
DEFINE_OWNED_BY(Image, image_clear)

/* Copies a picture into `image` at (x, y), clipped at its borders. */
void image_paste(Image *image, const Image *part, int x, int y);

/* Fills a rectangle, clipped at the borders of the picture. */
void image_fill(Image *image, int x, int y, int width, int height, const unsigned char rgb[3]);

/* Draws one line of ASCII text with its top left corner at (x, y). Other characters are drawn as an escape
 * (datasets/base/text.h) or as '?'. Text longer than `width` pixels is cut and ends in "...". */
void image_text(Image *image, int x, int y, int width, const char *text, const unsigned char rgb[3]);

/* Returns the width of a whole text in pixels. */
int image_text_width(const char *text);

/* Writes a PNG file; equal pixels give equal bytes. The file is written in place, so pass a temporary path
 * (datasets/io/atomic_path.h); `name` appears in messages. Fails with STATUS_UNAVAILABLE without libpng in
 * the build, STATUS_SYSTEM if the file cannot be written. */
Status image_png_write(const Image *image, const char *path, const char *name);

/* Returns the names of the packages that draw pictures and were missing when the program was built; NULL if
 * none was missing. */
const char *pictures_lacking(void);
