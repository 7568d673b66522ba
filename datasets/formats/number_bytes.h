/* Numbers stored as bytes, in either byte order, in binary files of meshes and frames. */
#pragma once

#include "datasets/base/base.h"

typedef enum NumberType {
    NUMBER_INT8,
    NUMBER_UINT8,
    NUMBER_INT16,
    NUMBER_UINT16,
    NUMBER_INT32,
    NUMBER_UINT32,
    NUMBER_INT64,
    NUMBER_UINT64,
    NUMBER_FLOAT16,
    NUMBER_FLOAT32,
    NUMBER_FLOAT64,
    NUMBER_TYPES
} NumberType;

static inline bool number_is_whole(NumberType type)
{
    return type < NUMBER_FLOAT16;
}

size_t number_bytes(NumberType type);

/* Returns the unsigned number of `size` bytes, at most 8. */
uint64_t word_load(const unsigned char *bytes, size_t size, bool big_endian);

/* Reads one number. Integers beyond 2^53 are rounded. */
double number_load(const unsigned char *bytes, NumberType type, bool big_endian);

/* Reads `count` consecutive numbers, each rounded to the nearest float. */
void numbers_load(const unsigned char *bytes, NumberType type, bool big_endian, size_t count, float *values);

/* Store `count` numbers contiguously, and return the end of the stored bytes. */
unsigned char *floats_store(const float *values, size_t count, bool big_endian, unsigned char *bytes);
unsigned char *int32s_store(const int32_t *values, size_t count, bool big_endian, unsigned char *bytes);
