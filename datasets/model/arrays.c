/* The table of a data set's arrays, and functions that access their values. */
#include "datasets/model/arrays.h"

#define COUNT_OF_VERTICES DATASET_COUNT(mesh.vertex_count)
#define COUNT_OF_JOINTS DATASET_COUNT(rig.joint_count)
#define COUNT_OF_POSES DATASET_COUNT(rig.frame_count)
#define COUNT_OF_INFLUENCES DATASET_COUNT(rig.influence_count)
#define COUNT_OF_ROWS DATASET_COUNT(low_rank.row_count)
#define COUNT_OF_RANK DATASET_COUNT(low_rank.rank)
#define COUNT_OF_CLIPS DATASET_COUNT(clips.count)
#define COUNT_OF_FRAMES DATASET_COUNT(animation.frame_count)
#define COUNT_OF_ATTRIBUTES DATASET_COUNT(mesh.attribute_count)

#define ARRAY(path, element, optional, member, part, ...)                                                    \
    {                                                                                                        \
        path, ARRAY_##element, optional, offsetof(Dataset, member), part,                                    \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

const DatasetArray dataset_arrays[DATASET_ARRAYS + 1] = {
    ARRAY("mesh/rest", FLOAT32, false, mesh.rest, 0, COUNT_OF_VERTICES, -3),
    ARRAY("mesh/triangles", INT32, false, mesh.triangles, 0, DATASET_COUNT(mesh.triangle_count), -3),
    ARRAY("mesh/original_vertices", INT32, true, mesh.original_vertices, 0, COUNT_OF_VERTICES),
    ARRAY("rig/joint_names", TEXT, false, rig.joint_names, COUNT_OF_JOINTS, COUNT_OF_JOINTS),
    ARRAY("rig/parents", INT32, false, rig.parents, COUNT_OF_JOINTS, COUNT_OF_JOINTS),
    ARRAY("rig/rest", FLOAT64, false, rig.rest, COUNT_OF_JOINTS, COUNT_OF_JOINTS, -3, -4),
    ARRAY("rig/transforms", FLOAT64, false, rig.transforms, COUNT_OF_JOINTS, COUNT_OF_POSES, COUNT_OF_JOINTS,
          -3, -4),
    ARRAY("rig/scale", FLOAT64, true, rig.scale, COUNT_OF_JOINTS, COUNT_OF_POSES, COUNT_OF_JOINTS, -3, -3),
    ARRAY("rig/weights/joints", INT32, false, rig.weight_joints, COUNT_OF_JOINTS, COUNT_OF_VERTICES,
          COUNT_OF_INFLUENCES),
    ARRAY("rig/weights/values", FLOAT32, false, rig.weight_values, COUNT_OF_JOINTS, COUNT_OF_VERTICES,
          COUNT_OF_INFLUENCES),
    ARRAY("rig/centers", FLOAT32, true, rig.centers, COUNT_OF_JOINTS, COUNT_OF_VERTICES, -3),
    ARRAY("model/basis", FLOAT64, false, low_rank.basis, COUNT_OF_RANK, COUNT_OF_ROWS, COUNT_OF_RANK),
    ARRAY("model/coefficients", FLOAT32, false, low_rank.coefficients, COUNT_OF_RANK, COUNT_OF_RANK,
          COUNT_OF_VERTICES),
    ARRAY("clips/names", TEXT, false, clips.names, COUNT_OF_CLIPS, COUNT_OF_CLIPS),
    ARRAY("clips/first_frames", INT32, false, clips.first, COUNT_OF_CLIPS, COUNT_OF_CLIPS),
    ARRAY("clips/times", FLOAT64, false, clips.times_s, COUNT_OF_CLIPS, DATASET_COUNT(clips.frame_count)),
    ARRAY("animation/positions", FLOAT32, true, animation.positions, COUNT_OF_FRAMES, COUNT_OF_FRAMES,
          COUNT_OF_VERTICES, -3),
    ARRAY("animation/normals", FLOAT32, true, animation.normals, COUNT_OF_FRAMES, COUNT_OF_FRAMES,
          COUNT_OF_VERTICES, -3),
    /* a group in the file, which has one array for each attribute */
    ARRAY("mesh/attributes", FLOAT32, false, mesh.attributes, COUNT_OF_ATTRIBUTES, COUNT_OF_ATTRIBUTES,
          COUNT_OF_VERTICES),
    {.path = NULL},
};

const DatasetArray *dataset_array_find(const char *path)
{
    const DatasetArray *array = dataset_arrays;
    while (array->path && strcmp(array->path, path) != 0)
        array++;
    return array;
}

int *dataset_count(Dataset *dataset, int offset)
{
    return (int *)(void *)((char *)dataset + offset);
}

int dataset_array_extents(const Dataset *dataset, const DatasetArray *array, int64_t extents[ARRAY_RANK_MAX])
{
    int rank = 0;
    for (; rank < ARRAY_RANK_MAX && array->extents[rank] != 0; rank++) {
        const int extent = array->extents[rank];
        extents[rank] = extent < 0 ? -extent : *dataset_count((Dataset *)dataset, extent);
    }
    return rank;
}

size_t array_element_bytes(ArrayElement element)
{
    static const size_t bytes[] = {sizeof(float), sizeof(double), sizeof(int32_t), sizeof(char *)};
    return bytes[element];
}

size_t dataset_array_bytes(const Dataset *dataset, const DatasetArray *array)
{
    int64_t extents[ARRAY_RANK_MAX];
    size_t bytes = array_element_bytes(array->element);
    const int rank = dataset_array_extents(dataset, array, extents);
    for (int d = 0; d < rank; d++)
        bytes *= (size_t)extents[d];
    return bytes;
}

void *dataset_array_values(const Dataset *dataset, const DatasetArray *array)
{
    void *values = NULL;
    if (array->part == 0 || *dataset_count((Dataset *)dataset, array->part) > 0)
        memcpy(&values, (const char *)dataset + array->pointer, sizeof values);
    return values;
}

Status dataset_array_allocate(Dataset *dataset, const DatasetArray *array, void **values)
{
    memcpy(values, (char *)dataset + array->pointer, sizeof *values);
    if (*values)
        return status_ok();
    *values = memory_array(dataset_array_bytes(dataset, array), 1);
    ALLOCATED(*values, array->path);
    memcpy((char *)dataset + array->pointer, values, sizeof *values);
    return status_ok();
}
