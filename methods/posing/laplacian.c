/* Factors the matrix D + step L of a mesh once with CHOLMOD. Unlike I + step D^-1 L, this matrix is
 * symmetric and positive definite. */
#include "methods/posing/laplacian.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/validate.h"

const char *const laplacian_choices[] = {"uniform", "cotangent", NULL};

typedef struct EdgeList {
    SparseEntry *entries; /* [edges] entries with row > column; the value is the edge's weight A */
    size_t count;
} EdgeList;

static Status edges_uniform(const Mesh *mesh, EdgeList *out)
{
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    ALLOCATE(out->entries, count, "the Laplacian of a mesh");
    for (int i = 0; i < count; i++)
        out->entries[i] = (SparseEntry){edges[i].high, edges[i].low, 1.0};
    out->count = (size_t)count;
    return status_ok();
}

/* Lists three edges per triangle. If triangles have an edge in common, the weights that they give it are
 * added. A triangle without area contributes nothing. */
static Status edges_cotangent(const Mesh *mesh, EdgeList *out)
{
    ALLOCATE_TABLE(out->entries, mesh->triangle_count, 3, "the Laplacian of a mesh");
    for (int64_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corners = mesh->triangles + 3 * i;
        for (int corner = 0; corner < 3; corner++) {
            const int32_t one = corners[(corner + 1) % 3], other = corners[(corner + 2) % 3];
            const Vec3 tip = point_at(mesh->rest, corners[corner]);
            const Vec3 a = vec3_sub(point_at(mesh->rest, one), tip),
                       b = vec3_sub(point_at(mesh->rest, other), tip);
            const double twice_area = vec3_length(vec3_cross(a, b));
            if (one != other && twice_area > 0.0)
                out->entries[out->count++] = (SparseEntry){
                    one > other ? one : other, one > other ? other : one, 0.5 * vec3_dot(a, b) / twice_area};
        }
    }
    return status_ok();
}

static void edges_clear(EdgeList *edges)
{
    memory_free(edges->entries);
}

Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, double step, Laplacian *out)
{
    CLEANUP(edges_clear) EdgeList edges = {0};
    CLEANUP(laplacian_clear) Laplacian made = {.vertex_count = mesh->vertex_count};
    const size_t vertices = (size_t)mesh->vertex_count;
    *out = (Laplacian){0};
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY((weights == LAPLACIAN_UNIFORM ? edges_uniform : edges_cotangent)(mesh, &edges));
    ALLOCATE(made.degree, vertices, "the Laplacian of a mesh");
    LOCAL_ARRAY(SparseEntry, entries, edges.count + vertices, "the Laplacian of a mesh");
    for (size_t i = 0; i < edges.count; i++) {
        made.degree[edges.entries[i].row] += edges.entries[i].value;
        made.degree[edges.entries[i].column] += edges.entries[i].value;
        entries[i] = edges.entries[i];
        entries[i].value *= -step;
    }
    for (size_t v = 0; v < vertices; v++) {
        const bool apart = !(made.degree[v] > 0.0);
        if (apart)
            made.degree[v] = 1.0;
        entries[edges.count + v] = (SparseEntry){(int)v, (int)v, apart ? 1.0 : (1.0 + step) * made.degree[v]};
    }
    if (vertices > 0) {
        STATUS_TRY(sparse_cholesky_factor(mesh->vertex_count, edges.count + vertices, entries,
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
    memory_free(laplacian->degree);
    *laplacian = (Laplacian){0};
}

Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x)
{
    return laplacian->factor
               ? sparse_cholesky_smooth(laplacian->factor, laplacian->degree, iterations, columns, x)
               : status_ok();
}
