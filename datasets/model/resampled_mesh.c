/* Decimates a surface by collapsing its shortest edges in rounds. An edge moves one of its ends to the other
 * if this keeps the surface a manifold (the link condition) and turns no triangle over. In a round, each
 * vertex takes part in one collapse at most, as an end or as a neighbour of the end that moves. To remesh,
 * every triangle is first divided into four; the vertices that are left then spread evenly over the
 * surface. */
#include "datasets/model/resampled_mesh.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/geometry/triangle_grid.h"
#include "datasets/model/welding.h"

typedef struct RankedEdge {
    double length;
    int32_t edge;
} RankedEdge;

static int ranked_edge_compare(const void *left, const void *right)
{
    const RankedEdge *a = left, *b = right;
    if (a->length < b->length || a->length > b->length)
        return a->length < b->length ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Divides each triangle into four at the middles of its edges. */
static Status triangles_divide(Mesh *mesh)
{
    OWNED MeshEdge *edges = NULL;
    Mesh finer = {0};
    int count = 0;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    if (mesh->triangle_count > INT32_MAX / 12 || mesh->vertex_count > INT32_MAX / 12)
        return bad_input("the mesh is too large to be remeshed");
    STATUS_TRY(mesh_allocate(&finer, mesh->vertex_count + count, 4 * mesh->triangle_count));
    memcpy(finer.rest, mesh->rest, 3 * (size_t)mesh->vertex_count * sizeof *finer.rest);
    for (int e = 0; e < count; e++)
        point_set(
            finer.rest, mesh->vertex_count + e,
            vec3_scale(vec3_add(point_at(mesh->rest, edges[e].low), point_at(mesh->rest, edges[e].high)),
                       0.5));
    for (ptrdiff_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangles + 3 * t;
        int32_t m[3]; /* middle of the edge from corner i to corner i + 1 */
        for (int i = 0; i < 3; i++) {
            const MeshEdge *found = mesh_edge_find(edges, count, c[i], c[(i + 1) % 3]);
            m[i] = found ? mesh->vertex_count + (int32_t)(found - edges) : c[i];
        }
        const int32_t parts[] = {c[0], m[0], m[2], m[0], c[1], m[1], m[2], m[1], c[2], m[0], m[1], m[2]};
        memcpy(finer.triangles + 12 * t, parts, sizeof parts);
    }
    mesh_clear(mesh);
    *mesh = finer;
    return status_ok();
}

/* Whether a triangle has the corners a, b and c; two of them may be equal. */
static bool joined(const Mesh *mesh, const Grouping *corners, int32_t a, int32_t b, int32_t c)
{
    for (int64_t i = corners->first[a]; i < corners->first[a + 1]; i++) {
        const int32_t *t = mesh->triangles + corners->members[i] / 3 * 3;
        if ((t[0] == b || t[1] == b || t[2] == b) && (t[0] == c || t[1] == c || t[2] == c))
            return true;
    }
    return false;
}

/* Returns the height of a triangle above its longest side, as a share of that side. */
static double triangle_height(const float *points, const int32_t corners[3])
{
    double longest = 0.0;
    for (int i = 0; i < 3; i++)
        longest =
            fmax(longest,
                 vec3_length(vec3_sub(point_at(points, corners[i]), point_at(points, corners[(i + 1) % 3]))));
    return longest > 0.0 ? vec3_length(triangle_cross(points, corners)) / (longest * longest) : 0.0;
}

/* Whether vertex `from` can move to `to` at the other end of an edge. */
static bool collapse_is_allowed(const Mesh *mesh, const Grouping *corners, int32_t from, int32_t to)
{
    const double UPRIGHT = 0.5; /* smallest cosine of the angle by which a triangle may turn */
    const double SLENDER = 0.1; /* a triangle may become flatter, but not flatter than this */
    for (int64_t side = 2 * corners->first[from]; side < 2 * corners->first[from + 1]; side++) {
        const int32_t next = vertex_neighbour(mesh->triangles, corners, side);
        if (next != to && joined(mesh, corners, to, next, next) && !joined(mesh, corners, from, to, next))
            return false;
    }
    for (int64_t i = corners->first[from]; i < corners->first[from + 1]; i++) {
        const int32_t *t = mesh->triangles + corners->members[i] / 3 * 3;
        const int32_t moved[3] = {t[0] == from ? to : t[0], t[1] == from ? to : t[1],
                                  t[2] == from ? to : t[2]};
        const Vec3 before = triangle_cross(mesh->rest, t), after = triangle_cross(mesh->rest, moved);
        if (t[0] != to && t[1] != to && t[2] != to &&
            !(vec3_dot(before, after) >= UPRIGHT * vec3_length(before) * vec3_length(after) &&
              triangle_height(mesh->rest, moved) >= fmin(SLENDER, triangle_height(mesh->rest, t))))
            return false;
    }
    return true;
}

/* Marks the vertices of edges that do not have one triangle on each side. */
static void border_mark(const MeshEdge *edges, int count, bool *border)
{
    for (int e = 0; e < count; e++)
        if (edges[e].forwards != 1 || edges[e].backwards != 1)
            border[edges[e].low] = border[edges[e].high] = true;
}

/* Collapses edges until `wanted` vertices are left or the round is over. *mesh loses the vertices that
 * moved. */
static Status collapse_round(Mesh *mesh, int wanted)
{
    const int vertices = mesh->vertex_count;
    CLEANUP(grouping_clear) Grouping corners = {0};
    OWNED MeshEdge *edges = NULL;
    int count = 0, left = vertices;
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, vertices, &corners));
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, vertices, &edges, &count));
    LOCAL_ARRAY(RankedEdge, order, count, "the edges of a mesh");
    LOCAL_ARRAY(int32_t, target, vertices, "the vertices of a mesh"); /* where a vertex went */
    LOCAL_ARRAY(bool, taken, vertices, "the vertices of a mesh");
    LOCAL_ARRAY(bool, border, vertices, "the vertices of a mesh");
    border_mark(edges, count, border);
    for (int32_t e = 0; e < count; e++)
        order[e] = (RankedEdge){
            vec3_length(vec3_sub(point_at(mesh->rest, edges[e].low), point_at(mesh->rest, edges[e].high))),
            e};
    qsort(order, (size_t)count, sizeof *order, ranked_edge_compare);
    for (int32_t v = 0; v < vertices; v++)
        target[v] = v;
    for (int e = 0; e < 2 * count && left > wanted; e++) { /* both directions of each edge */
        const MeshEdge *edge = &edges[order[e / 2].edge];
        const int32_t from = e % 2 ? edge->low : edge->high, to = e % 2 ? edge->high : edge->low;
        const bool along = edge->forwards != 1 || edge->backwards != 1;
        if (taken[from] || taken[to] || (border[from] && !along) ||
            !collapse_is_allowed(mesh, &corners, from, to))
            continue;
        for (int64_t side = 2 * corners.first[from]; side < 2 * corners.first[from + 1]; side++)
            taken[vertex_neighbour(mesh->triangles, &corners, side)] = true;
        taken[from] = true;
        target[from] = to;
        left--;
    }
    /* renumber the vertices, and drop the triangles of collapsed edges */
    LOCAL_ARRAY(int32_t, number, vertices, "the vertices of a mesh");
    int kept = 0, triangles = 0;
    for (int32_t v = 0; v < vertices; v++)
        if (target[v] == v) {
            memmove(mesh->rest + 3 * (ptrdiff_t)kept, mesh->rest + 3 * (ptrdiff_t)v, 3 * sizeof *mesh->rest);
            number[v] = kept++;
        }
    for (ptrdiff_t t = 0; t < mesh->triangle_count; t++) {
        int32_t c[3];
        for (int i = 0; i < 3; i++)
            c[i] = number[target[mesh->triangles[3 * t + i]]];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memcpy(mesh->triangles + 3 * (ptrdiff_t)triangles++, c, sizeof c);
    }
    mesh->vertex_count = kept;
    mesh->triangle_count = triangles;
    return status_ok();
}

/* Moves each vertex that is not on a boundary half of the way to the average of its neighbours, and then to
 * the closest point of the surface. */
static Status vertices_spread(const TriangleGrid *grid, Mesh *mesh)
{
    CLEANUP(grouping_clear) Grouping corners = {0};
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    LOCAL_ARRAY(bool, border, mesh->vertex_count, "the vertices of a mesh");
    border_mark(edges, count, border);
    for (ptrdiff_t v = 0; v < mesh->vertex_count; v++) {
        const int64_t first = 2 * corners.first[v], end = 2 * corners.first[v + 1];
        Vec3 sum = {0.0, 0.0, 0.0}, place = {0.0, 0.0, 0.0};
        double shares[3];
        if (border[v] || first == end)
            continue;
        for (int64_t side = first; side < end; side++)
            sum = vec3_add(sum, point_at(mesh->rest, vertex_neighbour(mesh->triangles, &corners, side)));
        sum = vec3_scale(vec3_add_scaled(point_at(mesh->rest, v), sum, 1.0 / (double)(end - first)), 0.5);
        const int32_t *hit = grid->triangles + 3 * (ptrdiff_t)triangle_grid_nearest(grid, sum, shares);
        for (int i = 0; i < 3; i++)
            place = vec3_add_scaled(place, point_at(grid->points, hit[i]), shares[i]);
        point_set(mesh->rest, v, place);
    }
    return status_ok();
}

Status mesh_resample(const Mesh *mesh, Resampling resampling, double share, Mesh *out)
{
    enum { SPREAD_ROUNDS = 5 };
    CLEANUP(welding_clear) Welding welding = {0};
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    UNDO_ON_FAILURE(mesh_clear) Mesh *unfinished = out;
    if (!(share > 0.0 && share <= 1.0))
        return bad_usage("a copy of a mesh has a share of its vertices above 0 and at most 1, not %g", share);
    STATUS_TRY(welding_find(mesh, NULL, &welding));
    const Mesh *surface = &welding.mesh;
    const int wanted = (int)ceil(share * surface->vertex_count);
    STATUS_TRY(triangle_grid_init(surface->rest, surface->vertex_count, surface->triangles,
                                  surface->triangle_count, &grid));
    STATUS_TRY(mesh_copy(surface, out));
    if (resampling == RESAMPLE_REMESH)
        STATUS_TRY(triangles_divide(out));
    for (int before = INT32_MAX; out->vertex_count > wanted && out->vertex_count < before;) {
        before = out->vertex_count;
        STATUS_TRY(collapse_round(out, wanted));
    }
    for (int round = 0; round < SPREAD_ROUNDS && resampling == RESAMPLE_REMESH; round++)
        STATUS_TRY(vertices_spread(&grid, out));
    unfinished = NULL;
    return status_ok();
}
