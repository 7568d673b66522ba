/* Tests colours. By CIE's formulas, which the code of the map does not use, the map must be perceptually
 * uniform. The colours of bones must be distinct. */
#include "tests/support.h"

#include "harness/show/render/color_map.h"

/* Computes CIE L*a*b* (1976) of an sRGB colour with the white point D65. */
static void lab_of(const unsigned char rgb[3], double lab[3])
{
    static const double xyz_of[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1.0, 1.08883};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double value = 0.0;
        for (int k = 0; k < 3; k++) {
            double byte = rgb[k] / 255.0;
            value += xyz_of[i][k] * (byte <= 0.04045 ? byte / 12.92 : pow((byte + 0.055) / 1.055, 2.4));
        }
        value /= white[i];
        f[i] = value > 216.0 / 24389.0 ? cbrt(value) : (24389.0 / 27.0 * value + 16.0) / 116.0;
    }
    lab[0] = 116.0 * f[1] - 16.0;
    lab[1] = 500.0 * (f[0] - f[1]);
    lab[2] = 200.0 * (f[1] - f[2]);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void map_lab(double share, double lab[3])
{
    unsigned char rgb[3];
    color_map_rgb(share, rgb);
    lab_of(rgb, lab);
}

TEST(darkness_grows_evenly)
{
    enum { STEPS = 15 };
    double before[3], after[3], first[3], last[3];
    map_lab(0.0, first);
    map_lab(1.0, last);
    assert_true(first[0] - last[0] > 70.0);
    for (int i = 0; i < STEPS; i++) {
        map_lab((double)i / STEPS, before);
        map_lab((double)(i + 1) / STEPS, after);
        const double share = (after[0] - before[0]) / (last[0] - first[0]) * STEPS;
        assert_true(share > 0.75 && share < 1.3); /* share: length of a step in lightness, relative to the
                                                     length that all steps would have if they were equal */
        assert_true(distance(before, after) > 7.0 && distance(before, after) < 15.0);
    }
    for (int i = 0; i < 255;
         i++) { /* lightness must fall; rounding to bytes changes L* by less than half a unit */
        map_lab(i / 255.0, before);
        map_lab((i + 1) / 255.0, after);
        assert_true(after[0] < before[0] + 0.1);
    }
}

TEST(colors_are_magma)
{
    /* colours of magma(6) in the R package viridisLite, without the black at the beginning */
    static const struct {
        double share;
        int rgb[3];
    } known[] = {{0.0, {0xfc, 0xfd, 0xbf}},  {0.25, {0xfe, 0x9f, 0x6d}},    {0.5, {0xde, 0x49, 0x68}},
                 {0.75, {0x8c, 0x29, 0x81}}, {1.0, {0x3b, 0x0f, 0x70}},     {-1.0, {0xfc, 0xfd, 0xbf}},
                 {7.0, {0x3b, 0x0f, 0x70}},  {(double)NAN, {128, 128, 128}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned char rgb[3];
        color_map_rgb(known[i].share, rgb);
        for (int k = 0; k < 3; k++)
            assert_in_range(rgb[k] + 1, known[i].rgb[k],
                            known[i].rgb[k] + 2); /* tolerance of half a step of the table */
    }
}

TEST(bones_differ)
{
    enum { BONES = 64 };
    for (int i = 0; i < BONES; i++) {
        unsigned char rgb[3], other[3];
        double one[3], two[3];
        color_of_index(i, rgb);
        lab_of(rgb, one);
        assert_true(one[0] > 45.0 && one[0] < 90.0);
        for (int near = 1; near <= 4; near++) { /* bones with close numbers are often close on the body */
            color_of_index(i + near, other);
            lab_of(other, two);
            assert_true(distance(one, two) > 20.0);
        }
    }
}

TEST(transfer_is_its_own_inverse)
{
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(srgb_encode(srgb_decode((unsigned char)byte)), byte);
    assert_int_equal(srgb_encode(-1.0), 0);
    assert_int_equal(srgb_encode(2.0), 255);
    assert_int_equal(srgb_encode(0.5), 188); /* IEC 61966-2-1: 1.055 * 0.5^(1 / 2.4) - 0.055 = 0.7354 */
    assert_true(fabs(srgb_decode(128) - 0.21586) < 1e-5);
}
