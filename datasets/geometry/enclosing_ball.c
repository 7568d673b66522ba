/* The exact smallest enclosing ball by farthest-point pivoting (Gaertner 1999). */
#include "datasets/geometry/enclosing_ball.h"

#include "datasets/geometry/points.h"

#include <float.h>
#include <stdbool.h>

enum { SUPPORT_MAX = 4 };

/* Points on the boundary of a ball that determine the ball. */
typedef struct Support {
    Vec3 points[SUPPORT_MAX];
    int count;
} Support;

static double distance_squared(Vec3 a, Vec3 b)
{
    Vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

/* Computes the centre of the smallest sphere through 1 to 4 points. With q_i = p_i - p_0 the centre is p_0
 * + x, where 2 q_i . x = |q_i|^2 and x is a linear combination of the q_i. Returns false if the points are
 * affinely dependent; a smaller subset then gives the same ball. */
static bool circumcenter(const Support *support, Vec3 *center)
{
    Vec3 origin = support->points[0], x = {0.0, 0.0, 0.0}, q[3] = {{0.0, 0.0, 0.0}};
    for (int i = 1; i < support->count; i++)
        q[i - 1] = vec3_sub(support->points[i], origin);
    double aa = vec3_dot(q[0], q[0]), bb = vec3_dot(q[1], q[1]), cc = vec3_dot(q[2], q[2]);
    if (support->count == 2) {
        x = vec3_scale(q[0], 0.5);
    } else if (support->count == 3) {
        Vec3 normal = vec3_cross(q[0], q[1]);
        double area = vec3_dot(normal, normal);
        if (!(area > 0.0))
            return false;
        Vec3 mixed = vec3_sub(vec3_scale(q[1], aa), vec3_scale(q[0], bb));
        x = vec3_scale(vec3_cross(mixed, normal), 0.5 / area);
    } else if (support->count == 4) {
        Vec3 bc = vec3_cross(q[1], q[2]);
        double volume = vec3_dot(q[0], bc);
        if (!(fabs(volume) > 0.0))
            return false;
        Vec3 sum = vec3_scale(bc, aa);
        sum = vec3_add_scaled(sum, vec3_cross(q[2], q[0]), bb);
        sum = vec3_add_scaled(sum, vec3_cross(q[0], q[1]), cc);
        x = vec3_scale(sum, 0.5 / volume);
    }
    *center = vec3_add(origin, x);
    return isfinite(center->x) && isfinite(center->y) && isfinite(center->z);
}

/* Finds the smallest ball around the support and a point outside its ball. That point must be on the new
 * boundary, so the candidates are the spheres through it and each subset of the support. Chooses the
 * candidate whose farthest point is closest to its centre. Rounding may spoil some candidates, which are
 * then not chosen. Returns the squared radius. */
static double support_grow(Support *support, Vec3 newcomer, Vec3 *center)
{
    Vec3 all[SUPPORT_MAX + 1] = {newcomer};
    int others = support->count;
    for (int i = 0; i < others; i++)
        all[i + 1] = support->points[i];
    double best = INFINITY;
    for (unsigned subset = 1; subset < 1u << others; subset++) {
        Support candidate = {.points = {newcomer}, .count = 1};
        for (int i = 0; i < others && candidate.count <= SUPPORT_MAX; i++)
            if (subset >> i & 1u) {
                if (candidate.count < SUPPORT_MAX)
                    candidate.points[candidate.count] = all[i + 1];
                candidate.count++;
            }
        Vec3 middle;
        if (candidate.count > SUPPORT_MAX || !circumcenter(&candidate, &middle))
            continue;
        double squared = 0.0;
        for (int i = 0; i < (others + 1); i++)
            squared = fmax(squared, distance_squared(all[i], middle));
        if (squared < best) {
            best = squared;
            *support = candidate;
            *center = middle;
        }
    }
    return best;
}

Status enclosing_ball(const float *points, int count, Ball *out)
{
    if (count < 1)
        return bad_usage("the smallest ball was requested around %d points, expected at least 1", count);
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(points[3 * (long)i + axis]))
                return bad_input("vertex %d has the coordinate %g, expected a finite number", i,
                                 (double)points[3 * (long)i + axis]);
    Vec3 center = point_at(points, 0), best_center = center;
    Support support = {.points = {center}, .count = 1};
    double radius_squared = 0.0, best_squared = INFINITY;
    for (;;) {
        double squared = -1.0;
        int farthest = 0;
        for (int i = 0; i < count; i++) {
            double distance = distance_squared(point_at(points, i), center);
            if (distance > squared) {
                squared = distance;
                farthest = i;
            }
        }
        if (squared < best_squared) {
            best_squared = squared;
            best_center = center;
        }
        if (squared <= radius_squared * (1.0 + 8.0 * DBL_EPSILON))
            break;
        /* Every round must enlarge the ball. If rounding prevents that, the best centre so far is the
         * result. */
        double grown = support_grow(&support, point_at(points, farthest), &center);
        if (!(grown > radius_squared))
            break;
        radius_squared = grown;
    }
    vector_store(best_center, out->center);
    out->radius = nextafter(sqrt(best_squared), INFINITY);
    if (best_squared == 0.0)
        out->radius = 0.0;
    return status_ok();
}
