/* Factors the matrix D + step L of a mesh once with CHOLMOD. Unlike I + step D^-1 L, this matrix is
 * symmetric and positive definite. */
#include "methods/posing/laplacian.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/validate.h"

const char *const laplacian_choices[] = {"uniform", "cotangent", NULL};

static Status edges_uniform(const Mesh *mesh, Laplacian *out)
{
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    ALLOCATE(out->edges, count, "the Laplacian of a mesh");
    for (int i = 0; i < count; i++)
        out->edges[i] = (SparseEntry){edges[i].high, edges[i].low, 1.0};
    out->edge_count = (size_t)count;
    return status_ok();
}

/* Lists three edges per triangle. If triangles have an edge in common, the weights that they give it are
 * added. A triangle without area contributes nothing. */
static Status edges_cotangent(const Mesh *mesh, Laplacian *out)
{
    ALLOCATE_TABLE(out->edges, mesh->triangle_count, 3, "the Laplacian of a mesh");
    for (int64_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corners = mesh->triangles + 3 * i;
        for (int corner = 0; corner < 3; corner++) {
            const int32_t one = corners[(corner + 1) % 3], other = corners[(corner + 2) % 3];
            const Vec3 tip = point_at(mesh->rest, corners[corner]);
            const Vec3 a = vec3_sub(point_at(mesh->rest, one), tip),
                       b = vec3_sub(point_at(mesh->rest, other), tip);
            const double twice_area = vec3_length(vec3_cross(a, b));
            if (one != other && twice_area > 0.0)
                out->edges[out->edge_count++] = (SparseEntry){
                    one > other ? one : other, one > other ? other : one, 0.5 * vec3_dot(a, b) / twice_area};
        }
    }
    return status_ok();
}

Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, double step, Laplacian *out)
{
    CLEANUP(laplacian_clear) Laplacian made = {.vertex_count = mesh->vertex_count};
    const size_t vertices = (size_t)mesh->vertex_count;
    *out = (Laplacian){0};
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY((weights == LAPLACIAN_UNIFORM ? edges_uniform : edges_cotangent)(mesh, &made));
    ALLOCATE(made.degree, vertices, "the Laplacian of a mesh");
    LOCAL_ARRAY(SparseEntry, entries, made.edge_count + vertices, "the Laplacian of a mesh");
    for (size_t i = 0; i < made.edge_count; i++) {
        made.degree[made.edges[i].row] += made.edges[i].value;
        made.degree[made.edges[i].column] += made.edges[i].value;
        entries[i] = made.edges[i];
        entries[i].value *= -step;
    }
    for (size_t v = 0; v < vertices; v++) {
        const bool apart = !(made.degree[v] > 0.0);
        if (apart)
            made.degree[v] = 1.0;
        entries[made.edge_count + v] =
            (SparseEntry){(int)v, (int)v, apart ? 1.0 : (1.0 + step) * made.degree[v]};
    }
    if (vertices > 0) {
        STATUS_TRY(sparse_cholesky_factor(mesh->vertex_count, made.edge_count + vertices, entries,
                                          SPARSE_REPEATABLE, &made.factor));
        if (!made.factor)
            return bad_input("the Laplacian of this mesh is singular: its triangles are too thin");
    }
    *out = made;
    made = (Laplacian){0};
    return status_ok();
}

void laplacian_clear(Laplacian *laplacian)
{
    sparse_cholesky_free(laplacian->factor);
    FREE_ALL(laplacian->degree, laplacian->edges);
    *laplacian = (Laplacian){0};
}

Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x)
{
    return laplacian->factor
               ? sparse_cholesky_smooth(laplacian->factor, laplacian->degree, iterations, columns, x)
               : status_ok();
}
