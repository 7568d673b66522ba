/* The sums of eq. 4 for one pair of joints in time linear in samples and vertices, a fast Gauss transform
 * (Greengard and Strain 1991): exp(-((a d - b c) / sigma)^2) is smooth in the vertex' weights (a, b) and in
 * the sample's (c, d), so that between boxes of weights it is interpolated from Chebyshev nodes, to rounding.
 */
#pragma once

#include "methods/skinning/cor/center_search.h"

enum { TILE_SAMPLES = 512 };

/* Samples that have both joints of a pair, a tile at a time. */
typedef struct Tile {
    int count;
    double low[TILE_SAMPLES], high[TILE_SAMPLES];             /* weights of the pair */
    double mass[TILE_SAMPLES];                                /* area times their product */
    double x[TILE_SAMPLES], y[TILE_SAMPLES], z[TILE_SAMPLES]; /* centroid */
} Tile;

/* exp(x) for x <= 0 to 1e-11, in operations that compilers vectorise: 2^n with n the nearest whole number to
 * x / ln 2 (read from the low bits after adding 1.5 * 2^52), times a Taylor polynomial on the rest. Three
 * terms more give it to rounding. */
static inline __attribute__((always_inline)) double exp_of_negative(double x, bool to_rounding)
{
    const double shift = 0x1.8p52;
    x = x > -700.0 ? x : -700.0;
    double shifted = x * 1.4426950408889634 + shift, n = shifted - shift;
    double r = x - n * 0x1.62e42fefa39efp-1;
    double p = 1.0 / 362880.0;
    if (to_rounding)
        p += r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * (1.0 / 479001600.0)));
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

typedef struct WeightTransform WeightTransform;

/* Weights must lie in [0, 1], and those of a row sum to no more than 1. NULL: out of memory. For
 * weight_transform_free. */
WeightTransform *weight_transform_create(double sigma);
void weight_transform_free(WeightTransform *transform);

/* How many terms of the direct sum take as long as a transform of so many samples and vertices. */
double weight_transform_terms(double sigma, double samples, double vertices);

/* Adds the samples of a tile, before any sum is taken. False: out of memory. */
bool weight_transform_add(WeightTransform *transform, const Tile *tile);

/* The sums at the weights of vertices: weights [count][2], low and high joint; sums [count]. False: out of
 * memory. */
bool weight_transform_sums(const WeightTransform *transform, const double (*weights)[2], int64_t count,
                           CenterSum *sums);
