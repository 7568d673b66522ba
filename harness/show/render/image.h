/* Pictures of sRGB bytes: memory, putting one into another, text and PNG. */
#pragma once

#include "datasets/base/base.h"

enum {
    IMAGE_SIDE_MAX = 32768, /* pixels */
    IMAGE_TEXT_WIDTH = 9,   /* of a character, */
    IMAGE_TEXT_HEIGHT = 14, /* and of a line from the top of its capitals' marks to the end of its tails */
    IMAGE_TEXT_LINE_HEIGHT = 20, /* with space around */
};

typedef struct Image {
    int width, height;
    unsigned char *rgb; /* [height][width][3], from the top left */
} Image;

/* All pixels of the colour. STATUS_USAGE for a side below 1 or above IMAGE_SIDE_MAX, STATUS_SYSTEM when out
 * of memory. Release with image_clear. */
Status image_allocate(Image *image, int width, int height, const unsigned char rgb[3]);
void image_clear(Image *image);
DEFINE_OWNED_BY(Image, image_clear)

/* Puts all of a part at (x, y), cut where it does not fit. */
void image_paste(Image *image, const Image *part, int x, int y);

/* Fills a rectangle, cut where it does not fit. */
void image_fill(Image *image, int x, int y, int width, int height, const unsigned char rgb[3]);

/* One line of text, its top left corner at (x, y): ASCII; what is not is drawn as its escape
 * (datasets/base/text.h) or as '?'. Cut to `width` pixels, with "..." at its end then. */
void image_text(Image *image, int x, int y, int width, const char *text, const unsigned char rgb[3]);

/* The pixels that image_text takes for a text that is not cut. */
int image_text_width(const char *text);

/* Writes a PNG file: the same pixels give the same bytes. `path` is written as it is
 * (datasets/io/atomic_path.h gives one that is not the user's), `name` is for messages. STATUS_UNAVAILABLE
 * where the program was built without libpng, STATUS_SYSTEM when it cannot be written. */
Status image_png_write(const Image *image, const char *path, const char *name);

/* NULL, or the packages that lacked when the program was built, without which no picture can be traced or
 * written. */
const char *pictures_lacking(void);
