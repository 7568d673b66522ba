/* The colour map is Magma by Stefan van der Walt and Nathaniel J. Smith (bids.github.io/colormap, and
 * matplotlib; CC0). It is stored as 256 sRGB colours from light to dark, without the darkest fifth. Hues of
 * successive bones differ by the golden angle in OKLCh (Björn Ottosson 2020). */
#include "harness/show/render/color_map.h"

#include "datasets/geometry/angles.h"

/* 0xRRGGBB */
static const uint32_t magma[256] = {
    0xfcfdbf, 0xfcfbbe, 0xfcfabc, 0xfcf8bb, 0xfcf7b9, 0xfcf6b8, 0xfcf4b6, 0xfcf3b4, 0xfcf1b3, 0xfcf0b1,
    0xfceeb0, 0xfcedaf, 0xfdebad, 0xfdeaac, 0xfde8aa, 0xfde7a9, 0xfde6a7, 0xfde4a6, 0xfde3a4, 0xfde1a3,
    0xfde0a1, 0xfddea0, 0xfddd9f, 0xfddb9d, 0xfdda9c, 0xfed89a, 0xfed799, 0xfed598, 0xfed496, 0xfed395,
    0xfed194, 0xfed092, 0xfece91, 0xfecd90, 0xfecb8e, 0xfeca8d, 0xfec88c, 0xfec78b, 0xfec589, 0xfec488,
    0xfec287, 0xfec186, 0xfebf84, 0xfebe83, 0xfebd82, 0xfebb81, 0xfeba80, 0xfeb87e, 0xfeb77d, 0xfeb57c,
    0xfeb47b, 0xfeb27a, 0xfeb179, 0xfeaf78, 0xfeae77, 0xfeac76, 0xfeab75, 0xfea974, 0xfea873, 0xfea672,
    0xfea571, 0xfea370, 0xfea26f, 0xfea06e, 0xfe9f6d, 0xfe9d6c, 0xfd9c6b, 0xfd9a6a, 0xfd9969, 0xfd9768,
    0xfd9668, 0xfd9467, 0xfd9366, 0xfd9165, 0xfc9065, 0xfc8e64, 0xfc8d63, 0xfc8b63, 0xfc8a62, 0xfc8861,
    0xfb8761, 0xfb8560, 0xfb8460, 0xfb825f, 0xfa815f, 0xfa7f5e, 0xfa7e5e, 0xfa7c5e, 0xf97b5d, 0xf9795d,
    0xf9785d, 0xf8765c, 0xf8755c, 0xf8735c, 0xf7725c, 0xf7705c, 0xf66f5c, 0xf66d5c, 0xf56c5c, 0xf56a5c,
    0xf4695c, 0xf4675c, 0xf3665c, 0xf3655c, 0xf2635c, 0xf2625d, 0xf1615d, 0xf05f5d, 0xf05e5e, 0xef5d5e,
    0xee5b5e, 0xed5a5f, 0xed595f, 0xec5860, 0xeb5760, 0xea5661, 0xe95461, 0xe85362, 0xe75263, 0xe65163,
    0xe55064, 0xe44f64, 0xe34e65, 0xe24d66, 0xe14c66, 0xe04c67, 0xdf4b67, 0xde4a68, 0xdd4969, 0xdc4869,
    0xdb476a, 0xda476b, 0xd8466b, 0xd7456c, 0xd6446c, 0xd5446d, 0xd4436e, 0xd2426e, 0xd1426f, 0xd0416f,
    0xcf4070, 0xce4071, 0xcc3f71, 0xcb3f72, 0xca3e72, 0xc83e73, 0xc73d73, 0xc63d74, 0xc53c74, 0xc33b75,
    0xc23b75, 0xc13a76, 0xbf3a76, 0xbe3977, 0xbd3977, 0xbc3978, 0xba3878, 0xb93878, 0xb83779, 0xb63779,
    0xb5367a, 0xb4367a, 0xb2357a, 0xb1357b, 0xb0357b, 0xae347b, 0xad347c, 0xac337c, 0xab337c, 0xa9327d,
    0xa8327d, 0xa7327d, 0xa5317e, 0xa4317e, 0xa3307e, 0xa1307e, 0xa02f7f, 0x9f2f7f, 0x9d2f7f, 0x9c2e7f,
    0x9b2e7f, 0x9a2d80, 0x982d80, 0x972d80, 0x962c80, 0x942c80, 0x932b80, 0x922b80, 0x902a81, 0x8f2a81,
    0x8e2a81, 0x8d2981, 0x8b2981, 0x8a2881, 0x892881, 0x882781, 0x862781, 0x852781, 0x842681, 0x822681,
    0x812581, 0x802582, 0x7f2482, 0x7d2482, 0x7c2382, 0x7b2382, 0x7a2282, 0x782282, 0x772181, 0x762181,
    0x752181, 0x732081, 0x722081, 0x711f81, 0x701f81, 0x6e1e81, 0x6d1e81, 0x6c1d81, 0x6b1d81, 0x691c81,
    0x681c81, 0x671b80, 0x661a80, 0x641a80, 0x631980, 0x621980, 0x611880, 0x60187f, 0x5e177f, 0x5d177f,
    0x5c167f, 0x5b167e, 0x59157e, 0x58157e, 0x57147e, 0x56147d, 0x54137d, 0x53137c, 0x52137c, 0x50127c,
    0x4f127b, 0x4e117b, 0x4d117a, 0x4b117a, 0x4a1079, 0x491078, 0x471078, 0x461077, 0x450f76, 0x430f76,
    0x420f75, 0x410f74, 0x3f0f73, 0x3e0f72, 0x3d0f71, 0x3b0f70};

void color_map_rgb(double share, unsigned char rgb[3])
{
    const double level = fmin(fmax(share, 0.0), 1.0) * 255.0;
    const uint32_t color = isnan(share) ? 0x808080 : magma[(int)(level + 0.5)];
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned char)(color >> (16 - 8 * i));
}

void color_map_change_rgb(double change, unsigned char rgb[3])
{
    static const double stops[2][3][3] = {{{240, 240, 238}, {120, 175, 220}, {10, 75, 150}},
                                          {{240, 240, 238}, {245, 165, 80}, {165, 65, 0}}};
    const double level = 2.0 * fmin(fabs(change), 1.0);
    const int from = level < 1.0 ? 0 : 1;
    for (int i = 0; i < 3; i++) {
        const double(*side)[3] = stops[change > 0.0];
        const double value = side[from][i] + (level - from) * (side[from + 1][i] - side[from][i]);
        rgb[i] = isnan(change) ? 0x80 : (unsigned char)(value + 0.5);
    }
}

void color_of_index(int index, unsigned char rgb[3])
{
    static const double lightness[] = {0.74, 0.62, 0.84};
    const double chroma = 0.11, golden_angle_rad = PI * (3.0 - sqrt(5.0));
    const double hue_rad = fmod(index * golden_angle_rad, 2.0 * PI);
    const double a = chroma * cos(hue_rad), b = chroma * sin(hue_rad), light = lightness[index % 3];
    /* OKLab to linear sRGB: cone responses are the cubes of a linear map of (L, a, b). */
    const double l = pow(light + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    const double m = pow(light - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    const double s = pow(light - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    rgb[0] = srgb_encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = srgb_encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = srgb_encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

Status bone_colors_make(const Dataset *dataset, const char *path, unsigned char **rgb)
{
    const Rig *rig = &dataset->rig;
    const size_t vertices = (size_t)dataset->mesh.vertex_count, slots = (size_t)rig->influence_count;
    if (rig->joint_count == 0)
        return bad_input("%s: has no rig, so there are no bones to be coloured", path);
    ALLOCATE_TABLE(*rgb, vertices, 3, "colours");
    for (size_t v = 0; v < vertices; v++) {
        double light[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < slots; k++) {
            unsigned char bone[3];
            color_of_index(rig->weight_joints[v * slots + k], bone);
            for (int i = 0; i < 3; i++)
                light[i] += (double)rig->weight_values[v * slots + k] * srgb_decode(bone[i]);
        }
        for (size_t i = 0; i < 3; i++)
            (*rgb)[3 * v + i] = srgb_encode(light[i]);
    }
    return status_ok();
}

static const double SHARE = 0.99; /* fraction of the errors that the colour scale covers */
static const double STEP = 1.05;  /* ratio between the limits of successive bins of the histogram */
static const double LEAST = 1e-9;

void error_range_add(ErrorRange *range, double error)
{
    const double bin = error > LEAST ? ceil(log(error / LEAST) / log(STEP)) : 0.0;
    range->counts[(int)fmin(bin, ERROR_RANGE_BINS - 1)]++;
    range->total++;
    range->max = fmax(range->max, error);
}

/* Rounds `value` up to a number with one or two digits. */
static double round_up(double value)
{
    static const double steps[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    const double power = pow(10.0, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= steps[i] * power * (1.0 + 1e-9))
            return steps[i] * power;
    return 10.0 * power;
}

double error_range_end(const ErrorRange *range)
{
    int64_t within = 0;
    int bin = 0;
    while (bin + 1 < ERROR_RANGE_BINS &&
           (double)(within += range->counts[bin]) < SHARE * (double)range->total)
        bin++;
    const double end = fmin(LEAST * pow(STEP, bin), range->max);
    return range->max > 0.0 ? round_up(fmax(end, LEAST)) : 1.0;
}
