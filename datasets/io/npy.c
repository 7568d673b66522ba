#include "datasets/io/npy.h"

void npy_write_header(FILE *file, NpyElement element, const int64_t *extents, int rank)
{
    static const char *const types[] = {[NPY_FLOAT32] = "f4", [NPY_FLOAT64] = "f8", [NPY_INT32] = "i4"};
    enum { PREFIX_BYTES = 10, ALIGNMENT = 64, TEXT_BYTES = 192 };
    char text[TEXT_BYTES];
    int length = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                          __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>', types[element]);
    for (int i = 0; i < rank && i < NPY_RANK_MAX; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%" PRId64 "%s", extents[i],
                           i + 1 < rank ? ", "
                           : rank == 1  ? ","
                                        : "");
    length += snprintf(text + length, sizeof text - (size_t)length, "), }");
    /* Pad the header so that the values begin at a multiple of 64 bytes. */
    const int padding = ALIGNMENT - 1 - (PREFIX_BYTES + length) % ALIGNMENT;
    const int size = length + padding + 1;
    const unsigned char prefix[PREFIX_BYTES] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(size & 0xff), (unsigned char)(size >> 8)};
    fwrite(prefix, 1, sizeof prefix, file);
    fprintf(file, "%s%*s\n", text, padding, "");
}
