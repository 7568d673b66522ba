/* Each cube of the grid lists the triangles whose bounding boxes touch it. A line visits its cubes in order
 * (Amanatides and Woo 1987) and is tested against their triangles (Möller and Trumbore 1997). */
#include "datasets/geometry/triangle_grid.h"

#include "datasets/geometry/points.h"

#include <stdbool.h>

static const double NO_HIT = 2.0;

/* Computes the range of cubes that a triangle's bounding box touches, with a margin of a millionth of a
 * cube's side. */
static void triangle_range(const TriangleGrid *grid, const float box[6], int low[3], int high[3])
{
    double origin[3];
    vector_store(grid->low, origin);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = cell_clamp(((double)box[axis] - origin[axis]) / grid->side - 1e-6, grid->counts[axis]);
        high[axis] =
            cell_clamp(((double)box[3 + axis] - origin[axis]) / grid->side + 1e-6, grid->counts[axis]);
    }
}

Status triangle_grid_init(const float *points, int vertex_count, const int32_t *triangles, int triangle_count,
                          TriangleGrid *out)
{
    *out = (TriangleGrid){.points = points, .triangles = triangles};
    const Bounds bounds = bounds_of(points, vertex_count);
    const double LEAST = 1e-9, wanted = 4.0 * triangle_count + 64.0;
    double extents[3], volume = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        extents[axis] = fmax(bounds.high[axis] - bounds.low[axis], bounds.diagonal / 256.0 + LEAST);
        volume *= extents[axis];
    }
    out->side = cbrt(volume / wanted);
    for (int axis = 0; axis < 3; axis++)
        out->counts[axis] = (int)floor(extents[axis] / out->side) + 1;
    out->low = vec3_make(bounds.low[0], bounds.low[1], bounds.low[2]);
    size_t places = 0;
    int low[3], high[3];
    ALLOCATE_TABLE(out->boxes, triangle_count, 6, "the grid of a surface");
    for (int t = 0; t < triangle_count; t++) {
        float *box = out->boxes + 6 * (size_t)t;
        for (int i = 0; i < 9; i++) {
            const float value = points[3 * (ptrdiff_t)triangles[3 * (size_t)t + (size_t)i / 3] + i % 3];
            box[i % 3] = i < 3 || value < box[i % 3] ? value : box[i % 3];
            box[3 + i % 3] = i < 3 || value > box[3 + i % 3] ? value : box[3 + i % 3];
        }
        triangle_range(out, box, low, high);
        places +=
            (size_t)(high[0] - low[0] + 1) * (size_t)(high[1] - low[1] + 1) * (size_t)(high[2] - low[2] + 1);
    }
    LOCAL_ARRAY(int32_t, cell_of, places, "the grid of a surface");
    ALLOCATE(out->held, places, "the grid of a surface");
    places = 0;
    for (int t = 0; t < triangle_count; t++) {
        triangle_range(out, out->boxes + 6 * (size_t)t, low, high);
        for (int z = low[2]; z <= high[2]; z++)
            for (int y = low[1]; y <= high[1]; y++)
                for (int x = low[0]; x <= high[0]; x++) {
                    cell_of[places] = (z * out->counts[1] + y) * out->counts[0] + x;
                    out->held[places++] = t;
                }
    }
    return grouping_init(cell_of, places, out->counts[0] * out->counts[1] * out->counts[2],
                         "the grid of a surface", &out->cells);
}

void triangle_grid_clear(TriangleGrid *grid)
{
    grouping_clear(&grid->cells);
    FREE_ALL(grid->held, grid->boxes);
    *grid = (TriangleGrid){0};
}

/* Returns the parameter t at which from + t * way hits a triangle, or NO_HIT.
 * Triangles are tested with a small margin. In spite of rounding, a line through an edge between two
 * triangles must hit at least one of them. */
static double triangle_hit(const TriangleGrid *grid, const int32_t *corners, Vec3 from, Vec3 way)
{
    const Vec3 a = point_at(grid->points, corners[0]);
    const Vec3 first = vec3_sub(point_at(grid->points, corners[1]), a);
    const Vec3 second = vec3_sub(point_at(grid->points, corners[2]), a);
    const Vec3 across = vec3_cross(way, second), offset = vec3_sub(from, a);
    const double determinant = vec3_dot(first, across);
    if (determinant == 0.0)
        return NO_HIT;
    const double u = vec3_dot(offset, across) / determinant;
    const Vec3 turned = vec3_cross(offset, first);
    const double v = vec3_dot(way, turned) / determinant, share = vec3_dot(second, turned) / determinant;
    const double EDGE = 1e-9;
    return u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE && share > 0.0 && share <= 1.0 ? share : NO_HIT;
}

/* Whether the bounding box of a triangle is apart from another box. All sides are compared without branches,
 * because no single comparison is predictable. */
static bool triangle_misses(const float box[6], const double low[3], const double high[3])
{
    bool misses = false;
    for (int axis = 0; axis < 3; axis++)
        misses |= ((double)box[axis] > high[axis]) | ((double)box[3 + axis] < low[axis]);
    return misses;
}

double triangle_grid_hit(const TriangleGrid *grid, Vec3 from, Vec3 to, const int32_t spared[2])
{
    double start[3], way[3], low[3], high[3], next[3], step[3], enter = 0.0, leave = 1.0;
    int indices[3];
    vector_store(vec3_sub(from, grid->low), start);
    vector_store(vec3_sub(to, from), way);
    vector_store(from, low);
    vector_store(to, high);
    for (int axis = 0; axis < 3; axis++) {
        const double least = fmin(low[axis], high[axis]), margin = 1e-6 * grid->side;
        high[axis] = fmax(low[axis], high[axis]) + margin;
        low[axis] = least - margin;
    }
    /* Clip the line to the grid. */
    for (int axis = 0; axis < 3; axis++) {
        const double extent = grid->counts[axis] * grid->side;
        if (way[axis] == 0.0 && (start[axis] < 0.0 || start[axis] > extent))
            return NO_HIT;
        if (way[axis] == 0.0)
            continue;
        const double one = -start[axis] / way[axis], other = (extent - start[axis]) / way[axis];
        enter = fmax(enter, fmin(one, other));
        leave = fmin(leave, fmax(one, other));
    }
    if (enter > leave)
        return NO_HIT;
    for (int axis = 0; axis < 3; axis++) {
        indices[axis] = cell_clamp((start[axis] + enter * way[axis]) / grid->side, grid->counts[axis]);
        const double border = (indices[axis] + (way[axis] > 0.0)) * grid->side;
        next[axis] = way[axis] == 0.0 ? HUGE_VAL : (border - start[axis]) / way[axis];
        step[axis] = way[axis] == 0.0 ? HUGE_VAL : grid->side / fabs(way[axis]);
    }
    for (;;) {
        const int axis = next[0] <= next[1] ? (next[0] <= next[2] ? 0 : 2) : next[1] <= next[2] ? 1 : 2;
        /* find the nearest triangle of the cell */
        double hit = NO_HIT;
        const int cell = (indices[2] * grid->counts[1] + indices[1]) * grid->counts[0] + indices[0];
        for (int64_t i = grid->cells.first[cell]; i < grid->cells.first[cell + 1]; i++) {
            const ptrdiff_t t = grid->held[grid->cells.members[i]];
            const int32_t *corners = grid->triangles + 3 * t;
            /* most triangles near a short line are clear of its bounding box */
            if (triangle_misses(grid->boxes + 6 * t, low, high))
                continue;
            bool has = false;
            for (int c = 0; c < 3; c++)
                has = has || corners[c] == spared[0] || corners[c] == spared[1];
            if (!has)
                hit = fmin(hit, triangle_hit(grid, corners, from, vector_at(way, 0)));
        }
        /* Stop only if the hit is in this cube. The triangle may extend beyond the cube and be hit there,
         * and a later cube may then have a nearer triangle. */
        if (hit <= next[axis] + 1e-9 || next[axis] >= leave)
            return hit;
        indices[axis] += way[axis] > 0.0 ? 1 : -1;
        if (indices[axis] < 0 || indices[axis] >= grid->counts[axis])
            return hit;
        next[axis] += step[axis];
    }
}

/* Returns true if a box is farther from a point than `reach`. */
static bool box_is_beyond(const float box[6], const double point[3], double reach)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)box[axis] - point[axis], above = point[axis] - (double)box[3 + axis];
        const double gap = below > above ? below : above;
        square += gap > 0.0 ? gap * gap : 0.0;
    }
    return square > reach * reach;
}

/* Cubes are visited in shells around the cube that contains the point or is nearest to it. A triangle outside
 * the first r + 1 shells is at least r sides away. */
int triangle_grid_nearest(const TriangleGrid *grid, Vec3 point, double weights[3])
{
    double start[3], place[3], least = HUGE_VAL;
    int center[3], low[3], high[3], found = -1, shells = 0;
    const double margin = 1e-6 * grid->side; /* wide enough for rounding */
    vector_store(vec3_sub(point, grid->low), start);
    vector_store(point, place);
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = cell_clamp(start[axis] / grid->side, grid->counts[axis]);
        shells = int_max(shells, int_max(center[axis] + 1, grid->counts[axis] - center[axis]));
    }
    for (int r = 0; r < shells && least > (r - 1) * grid->side; r++) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = int_max(center[axis] - r, 0);
            high[axis] = int_min(center[axis] + r, grid->counts[axis] - 1);
        }
        for (int z = low[2]; z <= high[2]; z++)
            for (int y = low[1]; y <= high[1]; y++) {
                /* a row through the shell has only its two ends in it */
                const bool inner = abs(z - center[2]) < r && abs(y - center[1]) < r;
                for (int x = inner ? center[0] - r : low[0]; x <= high[0]; x += inner ? 2 * r : 1) {
                    if (x < low[0])
                        continue;
                    const int cell = (z * grid->counts[1] + y) * grid->counts[0] + x;
                    for (int64_t i = grid->cells.first[cell]; i < grid->cells.first[cell + 1]; i++) {
                        const int t = grid->held[grid->cells.members[i]];
                        if (box_is_beyond(grid->boxes + 6 * (ptrdiff_t)t, place, least + margin))
                            continue;
                        Vec3 corner[3], off = vec3_scale(point, -1.0);
                        double shares[3];
                        for (int c = 0; c < 3; c++)
                            corner[c] = point_at(grid->points, grid->triangles[3 * (ptrdiff_t)t + c]);
                        triangle_nearest(point, corner, shares);
                        for (int c = 0; c < 3; c++)
                            off = vec3_add_scaled(off, corner[c], shares[c]);
                        const double distance = vec3_length(off);
                        if (distance < least || (distance == least && t < found)) {
                            least = distance;
                            found = t;
                            memcpy(weights, shares, sizeof shares);
                        }
                    }
                }
            }
    }
    return found;
}
