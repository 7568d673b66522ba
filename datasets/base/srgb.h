/* The transfer function of sRGB (IEC 61966-2-1). Converts a byte to linear light from 0 to 1, and linear
 * light to a byte. */
#pragma once

#include <math.h>

static inline double srgb_decode(unsigned char byte)
{
    const double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Converts linear light to a byte, clamped and rounded. */
static inline unsigned char srgb_encode(double linear)
{
    const double light = fmin(fmax(linear, 0.0), 1.0);
    const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
    return (unsigned char)(255.0 * value + 0.5);
}
