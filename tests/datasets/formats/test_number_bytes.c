/* Tests loading and storing numbers of every type and byte order. */
#include "tests/support.h"

#include "datasets/formats/number_bytes.h"

/* Half-precision numbers are loaded with the values that IEEE 754 defines. */
TEST(numbers_are_loaded)
{
    static const struct {
        uint16_t bits;
        double value;
    } halves[] = {{0x0000, 0.0}, {0x0001, 0x1p-24}, {0x03ff, 1023.0 * 0x1p-24}, {0x0400, 0x1p-14},
                  {0x3c00, 1.0}, {0xc000, -2.0},    {0x7bff, 65504.0},          {0x3555, 1365.0 / 4096.0}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const unsigned char little[2] = {(unsigned char)(halves[i].bits & 255),
                                         (unsigned char)(halves[i].bits >> 8)};
        const unsigned char big[2] = {little[1], little[0]};
        assert_true(number_load(little, NUMBER_FLOAT16, false) == halves[i].value);
        assert_true(number_load(big, NUMBER_FLOAT16, true) == halves[i].value);
    }
    assert_true(isinf(number_load((const unsigned char[]){0, 0x7c}, NUMBER_FLOAT16, false)));
    assert_true(isnan(number_load((const unsigned char[]){1, 0xfc}, NUMBER_FLOAT16, false)));
    const unsigned char bytes[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe};
    assert_true(number_load(bytes, NUMBER_INT8, false) == -1.0);
    assert_true(number_load(bytes, NUMBER_UINT16, true) == 65535.0);
    assert_true(number_load(bytes, NUMBER_INT64, true) == -2.0);
    assert_true(number_load(bytes + 4, NUMBER_UINT32, true) == 4294967294.0);
}

/* Stored numbers are unchanged when they are loaded again, in both byte orders. */
TEST(numbers_are_stored)
{
    const float values[3] = {1.0f, -0.0f, 1e-45f};
    const int32_t numbers[2] = {1, INT32_MIN};
    unsigned char bytes[12];
    float loaded[3];
    for (int big = 0; big < 2; big++) {
        assert_ptr_equal(floats_store(values, 3, big, bytes), bytes + 12);
        assert_int_equal(bytes[big ? 0 : 3], 0x3f);
        numbers_load(bytes, NUMBER_FLOAT32, big, 3, loaded);
        assert_memory_equal(loaded, values, sizeof values);
        assert_ptr_equal(int32s_store(numbers, 2, big, bytes), bytes + 8);
        assert_int_equal(bytes[big ? 3 : 0], 1);
        assert_true(number_load(bytes + 4, NUMBER_INT32, big) == (double)INT32_MIN);
    }
}
