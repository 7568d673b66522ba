/* Writes data set files (schema version 1, datasets/README.md), as a whole or frame by frame. A file has a
 * temporary name until it is complete. */
#include "datasets/io/atomic_path.h"
#include "datasets/io/confined.h"
#include "datasets/io/hdf5_write.h"
#include "datasets/io/store.h"

#include "datasets/model/validate.h"

/* HDF5 crashes when out of memory, so it writes in a confined process (confined.h). The process is forked
 * once the header is known, and uses its own copy of the header. Blocks of frames are passed through two
 * slots of shared memory. The caller fills one while HDF5 writes the other. */
enum { BLOCK_VALUES = 1 << 21, BLOCK_SLOTS = 2 };

typedef enum Step { STEP_HEADER, STEP_BLOCK, STEP_CLOSE } Step;

typedef struct WriterShared {
    Step step;
    bool of_normals;
    int slot;                 /* slot that holds the block */
    Hdf5Shape first, extents; /* first index and size of the block along each axis */
    _Alignas(64) float values[BLOCK_SLOTS][BLOCK_VALUES];
} WriterShared;

struct DatasetWriter {
    AtomicPath path;
    Confined *confined;
    WriterShared *shared;
    int vertex_count, frame_count;
    bool with_normals;
    int frames_written;
    bool asked; /* whether a step is in progress */
    int slot;   /* slot of the most recent block */
    /* The following members are used only in the confined process. */
    const Dataset *header;
    Hdf5File file;
    hid_t positions, normals; /* H5I_INVALID_HID if absent */
};

/* ---- in the confined process ---- */

/* Returns the size of the parts when `count` items are split evenly into as few parts as possible, each at
 * most `limit`. With even parts, the last chunk has little unused space. */
static int even_part(int count, int limit)
{
    int parts = (count - 1) / limit + 1;
    return (count - 1) / parts + 1;
}

/* Creates the array of positions or normals in chunks of up to 16 frames and 2048 vertices, so that both
 * whole frames and blocks of vertices are read quickly. The cache holds the chunks of the frames being
 * written, so chunks have fewer frames if there are very many vertices. Large arrays are contiguous,
 * because the disk then reads frames and blocks at full speed (hdf5_reader.c). */
static Status frames_create(const Hdf5File *file, const char *object, int frame_count, int vertex_count,
                            hid_t *array)
{
    enum { CHUNK_FRAMES = 16, CHUNK_VERTICES = 2048, CACHE_BYTES = 32 << 20, CHUNKED_BYTES = 256 << 20 };
    Hdf5Shape shape = {3, {frame_count, vertex_count, 3}}, chunk = {0};
    double frame_bytes = 3.0 * sizeof(float) * vertex_count;
    if (vertex_count > 0 && frame_bytes * frame_count <= CHUNKED_BYTES) {
        int frames =
            frame_bytes * CHUNK_FRAMES <= CACHE_BYTES ? CHUNK_FRAMES : (int)(CACHE_BYTES / frame_bytes);
        chunk = (Hdf5Shape){
            3, {even_part(frame_count, int_max(frames, 1)), even_part(vertex_count, CHUNK_VERTICES), 3}};
    }
    return hdf5_create_array(file, object, ARRAY_FLOAT32, shape, chunk, CACHE_BYTES + (1 << 20), array);
}

static Status smoothed_write(const Hdf5File *file, const Rig *rig, int vertex_count)
{
    const JointValues *smoothed = &rig->smoothed;
    const int64_t count = smoothed->first[vertex_count];
    LOCAL_ARRAY(int32_t, counts, vertex_count, "the smoothed weights");
    for (int v = 0; v < vertex_count; v++)
        counts[v] = (int32_t)(smoothed->first[v + 1] - smoothed->first[v]);
    STATUS_TRY(hdf5_write(file, "rig/smoothed/parameters", ARRAY_FLOAT64,
                          (Hdf5Shape){1, {SMOOTHING_PARAMETERS}}, rig->smoothing));
    STATUS_TRY(hdf5_write(file, "rig/smoothed/counts", ARRAY_INT32, (Hdf5Shape){1, {vertex_count}}, counts));
    STATUS_TRY(
        hdf5_write(file, "rig/smoothed/joints", ARRAY_INT32, (Hdf5Shape){1, {count}}, smoothed->joints));
    return hdf5_write(file, "rig/smoothed/values", ARRAY_FLOAT64, (Hdf5Shape){2, {count, SMOOTHED_VALUES}},
                      smoothed->values);
}

static Status header_write(DatasetWriter *writer)
{
    const Dataset *header = writer->header;
    const Hdf5File *file = &writer->file;
    int vertices = writer->vertex_count, frames = writer->frame_count;
    STATUS_TRY(hdf5_create(writer->path.temporary, &writer->file));
    writer->file.path = writer->path.given; /* path used in messages */
    STATUS_TRY(hdf5_write_attribute_text(file, "format", "skinbench"));
    STATUS_TRY(hdf5_write_attribute_number(file, "schema_version", ARRAY_INT32, STORE_SCHEMA_VERSION));
    STATUS_TRY(hdf5_write_attribute_text(file, "name", header->name));
    STATUS_TRY(hdf5_write_attribute_text(file, "title", header->title));
    STATUS_TRY(hdf5_write_attribute_text(file, "source", header->source));
    STATUS_TRY(hdf5_write_attribute_text(file, "license", header->license));
    STATUS_TRY(hdf5_write_attribute_number(file, "fps", ARRAY_FLOAT64, header->fps));
    for (const DatasetArray *array = dataset_arrays; array->part != DATASET_COUNT(animation.frame_count);
         array++) {
        const void *values = dataset_array_values(header, array);
        Hdf5Shape shape;
        shape.rank = dataset_array_extents(header, array, shape.extents);
        if (values && array->element == ARRAY_TEXT)
            STATUS_TRY(hdf5_write_texts(file, array->path, (int)shape.extents[0], values));
        else if (values)
            STATUS_TRY(hdf5_write(file, array->path, array->element, shape, values));
        if (strcmp(array->path, "rig/centers") == 0 && header->rig.smoothed.first)
            STATUS_TRY(smoothed_write(file, &header->rig, vertices));
    }
    for (int i = 0; i < header->mesh.attribute_count; i++) {
        char object[80];
        snprintf(object, sizeof object, "mesh/attributes/%s", header->mesh.attribute_names[i]);
        STATUS_TRY(hdf5_write(file, object, ARRAY_FLOAT32, (Hdf5Shape){1, {vertices}},
                              header->mesh.attributes + (ptrdiff_t)i * vertices));
    }
    if (frames > 0)
        STATUS_TRY(frames_create(file, "animation/positions", frames, vertices, &writer->positions));
    if (frames > 0 && writer->with_normals)
        STATUS_TRY(frames_create(file, "animation/normals", frames, vertices, &writer->normals));
    return status_ok();
}

/* Closes everything that is open. This also writes the data that HDF5 has buffered. */
static Status file_close(DatasetWriter *writer)
{
    Status status = status_ok();
    if (writer->positions >= 0 && H5Dclose(writer->positions) < 0)
        status = hdf5_failure(STATUS_SYSTEM, &writer->file, "animation/positions", "cannot be written");
    if (writer->normals >= 0 && H5Dclose(writer->normals) < 0 && status.code == STATUS_OK)
        status = hdf5_failure(STATUS_SYSTEM, &writer->file, "animation/normals", "cannot be written");
    Status closed = hdf5_close(&writer->file);
    return status.code == STATUS_OK ? closed : status;
}

static Status step_answer(void *context, void *memory)
{
    DatasetWriter *writer = context;
    WriterShared *shared = memory;
    if (shared->step == STEP_HEADER)
        return header_write(writer);
    if (shared->step == STEP_CLOSE)
        return file_close(writer);
    return hdf5_write_block(&writer->file, shared->of_normals ? "animation/normals" : "animation/positions",
                            shared->of_normals ? writer->normals : writer->positions, ARRAY_FLOAT32,
                            shared->first, shared->extents, shared->values[shared->slot]);
}

/* ---- in the calling process ---- */

/* Waits until the current step is done. */
static Status step_finish(DatasetWriter *writer)
{
    char place[STATUS_TEXT_BYTES];
    snprintf(place, sizeof place, "%s: cannot be written: ", writer->path.given);
    const bool asked = writer->asked;
    writer->asked = false;
    return asked ? confined_finish(writer->confined, place, NULL) : status_ok();
}

static void step_begin(DatasetWriter *writer, Step step)
{
    writer->shared->step = step;
    writer->asked = true;
    confined_begin(writer->confined);
}

/* Starts writing a block of frames and vertices while the caller prepares the next one. */
static Status block_send(DatasetWriter *writer, bool of_normals, Hdf5Shape first, Hdf5Shape extents,
                         const float *values)
{
    WriterShared *shared = writer->shared;
    STATUS_TRY(frames_validate(values, (int)first.extents[0], (int)extents.extents[0], (int)first.extents[1],
                               (int)extents.extents[1], writer->path.given,
                               of_normals ? "animation/normals" : "animation/positions"));
    writer->slot = (writer->slot + 1) % BLOCK_SLOTS;
    memcpy(shared->values[writer->slot], values,
           (size_t)(extents.extents[0] * extents.extents[1] * extents.extents[2]) * sizeof *values);
    STATUS_TRY(step_finish(writer));
    shared->of_normals = of_normals;
    shared->slot = writer->slot;
    shared->first = first;
    shared->extents = extents;
    step_begin(writer, STEP_BLOCK);
    return status_ok();
}

Status dataset_writer_open(const char *path, const Dataset *header, int with_normals, DatasetWriter **out)
{
    *out = NULL;
    STATUS_TRY(dataset_validate(header, path));
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    ALLOCATE(writer, 1, "a writer");
    const ConfinedTask task = {
        .trusted = true, .shared_bytes = sizeof(WriterShared), .answer = step_answer, .context = writer};
    *writer = (DatasetWriter){.header = header,
                              .vertex_count = header->mesh.vertex_count,
                              .frame_count = header->animation.frame_count,
                              .with_normals = with_normals != 0,
                              .file = {.id = H5I_INVALID_HID},
                              .positions = H5I_INVALID_HID,
                              .normals = H5I_INVALID_HID};
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &writer->path));
    STATUS_TRY(confined_start(&task, &writer->confined));
    writer->shared = confined_shared(writer->confined);
    step_begin(writer, STEP_HEADER);
    STATUS_TRY(step_finish(writer));
    *out = TAKE(writer);
    return status_ok();
}

/* Writes values as blocks of whole frames, or as blocks of vertices if a frame is too large. */
static Status frames_write(DatasetWriter *writer, bool of_normals, int first, int count, const float *values)
{
    const int vertices = writer->vertex_count, max = BLOCK_VALUES / 3;
    if (vertices == 0)
        return status_ok();
    const int frame_step = int_max(max / vertices, 1), vertex_step = int_min(vertices, max);
    for (int f = 0; f < count; f += frame_step)
        for (int v = 0; v < vertices; v += vertex_step) {
            const int frames = int_min(count - f, frame_step);
            const int part = int_min(vertices - v, vertex_step);
            STATUS_TRY(block_send(writer, of_normals, (Hdf5Shape){3, {first + f, v, 0}},
                                  (Hdf5Shape){3, {frames, part, 3}},
                                  values + 3 * ((ptrdiff_t)f * vertices + v)));
        }
    return status_ok();
}

Status dataset_write_frames(DatasetWriter *writer, int count, const float *positions, const float *normals)
{
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): clang takes the status of a failed open for OK
    const bool with_normals = writer->with_normals;
    if (count < 0 || count > writer->frame_count - writer->frames_written)
        return bad_usage("%s: frames %d to %lld cannot be added: %d were declared", writer->path.given,
                         writer->frames_written, (long long)writer->frames_written + count - 1,
                         writer->frame_count);
    if (count > 0 && (!positions || with_normals != (normals != NULL)))
        return bad_usage("%s: the frames were passed with%s normals, but declared with%s", writer->path.given,
                         normals ? "" : "out", with_normals ? "" : "out");
    STATUS_TRY(frames_write(writer, false, writer->frames_written, count, positions));
    if (normals)
        STATUS_TRY(frames_write(writer, true, writer->frames_written, count, normals));
    writer->frames_written += count;
    return status_ok();
}

Status dataset_writer_commit(DatasetWriter *writer)
{
    OWNED_BY(dataset_writer_abandon) DatasetWriter *ending = writer;
    if (writer->frames_written < writer->frame_count)
        return bad_usage("%s: only %d of %d frames were written", writer->path.given, writer->frames_written,
                         writer->frame_count);
    STATUS_TRY(step_finish(writer));
    step_begin(writer, STEP_CLOSE);
    STATUS_TRY(step_finish(writer));
    return atomic_path_commit(&writer->path);
}

void dataset_writer_abandon(DatasetWriter *writer)
{
    if (!writer)
        return;
    confined_end(writer->confined);
    atomic_path_discard(&writer->path);
    memory_free(writer);
}

Status dataset_write(const Dataset *dataset, const char *path)
{
    const Animation *animation = &dataset->animation;
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    STATUS_TRY(dataset_writer_open(path, dataset, animation->normals != NULL, &writer));
    STATUS_TRY(
        dataset_write_frames(writer, animation->frame_count, animation->positions, animation->normals));
    return dataset_writer_commit(TAKE(writer));
}
