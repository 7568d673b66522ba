/* Robust transfer by inpainting (Abdrashitov, Raichstat, Monsen, Hill 2023, Robust Skin Weights Transfer via
 * Weight Inpainting). A vertex is matched if the closest point of the source is near and has a similar
 * normal; it then gets the weights there. The other weights W minimise
 *
 *   tr(W^T (L + L A^-1 L) W),
 *
 * where L is the cotangent Laplacian (positive semidefinite) and A has the areas of the vertices. The matched
 * weights are boundary values. Negative results become 0, and each row is scaled to the sum 1. Twins along
 * seams get equal weights.
 *
 * The paper's last step smooths the weights of inpainted vertices and of those near them. It is off by
 * default, because it increases the error if the true weights are known (`skinbench table weights`). */
#include "datasets/rigging/transfer.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/sparse_cholesky.h"
#include "datasets/geometry/triangle_grid.h"
#include "datasets/model/welding.h"
#include "datasets/rigging/bones.h"
#include "datasets/rigging/cotangents.h"

typedef enum TransferParameter {
    TRANSFER_INPAINT,
    TRANSFER_DISTANCE,
    TRANSFER_ANGLE,
    TRANSFER_SMOOTH,
    TRANSFER_PARAMETER_COUNT
} TransferParameter;

const Parameter transfer_parameters[] = {
    [TRANSFER_INPAINT] = {"inpaint",
                          "solve for the weights of vertices without a good match; otherwise all get "
                          "those of the closest point",
                          PARAMETER_FLAG, 1, 0, 1, NULL},
    [TRANSFER_DISTANCE] = {"distance", "largest distance of a good match, as a share of the diagonal",
                           PARAMETER_REAL, 0.05, 0, 10, NULL},
    [TRANSFER_ANGLE] = {"angle", "largest angle between the normals of a good match, in degrees",
                        PARAMETER_REAL, 30, 0, 180, NULL},
    [TRANSFER_SMOOTH] = {"smooth",
                         "steps that smooth the weights of inpainted vertices and of those nearer to them "
                         "than `distance`",
                         PARAMETER_INTEGER, 0, 0, 1000, NULL},
    [TRANSFER_PARAMETER_COUNT] = {NULL, NULL, PARAMETER_FLAG, 0, 0, 0, NULL},
};

enum { WEIGHT_COLUMNS = 8 };

typedef struct Transfer {
    const Dataset *from;
    const double *parameters;
    const Progress *progress;
    Welding welding; /* of the target */
    int joints;
    double *rows;      /* [W][P] weights of the welded target */
    int32_t *unknowns; /* [W] number of the unknown; -1 if the vertex is matched */
    int unknown_count;
} Transfer;

static void transfer_clear(Transfer *transfer)
{
    welding_clear(&transfer->welding);
    FREE_ALL(transfer->rows, transfer->unknowns);
}

/* Gives every vertex the weights of the closest point of the source, and decides whether it is matched. */
static Status closest_take(Transfer *transfer, double reach)
{
    const Mesh *source = &transfer->from->mesh, *mesh = &transfer->welding.mesh;
    const Rig *rig = &transfer->from->rig;
    const double cosine = cos(transfer->parameters[TRANSFER_ANGLE] * PI / 180.0);
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    CLEANUP(welding_clear) Welding welded = {0}; /* the normals of neither surface may see its seams */
    STATUS_TRY(welding_find(source, NULL, &welded));
    LOCAL_TABLE(double, source_normals, welded.mesh.vertex_count, 3, "normals");
    LOCAL_TABLE(double, normals, mesh->vertex_count, 3, "normals");
    vertex_normals(welded.mesh.triangles, source->triangle_count, welded.mesh.vertex_count, welded.mesh.rest,
                   source_normals);
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, normals);
    STATUS_TRY(triangle_grid_init(source->rest, source->vertex_count, source->triangles,
                                  source->triangle_count, &grid));
    for (ptrdiff_t v = 0; v < mesh->vertex_count; v++) {
        const Vec3 place = point_at(mesh->rest, v), normal = vector_at(normals, (size_t)v);
        double shares[3] = {0.0}, *row = transfer->rows + v * transfer->joints;
        const int32_t *corners =
            source->triangles + 3 * (ptrdiff_t)triangle_grid_nearest(&grid, place, shares);
        Vec3 there = vec3_make(0.0, 0.0, 0.0), facing = there;
        for (int i = 0; i < 3; i++) {
            const int64_t first = (int64_t)corners[i] * rig->influence_count;
            there = vec3_add_scaled(there, point_at(source->rest, corners[i]), shares[i]);
            facing = vec3_add_scaled(
                facing, vec3_normalize(vector_at(source_normals, (size_t)welded.welded_of[corners[i]])),
                shares[i]);
            for (int64_t k = first; k < first + rig->influence_count; k++)
                row[rig->weight_joints[k]] += shares[i] * (double)rig->weight_values[k];
        }
        const double along = vec3_dot(normal, facing), lengths = vec3_length(normal) * vec3_length(facing);
        /* Layers of clothes face either way, so the sign of a normal does not matter. */
        const bool alike = lengths == 0.0 || fabs(along) >= cosine * lengths;
        const bool matched = alike && vec3_length(vec3_sub(there, place)) <= reach;
        transfer->unknowns[v] = matched || transfer->parameters[TRANSFER_INPAINT] == 0.0 ? -1 : 0;
    }
    return status_ok();
}

/* Numbers the unknowns. In a piece without a match, nothing is known, so its vertices keep the closest
 * weights. */
static Status unknowns_number(Transfer *transfer, TransferCounts *counts)
{
    const Mesh *mesh = &transfer->welding.mesh;
    LOCAL_ARRAY(int32_t, pieces, mesh->vertex_count, "the pieces of a mesh");
    LOCAL_ARRAY(bool, known, mesh->vertex_count, "the pieces of a mesh");
    mesh_pieces_find(mesh->triangles, mesh->triangle_count, mesh->vertex_count, pieces);
    for (int v = 0; v < mesh->vertex_count; v++)
        known[union_find_root(pieces, v)] |= transfer->unknowns[v] < 0;
    *counts = (TransferCounts){0, 0, 0};
    for (int v = 0; v < mesh->vertex_count; v++) {
        const bool matched = transfer->unknowns[v] < 0, reached = known[union_find_root(pieces, v)];
        transfer->unknowns[v] = matched || !reached ? -1 : transfer->unknown_count++;
        counts->matched += matched;
        counts->inpainted += !matched && reached;
        counts->unmatched += !reached;
    }
    return status_ok();
}

/* Calls `visit` with all pairs of a vertex and another one, or itself, and the values of Q = L + L A^-1 L.
 * The values of a pair add up. */
typedef void PairVisit(void *context, int32_t one, int32_t other, double value);

static Status energy_visit(const Mesh *mesh, PairVisit *visit, void *context)
{
    OWNED MeshEdge *edges = NULL;
    int edge_count = 0;
    CLEANUP(grouping_clear) Grouping corners = {0}, sides = {0};
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &corners));
    STATUS_TRY(
        mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &edge_count));
    LOCAL_ARRAY(double, weights, edge_count, "a Laplacian");
    LOCAL_ARRAY(double, areas, mesh->vertex_count, "a Laplacian");
    LOCAL_ARRAY(int32_t, ends, 2 * (size_t)edge_count, "a Laplacian");
    LOCAL_ARRAY(double, row, mesh->vertex_count, "a Laplacian");
    vertex_areas(mesh, areas);
    for (int e = 0; e < edge_count; e++) {
        weights[e] = cotangent_weight(mesh, &corners, &edges[e]);
        ends[2 * e] = edges[e].low;
        ends[2 * e + 1] = edges[e].high;
        visit(context, edges[e].low, edges[e].low, weights[e]);
        visit(context, edges[e].high, edges[e].high, weights[e]);
        visit(context, edges[e].low, edges[e].high, -weights[e]);
        visit(context, edges[e].high, edges[e].low, -weights[e]);
    }
    STATUS_TRY(grouping_init(ends, 2 * (size_t)edge_count, mesh->vertex_count, "a Laplacian", &sides));
    for (int32_t v = 0; v < mesh->vertex_count; v++) { /* the product of row v of L with itself */
        double center = 0.0;
        for (int64_t i = sides.first[v]; i < sides.first[v + 1]; i++)
            center += weights[sides.members[i] / 2];
        visit(context, v, v, center * center / areas[v]);
        for (int64_t i = sides.first[v]; i < sides.first[v + 1]; i++) {
            const double weight = weights[sides.members[i] / 2];
            const int32_t one = ends[sides.members[i] ^ 1];
            visit(context, v, one, -center * weight / areas[v]);
            visit(context, one, v, -center * weight / areas[v]);
            for (int64_t k = sides.first[v]; k < sides.first[v + 1]; k++)
                visit(context, one, ends[sides.members[k] ^ 1],
                      weight * weights[sides.members[k] / 2] / areas[v]);
        }
    }
    return status_ok();
}

/* The system of the unknowns. A pair of two unknowns is an entry. A pair of an unknown and a matched vertex
 * adds to the right side. */
typedef struct InpaintSystem {
    const Transfer *transfer;
    SparseEntry *entries; /* NULL: only count */
    size_t count;
    int first_joint; /* of the columns of the right side */
    double *right;   /* [unknowns][WEIGHT_COLUMNS]; NULL while entries are made */
} InpaintSystem;

static void system_visit(void *context, int32_t one, int32_t other, double value)
{
    InpaintSystem *system = context;
    const Transfer *transfer = system->transfer;
    const int32_t row = transfer->unknowns[one], column = transfer->unknowns[other];
    if (row >= 0 && column >= 0 && row >= column && !system->right) {
        if (system->entries)
            system->entries[system->count] = (SparseEntry){row, column, value};
        system->count++;
    } else if (row >= 0 && column < 0 && system->right) {
        const double *known = transfer->rows + (ptrdiff_t)other * transfer->joints + system->first_joint;
        for (int i = 0; i < WEIGHT_COLUMNS && system->first_joint + i < transfer->joints; i++)
            system->right[(ptrdiff_t)row * WEIGHT_COLUMNS + i] -= value * known[i];
    }
}

static Status inpaint(Transfer *transfer)
{
    const Mesh *mesh = &transfer->welding.mesh;
    OWNED_BY(sparse_cholesky_free) SparseCholesky *factor = NULL;
    InpaintSystem system = {.transfer = transfer};
    STATUS_TRY(energy_visit(mesh, system_visit, &system));
    LOCAL_ARRAY(SparseEntry, entries, system.count, "the inpainting of weights");
    system = (InpaintSystem){.transfer = transfer, .entries = entries};
    STATUS_TRY(energy_visit(mesh, system_visit, &system));
    STATUS_TRY(
        sparse_cholesky_factor(transfer->unknown_count, system.count, entries, SPARSE_REPEATABLE, &factor));
    if (!factor)
        return bad_input("weights cannot be inpainted on this mesh: its triangles are too irregular");
    LOCAL_TABLE(double, right, transfer->unknown_count, WEIGHT_COLUMNS, "the inpainting of weights");
    for (int first = 0; first < transfer->joints; first += WEIGHT_COLUMNS) {
        memset(right, 0, (size_t)transfer->unknown_count * WEIGHT_COLUMNS * sizeof *right);
        system = (InpaintSystem){.transfer = transfer, .first_joint = first, .right = right};
        STATUS_TRY(energy_visit(mesh, system_visit, &system));
        STATUS_TRY(sparse_cholesky_solve(factor, right, WEIGHT_COLUMNS));
        for (ptrdiff_t v = 0; v < mesh->vertex_count; v++)
            for (int i = 0; i < WEIGHT_COLUMNS && first + i < transfer->joints && transfer->unknowns[v] >= 0;
                 i++)
                transfer->rows[v * transfer->joints + first + i] =
                    fmax(right[(ptrdiff_t)transfer->unknowns[v] * WEIGHT_COLUMNS + i], 0.0);
        STATUS_TRY(progress_try(transfer->progress, "inpainting", (double)first / transfer->joints,
                                "transferring weights"));
    }
    return status_ok();
}

/* Smooths the weights of inpainted vertices, and of vertices whose distance from one along edges is at most
 * `reach`. A step moves a vertex's weights by SHARE towards the average of its neighbours. */
static Status rows_smooth(Transfer *transfer, double reach)
{
    const double SHARE = 0.2;
    const Mesh *mesh = &transfer->welding.mesh;
    const int vertices = mesh->vertex_count, steps = (int)transfer->parameters[TRANSFER_SMOOTH];
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    STATUS_TRY(mesh_edges_make(mesh->triangles, mesh->triangle_count, vertices, &edges, &count));
    LOCAL_ARRAY(double, away, vertices,
                "the smoothing of weights"); /* distance from the nearest inpainted one */
    LOCAL_ARRAY(double, column, vertices, "the smoothing of weights");
    LOCAL_ARRAY(double, sums, vertices, "the smoothing of weights");
    LOCAL_ARRAY(int, degrees, vertices, "the smoothing of weights");
    for (int v = 0; v < vertices; v++)
        away[v] = transfer->unknowns[v] >= 0 ? 0.0 : HUGE_VAL;
    for (int e = 0; e < count; e++) {
        degrees[edges[e].low]++;
        degrees[edges[e].high]++;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < 2 * count; e++) { /* both directions of each edge */
            const MeshEdge *edge = &edges[e / 2];
            const int32_t from = e % 2 ? edge->high : edge->low, to = e % 2 ? edge->low : edge->high;
            const double length = vec3_length(vec3_sub(point_at(mesh->rest, from), point_at(mesh->rest, to)));
            if (away[from] + length < away[to] && away[from] + length <= reach) {
                away[to] = away[from] + length;
                changed = true;
            }
        }
    }
    for (ptrdiff_t j = 0; j < transfer->joints; j++) {
        for (ptrdiff_t v = 0; v < vertices; v++)
            column[v] = transfer->rows[v * transfer->joints + j];
        for (int step = 0; step < steps; step++) {
            memset(sums, 0, (size_t)vertices * sizeof *sums);
            for (int e = 0; e < count; e++) {
                sums[edges[e].low] += column[edges[e].high];
                sums[edges[e].high] += column[edges[e].low];
            }
            for (int v = 0; v < vertices; v++)
                if (away[v] <= reach && degrees[v] > 0)
                    column[v] += SHARE * (sums[v] / degrees[v] - column[v]);
        }
        for (ptrdiff_t v = 0; v < vertices; v++)
            transfer->rows[v * transfer->joints + j] = column[v];
        STATUS_TRY(progress_try(transfer->progress, "smoothing", (double)j / transfer->joints,
                                "transferring weights"));
    }
    return status_ok();
}

/* Makes a rig with the joints and frames of the source, and the largest weights of each row. */
static Status rig_make(const Transfer *transfer, int influences, Rig *out)
{
    const Rig *from = &transfer->from->rig;
    const int vertices = transfer->welding.vertex_count, joints = transfer->joints;
    const int slots = int_min(influences, joints);
    UNDO_ON_FAILURE(rig_clear) Rig *unfinished = out;
    LOCAL_ARRAY(double, weights, slots, "weights");
    LOCAL_ARRAY(int32_t, kept, slots, "weights");
    STATUS_TRY(rig_allocate(out, vertices, joints, from->frame_count, slots));
    for (int j = 0; j < joints; j++) {
        out->parents[j] = from->parents[j];
        out->rest[j] = from->rest[j];
        COPY_TEXT(out->joint_names[j], from->joint_names[j], "a joint's name");
    }
    const size_t poses = (size_t)from->frame_count * (size_t)joints;
    if (poses > 0)
        memcpy(out->transforms, from->transforms, poses * sizeof *out->transforms);
    if (from->scale) {
        ALLOCATE(out->scale, poses, "the scale of joints");
        memcpy(out->scale, from->scale, poses * sizeof *out->scale);
    }
    for (ptrdiff_t v = 0; v < vertices; v++) {
        const double *row = transfer->rows + (ptrdiff_t)transfer->welding.welded_of[v] * joints;
        double sum = 0.0;
        int held = 0;
        memset(weights, 0, (size_t)slots * sizeof *weights);
        for (int j = 0; j < joints; j++)
            if (row[j] > WEIGHT_NEGLIGIBLE)
                held = largest_insert(row[j], j, held, slots, weights, kept);
        for (int k = 0; k < held; k++)
            sum += weights[k];
        if (!(sum > 0.0))
            return bad_input("vertex %td gets no weights", v);
        for (int k = 0; k < held; k++) {
            out->weight_joints[v * slots + k] = kept[k];
            out->weight_values[v * slots + k] = (float)(weights[k] / sum);
        }
    }
    unfinished = NULL;
    return status_ok();
}

Status weights_transfer(const Dataset *from, const double *parameters, int influences,
                        const Progress *progress, Dataset *to, TransferCounts *counts)
{
    CLEANUP(transfer_clear)
    Transfer transfer = {
        .from = from, .parameters = parameters, .progress = progress, .joints = from->rig.joint_count};
    Rig made = {0};
    if (from->mesh.triangle_count == 0 || from->rig.joint_count == 0 || !from->rig.weight_values)
        return bad_input("the mesh that gives the weights has no %s",
                         from->mesh.triangle_count == 0 ? "triangles" : "rig");
    STATUS_TRY(welding_find(&to->mesh, NULL, &transfer.welding));
    const int welded = transfer.welding.mesh.vertex_count;
    ALLOCATE_TABLE(transfer.rows, welded, transfer.joints, "weights");
    ALLOCATE(transfer.unknowns, welded, "weights");
    const double reach =
        parameters[TRANSFER_DISTANCE] * bounds_of(to->mesh.rest, to->mesh.vertex_count).diagonal;
    STATUS_TRY(closest_take(&transfer, reach));
    STATUS_TRY(unknowns_number(&transfer, counts));
    if (transfer.unknown_count > 0)
        STATUS_TRY(inpaint(&transfer));
    if (transfer.unknown_count > 0 && parameters[TRANSFER_SMOOTH] > 0.0)
        STATUS_TRY(rows_smooth(&transfer, reach));
    STATUS_TRY(rig_make(&transfer, influences, &made));
    rig_clear(&to->rig);
    to->rig = made;
    if (to->animation.frame_count == 0)
        to->fps = from->fps;
    return clips_copy(&from->clips, &to->clips);
}
