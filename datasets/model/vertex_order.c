/* Permutes all that a data set holds by vertex. */
#include "datasets/model/vertex_order.h"

#include "datasets/model/joint_sets.h"

void rows_gather(const void *rows, size_t row_bytes, const int32_t *map, int count, void *out)
{
    typedef struct Point {
        float xyz[3];
    } Point;
    const unsigned char *from = rows;
    unsigned char *to = out;
    if (row_bytes == sizeof(Point)) { /* most of what there is */
        for (int i = 0; i < count; i++)
            ((Point *)out)[i] = ((const Point *)rows)[map[i]];
        return;
    }
    for (size_t i = 0; i < (size_t)count; i++)
        memcpy(to + i * row_bytes, from + (size_t)map[i] * row_bytes, row_bytes);
}

/* Gathers rows [count] in place; `workspace` has as many bytes. NULL rows: there are none. */
static void rows_permute(void *rows, size_t row_bytes, const int32_t *order, int count, void *workspace)
{
    if (!rows || row_bytes == 0 || count == 0)
        return;
    rows_gather(rows, row_bytes, order, count, workspace);
    memcpy(rows, workspace, (size_t)count * row_bytes);
}

static void positions_permute(float *frames, int frame_count, int vertex_count, const int32_t *order,
                              void *workspace)
{
    for (size_t f = 0; frames && f < (size_t)frame_count; f++)
        rows_permute(frames + 3 * f * (size_t)vertex_count, 3 * sizeof *frames, order, vertex_count,
                     workspace);
}

Status dataset_reorder(Dataset *dataset, const int32_t *order)
{
    Mesh *mesh = &dataset->mesh;
    Rig *rig = &dataset->rig;
    LowRank *model = &dataset->low_rank;
    const int vertices = mesh->vertex_count;
    const size_t slots = (size_t)rig->influence_count, widest = slots > 3 ? slots : 3;
    LOCAL_ARRAY(int32_t, originals, vertices, "the order of the vertices");
    LOCAL_ARRAY(int32_t, places, vertices, "the order of the vertices");
    OWNED void *workspace = memory_table((size_t)vertices, widest, sizeof(float));
    ALLOCATED(workspace, "the order of the vertices");
    bool restored = true;
    for (int i = 0; i < vertices; i++) {
        places[order[i]] = i;
        originals[i] = mesh->original_vertices ? mesh->original_vertices[order[i]] : order[i];
        restored = restored && originals[i] == i;
    }
    rows_permute(mesh->rest, 3 * sizeof *mesh->rest, order, vertices, workspace);
    for (int64_t corner = 0; corner < 3 * (int64_t)mesh->triangle_count; corner++)
        mesh->triangles[corner] = places[mesh->triangles[corner]];
    rows_permute(rig->weight_joints, slots * sizeof *rig->weight_joints, order, vertices, workspace);
    rows_permute(rig->weight_values, slots * sizeof *rig->weight_values, order, vertices, workspace);
    joint_values_clear(&rig->smoothed); /* quicker computed again than permuted rightly */
    rows_permute(rig->centers, 3 * sizeof *rig->centers, order, vertices, workspace);
    positions_permute(dataset->animation.positions, dataset->animation.frame_count, vertices, order,
                      workspace);
    positions_permute(dataset->animation.normals, dataset->animation.frame_count, vertices, order, workspace);
    for (size_t r = 0; r < (size_t)model->rank; r++)
        rows_permute(model->coefficients + r * (size_t)vertices, sizeof *model->coefficients, order, vertices,
                     workspace);
    memory_free(mesh->original_vertices);
    mesh->original_vertices = restored ? NULL : originals;
    originals = restored ? originals : NULL;
    return status_ok();
}

Status dataset_order_by_joint_sets(Dataset *dataset)
{
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    if (dataset->rig.joint_count == 0)
        return bad_input("there is no rig whose joint sets could order the vertices");
    STATUS_TRY(joint_sets_init(&dataset->rig, dataset->mesh.vertex_count, INFLUENCES_AS_LISTED, &sets));
    return dataset_reorder(dataset, sets.vertices);
}

Status dataset_order_restore(Dataset *dataset)
{
    OWNED int32_t *order = NULL;
    STATUS_TRY(vertex_order_map(dataset->mesh.original_vertices, NULL, dataset->mesh.vertex_count, &order));
    if (order)
        STATUS_TRY(dataset_reorder(dataset, order));
    return status_ok();
}

Status vertex_ordering_named(const char *name, VertexOrdering *ordering)
{
    *ordering = !name                             ? NULL
                : strcmp(name, "joint-sets") == 0 ? dataset_order_by_joint_sets
                : strcmp(name, "original") == 0   ? dataset_order_restore
                                                  : NULL;
    return *ordering || !name ? status_ok()
                              : bad_usage("--order is '%s', expected joint-sets or original", name);
}

Status vertex_order_map(const int32_t *from, const int32_t *to, int vertex_count, int32_t **map)
{
    const size_t vertices = (size_t)vertex_count;
    *map = NULL;
    if ((!from && !to) || (from && to && memcmp(from, to, vertices * sizeof *from) == 0))
        return status_ok();
    /* where in `from` an original vertex is */
    LOCAL_ARRAY(int32_t, places, vertices, "the order of the vertices");
    ALLOCATE(*map, vertices, "the order of the vertices");
    for (int32_t i = 0; i < vertex_count; i++)
        places[from ? from[i] : i] = i;
    for (int32_t i = 0; i < vertex_count; i++)
        (*map)[i] = places[to ? to[i] : i];
    return status_ok();
}
