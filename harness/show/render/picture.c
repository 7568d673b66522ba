/* Draws cells, labels and the colour scale. */
#include "harness/show/render/picture.h"

#include "harness/show/render/color_map.h"

enum {
    LABEL_HEIGHT = IMAGE_TEXT_LINE_HEIGHT + 6,
    SCALE_HEIGHT = 2 * IMAGE_TEXT_LINE_HEIGHT + 30, /* space for the title, the colours and the numbers */
    SCALE_WIDTH_MAX = 460,
    SCALE_MARGIN = 40, /* space at each end of the scale, for the outermost number */
    SCALE_COLORS_HEIGHT = 14,
    TICK_HEIGHT = 4
};

static const unsigned char paper[3] = {255, 255, 255}, ink[3] = {32, 32, 32};

Status picture_size(const PictureLayout *layout, int *width, int *height)
{
    const double wide = (double)layout->columns * layout->cell_width;
    const double high =
        (double)layout->rows * (layout->cell_height + LABEL_HEIGHT) + (layout->scaled ? SCALE_HEIGHT : 0);
    if (wide > IMAGE_SIDE_MAX - 1 || high > IMAGE_SIDE_MAX - 1)
        return bad_usage("a picture cannot have %.0f x %.0f pixels; each side can be at most %d", wide, high,
                         IMAGE_SIDE_MAX);
    *width = ((int)wide + 1) / 2 * 2;
    *height = ((int)high + 1) / 2 * 2;
    return status_ok();
}

Status picture_start(const PictureLayout *layout, Image *out)
{
    int width = 0, height = 0;
    *out = (Image){0};
    STATUS_TRY(picture_size(layout, &width, &height));
    return image_allocate(out, width, height, paper);
}

/* Draws one line of text centred at `middle`, no wider than `width`. */
static void text_centred(Image *picture, int middle, int y, int width, const char *text)
{
    const int wanted = image_text_width(text), shown = int_min(wanted, width);
    image_text(picture, middle - shown / 2, y, width, text, ink);
}

void picture_cell(Image *picture, const PictureLayout *layout, int index, const Image *content,
                  const char *label)
{
    const int x = index % layout->columns * layout->cell_width;
    const int y = index / layout->columns * (layout->cell_height + LABEL_HEIGHT);
    image_paste(picture, content, x, y);
    text_centred(picture, x + layout->cell_width / 2, y + layout->cell_height + 2,
                 layout->cell_width - 2 * IMAGE_TEXT_WIDTH, label);
}

/* Returns the number of equal parts into which to divide a range, chosen so that the numbers at their ends
 * are short. */
static int scale_parts(double range)
{
    for (int parts = 5; parts > 1; parts--) {
        char text[32];
        snprintf(text, sizeof text, "%.1g", range / parts);
        if (fabs(strtod(text, NULL) * parts - range) < 1e-9 * range)
            return parts;
    }
    return 1;
}

void picture_scale(Image *picture, const PictureLayout *layout, double range, bool changes, const char *title)
{
    const int top = layout->rows * (layout->cell_height + LABEL_HEIGHT);
    const int space = picture->width - 2 * SCALE_MARGIN, width = int_min(space, SCALE_WIDTH_MAX);
    const int left = (picture->width - width) / 2, colors = top + IMAGE_TEXT_LINE_HEIGHT + 4;
    const int sides = changes ? 2 : 1, parts = sides * scale_parts(range), end = colors + SCALE_COLORS_HEIGHT;
    text_centred(picture, picture->width / 2, top + 2, picture->width, title);
    for (int x = 0; x < width; x++) {
        unsigned char rgb[3];
        const double share = (double)x / (width > 1 ? width - 1 : 1);
        if (changes)
            color_map_change_rgb(2.0 * share - 1.0, rgb);
        else
            color_map_rgb(share, rgb);
        image_fill(picture, left + x, colors, 1, SCALE_COLORS_HEIGHT, rgb);
    }
    for (int i = 0; i <= parts && width > 0; i++) {
        char text[32];
        const int x = left + i * (width - 1) / parts;
        snprintf(text, sizeof text, "%g", sides * range * i / parts - (changes ? range : 0.0));
        image_fill(picture, x, end, 1, TICK_HEIGHT, ink);
        text_centred(picture, x, end + TICK_HEIGHT + 3, 2 * SCALE_MARGIN, text);
    }
}
