/* Weights as heat equilibrium (Baran and Popović 2007, Automatic Rigging and Animation of 3D Characters,
 * section 4). For every joint the weight w on the surface solves
 *
 *   (-Δ + H) w = H p,
 *
 * where p is 1 at vertices whose nearest visible bone belongs to the joint, and H = c / d² with d the
 * distance to that bone. With vertex areas A and the matrix L of cotangent weights this becomes (L + A H) w
 * = A H p. Edge weights below a small value are raised to it. The matrix then has no positive element off
 * its diagonal and its inverse has no negative element (an M-matrix), so no weight is negative. Because A H
 * 1 = (L + A H) 1, the weights of a vertex sum to 1. */
#include "datasets/rigging/binding.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/sparse_cholesky.h"
#include "datasets/geometry/triangle_grid.h"
#include "datasets/rigging/cotangents.h"

enum { HEAT, LEAST, ROW_COUNT };

static const Parameter heat_parameters[ROW_COUNT + 1] = {
    [HEAT] = {"heat",
              "c, the strength of the heat from the bones; less heat makes the weights change more gradually",
              PARAMETER_REAL, 1.0, 1e-3, 1e3, NULL},
    [LEAST] = {"least", "weights below this value are left out", PARAMETER_REAL, 0.01, 0.0, 0.5, NULL},
};

static const char WORK[] = "computing the weights";
enum { NEAREST_MAX = 4, JOINT_COLUMNS = 8 };

/* The joints whose bones heat a vertex: those of the nearest visible bone, and of other bones that are
 * equally near. */
typedef struct Source {
    int32_t joints[NEAREST_MAX];
    int count;   /* 0 if no bone is visible */
    double heat; /* A H */
} Source;

typedef struct HeatProblem {
    const BindingTask *task;
    const double *values;
    TriangleGrid grid;
    Source *sources; /* [N] */
    double
        *areas; /* [N] a third of the total area of the adjacent triangles; 1 at vertices without triangles */
    double *normals; /* [N][3] */
    int32_t *pieces; /* [N] union-find parents of the connected pieces of the surface */
    MeshEdge *edges;
    int edge_count;
    double outside; /* direction of the normals of a closed surface: 1 outwards, -1 inwards; 0 if the surface
                       is open */
    SparseCholesky *factor;
} HeatProblem;

typedef struct BoneDistance {
    double distance;
    Vec3 at;
    int bone;
} BoneDistance;

static bool bone_visible(const HeatProblem *problem, int32_t vertex, Vec3 p, Vec3 bone_point)
{
    const Vec3 way = vec3_sub(bone_point, p);
    if (problem->outside * vec3_dot(way, vector_at(problem->normals, (size_t)vertex)) > 0.0)
        return false;
    return triangle_grid_hit(&problem->grid, p, bone_point, (const int32_t[]){vertex, -1}) > 1.0;
}

/* Finds the nearest bone of a vertex and all bones that are equally near. If `visible` is set, considers
 * only visible bones. */
static void source_find(const HeatProblem *problem, int32_t vertex, bool visible, BoneDistance *list)
{
    const BindingTask *task = problem->task;
    const double SAME = 1e-6;
    Source *source = &problem->sources[vertex];
    const Vec3 p = point_at(task->mesh->rest, vertex);
    double behind = -1.0, distance = HUGE_VAL;
    for (int b = 0; b < task->bone_count; b++) {
        list[b].at = bone_point_near(&task->bones[b], p);
        list[b].distance = vec3_length(vec3_sub(list[b].at, p));
    }
    source->count = 0;
    while (source->count == 0) {
        distance = HUGE_VAL;
        for (int b = 0; b < task->bone_count; b++)
            if (list[b].distance > behind)
                distance = fmin(distance, list[b].distance);
        if (distance == HUGE_VAL)
            return;
        behind = distance * (1.0 + SAME);
        for (int b = 0; b < task->bone_count && source->count < NEAREST_MAX; b++)
            if (list[b].distance >= distance && list[b].distance <= behind &&
                (!visible || bone_visible(problem, vertex, p, list[b].at)) &&
                (source->count == 0 || source->joints[source->count - 1] != task->bones[b].joint))
                source->joints[source->count++] = task->bones[b].joint;
    }
    /* Vertices on a bone would get infinite heat. Limit it, because otherwise the heat of other vertices
     * would vanish in rounding. */
    const double area = problem->areas[vertex], square = fmax(distance * distance, 1e-4 * area);
    source->heat = square > 0.0 ? area * problem->values[HEAT] * source->count / square : 1.0;
}

/* Returns 1 if the normals of the surface point outwards and -1 if inwards, by the sign of the volume.
 * Returns 0 if the surface is not closed. */
static double outward_side(const HeatProblem *problem)
{
    const Mesh *mesh = problem->task->mesh;
    double volume = 0.0;
    for (int e = 0; e < problem->edge_count; e++)
        if (problem->edges[e].forwards != 1 || problem->edges[e].backwards != 1)
            return 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        volume += vec3_dot(point_at(mesh->rest, corners[0]), triangle_cross(mesh->rest, corners));
    }
    return volume < 0.0 ? -1.0 : 1.0;
}

/* Assembles and factors the matrix L + A H. */
static Status heat_factor(HeatProblem *problem)
{
    const Mesh *mesh = problem->task->mesh;
    size_t count = 0;
    CLEANUP(grouping_clear) Grouping corners = {0};
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    LOCAL_ARRAY(SparseEntry, entries, (size_t)mesh->vertex_count + 3 * (size_t)problem->edge_count,
                "the bone-heat weights");
    for (int v = 0; v < mesh->vertex_count; v++)
        entries[count++] = (SparseEntry){v, v, problem->sources[v].heat};
    for (int e = 0; e < problem->edge_count; e++) {
        const int32_t low = problem->edges[e].low, high = problem->edges[e].high;
        const double weight = cotangent_weight(mesh, &corners, &problem->edges[e]);
        entries[count++] = (SparseEntry){low, low, weight};
        entries[count++] = (SparseEntry){high, high, weight};
        entries[count++] = (SparseEntry){high, low, -weight};
    }
    STATUS_TRY(
        sparse_cholesky_factor(mesh->vertex_count, count, entries, SPARSE_REPEATABLE, &problem->factor));
    if (!problem->factor)
        return bad_input("bone heat cannot be computed on this mesh: its triangles are too irregular");
    return status_ok();
}

/* Solves the equations of JOINT_COLUMNS joints at once, and keeps the largest weights of every vertex. */
static Status heat_solve(const HeatProblem *problem, int32_t *joints, double *weights)
{
    const BindingTask *task = problem->task;
    const size_t n = (size_t)task->mesh->vertex_count, slots = (size_t)task->influences;
    LOCAL_TABLE(double, x, n, JOINT_COLUMNS, "the bone-heat weights");
    LOCAL_ARRAY(int, held, n, "the bone-heat weights");
    for (int first = 0; first < task->joint_count; first += JOINT_COLUMNS) {
        memset(x, 0, n * JOINT_COLUMNS * sizeof *x);
        for (size_t v = 0; v < n; v++)
            for (int i = 0; i < problem->sources[v].count; i++) {
                const int column = problem->sources[v].joints[i] - first;
                if (column >= 0 && column < JOINT_COLUMNS)
                    x[v * JOINT_COLUMNS + (size_t)column] +=
                        problem->sources[v].heat / problem->sources[v].count;
            }
        STATUS_TRY(sparse_cholesky_solve(problem->factor, x, JOINT_COLUMNS));
        for (size_t v = 0; v < n; v++)
            for (int column = 0; column < JOINT_COLUMNS; column++)
                if (x[v * JOINT_COLUMNS + (size_t)column] > 0.0)
                    held[v] = largest_insert(x[v * JOINT_COLUMNS + (size_t)column], first + column, held[v],
                                             task->influences, weights + v * slots, joints + v * slots);
        STATUS_TRY(progress_try(task->progress, "bone heat", 0.5 + 0.5 * first / task->joint_count, WORK));
    }
    for (size_t v = 0; v < n; v++)
        for (size_t k = 1; k < slots; k++)
            if (weights[v * slots + k] < problem->values[LEAST])
                weights[v * slots + k] = 0.0;
    return status_ok();
}

static void heat_problem_clear(HeatProblem *problem)
{
    triangle_grid_clear(&problem->grid);
    FREE_ALL(problem->edges, problem->sources, problem->areas, problem->normals, problem->pieces);
    sparse_cholesky_free(problem->factor);
}

static Status bone_heat_fill(const BindingTask *task, const double *values, int32_t *joints, double *weights)
{
    CLEANUP(heat_problem_clear) HeatProblem problem = {.task = task, .values = values};
    const Mesh *mesh = problem.task->mesh;
    const size_t n = (size_t)mesh->vertex_count;
    ALLOCATE(problem.areas, n, "the bone-heat weights");
    ALLOCATE_TABLE(problem.normals, n, 3, "the bone-heat weights");
    ALLOCATE(problem.pieces, n, "the bone-heat weights");
    ALLOCATE(problem.sources, n, "the bone-heat weights");
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, problem.normals);
    mesh_pieces_find(mesh->triangles, mesh->triangle_count, mesh->vertex_count, problem.pieces);
    vertex_areas(mesh, problem.areas);
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &problem.edges,
                               &problem.edge_count));
    problem.outside = outward_side(&problem);
    STATUS_TRY(triangle_grid_init(mesh->rest, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                                  &problem.grid));
    /* Compute the heat of every vertex. A connected piece of the surface from which no bone is visible is
     * heated by its nearest bones. */
    const int vertices = mesh->vertex_count, REPORTED = 4096;
    LOCAL_ARRAY(BoneDistance, list, task->bone_count, "the bone-heat weights");
    LOCAL_ARRAY(unsigned char, warm, n, "the bone-heat weights");
    for (int v = 0; v < vertices; v++) {
        source_find(&problem, v, true, list);
        warm[union_find_root(problem.pieces, v)] |= problem.sources[v].count > 0;
        if (v % REPORTED == 0)
            STATUS_TRY(progress_try(task->progress, "visible bones", 0.4 * v / vertices, WORK));
    }
    for (int v = 0; v < vertices; v++)
        if (!warm[union_find_root(problem.pieces, v)])
            source_find(&problem, v, false, list);
    STATUS_TRY(progress_try(task->progress, "factoring the heat equation", 0.4, WORK));
    STATUS_TRY(heat_factor(&problem));
    return heat_solve(&problem, joints, weights);
}

const Binding binding_bone_heat = {
    .name = "bone-heat",
    .title = "heat that spreads over the surface from the nearest visible bones (Baran and Popović 2007)",
    .parameters = heat_parameters,
    .fill = bone_heat_fill};
