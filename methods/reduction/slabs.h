/* Reads an animation in slabs. A slab is a range of vertices in all frames. A thread reads the next slab
 * while the caller works on the current one. If the positions are in memory, a single slab contains all
 * vertices. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct Slabs Slabs;

typedef struct Slab {
    const float *positions; /* [F][count][3], valid until the next slab is requested */
    int first, count;       /* range of vertices; count is 0 after the last slab */
} Slab;

/* Starts to read vertices 0 to vertex_count - 1. A slab consists of blocks of `block` vertices. It has at
 * least one block, and otherwise as many as fit into 128 MB or an eighth of the memory limit. Two slabs are
 * in memory at the same time. Release with slabs_close (NULL is allowed). */
Status slabs_open(const Animation *animation, int vertex_count, int block, Slabs **out);
void slabs_close(Slabs *slabs);
DEFINE_OWNED_BY(Slabs, slabs_close)

/* Waits for the next slab. Fails if the animation cannot be read. */
Status slabs_next(Slabs *slabs, Slab *slab);

/* Returns the seconds spent reading so far, and the seconds that slabs_next waited for the reading
 * thread. */
void slabs_times(const Slabs *slabs, double *read_s, double *waited_s);
