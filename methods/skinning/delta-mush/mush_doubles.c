/* Delta Mush in doubles, on eight frames or one. */
#include "methods/posing/laplacian_filter.h"

typedef struct SmoothedDoubles {
    const double *base, *moves; /* [N][columns]; the moves are 0 */
} SmoothedDoubles;

/* Smooths x [N][columns]. `spare` has three times the size of x. */
static SmoothedDoubles smooth_doubles(const LaplacianFilter *filter, int columns, const double *x,
                                      double *spare)
{
    const size_t size = (size_t)filter->vertex_count * (size_t)columns;
    laplacian_filter_smooth(filter, columns, x, spare, spare + size);
    memset(spare, 0, size * sizeof *spare);
    return (SmoothedDoubles){spare + size, spare};
}

#define LANE_REAL double
#define LANE_SQRT sqrt
#define LANE_SMOOTHED SmoothedDoubles
#define LANE_SMOOTH smooth_doubles
enum { LANES = 8 };
#include "methods/skinning/delta-mush/mush_block.h"

void mush_block_doubles(const FrameBlock *frames, int lanes)
{
    (lanes == 1 ? block_of_one : block_of_eight)(frames);
}
