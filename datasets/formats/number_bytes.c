/* Converts bytes to numbers and back, independently of the machine's byte order. */
#include "datasets/formats/number_bytes.h"

size_t number_bytes(NumberType type)
{
    static const unsigned char bytes[NUMBER_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    return bytes[type];
}

/* Decodes an IEEE 754 binary16 number: 1 sign, 5 exponent and 10 fraction bits. */
static double half_value(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31)
        value = fraction ? (double)NAN : (double)INFINITY;
    return bits >> 15 & 1 ? -value : value;
}

uint64_t word_load(const unsigned char *bytes, size_t size, bool big_endian)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return bits;
}

double number_load(const unsigned char *bytes, NumberType type, bool big_endian)
{
    const uint64_t bits = word_load(bytes, number_bytes(type), big_endian);
    const uint32_t low = (uint32_t)bits;
    float single = 0.0f;
    double number = 0.0;
    switch (type) {
    case NUMBER_INT8:
        return (int8_t)bits;
    case NUMBER_INT16:
        return (int16_t)bits;
    case NUMBER_INT32:
        return (int32_t)bits;
    case NUMBER_INT64:
        return (double)(int64_t)bits;
    case NUMBER_FLOAT16:
        return half_value(bits);
    case NUMBER_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case NUMBER_FLOAT64:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

void numbers_load(const unsigned char *bytes, NumberType type, bool big_endian, size_t count, float *values)
{
    const size_t size = number_bytes(type);
    if (type != NUMBER_FLOAT32) {
        for (size_t i = 0; i < count; i++)
            values[i] = (float)number_load(bytes + i * size, type, big_endian);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *b = bytes + 4 * i;
        const uint32_t bits = big_endian
                                  ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                                  : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
        memcpy(values + i, &bits, sizeof bits);
    }
}

unsigned char *int32s_store(const int32_t *values, size_t count, bool big_endian, unsigned char *bytes)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            *bytes++ = (unsigned char)((uint32_t)values[i] >> 8 * (big_endian ? 3 - k : k));
    return bytes;
}

unsigned char *floats_store(const float *values, size_t count, bool big_endian, unsigned char *bytes)
{
    for (size_t i = 0; i < count; i++) {
        int32_t bits = 0;
        memcpy(&bits, values + i, sizeof bits);
        bytes = int32s_store(&bits, 1, big_endian, bytes);
    }
    return bytes;
}
