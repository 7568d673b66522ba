/* Files of a test by their names. */
#pragma once

#include "tests/support.h"

static inline void bytes_write(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void text_write(const char *name, const char *text)
{
    bytes_write(name, text, strlen(text));
}
