/* Extracts a surface, the zero set of a function that is negative inside. The function is the distance from
 * the capsules, combined by a smooth minimum with a blend of width k:
 *
 *   min(a, b) - k h^2 / 4, h = max(0, 1 - |a - b| / k)
 *
 * Marching tetrahedra extract a closed surface from a grid of cubes, each divided into six tetrahedra
 * around its diagonal. This surface is then remeshed. A coarser grid of cells lists the capsules that
 * determine the function in each cell. */
#include "datasets/generate/flesh.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/remesh.h"

#include <assert.h>

static const double CELLS = 1.25; /* side of the cubes relative to the smallest radius */
enum { PER_CELL = 8 };            /* number of cubes along the side of a cell */

typedef struct Flesh {
    const FleshCapsule *capsules;
    int capsule_count;
    Vec3 low;
    double side;    /* side of a cube */
    int counts[3];  /* number of grid points per axis */
    int cells[3];   /* number of coarse cells per axis */
    int64_t *first; /* [cells + 1] index of the first capsule of each cell in `near` */
    int32_t *near;  /* the capsules that matter in each cell, in ascending order; none in cells far from the
                       surface */
    float *inside;  /* [cells] value of the function at the cell's centre, for cells far from the surface */
} Flesh;

typedef struct FleshValue {
    double value;
    Vec3 gradient;
    double radius, width; /* radius of the nearest capsule, and width of its blend */
} FleshValue;

static FleshValue capsule_value(const FleshCapsule *capsule, Vec3 p)
{
    const Vec3 along = vec3_sub(capsule->to, capsule->from), offset = vec3_sub(p, capsule->from);
    const double square = vec3_dot(along, along), taper = capsule->radius1 - capsule->radius0;
    double share = square > 0.0 ? vec3_dot(offset, along) / square : 0.0;
    const bool beside = share > 0.0 && share < 1.0;
    share = double_clamp(share, 0.0, 1.0);
    const Vec3 away = vec3_add_scaled(offset, along, -share);
    const double distance = vec3_length(away);
    FleshValue out = {.radius = capsule->radius0 + share * taper};
    out.value = distance - out.radius;
    out.width = capsule->blend * out.radius;
    out.gradient = vec3_normalize(away);
    if (beside)
        out.gradient = vec3_add_scaled(out.gradient, along, -taper / square);
    return out;
}

/* Returns the smaller of two values, with a smooth transition if they are close. */
static FleshValue smooth_union(FleshValue a, FleshValue b)
{
    const double width = b.width, apart = b.value - a.value;
    const double blend = 1.0 - (apart < 0.0 ? -apart : apart) / width;
    const double mix = blend > 0.0 ? 0.5 * blend : 0.0, share = apart < 0.0 ? 1.0 - mix : mix; /* of b */
    FleshValue out = {.value = (apart < 0.0 ? b.value : a.value) - width * mix * mix,
                      .radius = a.radius * (1.0 - share) + b.radius * share};
    out.gradient = vec3_add_scaled(vec3_scale(a.gradient, 1.0 - share), b.gradient, share);
    return out;
}

static FleshValue capsules_value(const Flesh *flesh, const int32_t *list, int64_t count, Vec3 p)
{
    assert(list && count > 0);
    FleshValue out = capsule_value(&flesh->capsules[list[0]], p);
    for (int64_t i = 1; i < count; i++)
        out = smooth_union(out, capsule_value(&flesh->capsules[list[i]], p));
    return out;
}

static FleshValue flesh_value(const Flesh *flesh, Vec3 p)
{
    const double side = PER_CELL * flesh->side;
    const int x = cell_clamp((p.x - flesh->low.x) / side, flesh->cells[0]);
    const int y = cell_clamp((p.y - flesh->low.y) / side, flesh->cells[1]);
    const int z = cell_clamp((p.z - flesh->low.z) / side, flesh->cells[2]);
    const int64_t cell = ((int64_t)z * flesh->cells[1] + y) * flesh->cells[0] + x;
    const int64_t count = flesh->first[cell + 1] - flesh->first[cell];
    if (count == 0)
        return (FleshValue){.value = (double)flesh->inside[cell], .radius = 1.0};
    return capsules_value(flesh, flesh->near + flesh->first[cell], count, p);
}

/* Projects a point to the surface along the gradient. */
static Vec3 flesh_project(const void *context, Vec3 p)
{
    enum { STEPS = 4 };
    const double NEAR = 1e-3; /* tolerance, relative to the capsule's radius */
    for (int i = 0; i < STEPS; i++) {
        const FleshValue here = flesh_value(context, p);
        const double square = vec3_dot(here.gradient, here.gradient);
        if (square < 1e-6)
            break;
        const double step = here.value / square, max = 0.5 * here.radius;
        p = vec3_add_scaled(p, here.gradient, -double_clamp(step, -max, max));
        if (here.value < NEAR * here.radius && here.value > -NEAR * here.radius)
            break;
    }
    return p;
}

/* Returns the wanted edge length at a point, which is proportional to the square root of the capsule's
 * radius. Thin limbs then get more triangles than their area suggests, as in models made by artists. */
static double flesh_length(const void *context, Vec3 p)
{
    const double radius = flesh_value(context, p).radius;
    return sqrt(radius > 1e-9 ? radius : 1e-9);
}

/* Lists the capsules that matter in each cell. A capsule matters if its distance may differ from the
 * smallest distance in the cell by less than the width of a blend. Cells far from the surface have empty
 * lists. */
static Status flesh_cells_fill(Flesh *flesh)
{
    const int64_t cells = (int64_t)flesh->cells[0] * flesh->cells[1] * flesh->cells[2];
    const double half = 0.5 * sqrt(3.0) * PER_CELL * flesh->side, LIPSCHITZ = 1.3;
    LOCAL_ARRAY(double, values, flesh->capsule_count, "a surface");
    double widest = 0.0;
    LOCAL_ARRAY(int32_t, all, flesh->capsule_count, "a surface");
    ALLOCATE(flesh->first, (size_t)cells + 1, "a surface");
    ALLOCATE(flesh->inside, cells, "a surface");
    for (int32_t i = 0; i < flesh->capsule_count; i++) {
        all[i] = i;
        widest = fmax(widest, flesh->capsules[i].blend *
                                  fmax(flesh->capsules[i].radius0, flesh->capsules[i].radius1));
    }
    int64_t held = 0;
    for (int64_t cell = 0; cell < cells; cell++) {
        const double side = PER_CELL * flesh->side;
        const int64_t row = cell / flesh->cells[0], x = cell % flesh->cells[0];
        const int64_t y = row % flesh->cells[1], z = row / flesh->cells[1];
        const Vec3 middle =
            vec3_add_scaled(flesh->low, vec3_make((double)x + 0.5, (double)y + 0.5, (double)z + 0.5), side);
        const double here = capsules_value(flesh, all, flesh->capsule_count, middle).value;
        double min = HUGE_VAL;
        for (int i = 0; i < flesh->capsule_count; i++) {
            values[i] = capsule_value(&flesh->capsules[i], middle).value;
            min = fmin(min, values[i]);
        }
        flesh->inside[cell] = (float)here;
        flesh->first[cell] = held;
        if (fabs(here) > LIPSCHITZ * half + 2.0 * flesh->side)
            continue;
        for (int32_t i = 0; i < flesh->capsule_count; i++)
            if (values[i] <= min + 2.0 * LIPSCHITZ * half + widest) {
                GROW(flesh->near, held, "a surface");
                flesh->near[held++] = i;
            }
    }
    flesh->first[cells] = held;
    return status_ok();
}

static void flesh_clear(Flesh *flesh)
{
    FREE_ALL(flesh->first, flesh->near, flesh->inside);
    *flesh = (Flesh){0};
}

/* ---- marching tetrahedra ---- */

enum {
    DIRECTIONS = 8
}; /* Number of directions of a grid edge from its lower end, with one bit per axis. Direction 0 is unused. */

typedef struct March {
    const Flesh *flesh;
    float
        *values[2]; /* values of the function at the grid points of the current slice and of the next slice */
    int32_t *edges[2]; /* [points of a slice][DIRECTIONS] vertex on each grid edge; -1: none yet */
    Vec3 *points;
    int32_t *triangles;
    int vertex_count, triangle_count;
} March;

static Vec3 grid_point(const Flesh *flesh, int x, int y, int z)
{
    return vec3_add_scaled(flesh->low, vec3_make(x, y, z), flesh->side);
}

/* The position of a corner of a cube. */
typedef struct Corner {
    int x, y, z;
    double value;
} Corner;

static Status edge_vertex(March *march, const Corner *cube, int low, int high, int32_t *vertex)
{
    const Flesh *flesh = march->flesh;
    const double MARGIN = 0.1;
    const Corner *a = &cube[low], *b = &cube[high];
    const size_t slot = (size_t)a->y * (size_t)flesh->counts[0] + (size_t)a->x;
    int32_t *known = &march->edges[low >> 2][slot * DIRECTIONS + (size_t)(low ^ high)];
    if (*known < 0) {
        GROW(march->points, march->vertex_count, "a surface");
        /* Stay away from the ends of the edge, so that no triangle degenerates. */
        const double share = a->value / (a->value - b->value);
        const double kept = double_clamp(share, MARGIN, 1.0 - MARGIN);
        const Vec3 from = grid_point(flesh, a->x, a->y, a->z), to = grid_point(flesh, b->x, b->y, b->z);
        march->points[march->vertex_count] = vec3_add_scaled(from, vec3_sub(to, from), kept);
        *known = march->vertex_count++;
    }
    *vertex = *known;
    return status_ok();
}

static Status triangle_append(March *march, const int32_t corners[3], Vec3 outwards)
{
    for (int i = 0; i < 3; i++) {
        const size_t held = 3 * (size_t)march->triangle_count + (size_t)i;
        GROW(march->triangles, held, "a surface");
        march->triangles[held] = corners[i];
    }
    const Vec3 a = march->points[corners[0]];
    const Vec3 cross =
        vec3_cross(vec3_sub(march->points[corners[1]], a), vec3_sub(march->points[corners[2]], a));
    int32_t *made = march->triangles + 3 * (size_t)march->triangle_count++;
    if (vec3_dot(cross, outwards) < 0.0) {
        made[1] = corners[2];
        made[2] = corners[1];
    }
    return status_ok();
}

/* Adds the one or two triangles that separate a tetrahedron's inner corners from its outer ones. */
static Status tetrahedron_cut(March *march, const Corner *cube, const int tetrahedron[4])
{
    int inner[4], outer[4], inner_count = 0, outer_count = 0;
    for (int i = 0; i < 4; i++)
        if (cube[tetrahedron[i]].value < 0.0)
            inner[inner_count++] = tetrahedron[i];
        else
            outer[outer_count++] = tetrahedron[i];
    if (inner_count == 0 || outer_count == 0)
        return status_ok();
    int32_t vertices[4];
    int count = 0;
    Vec3 outwards = {0.0, 0.0, 0.0};
    for (int i = 0; i < inner_count; i++)
        for (int o = 0; o < outer_count; o++) {
            const Corner *a = &cube[inner[i]], *b = &cube[outer[o]];
            const bool rising = inner[i] < outer[o];
            /* Each step along the path of a tetrahedron only sets corner bits, so the edge starts at its
             * lower corner. */
            STATUS_TRY(edge_vertex(march, cube, rising ? inner[i] : outer[o], rising ? outer[o] : inner[i],
                                   &vertices[count++]));
            outwards = vec3_add(outwards, vec3_make(b->x - a->x, b->y - a->y, b->z - a->z));
        }
    STATUS_TRY(triangle_append(march, (const int32_t[3]){vertices[0], vertices[1], vertices[2]}, outwards));
    if (count == 4) /* the outline of the quad is 0 1 3 2 */
        STATUS_TRY(
            triangle_append(march, (const int32_t[3]){vertices[1], vertices[3], vertices[2]}, outwards));
    return status_ok();
}

static void slice_fill(March *march, int z)
{
    const Flesh *flesh = march->flesh;
    const size_t points = (size_t)flesh->counts[0] * (size_t)flesh->counts[1];
#pragma omp parallel for schedule(dynamic)
    for (int y = 0; y < flesh->counts[1]; y++)
        for (int x = 0; x < flesh->counts[0]; x++)
            march->values[1][(size_t)y * (size_t)flesh->counts[0] + (size_t)x] =
                (float)flesh_value(flesh, grid_point(flesh, x, y, z)).value;
    memset(march->edges[1], -1, points * DIRECTIONS * sizeof *march->edges[1]);
}

static Status flesh_march(const Flesh *flesh, const Progress *progress, March *march)
{
    const size_t points = (size_t)flesh->counts[0] * (size_t)flesh->counts[1];
    *march = (March){.flesh = flesh};
    for (int i = 0; i < 2; i++) {
        ALLOCATE(march->values[i], points, "a surface");
        ALLOCATE_TABLE(march->edges[i], points, DIRECTIONS, "a surface");
    }
    slice_fill(march, 0);
    for (int z = 0; z + 1 < flesh->counts[2]; z++) {
        float *values = march->values[0];
        int32_t *edges = march->edges[0];
        march->values[0] = march->values[1];
        march->edges[0] = march->edges[1];
        march->values[1] = values;
        march->edges[1] = edges;
        slice_fill(march, z + 1);
        for (int y = 0; y + 1 < flesh->counts[1]; y++)
            for (int x = 0; x + 1 < flesh->counts[0]; x++) {
                static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                                     {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
                Corner cube[8];
                int inside = 0;
                for (int bits = 0; bits < 8; bits++) {
                    Corner *corner = &cube[bits];
                    *corner = (Corner){x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2), 0.0};
                    corner->value =
                        (double)march->values[bits >> 2][(size_t)corner->y * (size_t)march->flesh->counts[0] +
                                                         (size_t)corner->x];
                    inside += corner->value < 0.0;
                }
                for (int i = 0; i < 6 && inside > 0 && inside < 8; i++)
                    STATUS_TRY(tetrahedron_cut(march, cube, tetrahedra[i]));
            }
        STATUS_TRY(progress_try(progress, "extracting the surface from the grid",
                                (z + 1.0) / flesh->counts[2], NULL));
    }
    return status_ok();
}

static void march_clear(March *march)
{
    FREE_ALL(march->values[0], march->values[1], march->edges[0], march->edges[1], march->points,
             march->triangles);
    *march = (March){0};
}

Status flesh_mesh_make(const FleshCapsule *capsules, int capsule_count, int vertex_count,
                       const Progress *progress, Mesh *mesh)
{
    CLEANUP(flesh_clear) Flesh flesh = {0};
    CLEANUP(march_clear) March march = {0};
    CLEANUP(closed_mesh_clear) ClosedMesh closed = {0};
    /* compute the bounding box of the capsules */
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double min = HUGE_VAL, widest = 0.0;
    for (int i = 0; i < capsule_count; i++) {
        const double ends[2][3] = {{capsules[i].from.x, capsules[i].from.y, capsules[i].from.z},
                                   {capsules[i].to.x, capsules[i].to.y, capsules[i].to.z}};
        const double radii[2] = {capsules[i].radius0, capsules[i].radius1};
        for (int axis = 0; axis < 3; axis++)
            for (int end = 0; end < 2; end++) {
                low[axis] = fmin(low[axis], ends[end][axis] - radii[end]);
                high[axis] = fmax(high[axis], ends[end][axis] + radii[end]);
            }
        min = fmin(min, fmin(radii[0], radii[1]));
        widest = fmax(widest, capsules[i].blend * fmax(radii[0], radii[1]));
    }
    flesh = (Flesh){.capsules = capsules, .capsule_count = capsule_count, .side = CELLS * min};
    const double border = widest + 2.0 * flesh.side;
    for (int axis = 0; axis < 3; axis++) {
        flesh.counts[axis] = (int)ceil((high[axis] - low[axis] + 2.0 * border) / flesh.side) + 1;
        flesh.cells[axis] = (flesh.counts[axis] + PER_CELL - 1) / PER_CELL;
    }
    flesh.low = vec3_make(low[0] - border, low[1] - border, low[2] - border);
    const RemeshSurface surface = {flesh_project, flesh_length, &flesh};
    STATUS_TRY(flesh_cells_fill(&flesh));
    STATUS_TRY(flesh_march(&flesh, progress, &march));
    STATUS_TRY(closed_mesh_init(march.points, march.vertex_count, march.triangles, march.triangle_count,
                                remesh_capacity(march.vertex_count, vertex_count), &closed));
    march_clear(&march);
    if (closed.triangle_count != 2 * closed.vertex_count - 4)
        return bad_usage("the capsules do not make one body without holes");
    STATUS_TRY(closed_mesh_remesh(&closed, vertex_count, &surface, progress));
    STATUS_TRY(mesh_allocate(mesh, closed.vertex_count, closed.triangle_count));
    for (int v = 0; v < closed.vertex_count; v++)
        point_set(mesh->rest, v, closed.points[v]);
    memcpy(mesh->triangles, closed.corners, 3 * (size_t)closed.triangle_count * sizeof *mesh->triangles);
    return status_ok();
}
