/* Computes the sums of eq. 4 for one pair of joints by a fast Gauss transform (Greengard and Strain 1991).
 * The time is linear in the numbers of samples and vertices. The function exp(-((a d - b c) / sigma)^2) is
 * smooth in the weights (a, b) of the vertex and (c, d) of the sample. It is therefore interpolated between
 * Chebyshev nodes in boxes of weights, accurate up to rounding. */
#pragma once

#include "methods/skinning/cor/center_search.h"

enum { TILE_SAMPLES = 512 };

/* A tile of samples that both joints of a pair influence. Tiles are processed one after another. */
typedef struct Tile {
    int count;
    double low[TILE_SAMPLES], high[TILE_SAMPLES];             /* weights of the pair's two joints */
    double mass[TILE_SAMPLES];                                /* area times the product of the two weights */
    double x[TILE_SAMPLES], y[TILE_SAMPLES], z[TILE_SAMPLES]; /* centroid */
} Tile;

/* Returns exp(x) for x <= 0 with error 1e-11, by operations that compilers vectorise. The result is 2^n
 * times a Taylor polynomial of the remainder. Here n is the integer nearest to x / ln 2, read from the low
 * bits after adding 1.5 * 2^52. With `to_rounding`, three more terms make the result accurate up to
 * rounding. */
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

/* Creates an empty transform. Weights must lie in [0, 1] and sum to at most 1 in each row. Returns NULL if
 * memory runs out. Release with weight_transform_free. */
WeightTransform *weight_transform_create(double sigma);
void weight_transform_free(WeightTransform *transform);

/* Returns the number of terms of direct summation that take as long as a transform of the given numbers of
 * samples and vertices. */
double weight_transform_terms(double sigma, double samples, double vertices);

/* Adds the samples of a tile; all tiles must be added before any sum is computed. Returns false if memory
 * runs out. */
bool weight_transform_add(WeightTransform *transform, const Tile *tile);

/* Computes the sums [count] for vertices with the given weights [count][2] of the low and high joint.
 * Returns false if memory runs out. */
bool weight_transform_sums(const WeightTransform *transform, const double (*weights)[2], int64_t count,
                           CenterSum *sums);
