/* Remeshes with a heap of edges, ordered by the ratio of actual to wanted length. An edge that changes is
 * inserted again; outdated entries are discarded when they reach the top. */
#include "datasets/geometry/remesh.h"

#include "datasets/base/priority_queue.h"

enum { ROUNDS = 8, REPORTED = 4096 };

typedef struct Remesh {
    ClosedMesh *mesh;
    const RemeshSurface *surface;
    const Progress *progress;
    double *lengths;     /* [vertex_capacity] wanted edge length at the vertex */
    PriorityQueue edges; /* `first` is the lower of the edge's two half-edges */
    double sign;         /* factor of the keys: 1 puts the shortest edge first, -1 the longest */
} Remesh;

/* Returns the queue's entry for an edge. The key is the length of the edge relative to the length wanted at
 * its ends. */
static QueueEntry edge_item(const Remesh *work, int32_t edge)
{
    const ClosedMesh *mesh = work->mesh;
    const int32_t a = edge_start(mesh, edge), b = edge_end(mesh, edge), twin = mesh->twins[edge];
    const double length = vec3_length(vec3_sub(mesh->points[a], mesh->points[b]));
    return (QueueEntry){work->sign * 2.0 * length / (work->lengths[a] + work->lengths[b]),
                        edge < twin ? edge : twin, 0};
}

/* Returns the midpoint of an edge, projected onto the surface. The projection may be on another fold of the
 * surface. If it is far away compared with the length of the edge, returns the midpoint itself. */
static Vec3 edge_middle(const Remesh *work, int32_t edge)
{
    const Vec3 a = work->mesh->points[edge_start(work->mesh, edge)],
               b = work->mesh->points[edge_end(work->mesh, edge)];
    const Vec3 middle = vec3_scale(vec3_add(a, b), 0.5);
    const Vec3 on_surface = work->surface->project(work->surface->context, middle);
    const double moved = vec3_length(vec3_sub(on_surface, middle));
    return moved > 0.4 * vec3_length(vec3_sub(a, b)) ? middle : on_surface;
}

/* Repeatedly collapses or splits the first edge of the heap, until there are `wanted` vertices. */
static Status count_approach(Remesh *work, int wanted)
{
    ClosedMesh *mesh = work->mesh;
    const int start = mesh->vertices_alive, step = start > wanted ? -1 : 1;
    work->sign = (-step);
    work->edges.count = 0;
    for (int32_t edge = 0; edge < 3 * mesh->triangle_count; edge++)
        if (mesh->corners[edge] >= 0 && edge < mesh->twins[edge])
            STATUS_TRY(priority_queue_push(&work->edges, edge_item(work, edge)));
    while (mesh->vertices_alive != wanted) {
        if (work->edges.count == 0)
            return bad_usage("the surface cannot have %d vertices: it needs %d or more to stay closed",
                             wanted, mesh->vertices_alive);
        const QueueEntry least = priority_queue_pop(&work->edges);
        if (mesh->corners[least.first] < 0)
            continue;
        const QueueEntry now = edge_item(work, least.first);
        if (now.key != least.key || now.first != least.first)
            continue; /* the entry is outdated: the edge has changed and was inserted again */
        const Vec3 middle = edge_middle(work, least.first);
        int32_t vertex = edge_start(mesh, least.first);
        if (step > 0)
            vertex = closed_mesh_split(mesh, least.first, middle);
        else if (!closed_mesh_collapse(mesh, least.first, middle))
            continue;
        work->lengths[vertex] = work->surface->length(work->surface->context, middle);
        FOR_EDGES_AT (mesh, vertex, edge) {
            STATUS_TRY(priority_queue_push(&work->edges, edge_item(work, edge)));
            if (work->sign < 0.0)
                STATUS_TRY(priority_queue_push(&work->edges, edge_item(work, edge_next(edge))));
        }
        if (mesh->vertices_alive % REPORTED == 0)
            STATUS_TRY(progress_try(work->progress, step < 0 ? "collapsing edges" : "splitting edges",
                                    (double)(mesh->vertices_alive - start) / (wanted - start), NULL));
    }
    return status_ok();
}

/* Returns the cotangent of the angle at the corner opposite an edge. An edge is Delaunay if its two
 * opposite angles sum to at most half a turn, that is, if the sum of their cotangents is at least 0. */
static double corner_cotangent(const ClosedMesh *mesh, int32_t edge)
{
    const Vec3 c = mesh->points[edge_apex(mesh, edge)];
    const Vec3 a = vec3_sub(mesh->points[edge_start(mesh, edge)], c),
               b = vec3_sub(mesh->points[edge_end(mesh, edge)], c);
    const double area = vec3_length(vec3_cross(a, b));
    return area > 0.0 ? vec3_dot(a, b) / area : HUGE_VAL;
}

static void edges_flip(Remesh *work)
{
    const double SLACK = -1e-3;
    ClosedMesh *mesh = work->mesh;
    for (int32_t edge = 0; edge < 3 * mesh->triangle_count; edge++)
        if (mesh->corners[edge] >= 0 && edge < mesh->twins[edge] &&
            corner_cotangent(mesh, edge) + corner_cotangent(mesh, mesh->twins[edge]) < SLACK)
            closed_mesh_flip(mesh, edge);
}

/* Returns the sum of the area vectors of the triangles around a vertex, if the vertex were at `point`. *min
 * receives the smallest component of these area vectors along `side`. */
static Vec3 fan_area(const ClosedMesh *mesh, int32_t vertex, Vec3 point, Vec3 side, double *min)
{
    Vec3 sum = {0.0, 0.0, 0.0};
    int32_t edge = mesh->edge_of[vertex];
    *min = HUGE_VAL;
    do {
        const Vec3 area = vec3_cross(vec3_sub(mesh->points[edge_end(mesh, edge)], point),
                                     vec3_sub(mesh->points[edge_apex(mesh, edge)], point));
        const double size = vec3_length(area);
        sum = vec3_add(sum, area);
        *min = fmin(*min, size > 0.0 ? vec3_dot(area, side) / size : -1.0);
        edge = edge_around(mesh, edge);
    } while (edge != mesh->edge_of[vertex]);
    return sum;
}

/* Moves each vertex half of the way to the average of its neighbours, within the surface. Leaves a vertex
 * alone if a triangle would flip. */
static void vertices_relax(Remesh *work)
{
    const double STRIDE = 0.5, UPRIGHT = 0.3;
    ClosedMesh *mesh = work->mesh;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->edge_of[v] < 0)
            continue;
        const Vec3 p = mesh->points[v];
        Vec3 sum = {0.0, 0.0, 0.0};
        double weight = 0.0, before, after;
        FOR_EDGES_AT (mesh, v, edge) {
            const Vec3 q = mesh->points[edge_end(mesh, edge)];
            sum = vec3_add(sum, vec3_sub(q, p));
            weight += 1.0;
        }
        const Vec3 zero = {0.0, 0.0, 0.0}, normal = vec3_normalize(fan_area(mesh, v, p, zero, &before));
        Vec3 move = vec3_scale(sum, STRIDE / weight);
        move = vec3_add_scaled(move, normal, -vec3_dot(move, normal));
        const Vec3 moved = work->surface->project(work->surface->context, vec3_add(p, move));
        fan_area(mesh, v, p, normal, &before);
        fan_area(mesh, v, moved, normal, &after);
        if (after > UPRIGHT || after >= before) {
            mesh->points[v] = moved;
            work->lengths[v] = work->surface->length(work->surface->context, moved);
        }
    }
}

/* Returns the number of vertices that are left after collapsing edges: half of them, or `wanted` if that is
 * less. A surface with fewer than 64 vertices keeps all of them if at least as many are wanted. */
static int collapsed_count(int vertex_count, int wanted)
{
    const int ENOUGH = 64,
              half = vertex_count < ENOUGH && wanted >= vertex_count ? vertex_count : vertex_count / 2;
    return wanted < half ? wanted : half;
}

int remesh_capacity(int vertex_count, int wanted)
{
    return wanted - collapsed_count(vertex_count, wanted);
}

static void remesh_clear(Remesh *work)
{
    FREE_ALL(work->lengths, work->edges.entries);
}

/* Works in three stages. First collapses the edges that are shortest relative to the wanted length (see
 * collapsed_count). Then splits the longest edges until there are `wanted` vertices. Finally alternates
 * between flipping edges towards the Delaunay triangulation and moving vertices, within the surface,
 * towards the average of their neighbours. */
Status closed_mesh_remesh(ClosedMesh *mesh, int wanted, const RemeshSurface *surface,
                          const Progress *progress)
{
    CLEANUP(remesh_clear) Remesh work = {.mesh = mesh, .surface = surface, .progress = progress};
    const int fewest = collapsed_count(mesh->vertices_alive, wanted);
    ALLOCATE(work.lengths, mesh->vertex_capacity, "a surface");
#pragma omp parallel for schedule(dynamic, 256)
    for (int v = 0; v < mesh->vertex_count; v++) {
        mesh->points[v] = surface->project(surface->context, mesh->points[v]);
        work.lengths[v] = surface->length(surface->context, mesh->points[v]);
    }
    STATUS_TRY(count_approach(&work, fewest));
    edges_flip(&work);
    vertices_relax(&work);
    STATUS_TRY(count_approach(&work, wanted));
    for (int round = 0; round < ROUNDS; round++) {
        edges_flip(&work);
        vertices_relax(&work);
        STATUS_TRY(progress_try(progress, "smoothing the surface", (round + 1.0) / ROUNDS, NULL));
    }
    return closed_mesh_compact(mesh);
}
