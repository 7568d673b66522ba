/* Computes the rotations of the triangles' deformation gradients (James and Twigg 2005, section 3.1) and
 * projects them with random signs (Achlioptas 2003). */
#include "methods/decomposition/sma/rotation_sketch.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/triangle_frame.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { SKETCH_BLOCK = 32 };

void rotation_sketch_clear(RotationSketch *sketch)
{
    FREE_ALL(sketch->triangles, sketch->areas, sketch->points);
    *sketch = (RotationSketch){0};
}

/* Computes the frame of a triangle in one pose. Returns twice its area, or 0 if the triangle is so thin
 * that its area is only rounding error. */
static double pose_frame(const float *positions, const int32_t corners[3], double frame[3][3])
{
    double points[3][3], longest = 0.0;
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++)
            points[corner][axis] = (double)positions[(ptrdiff_t)3 * corners[corner] + axis];
    double area = triangle_frame(points, frame);
    for (int edge = 0; edge < 2; edge++)
        longest = fmax(longest, frame[0][edge] * frame[0][edge] + frame[1][edge] * frame[1][edge] +
                                    frame[2][edge] * frame[2][edge]);
    return area > 1e-5 * longest ? area : 0.0;
}

Status rotation_sketch_init(const Mesh *mesh, const Animation *animation, uint64_t seed, int threads,
                            RotationSketch *out)
{
    int rows = 9 * animation->frame_count;
    size_t workspace_size = SKETCH_BLOCK * (size_t)rows;
    LOCAL_TABLE(double, projection, rows, SKETCH_SIZE, "the rotations of the triangles");
    LOCAL_TABLE(double, workspace, threads, workspace_size, "the rotations of the triangles");
    *out = (RotationSketch){0};
    ALLOCATE(out->triangles, mesh->triangle_count, "the triangles to cluster");
    ALLOCATE(out->areas, mesh->triangle_count, "the triangles to cluster");
    for (int i = 0; i < mesh->triangle_count; i++) {
        double frame[3][3], area = 0.5 * pose_frame(mesh->rest, mesh->triangles + (ptrdiff_t)3 * i, frame);
        if (!(area > 0.0))
            continue;
        out->triangles[out->count] = i;
        out->areas[out->count++] = area;
        out->area += area;
    }
    ALLOCATE_TABLE(out->points, out->count, SKETCH_SIZE, "the rotations of the triangles");
    Random random = {seed};
    double unit = 1.0 / sqrt((double)SKETCH_SIZE * animation->frame_count);
    for (ptrdiff_t row = 0; row < (ptrdiff_t)9 * animation->frame_count; row++) {
        uint64_t bits = random_next(&random);
        for (int i = 0; i < SKETCH_SIZE; i++)
            projection[row * SKETCH_SIZE + i] = (bits >> i & 1) ? unit : -unit;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int first = 0; first < out->count; first += SKETCH_BLOCK) {
        int count = out->count - first < SKETCH_BLOCK ? out->count - first : SKETCH_BLOCK;
        double *local = workspace + (size_t)omp_get_thread_num() * workspace_size;
        for (int i = 0; i < count; i++) {
            /* find the rotations of the triangle in all frames */
            const int32_t *corners = mesh->triangles + (ptrdiff_t)3 * out->triangles[first + i];
            double rest[3][3], inverse[3][3], posed[3][3], gradient[3][3], rotation[3][3];
            pose_frame(mesh->rest, corners, rest);
            triangle_frame_invert(rest, inverse);
            for (int frame = 0; frame < animation->frame_count; frame++) {
                pose_frame(animation->positions + (ptrdiff_t)3 * frame * mesh->vertex_count, corners, posed);
                for (int k = 0; k < 3; k++)
                    for (int j = 0; j < 3; j++)
                        gradient[k][j] = posed[k][0] * inverse[0][j] + posed[k][1] * inverse[1][j] +
                                         posed[k][2] * inverse[2][j];
                nearest_rotation((const double(*)[3])gradient, rotation);
                memcpy(local + (ptrdiff_t)i * rows + (ptrdiff_t)9 * frame, rotation, sizeof rotation);
            }
        }
        matrix_multiply(count, SKETCH_SIZE, rows, 1.0, matrix_by_rows(local, rows),
                        matrix_by_rows(projection, SKETCH_SIZE), 0.0,
                        out->points + (ptrdiff_t)first * SKETCH_SIZE, SKETCH_SIZE);
    }
    return status_ok();
}
