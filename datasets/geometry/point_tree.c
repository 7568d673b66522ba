/* A k-d tree over an array of indices. The middle of each range divides the range along the widest axis of
 * its bounding box, so the tree needs no pointers. Ranges of up to LEAF points are not divided. */
#include "datasets/geometry/point_tree.h"

#include "datasets/base/base.h"

enum { LEAF = 8 };

static double coordinate(Vec3 point, int axis)
{
    return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
}

static int widest_axis(const PointTree *tree, int first, int end)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = first; i < end; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double x = coordinate(tree->points[tree->order[i]], axis);
            low[axis] = fmin(low[axis], x);
            high[axis] = fmax(high[axis], x);
        }
    const int wider = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[wider] - low[wider] ? 2 : wider;
}

/* Reorders a range so that its middle is in sorted place (Hoare's quickselect). */
static void middle_select(const PointTree *tree, int first, int end, int axis)
{
    const int middle = first + (end - first) / 2;
    for (int low = first, high = end - 1; low < high;) {
        const double pivot = coordinate(tree->points[tree->order[low + (high - low) / 2]], axis);
        int i = low, j = high;
        while (i <= j) {
            while (coordinate(tree->points[tree->order[i]], axis) < pivot)
                i++;
            while (coordinate(tree->points[tree->order[j]], axis) > pivot)
                j--;
            if (i <= j) {
                const int32_t held = tree->order[i];
                tree->order[i++] = tree->order[j];
                tree->order[j--] = held;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

/* Recursion is at most 31 ranges deep, because every range is half as long as the one before. */
static void range_divide(const PointTree *tree, int first, int end)
{
    if (end - first <= LEAF)
        return;
    const int middle = first + (end - first) / 2, axis = widest_axis(tree, first, end);
    middle_select(tree, first, end, axis);
    tree->axes[middle] = (uint8_t)axis;
    range_divide(tree, first, middle);
    range_divide(tree, middle + 1, end);
}

Status point_tree_init(const Vec3 *points, int count, PointTree *out)
{
    *out = (PointTree){.points = points};
    ALLOCATE(out->order, count, "a tree of points");
    ALLOCATE(out->axes, count, "a tree of points");
    out->count = count;
    for (int i = 0; i < count; i++)
        out->order[i] = i;
    range_divide(out, 0, count);
    return status_ok();
}

void point_tree_clear(PointTree *tree)
{
    FREE_ALL(tree->order, tree->axes);
    *tree = (PointTree){0};
}

typedef struct NearestPoint {
    Vec3 query;
    int32_t index;
    double square;
} NearestPoint;

static void point_consider(const PointTree *tree, int place, NearestPoint *nearest)
{
    const int32_t index = tree->order[place];
    const Vec3 arm = vec3_sub(tree->points[index], nearest->query);
    const double square = vec3_dot(arm, arm);
    if (square < nearest->square || (square == nearest->square && index < nearest->index)) {
        nearest->square = square;
        nearest->index = index;
    }
}

static void range_search(const PointTree *tree, int first, int end, NearestPoint *nearest)
{
    if (end - first <= LEAF) {
        for (int i = first; i < end; i++)
            point_consider(tree, i, nearest);
        return;
    }
    const int middle = first + (end - first) / 2, axis = tree->axes[middle];
    const double beyond =
        coordinate(nearest->query, axis) - coordinate(tree->points[tree->order[middle]], axis);
    point_consider(tree, middle, nearest);
    range_search(tree, beyond < 0.0 ? first : middle + 1, beyond < 0.0 ? middle : end, nearest);
    /* points as far as the nearest one count too, because they may have a lower index */
    if (beyond * beyond <= nearest->square)
        range_search(tree, beyond < 0.0 ? middle + 1 : first, beyond < 0.0 ? end : middle, nearest);
}

int32_t point_tree_nearest(const PointTree *tree, Vec3 query, double *distance)
{
    NearestPoint nearest = {.query = query, .index = -1, .square = INFINITY};
    range_search(tree, 0, tree->count, &nearest);
    *distance = sqrt(nearest.square);
    return nearest.index;
}
