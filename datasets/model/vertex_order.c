/* Permutes all arrays of a data set that are indexed by vertex. */
#include "datasets/model/vertex_order.h"

#include "datasets/model/arrays.h"
#include "datasets/model/joint_sets.h"

void rows_gather(const void *rows, size_t row_bytes, const int32_t *map, int count, void *out)
{
    typedef struct Point {
        float xyz[3];
    } Point;
    const unsigned char *from = rows;
    unsigned char *bytes = out;
    if (row_bytes == sizeof(Point)) { /* fast path for rows of three floats, which are most of the data */
        for (int i = 0; i < count; i++)
            ((Point *)out)[i] = ((const Point *)rows)[map[i]];
        return;
    }
    for (size_t i = 0; i < (size_t)count; i++)
        memcpy(bytes + i * row_bytes, from + (size_t)map[i] * row_bytes, row_bytes);
}

Status dataset_reorder(Dataset *dataset, const int32_t *order)
{
    Mesh *mesh = &dataset->mesh;
    Rig *rig = &dataset->rig;
    const int vertices = mesh->vertex_count, vertex_count = DATASET_COUNT(mesh.vertex_count);
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
    for (int64_t corner = 0; corner < 3 * (int64_t)mesh->triangle_count; corner++)
        mesh->triangles[corner] = places[mesh->triangles[corner]];
    joint_values_clear(&rig->smoothed); /* computing these again costs less than permuting */
    for (const DatasetArray *array = dataset_arrays; array->path; array++) {
        unsigned char *values = dataset_array_values(dataset, array);
        const bool of_rows = array->extents[0] == vertex_count;
        const size_t bytes = values ? dataset_array_bytes(dataset, array) : 0;
        if (bytes == 0 || (!of_rows && array->extents[1] != vertex_count) ||
            (void *)values == (void *)mesh->original_vertices)
            continue;
        /* The array has one row for each vertex. If its first extent is another count, such as the number
         * of frames, each frame has one row for each vertex. */
        const size_t part = of_rows ? bytes : bytes / (size_t)*dataset_count(dataset, array->extents[0]);
        for (unsigned char *rows = values; rows < values + bytes; rows += part) {
            rows_gather(rows, part / (size_t)vertices, order, vertices, workspace);
            memcpy(rows, workspace, part);
        }
    }
    memory_free(mesh->original_vertices);
    mesh->original_vertices = restored ? NULL : originals;
    originals = restored ? originals : NULL;
    return status_ok();
}

Status dataset_order_by_joint_sets(Dataset *dataset)
{
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    if (dataset->rig.joint_count == 0)
        return bad_input("the vertices cannot be ordered by joint sets, because there is no rig");
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
    /* [original number] index of this vertex in `from` */
    LOCAL_ARRAY(int32_t, places, vertices, "the order of the vertices");
    ALLOCATE(*map, vertices, "the order of the vertices");
    for (int32_t i = 0; i < vertex_count; i++)
        places[from ? from[i] : i] = i;
    for (int32_t i = 0; i < vertex_count; i++)
        (*map)[i] = places[to ? to[i] : i];
    return status_ok();
}
