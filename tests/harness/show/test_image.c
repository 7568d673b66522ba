/* Tests pictures. Text and pasted images are compared with pixel counts by hand, PNG files are read by
 * libpng, and layouts are checked. */
#include "tests/support.h"

#include "harness/show/render/picture.h"
#ifdef SKINBENCH_PICTURES
#include <png.h>
#endif

static const unsigned char white[3] = {255, 255, 255}, black[3] = {0, 0, 0}, red[3] = {255, 0, 0};

static int count_color(const Image *image, const unsigned char rgb[3])
{
    int count = 0;
    for (int i = 0; i < image->width * image->height; i++)
        count += memcmp(image->rgb + 3 * i, rgb, 3) == 0;
    return count;
}

TEST(parts_are_cut_at_the_border)
{
    CLEANUP(image_clear) Image image = {0}, part = {0}, none = {0};
    assert_ok(image_allocate(&image, 10, 8, white));
    assert_ok(image_allocate(&part, 4, 4, red));
    image_paste(&image, &part, 8, -1); /* only 2 x 3 pixels of the pasted image are inside the picture */
    assert_int_equal(count_color(&image, red), 6);
    image_fill(&image, -5, -5, 100, 6, black); /* fills the first row */
    assert_int_equal(count_color(&image, black), 10);
    assert_int_equal(count_color(&image, red), 4);
    assert_refused(STATUS_USAGE, "0 x 5", image_allocate(&none, 0, 5, white));
    assert_refused(STATUS_USAGE, "32769", image_allocate(&none, 1, IMAGE_SIDE_MAX + 1, white));
    assert_null(none.rgb);
}

TEST(text_is_drawn_and_cut)
{
    CLEANUP(image_clear) Image image = {0};
    assert_ok(image_allocate(&image, 200, 20, white));
    image_text(&image, 0, 0, 200, "-", black);
    assert_int_equal(count_color(&image, black), 7); /* the minus sign is a stroke of seven pixels */
    image_fill(&image, 0, 0, 200, 20, white);
    image_text(&image, 0, 0, 200, "   ", black);
    assert_int_equal(count_color(&image, black), 0);
    image_text(&image, 0, 0, 5 * IMAGE_TEXT_WIDTH, "--------", black); /* "--..." */
    const int dots = count_color(&image, black) - 14;
    image_fill(&image, 0, 0, 200, 20, white);
    image_text(&image, 0, 0, 200, "...", black);
    assert_int_equal(count_color(&image, black), dots);
    assert_int_equal(image_text_width("abc"), 27);
    assert_int_equal(image_text_width("\u00e9"), 9); /* one character */
    assert_int_equal(image_text_width("\n"), 4 * 9); /* \x0A */
}

TEST(layouts_add_up)
{
    PictureLayout layout = {.columns = 3, .rows = 2, .cell_width = 101, .cell_height = 60};
    int width = 0, height = 0, scaled = 0;
    CLEANUP(image_clear) Image image = {0}, cell = {0};
    assert_ok(picture_size(&layout, &width, &height));
    assert_int_equal(width, 304); /* 303 rounded up to an even number */
    assert_true(height > 120 && height % 2 == 0);
    layout.scaled = true;
    assert_ok(picture_size(&layout, &width, &scaled));
    assert_true(scaled > height);
    assert_ok(picture_start(&layout, &image));
    assert_ok(image_allocate(&cell, 101, 60, red));
    for (int i = 0; i < 6; i++)
        picture_cell(&image, &layout, i, &cell, "");
    assert_int_equal(count_color(&image, red), 6 * 101 * 60); /* no cell overlaps another */
    picture_scale(&image, &layout, 1.5, false, "error");
    assert_int_equal(count_color(&image, red), 6 * 101 * 60);
    layout.cell_width = 20000;
    assert_refused(STATUS_USAGE, "60000", picture_size(&layout, &width, &height));
}

#ifdef SKINBENCH_PICTURES

TEST(png_files_hold_the_pixels)
{
    const char *path = path_of("picture.png");
    CLEANUP(image_clear) Image image = {0};
    assert_ok(image_allocate(&image, 61, 37, white));
    for (int i = 0; i < 3 * 61 * 37; i++)
        image.rgb[i] = (unsigned char)(i * 7 % 251);
    assert_ok(image_png_write(&image, path, path));
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&read, path));
    assert_int_equal(read.width, 61);
    assert_int_equal(read.height, 37);
    read.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(read));
    assert_true(png_image_finish_read(&read, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, image.rgb, 3 * 61 * 37);
    free(pixels);
    assert_refused(STATUS_SYSTEM, "new.png: ", image_png_write(&image, "/nowhere/at/all.png", "new.png"));
    if (access("/dev/full", W_OK) == 0)
        assert_refused(STATUS_SYSTEM, "No space left", image_png_write(&image, "/dev/full", "new.png"));
}

#else

TEST(png_files_hold_the_pixels)
{
    Image image;
    assert_ok(image_allocate(&image, 2, 2, white));
    assert_refused(STATUS_UNAVAILABLE, "libpng-dev", image_png_write(&image, "/dev/null", "new.png"));
    image_clear(&image);
    test_skip("built without libembree-dev and libpng-dev");
}

#endif
