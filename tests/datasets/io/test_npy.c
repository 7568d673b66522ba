/* Compares the header of a .npy file with the bytes that numpy.save writes (NumPy 1.24, format 1.0). */
#include "tests/support.h"

#include "datasets/io/npy.h"
#include "datasets/io/stream.h"

static void header(NpyElement element, const int64_t *extents, int rank, const char *text, size_t bytes)
{
    char *got = NULL, expected[192];
    size_t length = 0;
    FILE *file = open_memstream(&got, &length);
    assert_non_null(file);
    npy_write_header(file, element, extents, rank);
    assert_int_equal(stream_close(file), 0);
    memset(expected, ' ', sizeof expected);
    memcpy(expected, "\x93NUMPY\x01\x00", 8);
    expected[8] = (char)(bytes - 10);
    expected[9] = 0;
    memcpy(expected + 10, text, strlen(text));
    expected[bytes - 1] = '\n';
    assert_int_equal(length, bytes);
    assert_memory_equal(got, expected, bytes);
    free(got);
}

TEST(headers_are_those_of_numpy)
{
    header(NPY_FLOAT32, (const int64_t[]){3, 4}, 2,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 128);
    header(NPY_INT32, (const int64_t[]){7}, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (7,), }",
           128);
    header(NPY_FLOAT64, (const int64_t[]){1, 536870911, 3}, 3,
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 536870911, 3), }", 128);
    /* The line is one byte too long for a header of 128 bytes. */
    header(NPY_FLOAT32, (const int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX, 10}, 4,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807, "
           "9223372036854775807, 10), }",
           192);
}
