/* Cuts cloth into rows of nearly equilateral triangles and makes strain and bending elements from it
 * (projective.h). */
#include "datasets/generate/fabric.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"

/* Returns the position of vertex `index` along its row, from 0 to 1. In a ring, index `count` means the
 * first vertex again. Every second ring is shifted by half a step. */
static double along_row(const FabricCut *cut, int row, int index, int count)
{
    return cut->closed ? (index + 0.5 * (row % 2)) / count : (double)index / (count - 1);
}

/* Fills the strip between a row of `a` vertices and the next row of `b` vertices with triangles. Each new
 * triangle advances by one vertex along one of the two rows, the one of which a smaller fraction has been
 * used. Returns the number of triangles. */
static int strip_fill(const FabricCut *cut, int row, int first, int a, int b, int32_t *triangles)
{
    const int second = first + a, end_a = cut->closed ? a : a - 1, end_b = cut->closed ? b : b - 1;
    int i = 0, j = 0, count = 0;
    while (i < end_a || j < end_b) {
        const bool step_a =
            j == end_b ||
            (i < end_a && along_row(cut, row, i + 1, a) + along_row(cut, row, i, a) <=
                              along_row(cut, row + 1, j + 1, b) + along_row(cut, row + 1, j, b));
        int32_t *out = triangles + 3 * (ptrdiff_t)count++;
        out[0] = first + (i < a ? i : 0); /* after the last vertex of a ring comes its first vertex */
        out[1] = second + (j < b ? j : 0);
        i += step_a;
        j += !step_a;
        out[2] = step_a ? first + (i < a ? i : 0) : second + (j < b ? j : 0);
    }
    return count;
}

static Status piece_mesh_make(const FabricCut *cut, Mesh *mesh, int *pinned)
{
    const double area = 0.5 * (cut->first + cut->last) * cut->width;
    const double step = sqrt(area / (0.87 * cut->vertices));
    const int fitting = 1 + (int)floor(cut->width / (0.87 * step) + 0.5), max = cut->vertices / 8;
    const int row_count = fitting < 2 ? 2 : int_min(fitting, max);
    int vertex = 0, triangle = 0;
    LOCAL_ARRAY(int, rows, row_count, "a piece of cloth");
    double all = 0.0, sum = 0.0;
    int done = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < row_count; r++) {
            const double length = cut->first + (cut->last - cut->first) * r / (row_count - 1);
            const double mean = 0.5 * (cut->first + cut->last) * row_count / cut->vertices;
            const double share = length + (cut->closed ? 0.0 : r % 2 ? 0.5 : -0.5) * mean;
            if (pass == 0) {
                all += share;
                continue;
            }
            sum += share;
            const int next = r + 1 == row_count ? cut->vertices : (int)floor(cut->vertices * sum / all + 0.5);
            rows[r] = next - done;
            done = next;
        }
    *pinned = rows[0];
    const int ends = rows[0] + rows[row_count - 1];
    STATUS_TRY(mesh_allocate(mesh, cut->vertices,
                             2 * cut->vertices - ends - (cut->closed ? 0 : 2 * (row_count - 1))));
    for (int r = 0; r < row_count; vertex += rows[r++]) {
        for (int i = 0; i < rows[r]; i++) {
            const double along = along_row(cut, r, i, rows[r]);
            point_set(mesh->rest, vertex + i, cut->place(cut->context, along, (double)r / (row_count - 1)));
        }
        if (r + 1 < row_count)
            triangle +=
                strip_fill(cut, r, vertex, rows[r], rows[r + 1], mesh->triangles + 3 * (ptrdiff_t)triangle);
    }
    return status_ok();
}

/* For every edge, finds the opposite vertex in each of its two triangles, tips [edge_count][2]. An entry is
 * -1 if the edge has no such triangle. */
static void tips_find(const Mesh *mesh, const MeshEdge *edges, int edge_count, int32_t (*tips)[2])
{
    for (int e = 0; e < edge_count; e++)
        tips[e][0] = tips[e][1] = -1;
    for (int corner = 0; corner < 3 * mesh->triangle_count; corner++) {
        const int32_t *triangle = mesh->triangles + corner - corner % 3;
        const int32_t a = triangle[corner % 3], b = triangle[(corner + 1) % 3];
        const MeshEdge *edge = mesh_edge_find(edges, edge_count, a, b);
        if (edge)
            tips[edge - edges][a < b ? 0 : 1] = triangle[(corner + 2) % 3];
    }
}

/* Returns a tether from a vertex to its nearest pin. The pins are the first vertices of the model. */
static Tether tether_to_pin(const ProjectiveModel *model, int vertex, double limit)
{
    int nearest = 0;
    double min = INFINITY;
    for (int pin = 0; pin < model->pin_count; pin++) {
        const double length = vec3_length(vec3_sub(model->start[vertex], model->start[pin]));
        nearest = length < min ? pin : nearest;
        min = length < min ? length : min;
    }
    return (Tether){{nearest, vertex}, (1.0 + limit) * min};
}

static void elements_make(const Mesh *mesh, const FabricMaterial *material, const MeshEdge *edges,
                          int32_t (*tips)[2], int edge_count, ProjectiveModel *model)
{
    Vec3 rest[4];
    for (int v = 0; v < mesh->vertex_count; v++)
        model->start[v] = point_at(mesh->rest, v);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        for (int i = 0; i < 3; i++)
            rest[i] = model->start[corners[i]];
        const double area = strain_element_make(3, corners, rest, material->stretch, &model->elements[t]);
        for (int i = 0; i < 3; i++)
            model->masses[corners[i]] += material->density * area / 3.0;
    }
    /* Tethers to pins come first, because they distribute the load on the pins (Kim, Chentanez and Mueller
     * 2012, Long Range Attachments). */
    for (int v = 0; v < model->vertex_count - model->pin_count; v++)
        model->tethers[v] = tether_to_pin(model, model->pin_count + v, material->limit);
    Tether *tethers = model->tethers + model->vertex_count - model->pin_count;
    for (int e = 0, bend = 0; e < edge_count; e++) {
        const int32_t vertices[4] = {edges[e].low, edges[e].high, tips[e][0], tips[e][1]};
        for (int i = 0; i < 4; i++)
            rest[i] = model->start[vertices[i] < 0 ? 0 : vertices[i]];
        const double length = vec3_length(vec3_sub(rest[1], rest[0]));
        tethers[e] = (Tether){{vertices[0], vertices[1]}, (1.0 + material->limit) * length};
        if (vertices[2] >= 0 && vertices[3] >= 0)
            bend_element_make(vertices, rest, material->bend, &model->bends[bend++]);
    }
}

Status fabric_make(const FabricCut *cut, const FabricMaterial *material, Mesh *mesh, ProjectiveModel *model)
{
    typedef int32_t Tips[2];
    OWNED MeshEdge *edges = NULL;
    int edge_count = 0, pinned = 0;
    *model = (ProjectiveModel){.corners = 3};
    STATUS_TRY(piece_mesh_make(cut, mesh, &pinned));
    STATUS_TRY(
        mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &edge_count));
    LOCAL_ARRAY(Tips, tips, edge_count, "a piece of cloth");
    tips_find(mesh, edges, edge_count, tips);
    model->vertex_count = mesh->vertex_count;
    model->element_count = mesh->triangle_count;
    model->tether_count = edge_count + mesh->vertex_count - pinned;
    model->pin_count = pinned;
    for (int e = 0; e < edge_count; e++)
        model->bend_count += tips[e][0] >= 0 && tips[e][1] >= 0;
    STATUS_TRY(projective_allocate(model));
    for (int i = 0; i < pinned; i++)
        model->pins[i] = i;
    elements_make(mesh, material, edges, tips, edge_count, model);
    return status_ok();
}

static void frame_deliver(void *context, int frame, const Vec3 *positions)
{
    const ProjectiveModel *model = ((const void **)context)[0];
    Animation *animation = ((void **)context)[1];
    for (int v = 0; v < model->vertex_count; v++)
        point_set(animation->positions, (ptrdiff_t)frame * model->vertex_count + v, positions[v]);
}

Status fabric_animate(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress, Animation *animation)
{
    STATUS_TRY(animation_allocate(animation, frame_count, model->vertex_count, 0));
    const void *context[2] = {model, animation};
    return projective_run(model, scene, lead, frame_count, progress, frame_deliver, context);
}
