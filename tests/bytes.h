/* Files that tests write byte by byte. */
#pragma once

#include "datasets/base/base.h"

/* A file under construction. */
typedef struct Bytes {
    char bytes[8192]; /* [length] bytes, followed by zeros */
    size_t length;
} Bytes;

static inline void put_text(Bytes *bytes, const char *text, size_t length)
{
    memcpy(bytes->bytes + bytes->length, text, length);
    bytes->length += length;
}

/* Appends the low `size` bytes of `bits`. */
static inline void put_bits(Bytes *bytes, uint64_t bits, int size, bool big_endian)
{
    for (int i = 0; i < size; i++)
        bytes->bytes[bytes->length++] = (char)(bits >> 8 * (big_endian ? size - 1 - i : i));
}

static inline void put_float(Bytes *bytes, float value, bool big_endian)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_bits(bytes, bits, 4, big_endian);
}

static inline void put_double(Bytes *bytes, double value, bool big_endian)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_bits(bytes, bits, 8, big_endian);
}
