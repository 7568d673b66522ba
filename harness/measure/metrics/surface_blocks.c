/* Makes blocks of vertices with their triangles and edges. The walk over the mesh runs twice: first to
 * count, then to fill the lists. */
#include "harness/measure/metrics/surface_blocks.h"

/* State of a walk over the blocks. Each vertex and each triangle stores the number of the last block,
 * counted from 1, in which it occurred. */
typedef struct BlockWalk {
    const Surface *surface;
    Grouping corners;
    int32_t *vertex_marks, *triangle_marks; /* [N], [T] */
    int32_t *places; /* [N] index of a vertex in the list of the current block's points */
    int next_edge;
} BlockWalk;

static int32_t point_of(BlockWalk *walk, SurfaceBlock *block, int32_t mark, int32_t vertex, int32_t *points)
{
    if (walk->vertex_marks[vertex] != mark) {
        walk->vertex_marks[vertex] = mark;
        walk->places[vertex] = block->point_count++;
        if (points)
            points[walk->places[vertex]] = vertex;
    }
    return walk->places[vertex];
}

/* Finds the vertices, triangles and edges of a block, and stores them if the lists are allocated. */
static void block_walk(BlockWalk *walk, SurfaceBlock *block, int32_t mark, int32_t *points,
                       int32_t *triangles, int32_t *edges)
{
    const Surface *surface = walk->surface;
    const int end = block->first_vertex + block->own_count;
    block->point_count = block->triangle_count = block->edge_count = 0;
    for (int v = block->first_vertex; v < end; v++)
        (void)point_of(walk, block, mark, v, points);
    for (int v = block->first_vertex; v < end; v++)
        for (int64_t i = walk->corners.first[v]; i < walk->corners.first[v + 1]; i++) {
            const int32_t t = walk->corners.members[i] / 3;
            if (walk->triangle_marks[t] == mark)
                continue;
            walk->triangle_marks[t] = mark;
            for (int k = 0; k < 3; k++) {
                const int32_t point =
                    point_of(walk, block, mark, surface->triangles[3 * (size_t)t + (size_t)k], points);
                if (triangles)
                    triangles[3 * (size_t)block->triangle_count + (size_t)k] = point;
            }
            block->triangle_count++;
        }
    /* Edges are sorted by their lower vertex. The higher vertex is a corner of a triangle found above. */
    for (; walk->next_edge < surface->edge_count && surface->edges[walk->next_edge].low < end;
         walk->next_edge++) {
        if (edges) {
            edges[2 * (size_t)block->edge_count] = walk->places[surface->edges[walk->next_edge].low];
            edges[2 * (size_t)block->edge_count + 1] = walk->places[surface->edges[walk->next_edge].high];
        }
        block->edge_count++;
    }
}

static void block_walk_clear(BlockWalk *walk)
{
    grouping_clear(&walk->corners);
    FREE_ALL(walk->vertex_marks, walk->triangle_marks, walk->places);
}

Status surface_blocks_init(const Surface *surface, SurfaceBlocks *out)
{
    const int vertices = surface->vertex_count;
    CLEANUP(block_walk_clear) BlockWalk walk = {.surface = surface};
    int64_t points = 0, triangles = 0, edges = 0;
    *out = (SurfaceBlocks){.block_count = (vertices + SURFACE_BLOCK_VERTICES - 1) / SURFACE_BLOCK_VERTICES};
    STATUS_TRY(corners_at_vertices(surface->triangles, surface->triangle_count, vertices, &walk.corners));
    ALLOCATE(walk.vertex_marks, vertices, "the blocks of a mesh");
    ALLOCATE(walk.triangle_marks, surface->triangle_count, "the blocks of a mesh");
    ALLOCATE(walk.places, vertices, "the blocks of a mesh");
    ALLOCATE(out->blocks, out->block_count, "the blocks of a mesh");
    for (int b = 0; b < out->block_count; b++) {
        SurfaceBlock *block = &out->blocks[b];
        block->first_vertex = b * SURFACE_BLOCK_VERTICES;
        block->own_count = vertices - block->first_vertex < SURFACE_BLOCK_VERTICES
                               ? vertices - block->first_vertex
                               : SURFACE_BLOCK_VERTICES;
        block_walk(&walk, block, b + 1, NULL, NULL, NULL);
        block->points = points;
        block->triangles = triangles;
        block->edges = edges;
        points += block->point_count;
        triangles += block->triangle_count;
        edges += block->edge_count;
        out->points_max = block->point_count > out->points_max ? block->point_count : out->points_max;
    }
    ALLOCATE(out->points, points, "the blocks of a mesh");
    ALLOCATE_TABLE(out->triangles, triangles, 3, "the blocks of a mesh");
    ALLOCATE_TABLE(out->edges, edges, 2, "the blocks of a mesh");
    walk.next_edge = 0;
    for (int b = 0; b < out->block_count; b++) {
        SurfaceBlock *block = &out->blocks[b];
        block_walk(&walk, block, -1 - b, out->points + block->points, out->triangles + 3 * block->triangles,
                   out->edges + 2 * block->edges);
    }
    return status_ok();
}

void surface_blocks_clear(SurfaceBlocks *blocks)
{
    FREE_ALL(blocks->blocks, blocks->points, blocks->triangles, blocks->edges);
    *blocks = (SurfaceBlocks){0};
}
