/* An animation in slabs: some vertices of all frames at a time, read ahead on a thread of their own while the
 * caller works on the slab before; where the positions are in memory, all in one. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct Slabs Slabs;

typedef struct Slab {
    const float *positions; /* [F][count][3], until the next slab is asked for */
    int first, count;       /* which vertices; count 0: there are no more */
} Slab;

/* Begins to read vertices 0 to vertex_count - 1, of which as many blocks of `block` vertices at a time as 128
 * MB hold, or an eighth of the limit on memory; one at least. Two slabs are in memory. Release with
 * slabs_close (NULL is allowed). */
Status slabs_open(const Animation *animation, int vertex_count, int block, Slabs **out);
void slabs_close(Slabs *slabs);
DEFINE_OWNED_BY(Slabs, slabs_close)

/* Waits for the next slab; errors are those of the animation's source. */
Status slabs_next(Slabs *slabs, Slab *slab);

/* Seconds that reading took so far, and that slabs_next waited for it. */
void slabs_times(const Slabs *slabs, double *read_s, double *waited_s);
