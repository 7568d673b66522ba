/* Delta Mush for float backends: frames are processed side by side. With explicit steps, the arithmetic is in
 * floats. With implicit steps, the detail is often hundreds of times as long as the edges of the smoothed
 * surface by which it turns: the rounding of floats would show. */
#include "methods/skinning/delta-mush/mush_state.h"

#include "datasets/geometry/topology.h"

#include <omp.h>

enum { FEW = 2 /* at most this many frames are processed one by one */ };

Status mush_lanes_bind(MushState *mush, int iterations)
{
    const Mesh *mesh = &mush->welding.mesh;
    CLEANUP(grouping_clear) Grouping corners = {0};
    if (mush->width > 1 || mesh->vertex_count == 0)
        return status_ok();
    STATUS_TRY(corners_at_vertices(mesh->triangles, (int)mesh->triangle_count, mesh->vertex_count, &corners));
    const size_t count = (size_t)corners.first[mesh->vertex_count];
    ALLOCATE(mush->corners, count, "the smoothed rest pose");
    for (size_t i = 0; i < count; i++) {
        const int32_t corner = corners.members[i], *triangle = mesh->triangles + (corner - corner % 3);
        mush->corners[i][0] = triangle[(corner + 1) % 3];
        mush->corners[i][1] = triangle[(corner + 2) % 3];
    }
    mush->first_corner = TAKE(corners.first);
    mush->unit = fmax(bounds_of(mesh->rest, mesh->vertex_count).diagonal, 1e-300);
    STATUS_TRY(laplacian_filter_init(&mush->laplacian, iterations, &mush->filter));
    mush->in_floats = !mush->filter.terms;
    return status_ok();
}

Status mush_lanes(const SkinningBinding *binding, MushState *mush, int frame_count, double *positions,
                  double *normals)
{
    const size_t vertices = (size_t)mush->welding.mesh.vertex_count;
    const size_t frame_reals = 3 * (size_t)mush->welding.vertex_count;
    const int width = frame_count <= FEW ? 1 : mush->in_floats && frame_count > 8 ? 16 : 8;
    const int columns = width == 1 ? FILTER_NARROW : 3 * width;
    const int blocks = (frame_count + width - 1) / width, threads = int_min(binding->threads, blocks);
    const size_t reals = 4 * vertices * (size_t)columns + 9 * (size_t)(mush->patch_count * width);
    /* bytes of a thread, a multiple of the widest vector, so that the memory of each thread is aligned */
    const size_t bytes = (reals * (mush->in_floats ? sizeof(float) : sizeof(double)) + 63) / 64 * 64;
    if ((size_t)threads * bytes > mush->lanes_size) {
        mush->lanes_size = 0;
        memory_release(&mush->lanes);
        ALLOCATE_TABLE(mush->lanes, threads, bytes, "the smoothed frames");
        mush->lanes_size = (size_t)threads * bytes;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < blocks; i++) {
        const size_t start = (size_t)(i * width) * frame_reals;
        const FrameBlock block = {.binding = binding,
                                  .mush = mush,
                                  .frame_count = int_min(width, frame_count - i * width),
                                  .positions = positions + start,
                                  .normals = normals ? normals + start : NULL,
                                  .memory = mush->lanes + (size_t)omp_get_thread_num() * bytes};
        (mush->in_floats ? mush_block_floats : mush_block_doubles)(&block, width);
    }
    return status_ok();
}
