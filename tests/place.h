/* A folder of a test's own, as cmocka's setup and teardown, and files in it by their names. */
#pragma once

#include "tests/support.h"

static char place_folder[64];

static inline int place_make(void **state)
{
    (void)state;
    test_folder(place_folder);
    return 0;
}

static inline int place_remove(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", place_folder);
    return system(command);
}

/* The path of a file there; of the last eight names that were asked for. */
static inline const char *path_of(const char *name)
{
    static char path[8][160];
    static int turn = 0;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", place_folder, name);
    return path[turn];
}

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
