/* For implicit steps, CHOLMOD factors the matrix D + step L of a mesh once. Unlike I + step D^-1 L, this
 * matrix is symmetric and positive definite. */
#include "methods/posing/laplacian.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/validate.h"

const char *const laplacian_choices[] = {"uniform", "cotangent", NULL};
const char *const smoothing_steps_choices[] = {"explicit", "implicit", NULL};

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

/* Raises the degree of vertices with negative edge weights. The eigenvalues of share D^-1 L are at most the
 * largest share (degree + sum of absolute weights) / D (Gershgorin), and explicit steps are stable up
 * to 2. */
static Status degrees_raise(Laplacian *laplacian)
{
    const double share = laplacian_share(laplacian);
    LOCAL_ARRAY(double, absolute, laplacian->vertex_count, "the Laplacian of a mesh");
    for (size_t i = 0; i < laplacian->edge_count; i++) {
        absolute[laplacian->edges[i].row] += fabs(laplacian->edges[i].value);
        absolute[laplacian->edges[i].column] += fabs(laplacian->edges[i].value);
    }
    for (size_t v = 0; v < (size_t)laplacian->vertex_count; v++) {
        double *degree = &laplacian->degree[v];
        *degree = absolute[v] > 0.0 ? fmax(*degree, 0.5 * share * (*degree + absolute[v])) : 1.0;
    }
    return status_ok();
}

static Status laplacian_factor(Laplacian *laplacian)
{
    const size_t vertices = (size_t)laplacian->vertex_count, edges = laplacian->edge_count;
    LOCAL_ARRAY(SparseEntry, entries, edges + vertices, "the Laplacian of a mesh");
    for (size_t i = 0; i < edges; i++) {
        entries[i] = laplacian->edges[i];
        entries[i].value *= -laplacian->step;
    }
    for (size_t v = 0; v < vertices; v++) {
        const bool apart = !(laplacian->degree[v] > 0.0);
        if (apart)
            laplacian->degree[v] = 1.0;
        entries[edges + v] =
            (SparseEntry){(int)v, (int)v, apart ? 1.0 : (1.0 + laplacian->step) * laplacian->degree[v]};
    }
    STATUS_TRY(sparse_cholesky_factor(laplacian->vertex_count, edges + vertices, entries, SPARSE_REPEATABLE,
                                      &laplacian->factor));
    return laplacian->factor
               ? status_ok()
               : bad_input("the Laplacian of this mesh is singular: its triangles are too thin");
}

Status laplacian_init(const Mesh *mesh, LaplacianWeights weights, SmoothingSteps steps, double step,
                      Laplacian *out)
{
    CLEANUP(laplacian_clear)
    Laplacian made = {.steps = steps, .step = step, .vertex_count = mesh->vertex_count};
    *out = (Laplacian){0};
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY((weights == LAPLACIAN_UNIFORM ? edges_uniform : edges_cotangent)(mesh, &made));
    ALLOCATE(made.degree, mesh->vertex_count, "the Laplacian of a mesh");
    for (size_t i = 0; i < made.edge_count; i++) {
        made.degree[made.edges[i].row] += made.edges[i].value;
        made.degree[made.edges[i].column] += made.edges[i].value;
    }
    if (steps == STEPS_EXPLICIT)
        STATUS_TRY(degrees_raise(&made));
    else if (mesh->vertex_count > 0)
        STATUS_TRY(laplacian_factor(&made));
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

double laplacian_share(const Laplacian *laplacian)
{
    return laplacian->step / (1.0 + laplacian->step);
}

static Status explicit_steps(const Laplacian *laplacian, int iterations, size_t columns, double *x)
{
    const size_t vertices = (size_t)laplacian->vertex_count;
    LOCAL_TABLE(double, moves, vertices, columns, "the smoothing of a mesh");
    for (int iteration = 0; iteration < iterations; iteration++) {
        memset(moves, 0, vertices * columns * sizeof *moves);
        for (size_t i = 0; i < laplacian->edge_count; i++) {
            const SparseEntry *edge = &laplacian->edges[i];
            const size_t row = (size_t)edge->row * columns, column = (size_t)edge->column * columns;
            for (size_t k = 0; k < columns; k++) {
                const double move = edge->value * (x[column + k] - x[row + k]);
                moves[row + k] += move;
                moves[column + k] -= move;
            }
        }
        for (size_t i = 0; i < vertices * columns; i++)
            x[i] += laplacian_share(laplacian) / laplacian->degree[i / columns] * moves[i];
    }
    return status_ok();
}

Status laplacian_smooth(const Laplacian *laplacian, int iterations, int columns, double *x)
{
    if (laplacian->steps == STEPS_EXPLICIT)
        return explicit_steps(laplacian, iterations, (size_t)columns, x);
    return laplacian->factor
               ? sparse_cholesky_smooth(laplacian->factor, laplacian->degree, iterations, columns, x)
               : status_ok();
}
