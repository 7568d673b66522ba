/* Distances of vertices from their target as a table: .npy, .csv or HDF5, under a temporary name until it is whole. */
#include "harness/metrics/distance_file.h"

#include "datasets/base/memory.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/confined.h"
#include "datasets/io/hdf5_write.h"
#include "datasets/io/npy.h"
#include "datasets/io/stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct DistanceTable {
    int frames, vertices;
    const float *values; /* [frames][vertices] */
} DistanceTable;

typedef struct DistanceFormat {
    const char *ending;
    Status (*write)(DistanceFile *file, const DistanceTable *table);
} DistanceFormat;

struct DistanceFile {
    AtomicPath path;
    const DistanceFormat *format;
    const char *target, *candidate;
    const DistanceTable *table; /* for the process that writes HDF5 */
};

static void npy_stream_write(FILE *stream, const DistanceTable *table)
{
    const int64_t extents[] = {table->frames, table->vertices};
    npy_write_header(stream, NPY_FLOAT32, extents, 2);
    fwrite(table->values, sizeof *table->values, (size_t)table->frames * (size_t)table->vertices, stream);
}

static void csv_stream_write(FILE *stream, const DistanceTable *table)
{
    fputs("frame,vertex,distance\n", stream);
    for (int f = 0; f < table->frames; f++)
        for (int v = 0; v < table->vertices; v++)
            fprintf(stream, "%d,%d,%.9g\n", f, v, (double)table->values[(ptrdiff_t)f * table->vertices + v]);
}

static Status stream_write(const DistanceFile *file, const DistanceTable *table,
                           void (*write)(FILE *stream, const DistanceTable *table))
{
    FILE *stream = fopen(file->path.temporary, "wbe");
    int error = stream ? 0 : errno;
    if (stream) {
        write(stream, table);
        error = stream_close(stream);
    }
    return error == 0
               ? status_ok()
               : status_make(STATUS_MACHINE, "%s: cannot be written: %s", file->path.given, strerror(error));
}

static Status npy_file_write(DistanceFile *file, const DistanceTable *table)
{
    return stream_write(file, table, npy_stream_write);
}

static Status csv_file_write(DistanceFile *file, const DistanceTable *table)
{
    return stream_write(file, table, csv_stream_write);
}

/* In a process of its own, as HDF5 crashes where memory or the disk gives out. */
static void hdf5_answer(void *context, void *shared)
{
    const DistanceFile *file = context;
    const DistanceTable *table = file->table;
    const Hdf5Shape shape = {2, {table->frames, table->vertices}};
    Hdf5File out = {.id = H5I_INVALID_HID};
    Status status;
    STATUS_TRY(hdf5_create(file->path.temporary, &out));
    out.path = file->path.given; /* the name in messages */
    STATUS_TRY(hdf5_write_attribute_text(&out, "target", file->target));
    STATUS_TRY(hdf5_write_attribute_text(&out, "candidate", file->candidate));
    STATUS_TRY(hdf5_write(&out, "distance", HDF5_FLOAT32, shape, table->values));
    status = hdf5_close(&out);
done:
    memcpy(shared, &status, sizeof status);
}

static Status hdf5_file_write(DistanceFile *file, const DistanceTable *table)
{
    Confined *confined = NULL;
    const ConfinedTask task = {
        .trusted = true, .shared_bytes = sizeof(Status), .answer = hdf5_answer, .context = file};
    Status status;
    file->table = table;
    STATUS_TRY(confined_start(&task, &confined));
    status = confined_ask(confined, NULL);
    if (status.code == STATUS_OK)
        memcpy(&status, confined_shared(confined), sizeof status);
    else
        status = status_make(status.code, "%s: cannot be written: %s", file->path.given, status.text);
done:
    confined_end(confined);
    return status;
}

static const DistanceFormat formats[] = {
    {".npy", npy_file_write}, {".csv", csv_file_write}, {".h5", hdf5_file_write}};

static const DistanceFormat *format_of(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t ending = strlen(formats[i].ending);
        if (length > ending && strcmp(path + length - ending, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

Status distance_file_open(const char *path, const char *target, const char *candidate, DistanceFile **out)
{
    *out = NULL;
    const DistanceFormat *format = format_of(path);
    if (!format)
        return status_make(STATUS_USAGE, "%s: distances are written to a file that ends in .npy, .csv or .h5",
                           path);
    DistanceFile *file = memory_array(1, sizeof *file);
    if (!file)
        return status_out_of_memory("a file of distances");
    *file = (DistanceFile){.format = format, .target = target, .candidate = candidate};
    Status status = atomic_path_start(path, OUTPUT_FILE, &file->path);
    if (status.code == STATUS_OK)
        *out = file;
    else
        distance_file_close(file);
    return status;
}

static Status distances_take(void *context, int frames, int vertices, const float *distances)
{
    DistanceFile *file = context;
    const DistanceTable table = {frames, vertices, distances};
    return file->format->write(file, &table);
}

DistanceSink distance_file_sink(DistanceFile *file)
{
    return file ? (DistanceSink){distances_take, file} : (DistanceSink){0};
}

Status distance_file_commit(DistanceFile *file)
{
    return atomic_path_commit_file(&file->path);
}

void distance_file_close(DistanceFile *file)
{
    if (!file)
        return;
    atomic_path_discard(&file->path);
    memory_free(file);
}
