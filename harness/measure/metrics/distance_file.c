/* Writes the distances of vertices from their targets as a table (.npy, .csv or HDF5). The file has a
 * temporary name until it is complete. */
#include "harness/measure/metrics/distance_file.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/confined.h"
#include "datasets/io/hdf5_write.h"
#include "datasets/io/npy.h"

typedef struct DistanceFormat {
    const char *ending;
    void (*add)(FILE *stream, const DistanceBlock *block); /* function that writes a block, and before the
                                                              first block also the header; NULL for HDF5 */
} DistanceFormat;

enum { SHARED_VALUES = 1 << 20 };

/* Input of the confined process that writes HDF5: frames from index `first` on, and some of their
 * vertices. */
typedef struct DistanceShared {
    DistanceBlock block;
    int vertex, part;
    _Alignas(64) float values[SHARED_VALUES];
} DistanceShared;

struct DistanceFile {
    AtomicPath path;
    const DistanceFormat *format;
    const char *target, *candidate;
    FILE *stream;       /* output of text and NumPy; NULL if not open */
    Confined *confined; /* process that writes HDF5, because HDF5 crashes if memory or the disk runs out */
    Hdf5File hdf5;      /* the file and its array are open only in the confined process */
    hid_t array;
};

static void npy_add(FILE *stream, const DistanceBlock *block)
{
    const int64_t extents[] = {block->frame_count, block->vertex_count};
    if (block->first == 0)
        npy_write_header(stream, NPY_FLOAT32, extents, 2);
    fwrite(block->distances, sizeof *block->distances, (size_t)block->count * (size_t)block->vertex_count,
           stream);
}

static void csv_add(FILE *stream, const DistanceBlock *block)
{
    fputs(block->first == 0 ? "frame,vertex,distance\n" : "", stream);
    for (int f = 0; f < block->count; f++)
        for (int v = 0; v < block->vertex_count; v++)
            fprintf(stream, "%d,%d,%.9g\n", block->first + f, v,
                    (double)block->distances[(ptrdiff_t)f * block->vertex_count + v]);
}

static bool is_last(const DistanceBlock *block)
{
    return block->first + block->count == block->frame_count;
}

/* ---- in the confined process ---- */

static Status hdf5_answer(void *context, void *memory)
{
    DistanceFile *file = context;
    const DistanceShared *shared = memory;
    const DistanceBlock *block = &shared->block;
    if (block->first == 0 && shared->vertex == 0) {
        const Hdf5Shape shape = {2, {block->frame_count, block->vertex_count}};
        STATUS_TRY(hdf5_create(file->path.temporary, &file->hdf5));
        file->hdf5.path = file->path.given; /* file name in messages */
        STATUS_TRY(hdf5_write_attribute_text(&file->hdf5, "target", file->target));
        STATUS_TRY(hdf5_write_attribute_text(&file->hdf5, "candidate", file->candidate));
        STATUS_TRY(hdf5_create_array(&file->hdf5, "distance", ARRAY_FLOAT32, shape, (Hdf5Shape){0}, 0,
                                     &file->array));
    }
    STATUS_TRY(hdf5_write_block(&file->hdf5, "distance", file->array, ARRAY_FLOAT32,
                                (Hdf5Shape){2, {block->first, shared->vertex}},
                                (Hdf5Shape){2, {block->count, shared->part}}, shared->values));
    if (!is_last(block) || shared->vertex + shared->part != block->vertex_count)
        return status_ok();
    if (H5Dclose(file->array) < 0) /* closing writes the data that HDF5 has buffered */
        return hdf5_failure(STATUS_SYSTEM, &file->hdf5, "distance", "cannot be written");
    return hdf5_close(&file->hdf5);
}

/* ---- in the main process ---- */

/* Passes a block to the confined process in parts that fit into the shared memory: several frames, or some
 * vertices of one frame. */
static Status hdf5_file_write(DistanceFile *file, const DistanceBlock *block)
{
    const ConfinedTask task = {
        .trusted = true, .shared_bytes = sizeof(DistanceShared), .answer = hdf5_answer, .context = file};
    char place[STATUS_TEXT_BYTES];
    snprintf(place, sizeof place, "%s: cannot be written: ", file->path.given);
    const int vertices = block->vertex_count, max = SHARED_VALUES;
    const int frames = vertices < max ? max / vertices : 1, part = int_min(vertices, max);
    if (!file->confined)
        STATUS_TRY(confined_start(&task, &file->confined));
    DistanceShared *shared = confined_shared(file->confined);
    for (int f = 0; f < block->count; f += frames)
        for (int v = 0; v < vertices; v += part) {
            shared->block = *block;
            shared->block.first = block->first + f;
            shared->block.count = int_min(block->count - f, frames);
            shared->vertex = v;
            shared->part = int_min(vertices - v, part);
            memcpy(shared->values, block->distances + (ptrdiff_t)f * vertices + v,
                   (size_t)shared->block.count * (size_t)shared->part * sizeof(float));
            STATUS_TRY(confined_ask(file->confined, place, NULL));
        }
    return status_ok();
}

static const DistanceFormat formats[] = {{".npy", npy_add}, {".csv", csv_add}, {".h5", NULL}};

Status distance_file_open(const char *path, const char *target, const char *candidate, DistanceFile **out)
{
    *out = NULL;
    const DistanceFormat *format = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (path_ends(path, formats[i].ending))
            format = &formats[i];
    if (!format)
        return bad_usage("%s: the name of a file for distances must end in .npy, .csv or .h5", path);
    OWNED_BY(distance_file_close) DistanceFile *file = NULL;
    ALLOCATE(file, 1, "a file of distances");
    *file = (DistanceFile){.format = format,
                           .target = target + output_path_folder_length(target),
                           .candidate = candidate + output_path_folder_length(candidate)};
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &file->path));
    *out = TAKE(file);
    return status_ok();
}

static Status distances_write(void *context, const DistanceBlock *block)
{
    DistanceFile *file = context;
    if (!file->format->add)
        return hdf5_file_write(file, block);
    if (block->first == 0)
        STATUS_TRY(stream_create(file->path.temporary, "wbe", file->path.given, &file->stream));
    file->format->add(file->stream, block);
    return is_last(block) ? stream_finish(TAKE(file->stream), file->path.given) : status_ok();
}

DistanceSink distance_file_sink(DistanceFile *file)
{
    return file ? (DistanceSink){distances_write, file} : (DistanceSink){0};
}

Status distance_file_commit(DistanceFile *file)
{
    return atomic_path_commit(&file->path);
}

void distance_file_close(DistanceFile *file)
{
    if (!file)
        return;
    if (file->stream)
        (void)fclose(file->stream);
    confined_end(file->confined);
    atomic_path_discard(&file->path);
    memory_free(file);
}
