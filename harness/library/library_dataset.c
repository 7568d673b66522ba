/* Data sets of the library: from files, arrays and generators, and their arrays. */
#include "harness/library/library.h"

#include "datasets/formats/dataset_open.h"
#include "datasets/formats/formats.h"
#include "datasets/generate/generate.h"
#include "datasets/io/output_path.h"
#include "datasets/model/validate.h"
#include "methods/fitting/rig_delivery.h"

/* ---- files ---- */

SkinbenchStatus skinbench_dataset_read(const char *path, SkinbenchDataset **out)
{
    const long failures = memory_failures();
    Dataset *dataset = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(path, "path"));
    LIBRARY_TRY(dataset_load(path, NULL, &dataset));
    return library_status(library_dataset(dataset, out), failures);
}

SkinbenchStatus skinbench_dataset_write(const SkinbenchDataset *dataset, const char *path)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(dataset, "data set"));
    LIBRARY_TRY(library_given(path, "path"));
    return library_status(dataset_write(dataset->own, path), failures);
}

SkinbenchStatus skinbench_import(const char *input, const char *rest, const SkinbenchProgress *progress,
                                 const char *output)
{
    const long failures = memory_failures();
    CallerProgress caller = {progress, false};
    const Progress own = library_progress(&caller);
    const ImportOptions options = {
        .inputs = &input, .input_count = 1, .rest = rest, .scale = 1.0, .progress = &own};
    const Format *format = NULL;
    LIBRARY_TRY(library_given(input, "input"));
    LIBRARY_TRY(library_given(output, "output"));
    LIBRARY_TRY(output_path_resolve(output, OUTPUT_FILE, NULL));
    LIBRARY_TRY(format_detect(input, &format));
    if (!format->import)
        return library_status(status_make(format->package ? STATUS_UNAVAILABLE : STATUS_BAD_INPUT,
                                          "%s: is %s: %s", input, format->title, format->lacking),
                              failures);
    if (rest && !(format->options & FORMAT_REST))
        return library_status(bad_usage("the format %s does not take another rest pose", format->name),
                              failures);
    return library_status(format->import(&options, output), failures);
}

SkinbenchStatus skinbench_dataset_generate(const char *name, const char *const *settings, int setting_count,
                                           const SkinbenchProgress *progress, SkinbenchDataset **out)
{
    const long failures = memory_failures();
    CallerProgress caller = {progress, false};
    const Progress own = library_progress(&caller);
    const Generator *generator = NULL;
    ParameterValues values;
    Dataset *dataset = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(name, "generator"));
    LIBRARY_TRY(generator_named(name, &generator));
    LIBRARY_TRY(library_settings(generator->parameters, generator->name, settings, setting_count, &values));
    LIBRARY_TRY(generator_run(generator, values.values, &own, &dataset));
    return library_status(library_dataset(dataset, out), failures);
}

/* ---- arrays ---- */

/* A count of the caller's, and the arrays that there must be where it is not 0. */
static Status count_check(int count, int max, const char *what, const void *first, const void *second,
                          const char *arrays)
{
    if (count < 0 || count > max)
        return bad_usage("%s is %d, expected 0 to %d", what, count, max);
    return count == 0 || (first && second) ? status_ok()
                                           : bad_usage("%s is %d without %s", what, count, arrays);
}

/* Counts up to what a file may have: `first` and `second` stand for one array where there is one alone. */
static Status arrays_check(const SkinbenchArrays *arrays)
{
    const void *there = arrays;
    STATUS_TRY(
        count_check(arrays->vertex_count, STORE_VERTICES_MAX, "vertex_count", arrays->rest, there, "rest"));
    STATUS_TRY(count_check(arrays->triangle_count, STORE_VERTICES_MAX, "triangle_count", arrays->triangles,
                           there, "triangles"));
    STATUS_TRY(count_check(arrays->frame_count, STORE_FRAMES_MAX, "frame_count", arrays->positions, there,
                           "positions"));
    STATUS_TRY(count_check(arrays->joint_count, STORE_JOINTS_MAX, "joint_count",
                           arrays->vertex_count > 0 ? (const void *)arrays->weight_joints : there,
                           arrays->vertex_count > 0 ? (const void *)arrays->weights : there,
                           "weight_joints and weights"));
    STATUS_TRY(count_check(arrays->pose_count, arrays->joint_count > 0 ? STORE_FRAMES_MAX : 0, "pose_count",
                           arrays->transforms, there, "transforms"));
    STATUS_TRY(count_check(arrays->rank, STORE_JOINTS_MAX, "rank", arrays->basis, arrays->coefficients,
                           "basis and coefficients"));
    STATUS_TRY(count_check(arrays->model_frame_count, arrays->rank > 0 ? STORE_FRAMES_MAX : 0,
                           "model_frame_count", there, there, ""));
    if (arrays->joint_count == 0 && (arrays->weight_joints || arrays->weights))
        return bad_usage("joint_count is 0 with weights");
    if (arrays->joint_count > 0 &&
        (arrays->influence_count < 1 || arrays->influence_count > STORE_INFLUENCES_MAX))
        return bad_usage("influence_count is %d, expected 1 to %d", arrays->influence_count,
                         STORE_INFLUENCES_MAX);
    return status_ok();
}

/* A copy of rows * columns values, NULL of NULL; false: out of memory. */
static bool array_copy(void *out, const void *values, size_t rows, size_t columns, size_t size)
{
    void *copy = values ? memory_table(rows, columns, size) : NULL;
    if (copy)
        memcpy(copy, values, rows * columns * size);
    memcpy(out, &copy, sizeof copy);
    return copy || !values;
}

static Status parts_copy(const SkinbenchArrays *arrays, Dataset *dataset)
{
    const size_t vertices = (size_t)arrays->vertex_count, triangles = (size_t)arrays->triangle_count;
    const size_t frames = (size_t)arrays->frame_count, rank = (size_t)arrays->rank;
    Mesh *mesh = &dataset->mesh;
    Animation *animation = &dataset->animation;
    LowRank *model = &dataset->low_rank;
    dataset->fps = arrays->fps;
    STATUS_TRY(mesh_allocate(mesh, arrays->vertex_count, arrays->triangle_count));
    if (vertices > 0)
        memcpy(mesh->rest, arrays->rest, 3 * vertices * sizeof *mesh->rest);
    if (triangles > 0)
        memcpy(mesh->triangles, arrays->triangles, 3 * triangles * sizeof *mesh->triangles);
    if (!array_copy(&mesh->original_vertices, arrays->original_vertices, vertices, 1, sizeof(int32_t)))
        return status_out_of_memory("the order of the vertices");
    if (arrays->joint_count > 0) {
        Rig *rig = &dataset->rig;
        const size_t joints = (size_t)arrays->joint_count, poses = (size_t)arrays->pose_count;
        const size_t slots = (size_t)arrays->vertex_count * (size_t)arrays->influence_count;
        STATUS_TRY(rig_allocate(rig, arrays->vertex_count, arrays->joint_count, arrays->pose_count,
                                arrays->influence_count));
        for (size_t j = 0; j < joints && arrays->joint_names; j++)
            if (arrays->joint_names[j] && !(rig->joint_names[j] = memory_text(arrays->joint_names[j])))
                return status_out_of_memory("the joints");
        STATUS_TRY(rig_fill_joints(rig));
        if (arrays->parents)
            memcpy(rig->parents, arrays->parents, joints * sizeof *rig->parents);
        if (arrays->joint_rest)
            memcpy(rig->rest, arrays->joint_rest, joints * sizeof *rig->rest);
        if (poses > 0)
            memcpy(rig->transforms, arrays->transforms, poses * joints * sizeof *rig->transforms);
        if (slots > 0) {
            memcpy(rig->weight_joints, arrays->weight_joints, slots * sizeof *rig->weight_joints);
            memcpy(rig->weight_values, arrays->weights, slots * sizeof *rig->weight_values);
        }
        if (!array_copy(&rig->scale, poses > 0 ? arrays->scale : NULL, poses, joints, sizeof *rig->scale) ||
            !array_copy(&rig->centers, arrays->centers, (size_t)arrays->vertex_count, 3,
                        sizeof *rig->centers))
            return status_out_of_memory("the rig");
    }
    if (frames > 0 &&
        (!array_copy(&animation->positions, arrays->positions, frames, 3 * vertices, sizeof(float)) ||
         !array_copy(&animation->normals, arrays->normals, frames, 3 * vertices, sizeof(float))))
        return status_out_of_memory("the animation");
    animation->frame_count = arrays->frame_count;
    if (rank > 0 && (!array_copy(&model->basis, arrays->basis, 3 * (size_t)arrays->model_frame_count, rank,
                                 sizeof *model->basis) ||
                     !array_copy(&model->coefficients, arrays->coefficients, rank, vertices, sizeof(float))))
        return status_out_of_memory("the low-rank model");
    model->rank = arrays->rank;
    model->row_count = 3 * arrays->model_frame_count;
    return status_ok();
}

SkinbenchStatus skinbench_dataset_create(const SkinbenchArrays *arrays, SkinbenchDataset **out)
{
    const long failures = memory_failures();
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(arrays, "array"));
    LIBRARY_TRY(arrays_check(arrays));
    LIBRARY_TRY(dataset_create(arrays->name, arrays->title, arrays->source, arrays->license, &dataset));
    LIBRARY_TRY(parts_copy(arrays, dataset));
    const char *name = dataset->name[0] != '\0' ? dataset->name : "the data set";
    LIBRARY_TRY(dataset_validate(dataset, name));
    const Animation *animation = &dataset->animation;
    const int vertices = dataset->mesh.vertex_count;
    if (animation->positions)
        LIBRARY_TRY(frames_validate(animation->positions, 0, animation->frame_count, 0, vertices, name,
                                    "animation/positions"));
    if (animation->normals)
        LIBRARY_TRY(frames_validate(animation->normals, 0, animation->frame_count, 0, vertices, name,
                                    "animation/normals"));
    Dataset *made = TAKE(dataset);
    return library_status(library_dataset(made, out), failures);
}

SkinbenchArrays skinbench_dataset_arrays(const SkinbenchDataset *dataset)
{
    SkinbenchArrays arrays;
    memset(&arrays, 0, sizeof arrays);
    if (!dataset)
        return arrays;
    const Dataset *own = dataset->own;
    const Rig *rig = &own->rig;
    arrays.name = own->name;
    arrays.title = own->title;
    arrays.source = own->source;
    arrays.license = own->license;
    arrays.fps = own->fps;
    arrays.vertex_count = own->mesh.vertex_count;
    arrays.rest = own->mesh.rest;
    arrays.triangle_count = own->mesh.triangle_count;
    arrays.triangles = own->mesh.triangle_count > 0 ? own->mesh.triangles : NULL;
    arrays.original_vertices = own->mesh.original_vertices;
    arrays.frame_count = own->animation.frame_count;
    arrays.positions = own->animation.positions;
    arrays.normals = own->animation.normals;
    if (rig->joint_count > 0) {
        arrays.joint_count = rig->joint_count;
        arrays.pose_count = rig->frame_count;
        arrays.influence_count = rig->influence_count;
        arrays.joint_names = (const char *const *)rig->joint_names;
        arrays.parents = rig->parents;
        arrays.joint_rest = &rig->rest->m00;
        arrays.transforms = rig->frame_count > 0 ? &rig->transforms->m00 : NULL;
        arrays.scale = rig->scale ? &rig->scale->m00 : NULL;
        arrays.weight_joints = rig->weight_joints;
        arrays.weights = rig->weight_values;
        arrays.centers = rig->centers;
    }
    if (own->low_rank.rank > 0) {
        arrays.rank = own->low_rank.rank;
        arrays.model_frame_count = own->low_rank.row_count / 3;
        arrays.basis = own->low_rank.basis;
        arrays.coefficients = own->low_rank.coefficients;
    }
    return arrays;
}

void skinbench_dataset_free(SkinbenchDataset *dataset)
{
    if (!dataset)
        return;
    dataset_free(dataset->own);
    memory_free(dataset);
}
