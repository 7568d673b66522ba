/* Products of matrices as GotoBLAS has them (Goto and van de Geijn 2008): a panel of the right factor is packed
 * and stays in the first cache, tiles of the result stay in registers. */
#include "methods/reduction/matrix_product.h"

#include "datasets/base/widest_vectors.h"

#include <string.h>

enum {
    LANES = 8,
    WIDE = 16,   /* columns of a panel */
    DEPTH = 192, /* rows of it */
    TALL = 8     /* most rows of a tile */
};

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

typedef struct ProductTile {
    const double *rows[TALL]; /* of the left factor; the last one again where there are fewer */
    ptrdiff_t step;
    const double *panel; /* [depth][WIDE] of the right factor */
    int depth;
} ProductTile;

/* sums [rows][WIDE] = the rows of the left factor times columns of the panel. */
static inline __attribute__((always_inline)) void tile_sum(const ProductTile *tile, const int first,
                                                           const int rows, const int vectors, double *sums)
{
    for (int part = 0; part < WIDE / LANES; part += vectors) {
        Lanes sum[TALL][WIDE / LANES];
        memset(sum, 0, sizeof sum);
        for (int k = 0; k < tile->depth; k++) {
            const Lanes *right = (const Lanes *)(tile->panel + (ptrdiff_t)k * WIDE) + part;
            for (int i = 0; i < rows; i++) {
                double left = tile->rows[first + i][k * tile->step];
                for (int j = 0; j < vectors; j++)
                    sum[i][j] += left * right[j];
            }
        }
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < vectors; j++)
                memcpy(sums + (first + i) * WIDE + (part + j) * LANES, &sum[i][j], sizeof(Lanes));
    }
}

/* Eight rows at a time where there are 32 wide registers, else four of half the columns. */
typedef void (*TileKernel)(const ProductTile *tile, double *sums);

static void tile_any(const ProductTile *tile, double *sums)
{
    for (int first = 0; first < TALL; first += 2)
        tile_sum(tile, first, 2, 1, sums);
}

#ifdef WIDEST_VECTORS_CHOSEN
__attribute__((target("avx2,fma"))) static void tile_v3(const ProductTile *tile, double *sums)
{
    tile_sum(tile, 0, 4, 1, sums);
    tile_sum(tile, 4, 4, 1, sums);
}

__attribute__((target("avx512f"))) static void tile_v4(const ProductTile *tile, double *sums)
{
    tile_sum(tile, 0, TALL, WIDE / LANES, sums);
}

static TileKernel tile_kernel(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return tile_v4;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? tile_v3 : tile_any;
}
#else
static TileKernel tile_kernel(void)
{
    return tile_any;
}
#endif

/* Columns first to first + count - 1 of rows from to from + depth - 1, zeros behind. */
static void panel_pack(MatrixView right, int from, int depth, int first, int count, double *panel)
{
    const double *corner = right.values + from * right.row_step + first * right.column_step;
    if (right.row_step == 1) { /* a column at a time, as it lies */
        for (int j = 0; j < count; j++)
            for (int k = 0; k < depth; k++)
                panel[k * WIDE + j] = corner[j * right.column_step + k];
    } else {
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < count; j++)
                panel[k * WIDE + j] = corner[k * right.row_step + j * right.column_step];
    }
    for (int k = 0; k < depth && count < WIDE; k++)
        memset(panel + k * WIDE + count, 0, (size_t)(WIDE - count) * sizeof(double));
}

static void tile_store(const double *sums, int rows, int count, double factor, double keep, double *result,
                       ptrdiff_t width)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < count; j++) {
            double *to = result + i * width + j;
            *to = factor * sums[i * WIDE + j] + (keep == 0.0 ? 0.0 : keep * *to);
        }
}

void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width)
{
    _Alignas(64) double panel[DEPTH * WIDE], sums[TALL * WIDE];
    const TileKernel kernel = tile_kernel();
    for (int column = 0; column < columns; column += WIDE) {
        int count = columns - column < WIDE ? columns - column : WIDE;
        for (int from = 0; from == 0 || from < inner; from += DEPTH) {
            int depth = inner - from < DEPTH ? inner - from : DEPTH;
            panel_pack(right, from, depth, column, count, panel);
            ProductTile tile = {.step = left.column_step, .panel = panel, .depth = depth};
            for (int row = 0; row < rows; row += TALL) {
                int height = rows - row < TALL ? rows - row : TALL;
                for (int i = 0; i < TALL; i++)
                    tile.rows[i] = left.values + (row + (i < height ? i : height - 1)) * left.row_step +
                                   from * left.column_step;
                kernel(&tile, sums);
                tile_store(sums, height, count, factor, from == 0 ? keep : 1.0, result + row * width + column,
                           width);
            }
        }
    }
}
