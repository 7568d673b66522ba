/* Data sets of the library: made from files, arrays and generators, with access to their arrays. */
#include "harness/library/library.h"

#include "datasets/formats/formats.h"
#include "datasets/generate/generate.h"
#include "datasets/io/atomic_path.h"
#include "datasets/model/arrays.h"
#include "datasets/model/validate.h"
#include "methods/fitting/rig_delivery.h"

/* ---- from and to files ---- */

SkinbenchStatus skinbench_dataset_read(const char *path, SkinbenchDataset **out)
{
    const long failures = memory_failures();
    Dataset *dataset = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(path, "path"));
    LIBRARY_TRY(dataset_load(path, NULL, &dataset));
    LIBRARY_TRY(library_dataset(dataset, out));
    (void)file_identify(AT_FDCWD, path, &(*out)->file);
    return library_status(status_ok(), failures);
}

SkinbenchStatus skinbench_dataset_write(const SkinbenchDataset *dataset, const char *path)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(dataset, "data set"));
    LIBRARY_TRY(library_given(path, "path"));
    FileIdentity file;
    LIBRARY_TRY(output_ending_check(path, DATASET_ENDINGS));
    if (file_identify(AT_FDCWD, path, &file) && memcmp(&file, &dataset->file, sizeof file) == 0)
        LIBRARY_TRY(
            bad_usage("%s: is the file that the data set was read from, which is never overwritten; choose "
                      "another name",
                      path));
    return library_status(dataset_write(dataset->own, path), failures);
}

SkinbenchStatus skinbench_import(const char *input, const char *rest, const SkinbenchProgress *progress,
                                 const char *output)
{
    const long failures = memory_failures();
    CallerProgress caller = {progress, false};
    const Progress adapter = library_progress(&caller);
    const ImportOptions options = {
        .inputs = &input, .input_count = 1, .rest = rest, .scale = 1.0, .progress = &adapter};
    const Format *format = NULL;
    LIBRARY_TRY(library_given(input, "input"));
    LIBRARY_TRY(library_given(output, "output"));
    LIBRARY_TRY(output_ending_check(output, DATASET_ENDINGS));
    LIBRARY_TRY(output_path_resolve(output, OUTPUT_FILE, NULL));
    LIBRARY_TRY(format_detect(input, &format));
    if (!format->import)
        return library_status(status_make(format->package ? STATUS_UNAVAILABLE : STATUS_BAD_INPUT,
                                          "%s: the file is %s: %s", input, format->title, format->lacking),
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
    const Progress adapter = library_progress(&caller);
    const Generator *generator = NULL;
    ParameterValues values;
    Dataset *dataset = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(name, "generator"));
    LIBRARY_TRY(generator_named(name, &generator));
    LIBRARY_TRY(library_settings(generator->parameters, generator->name, settings, setting_count, &values));
    LIBRARY_TRY(generator_run(generator, values.values, &adapter, &dataset));
    return library_status(library_dataset(dataset, out), failures);
}

/* ---- from and to arrays ---- */

/* Checks a count given by the caller. Unless the count is 0, the arrays that belong to it must be given. */
static Status count_check(int count, int max, const char *what, bool given, const char *arrays)
{
    if (count < 0 || count > max)
        return bad_usage("%s is %d, expected 0 to %d", what, count, max);
    return count == 0 || given ? status_ok() : bad_usage("%s is %d, but %s is missing", what, count, arrays);
}

/* Checks all counts against the limits of data set files. */
static Status arrays_check(const SkinbenchArrays *arrays)
{
    STATUS_TRY(count_check(arrays->vertex_count, STORE_VERTICES_MAX, "vertex_count", arrays->rest, "rest"));
    STATUS_TRY(count_check(arrays->triangle_count, STORE_VERTICES_MAX, "triangle_count", arrays->triangles,
                           "triangles"));
    STATUS_TRY(
        count_check(arrays->frame_count, STORE_FRAMES_MAX, "frame_count", arrays->positions, "positions"));
    STATUS_TRY(count_check(arrays->joint_count, STORE_JOINTS_MAX, "joint_count",
                           arrays->vertex_count <= 0 || (arrays->weight_joints && arrays->weights),
                           "weight_joints and weights"));
    STATUS_TRY(count_check(arrays->pose_count, arrays->joint_count > 0 ? STORE_FRAMES_MAX : 0, "pose_count",
                           arrays->transforms, "transforms"));
    STATUS_TRY(count_check(arrays->rank, STORE_JOINTS_MAX, "rank", arrays->basis && arrays->coefficients,
                           "basis and coefficients"));
    STATUS_TRY(count_check(arrays->model_frame_count, arrays->rank > 0 ? STORE_FRAMES_MAX : 0,
                           "model_frame_count", true, ""));
    if (arrays->joint_count == 0 && (arrays->weight_joints || arrays->weights))
        return bad_usage("joint_count is 0 although there are weights");
    if (arrays->joint_count > 0 &&
        (arrays->influence_count < 1 || arrays->influence_count > STORE_INFLUENCES_MAX))
        return bad_usage("influence_count is %d, expected 1 to %d", arrays->influence_count,
                         STORE_INFLUENCES_MAX);
    return status_ok();
}

/* The arrays that SkinbenchArrays and Dataset both have, with the offset of each pointer in
 * SkinbenchArrays. */
static const struct {
    const char *path;
    size_t pointer;
} shared_arrays[] = {{"mesh/rest", offsetof(SkinbenchArrays, rest)},
                     {"mesh/triangles", offsetof(SkinbenchArrays, triangles)},
                     {"mesh/original_vertices", offsetof(SkinbenchArrays, original_vertices)},
                     {"rig/parents", offsetof(SkinbenchArrays, parents)},
                     {"rig/rest", offsetof(SkinbenchArrays, joint_rest)},
                     {"rig/transforms", offsetof(SkinbenchArrays, transforms)},
                     {"rig/scale", offsetof(SkinbenchArrays, scale)},
                     {"rig/weights/joints", offsetof(SkinbenchArrays, weight_joints)},
                     {"rig/weights/values", offsetof(SkinbenchArrays, weights)},
                     {"rig/centers", offsetof(SkinbenchArrays, centers)},
                     {"model/basis", offsetof(SkinbenchArrays, basis)},
                     {"model/coefficients", offsetof(SkinbenchArrays, coefficients)},
                     {"animation/positions", offsetof(SkinbenchArrays, positions)},
                     {"animation/normals", offsetof(SkinbenchArrays, normals)}};
enum { SHARED = sizeof shared_arrays / sizeof *shared_arrays };

static Status parts_copy(const SkinbenchArrays *arrays, Dataset *dataset)
{
    dataset->fps = arrays->fps;
    dataset->animation.frame_count = arrays->frame_count;
    dataset->low_rank.rank = arrays->rank;
    dataset->low_rank.row_count = 3 * arrays->model_frame_count;
    STATUS_TRY(mesh_allocate(&dataset->mesh, arrays->vertex_count, arrays->triangle_count));
    if (arrays->joint_count > 0) {
        Rig *rig = &dataset->rig;
        STATUS_TRY(rig_allocate(rig, arrays->vertex_count, arrays->joint_count, arrays->pose_count,
                                arrays->influence_count));
        STATUS_TRY(
            rig_fill_joints(rig)); /* make all joints roots, with default names and identity rest frames */
        for (int j = 0; j < arrays->joint_count && arrays->joint_names; j++)
            if (arrays->joint_names[j]) {
                memory_release(&rig->joint_names[j]);
                COPY_TEXT(rig->joint_names[j], arrays->joint_names[j], "the joints");
            }
    }
    for (int i = 0; i < SHARED; i++) {
        const DatasetArray *array = dataset_array_find(shared_arrays[i].path);
        const void *given = NULL;
        void *copy = NULL;
        memcpy(&given, (const char *)arrays + shared_arrays[i].pointer, sizeof given);
        if (shared_arrays[i].pointer == offsetof(SkinbenchArrays, scale) && arrays->pose_count == 0)
            given = NULL;
        if (!given || (array->part != 0 && *dataset_count(dataset, array->part) == 0))
            continue;
        STATUS_TRY(dataset_array_allocate(dataset, array, &copy));
        memcpy(copy, given, dataset_array_bytes(dataset, array));
    }
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
    LIBRARY_TRY(dataset_frames_validate(dataset, name));
    Dataset *made = TAKE(dataset);
    return library_status(library_dataset(made, out), failures);
}

SkinbenchArrays skinbench_dataset_arrays(const SkinbenchDataset *dataset)
{
    SkinbenchArrays arrays;
    memset(&arrays, 0, sizeof arrays);
    if (!dataset)
        return arrays;
    const Dataset *contents = dataset->own;
    const Rig *rig = &contents->rig;
    arrays.name = contents->name;
    arrays.title = contents->title;
    arrays.source = contents->source;
    arrays.license = contents->license;
    arrays.fps = contents->fps;
    arrays.vertex_count = contents->mesh.vertex_count;
    arrays.triangle_count = contents->mesh.triangle_count;
    arrays.frame_count = contents->animation.frame_count;
    if (rig->joint_count > 0) {
        arrays.joint_count = rig->joint_count;
        arrays.pose_count = rig->frame_count;
        arrays.influence_count = rig->influence_count;
        arrays.joint_names = (const char *const *)rig->joint_names;
    }
    if (contents->low_rank.rank > 0) {
        arrays.rank = contents->low_rank.rank;
        arrays.model_frame_count = contents->low_rank.row_count / 3;
    }
    for (int i = 0; i < SHARED; i++) {
        const void *values = dataset_array_values(contents, dataset_array_find(shared_arrays[i].path));
        memcpy((char *)&arrays + shared_arrays[i].pointer, &values, sizeof values);
    }
    if (arrays.triangle_count == 0)
        arrays.triangles = NULL;
    if (arrays.pose_count == 0)
        arrays.transforms = NULL;
    return arrays;
}

void skinbench_dataset_free(SkinbenchDataset *dataset)
{
    if (!dataset)
        return;
    dataset_free(dataset->own);
    memory_free(dataset);
}
