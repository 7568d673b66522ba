/* Reads data set files (schema version 1, datasets/README.md). First compares the shapes of the arrays with
 * each other; then dataset_validate checks the values. */
#include "datasets/io/hdf5_reader.h"
#include "datasets/io/store.h"

#include "datasets/base/parameters.h"
#include "datasets/model/check.h"
#include "datasets/model/validate.h"
#include "datasets/model/vertex_order.h"

struct DatasetReader {
    char *path;
    Hdf5Reader *file;
    Dataset *header;
    const Progress *progress;
    int first_of_source; /* first vertex of the positions that a PositionSource supplies */
    /* Used only if the original order is restored, otherwise NULL: the stored vertex of each original
     * vertex, and a buffer for a frame. */
    int32_t *stored_vertices; /* [N] */
    float *frame;             /* [N][3] */
};

static const Hdf5Shape whole = {0}; /* start of the block when a whole array is read */

/* Whether an array consists of 3 x 4 transformations, which other programs may write as 4 x 4. */
static bool holds_transforms(const DatasetArray *array)
{
    return array->pointer == offsetof(Dataset, rig.rest) ||
           array->pointer == offsetof(Dataset, rig.transforms);
}

/* Requests the shape of an array of transformations. *rows is 4 if the file has 4 x 4 matrices, otherwise
 * 3. The returned shape always has 3 rows. */
static Status transforms_shape(Hdf5Reader *file, const char *path, Hdf5Shape *shape, int64_t limit, int *rows)
{
    Hdf5Shape wanted = *shape;
    const Status status = hdf5_reader_shape(file, path, ARRAY_FLOAT64, wanted, limit, shape);
    if (status.code != STATUS_BAD_INPUT)
        return status;
    wanted.extents[wanted.rank - 2] = *rows = 4;
    if (hdf5_reader_shape(file, path, ARRAY_FLOAT64, wanted, limit, shape).code != STATUS_OK)
        return status;
    shape->extents[wanted.rank - 2] = 3;
    return status_ok();
}

/* Checks that the last rows of 4 x 4 matrices are 0 0 0 1 up to float rounding. */
static Status last_rows_check(const DatasetReader *reader, const char *path, Hdf5Shape extents)
{
    const double ROUNDING = 1e-6;
    Hdf5Shape first = {.rank = extents.rank};
    int64_t count = 4;
    first.extents[extents.rank - 2] = 3;
    extents.extents[extents.rank - 2] = 1;
    for (int d = 0; d < extents.rank - 2; d++)
        count *= extents.extents[d];
    LOCAL_ARRAY(double, values, count, "transformations");
    STATUS_TRY(hdf5_reader_block(reader->file, path, ARRAY_FLOAT64, first, extents, values));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(values[i] - (i % 4 == 3)) <= ROUNDING))
            return bad_input("%s: %s has %.9g in the last row of matrix %lld, expected 0 0 0 1", reader->path,
                             path, values[i], (long long)(i / 4));
    return status_ok();
}

static Status joints_name(Rig *rig)
{
    for (int j = 0; j < rig->joint_count; j++) {
        char name[32];
        snprintf(name, sizeof name, CHECK_UNNAMED "%d", j);
        COPY_TEXT(rig->joint_names[j], name, "the joints' names");
    }
    return status_ok();
}

/* Reads the arrays whose paths begin with `part`. All shapes are compared before any memory is allocated.
 * Each count, such as the number of vertices, is taken from the first array that has it, and all later
 * arrays must agree with it. */
static Status part_read(const DatasetReader *reader, const char *part)
{
    Hdf5Reader *file = reader->file;
    Dataset *dataset = reader->header;
    const DatasetArray *first = dataset_arrays, *array;
    bool found[DATASET_ARRAYS];
    int rows[DATASET_ARRAYS] = {0};
    Hdf5Shape shapes[DATASET_ARRAYS];
    while (strncmp(first->path, part, strlen(part)) != 0)
        first++;
    for (array = first; array->path && strncmp(array->path, part, strlen(part)) == 0; array++)
        for (int d = 0; d < ARRAY_RANK_MAX; d++)
            if (array->extents[d] > 0 &&
                (first == dataset_arrays || array->extents[d] != DATASET_COUNT(mesh.vertex_count)))
                *dataset_count(dataset, array->extents[d]) = -1;
    const DatasetArray *const end = array;
    for (array = first; array < end; array++) {
        Hdf5Shape *shape = &shapes[array - first];
        int64_t limit = STORE_VERTICES_MAX; /* also the limit for frames */
        shape->rank = dataset_array_extents(dataset, array, shape->extents);
        for (int d = 0; d < shape->rank; d++)
            if (shape->extents[d] < 0 && array->extents[d] == DATASET_COUNT(rig.joint_count))
                limit = STORE_JOINTS_MAX;
            else if (shape->extents[d] < 0 && array->extents[d] == DATASET_COUNT(rig.influence_count))
                limit = STORE_INFLUENCES_MAX;
        bool *there = &found[array - first];
        const bool names = array->pointer == offsetof(Dataset, rig.joint_names);
        *there = true;
        if (array->optional || names || array->pointer == offsetof(Dataset, mesh.triangles))
            STATUS_TRY(hdf5_reader_find(file, array->path, there));
        if (names && !*there)
            continue; /* names may be missing; the number of joints is known from the parents */
        if (*there && holds_transforms(array))
            STATUS_TRY(transforms_shape(file, array->path, shape, limit, &rows[array - first]));
        else if (*there)
            STATUS_TRY(hdf5_reader_shape(file, array->path, array->element, *shape, limit, shape));
        for (int d = 0; d < shape->rank; d++)
            if (array->extents[d] > 0)
                *dataset_count(dataset, array->extents[d]) = int_max((int)shape->extents[d], 0);
    }
    for (array = first; array < end; array++) {
        const Hdf5Shape *shape = &shapes[array - first];
        const bool there = found[array - first];
        void *values = NULL;
        if (there || !array->optional)
            STATUS_TRY(dataset_array_allocate(dataset, array, &values));
        if (there && array->element == ARRAY_TEXT)
            STATUS_TRY(hdf5_reader_texts(file, array->path, (int)shape->extents[0], values));
        else if (there)
            STATUS_TRY(hdf5_reader_block(file, array->path, array->element, whole, *shape, values));
        else if (array->pointer == offsetof(Dataset, rig.joint_names))
            STATUS_TRY(joints_name(&dataset->rig));
        if (rows[array - first] == 4)
            STATUS_TRY(last_rows_check(reader, array->path, *shape));
    }
    return status_ok();
}

static Status attributes_read(const DatasetReader *reader)
{
    static const char group[] = "mesh/attributes";
    Mesh *mesh = &reader->header->mesh;
    const Hdf5Shape wanted = {1, {mesh->vertex_count}};
    Hdf5Shape shape;
    CLEANUP(hdf5_names_clear) Hdf5Names names = {0};
    bool found = false;
    STATUS_TRY(hdf5_reader_find(reader->file, group, &found));
    if (found)
        STATUS_TRY(hdf5_reader_names(reader->file, group, &names));
    for (int i = 0; i < names.count; i++) {
        const char *name = names.names[i];
        char object[80];
        float *values = NULL;
        if (!attribute_name_is_sound(name))
            return bad_input("%s: %s/%.60s: this name is not allowed, expected " ATTRIBUTE_NAME_RULE,
                             reader->path, group, name);
        snprintf(object, sizeof object, "%s/%s", group, name);
        STATUS_TRY(hdf5_reader_shape(reader->file, object, ARRAY_FLOAT32, wanted, 0, &shape));
        STATUS_TRY(status_in(reader->path, mesh_attribute_add(mesh, name, &values)));
        STATUS_TRY(hdf5_reader_block(reader->file, object, ARRAY_FLOAT32, whole, wanted, values));
    }
    return status_ok();
}

static Status smoothed_read(Hdf5Reader *file, const char *path, int vertex_count, Rig *rig)
{
    const Hdf5Shape counts_shape = {1, {vertex_count}}, parameters_shape = {1, {SMOOTHING_PARAMETERS}};
    Hdf5Shape shape;
    JointValues *out = &rig->smoothed;
    bool with_smoothed = false;
    STATUS_TRY(hdf5_reader_find(file, "rig/smoothed", &with_smoothed));
    if (!with_smoothed)
        return status_ok();
    STATUS_TRY(
        hdf5_reader_shape(file, "rig/smoothed/parameters", ARRAY_FLOAT64, parameters_shape, 0, &shape));
    STATUS_TRY(hdf5_reader_block(file, "rig/smoothed/parameters", ARRAY_FLOAT64, whole, parameters_shape,
                                 rig->smoothing));
    STATUS_TRY(hdf5_reader_shape(file, "rig/smoothed/counts", ARRAY_INT32, counts_shape, 0, &shape));
    LOCAL_ARRAY(int32_t, counts, vertex_count, "the smoothed weights");
    STATUS_TRY(hdf5_reader_block(file, "rig/smoothed/counts", ARRAY_INT32, whole, counts_shape, counts));
    ALLOCATE(out->first, (size_t)vertex_count + 1, "the smoothed weights");
    for (int v = 0; v < vertex_count; v++) {
        if (counts[v] < 1 || counts[v] > rig->joint_count)
            return bad_input("%s: rig/smoothed/counts[%d] is %d, expected 1 to %d", path, v, counts[v],
                             rig->joint_count);
        out->first[v + 1] = out->first[v] + counts[v];
    }
    const Hdf5Shape joints_shape = {1, {out->first[vertex_count]}};
    const Hdf5Shape values_shape = {2, {out->first[vertex_count], SMOOTHED_VALUES}};
    STATUS_TRY(hdf5_reader_shape(file, "rig/smoothed/joints", ARRAY_INT32, joints_shape, 0, &shape));
    STATUS_TRY(hdf5_reader_shape(file, "rig/smoothed/values", ARRAY_FLOAT64, values_shape, 0, &shape));
    ALLOCATE(out->joints, out->first[vertex_count], "the smoothed weights");
    ALLOCATE_TABLE(out->values, out->first[vertex_count], SMOOTHED_VALUES, "the smoothed weights");
    STATUS_TRY(hdf5_reader_block(file, "rig/smoothed/joints", ARRAY_INT32, whole, joints_shape, out->joints));
    STATUS_TRY(
        hdf5_reader_block(file, "rig/smoothed/values", ARRAY_FLOAT64, whole, values_shape, out->values));
    for (int v = 0; v < vertex_count; v++)
        for (int64_t i = out->first[v], before = -1; i < out->first[v + 1]; before = out->joints[i++])
            if (out->joints[i] <= before || out->joints[i] >= rig->joint_count)
                return bad_input(
                    "%s: rig/smoothed/joints[%lld] is %d, expected a joint of the rig, in ascending order",
                    path, (long long)i, out->joints[i]);
    for (int64_t i = 0; i < SMOOTHED_VALUES * out->first[vertex_count]; i++)
        if (!isfinite(out->values[i]))
            return bad_input("%s: rig/smoothed/values[%lld,%lld] is not finite", path,
                             (long long)(i / SMOOTHED_VALUES), (long long)(i % SMOOTHED_VALUES));
    return status_ok();
}

/* Opens a file without checking values. */
static Status reader_open(const char *path, const Progress *progress, DatasetReader **out)
{
    *out = NULL;
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    ALLOCATE(reader, 1, "a reader");
    reader->progress = progress;
    COPY_TEXT(reader->path, path, "a reader");
    STATUS_TRY(hdf5_reader_open(reader->path, progress, &reader->file));
    Hdf5Reader *file = reader->file;
    OWNED char *format = NULL;
    double version = 0.0;
    STATUS_TRY(hdf5_reader_text(file, "format", NULL, &format));
    if (strcmp(format, "skinbench") != 0)
        return bad_input("%s: attribute format is '%.40s', expected 'skinbench'", reader->path, format);
    STATUS_TRY(hdf5_reader_number(file, "schema_version", NULL, &version));
    if (version != STORE_SCHEMA_VERSION)
        return bad_input("%s: attribute schema_version is %g, expected %d", reader->path, version,
                         STORE_SCHEMA_VERSION);
    STATUS_TRY(dataset_create(NULL, NULL, NULL, NULL, &reader->header));
    Dataset *header = reader->header;
    const struct {
        const char *name;
        char **text;
    } rows[] = {{"name", &header->name},
                {"title", &header->title},
                {"source", &header->source},
                {"license", &header->license}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        bool found = false;
        STATUS_TRY(hdf5_reader_text(file, rows[i].name, &found, &text));
        if (found) {
            memory_free(*rows[i].text);
            *rows[i].text = text;
        }
    }
    bool found = false;
    STATUS_TRY(hdf5_reader_number(file, "fps", &found, &header->fps));
    STATUS_TRY(part_read(reader, "mesh/"));
    STATUS_TRY(attributes_read(reader));
    /* find the optional parts of the file */
    const int vertices = header->mesh.vertex_count;
    bool with_rig = false, with_model = false, with_animation = false, with_clips = false;
    STATUS_TRY(hdf5_reader_find(file, "rig", &with_rig));
    STATUS_TRY(hdf5_reader_find(file, "model", &with_model));
    STATUS_TRY(hdf5_reader_find(file, "animation", &with_animation));
    STATUS_TRY(hdf5_reader_find(file, "clips", &with_clips));
    if (with_rig) {
        STATUS_TRY(part_read(reader, "rig/"));
        STATUS_TRY(smoothed_read(file, reader->path, vertices, &header->rig));
    }
    if (with_model)
        STATUS_TRY(part_read(reader, "model/"));
    if (with_model && header->low_rank.row_count % 3 != 0)
        return bad_input("%s: model/basis has %d rows, expected 3 for each frame", reader->path,
                         header->low_rank.row_count);
    if (with_clips)
        STATUS_TRY(part_read(reader, "clips/"));
    if (with_animation) {
        Hdf5Shape shape = {3, {-1, vertices, 3}};
        STATUS_TRY(
            hdf5_reader_shape(file, "animation/positions", ARRAY_FLOAT32, shape, STORE_FRAMES_MAX, &shape));
        header->animation.frame_count = (int)shape.extents[0];
    }
    *out = TAKE(reader);
    return status_ok();
}

Status dataset_reader_open(const char *path, const Progress *progress, DatasetReader **out,
                           const Dataset **header)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    *out = NULL;
    *header = NULL;
    STATUS_TRY(reader_open(path, progress, &reader));
    STATUS_TRY(dataset_validate(reader->header, path));
    *header = reader->header;
    *out = TAKE(reader);
    return status_ok();
}

void dataset_reader_close(DatasetReader *reader)
{
    if (!reader)
        return;
    hdf5_reader_close(reader->file);
    dataset_free(reader->header);
    FREE_ALL(reader->stored_vertices, reader->frame, reader->path, reader);
}

Status dataset_reader_restore_order(DatasetReader *reader)
{
    const Mesh *mesh = &reader->header->mesh;
    STATUS_TRY(vertex_order_map(mesh->original_vertices, NULL, mesh->vertex_count, &reader->stored_vertices));
    if (!reader->stored_vertices)
        return status_ok();
    ALLOCATE_TABLE(reader->frame, mesh->vertex_count, 3, "a frame");
    return dataset_reorder(reader->header, reader->stored_vertices);
}

static Status positions_read(DatasetReader *reader, Hdf5Shape first, Hdf5Shape extents, float *positions)
{
    return hdf5_reader_block(reader->file, "animation/positions", ARRAY_FLOAT32, first, extents, positions);
}

static Status range_check(const DatasetReader *reader, int first, int count, int available, const char *what)
{
    if (first >= 0 && count >= 0 && first <= available - count)
        return status_ok();
    return bad_usage("%s: %s %d to %lld were requested, but there are only %d", reader->path, what, first,
                     (long long)first + count - 1, available);
}

Status dataset_read_frames(DatasetReader *reader, int first, int count, float *positions)
{
    int vertices = reader->header->mesh.vertex_count;
    STATUS_TRY(range_check(reader, first, count, reader->header->animation.frame_count, "frames"));
    STATUS_TRY(positions_read(reader, (Hdf5Shape){3, {first, 0, 0}}, (Hdf5Shape){3, {count, vertices, 3}},
                              positions));
    STATUS_TRY(frames_validate(positions, first, count, 0, vertices, reader->path, "animation/positions"));
    for (size_t f = 0; reader->stored_vertices && f < (size_t)count; f++) {
        float *frame = positions + 3 * f * (size_t)vertices;
        memcpy(reader->frame, frame, 3 * (size_t)vertices * sizeof *frame);
        rows_gather(reader->frame, 3 * sizeof *frame, reader->stored_vertices, vertices, frame);
    }
    return status_ok();
}

Status dataset_read_block(DatasetReader *reader, PositionBlock block, float *positions)
{
    if (reader->stored_vertices)
        return bad_usage("%s: in the original order, only whole frames can be read", reader->path);
    STATUS_TRY(range_check(reader, block.first_frame, block.frames, reader->header->animation.frame_count,
                           "frames"));
    STATUS_TRY(range_check(reader, block.first_vertex, block.vertices, reader->header->mesh.vertex_count,
                           "vertices"));
    STATUS_TRY(positions_read(reader, (Hdf5Shape){3, {block.first_frame, block.first_vertex, 0}},
                              (Hdf5Shape){3, {block.frames, block.vertices, 3}}, positions));
    return frames_validate(positions, block.first_frame, block.frames, block.first_vertex, block.vertices,
                           reader->path, "animation/positions");
}

static Status reader_block_read(void *context, PositionBlock block, float *positions)
{
    DatasetReader *reader = context;
    block.first_vertex += reader->first_of_source;
    return dataset_read_block(reader, block, positions);
}

PositionSource dataset_reader_positions(DatasetReader *reader, int first_vertex)
{
    reader->first_of_source = first_vertex;
    return (PositionSource){reader_block_read, reader};
}

Status dataset_read_vertices(DatasetReader *reader, int first, int count, float *positions)
{
    return dataset_read_block(reader, (PositionBlock){0, reader->header->animation.frame_count, first, count},
                              positions);
}

Status dataset_read_unchecked(const char *path, const Progress *progress, Dataset **out)
{
    *out = NULL;
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    STATUS_TRY(reader_open(path, progress, &reader));
    if (reader->header->animation.frame_count > 0) {
        /* read positions and normals in blocks of frames, so that progress is reported */
        enum { BLOCK_BYTES = 64 << 20 };
        Hdf5Reader *file = reader->file;
        Animation *animation = &reader->header->animation;
        int frames = animation->frame_count, vertices = reader->header->mesh.vertex_count;
        size_t frame_floats = 3 * (size_t)vertices;
        Hdf5Shape shape;
        bool with_normals = false;
        STATUS_TRY(hdf5_reader_find(file, "animation/normals", &with_normals));
        if (with_normals)
            STATUS_TRY(hdf5_reader_shape(file, "animation/normals", ARRAY_FLOAT32,
                                         (Hdf5Shape){3, {frames, vertices, 3}}, 0, &shape));
        STATUS_TRY(animation_allocate(animation, frames, vertices, with_normals));
        int block = (int)(BLOCK_BYTES / sizeof(float) / (frame_floats + 1)) + 1;
        for (int first = 0; first < frames; first += block) {
            int count = int_min(frames - first, block);
            Hdf5Shape start = {3, {first, 0, 0}}, extents = {3, {count, vertices, 3}};
            size_t offset = (size_t)first * frame_floats;
            STATUS_TRY(positions_read(reader, start, extents, animation->positions + offset));
            if (with_normals)
                STATUS_TRY(hdf5_reader_block(file, "animation/normals", ARRAY_FLOAT32, start, extents,
                                             animation->normals + offset));
            if (!progress_report(reader->progress, "reading", (double)(first + count) / frames))
                return status_make(STATUS_STOPPED, "stopped while reading %s", reader->path);
        }
    }
    *out = TAKE(reader->header);
    return status_ok();
}

Status dataset_read(const char *path, const Progress *progress, Dataset **out)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    *out = NULL;
    STATUS_TRY(dataset_read_unchecked(path, progress, &dataset));
    STATUS_TRY(dataset_validate(dataset, path));
    STATUS_TRY(dataset_frames_validate(dataset, path));
    *out = TAKE(dataset);
    return status_ok();
}
