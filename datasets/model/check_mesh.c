/* Checks meshes. Triangles must be in range, not degenerate and not repeated; edges should be manifold,
 * oriented and closed. */
#include "datasets/model/check.h"

#include "datasets/base/parameters.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"

static Status check_vertex_order(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    if (!mesh->original_vertices)
        return status_ok();
    /* [original number] vertex with this original number, counted from 1; 0 if none was found yet */
    LOCAL_ARRAY(int32_t, owners, mesh->vertex_count, "the order of the vertices");
    for (int32_t v = 0; v < mesh->vertex_count && !(finding->first_only && finding->count > 0); v++) {
        const int32_t original = mesh->original_vertices[v];
        if (original < 0 || original >= mesh->vertex_count)
            check_fault(finding, "mesh/original_vertices[%d] is %d, expected 0 to %d", v, original,
                        mesh->vertex_count - 1);
        else if (owners[original] > 0)
            check_fault(finding, "mesh/original_vertices[%d] is %d, the same as that of vertex %d", v,
                        original, owners[original] - 1);
        else
            owners[original] = v + 1;
    }
    return status_ok();
}

static void check_attribute_names(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    for (int i = 0; i < mesh->attribute_count; i++) {
        const char *name = mesh->attribute_names[i];
        if (!attribute_name_is_sound(name))
            check_fault(finding, "mesh/attributes has the name '%.60s', expected " ATTRIBUTE_NAME_RULE, name);
        for (int k = 0; k < i; k++)
            if (strcmp(mesh->attribute_names[k], name) == 0)
                check_fault(finding, "mesh/attributes has two attributes named '%.60s'", name);
    }
}

static void check_attribute_values(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    for (int i = 0; i < mesh->attribute_count && !(finding->first_only && finding->count > 0); i++) {
        char object[96];
        snprintf(object, sizeof object, "mesh/attributes/%.60s", mesh->attribute_names[i]);
        check_array(&(CheckArray){.object = object,
                                  .floats = mesh->attributes + (ptrdiff_t)i * mesh->vertex_count,
                                  .bound = CHECK_BOUND_LENGTH,
                                  .rank = 1,
                                  .extents = {mesh->vertex_count}},
                    finding);
    }
}

static void check_triangle_range(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    const int64_t count = 3 * (int64_t)mesh->triangle_count;
    for (int64_t i = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
         i >= 0 && i < count && !(finding->first_only && finding->count > 0); i++)
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count)
            check_fault(finding, "mesh/triangles[%lld,%lld] is %d, expected 0 to %d", (long long)i / 3,
                        (long long)i % 3, mesh->triangles[i], mesh->vertex_count - 1);
}

static void check_triangle_degenerate(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (size_t)t;
        if (!triangle_in_range(corners, mesh->vertex_count))
            continue; /* the row triangle-range reports it */
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            check_fault(finding, "mesh/triangles[%d] is %d %d %d, which names a vertex twice", t, corners[0],
                        corners[1], corners[2]);
        else if (vec3_length(triangle_cross(mesh->rest, corners)) == 0.0)
            check_fault(finding, "mesh/triangles[%d] (%d %d %d) has no area in the rest pose", t, corners[0],
                        corners[1], corners[2]);
    }
}

/* A triangle: its vertices in ascending order, and its number. */
typedef struct Face {
    int32_t corners[3];
    int32_t triangle;
} Face;

static int faces_compare(const void *a, const void *b)
{
    const Face *first = a, *second = b;
    for (int i = 0; i < 3; i++)
        if (first->corners[i] != second->corners[i])
            return first->corners[i] < second->corners[i] ? -1 : 1;
    return first->triangle < second->triangle ? -1 : 1;
}

static void swap_if_greater(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        int32_t kept = *a;
        *a = *b;
        *b = kept;
    }
}

static Status check_triangle_duplicate(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    LOCAL_ARRAY(Face, faces, mesh->triangle_count, "the faces");
    for (int t = 0; t < mesh->triangle_count; t++) {
        memcpy(faces[t].corners, mesh->triangles + 3 * (size_t)t, sizeof faces[t].corners);
        swap_if_greater(&faces[t].corners[0], &faces[t].corners[1]);
        swap_if_greater(&faces[t].corners[1], &faces[t].corners[2]);
        swap_if_greater(&faces[t].corners[0], &faces[t].corners[1]);
        faces[t].triangle = t;
    }
    if (mesh->triangle_count > 0)
        qsort(faces, (size_t)mesh->triangle_count, sizeof *faces, faces_compare);
    for (int t = 1; t < mesh->triangle_count; t++)
        if (memcmp(faces[t].corners, faces[t - 1].corners, sizeof faces[t].corners) == 0)
            check_fault(finding, "mesh/triangles[%d] joins the same vertices as [%d]: %d %d %d",
                        faces[t].triangle, faces[t - 1].triangle, faces[t].corners[0], faces[t].corners[1],
                        faces[t].corners[2]);
    return status_ok();
}

/* Runs the row of the table that finding->code names. Several rows, which check edges, share this
 * function. */
static Status check_edges(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    const bool manifold = strcmp(finding->code, "edge-manifold") == 0,
               orientation = strcmp(finding->code, "edge-orientation") == 0,
               boundary = strcmp(finding->code, "edge-boundary") == 0;
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    for (const MeshEdge *edge = edges; edge < edges + count; edge++) {
        const int triangles = edge->forwards + edge->backwards;
        if (manifold && triangles > 2)
            check_fault(finding, "%d triangles meet at the edge %d %d", triangles, edge->low, edge->high);
        if (orientation && triangles == 2 && edge->forwards != edge->backwards)
            check_fault(finding, "the two triangles at the edge %d %d have opposite orientations", edge->low,
                        edge->high);
        if (boundary && triangles == 1)
            check_fault(finding, "there is only one triangle at the edge %d %d", edge->low, edge->high);
    }
    return status_ok();
}

static Status check_vertex_unreferenced(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    LOCAL_ARRAY(unsigned char, used, mesh->vertex_count, "the vertices");
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; i++)
        if (triangle_in_range(mesh->triangles + i - i % 3, mesh->vertex_count))
            used[mesh->triangles[i]] = 1;
    for (int v = 0; v < mesh->vertex_count && mesh->triangle_count > 0; v++)
        if (!used[v])
            check_fault(finding, "vertex %d is in no triangle", v);
    return status_ok();
}

const CheckRow check_mesh_rows[] = {
    {"rest-finite", CHECK_ERROR, "rest coordinates are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"triangle-range", CHECK_ERROR, "triangles refer to existing vertices", .look = check_triangle_range,
     .refusal = CHECK_REFUSED},
    {"vertex-order", CHECK_ERROR, "every original vertex occurs once", .run = check_vertex_order,
     .refusal = CHECK_REFUSED},
    {"attribute-name", CHECK_ERROR, "attributes have plain names, which differ",
     .look = check_attribute_names, .refusal = CHECK_REFUSED},
    {"attribute-finite", CHECK_ERROR, "attributes are finite and of a sensible size",
     .look = check_attribute_values, .refusal = CHECK_REFUSED},
    {"triangle-degenerate", CHECK_WARNING, "triangles have three corners and an area",
     .look = check_triangle_degenerate},
    {"triangle-duplicate", CHECK_WARNING, "no triangle occurs twice", .run = check_triangle_duplicate},
    {"edge-manifold", CHECK_WARNING, "at most two triangles meet at an edge", .run = check_edges},
    {"edge-orientation", CHECK_WARNING, "neighbouring triangles have the same orientation",
     .run = check_edges},
    {"edge-boundary", CHECK_NOTE, "the surface is closed", .run = check_edges},
    {"vertex-unreferenced", CHECK_WARNING, "every vertex is in a triangle", .run = check_vertex_unreferenced},
    {.code = NULL},
};
