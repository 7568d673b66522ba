/* Pictures of bytes. libpng writes them as PNG files without times or anything specific to the machine. */
#include "harness/show/render/image.h"

#include "datasets/io/stream.h"
#ifdef SKINBENCH_PICTURES
#include <png.h>
#include <setjmp.h>
#endif

Status image_allocate(Image *image, int width, int height, const unsigned char rgb[3])
{
    *image = (Image){.width = width, .height = height};
    if (width < 1 || height < 1 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return bad_usage("a picture cannot have %d x %d pixels; each side must be 1 to %d", width, height,
                         IMAGE_SIDE_MAX);
    ALLOCATE_TABLE(image->rgb, height, 3 * (size_t)width, "a picture");
    image_fill(image, 0, 0, width, height, rgb);
    return status_ok();
}

void image_clear(Image *image)
{
    memory_free(image->rgb);
    *image = (Image){0};
}

static unsigned char *pixel_at(const Image *image, int x, int y)
{
    return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

void image_fill(Image *image, int x, int y, int width, int height, const unsigned char rgb[3])
{
    for (int row = int_max(y, 0); row < y + height && row < image->height; row++)
        for (int column = int_max(x, 0); column < x + width && column < image->width; column++)
            memcpy(pixel_at(image, column, row), rgb, 3);
}

void image_paste(Image *image, const Image *part, int x, int y)
{
    for (int row = 0; row < part->height; row++)
        for (int column = 0; column < part->width; column++)
            image_fill(image, x + column, y + row, 1, 1, pixel_at(part, column, row));
}

#ifdef SKINBENCH_PICTURES

const char *pictures_lacking(void)
{
    return NULL;
}

/* Handles libpng's errors: keeps the message and jumps to the setjmp of png_file_write. */
static void png_fails(png_structp png, png_const_charp text)
{
    snprintf(png_get_error_ptr(png), STATUS_TEXT_BYTES, "%s", text);
    png_longjmp(png, 1);
}

static void png_warns(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Writes the PNG file; returns false if libpng fails. No variable that changes here is read after the
 * jump. */
static bool png_file_write(png_structp png, png_infop info, const Image *image, FILE *file)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 6);
    png_write_info(png, info);
    for (int row = 0; row < image->height; row++)
        png_write_row(png, pixel_at(image, 0, row));
    png_write_end(png, NULL);
    return true;
}

Status image_png_write(const Image *image, const char *path, const char *name)
{
    char text[STATUS_TEXT_BYTES] = "";
    FILE *file = NULL;
    STATUS_TRY(stream_create(path, "wbe", name, &file));
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, text, png_fails, png_warns);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const bool written = info && png_file_write(png, info, image, file);
    png_destroy_write_struct(&png, &info);
    const int error = stream_close(file);
    if (written && error == 0)
        return status_ok();
    return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", name,
                       error != 0 ? strerror(error)
                       : text[0]  ? text
                                  : "out of memory");
}

#else

const char *pictures_lacking(void)
{
    return "libembree-dev and libpng-dev";
}

Status image_png_write(const Image *image, const char *path, const char *name)
{
    (void)image;
    (void)path;
    return status_make(STATUS_UNAVAILABLE, "%s: to draw pictures, build skinbench with %s", name,
                       pictures_lacking());
}

#endif
