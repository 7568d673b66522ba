/* Imports frames from an array into a data set file, together with the faces of a base mesh. Exports frames
 * from a data set into an array. */
#include "datasets/formats/frame_array.h"

#include "datasets/formats/mesh_file.h"
#include "datasets/geometry/topology.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/input_file.h"
#include "datasets/io/store.h"
#include "datasets/model/validate.h"

enum { BLOCK_BYTES = 8 << 20 }; /* size of the blocks in which frames are read, in bytes */

Status frame_array_counts(FrameArray *array, int64_t frame_count, int64_t vertex_count)
{
    if (frame_count < 1 || vertex_count < 1 || frame_count > STORE_FRAMES_MAX ||
        vertex_count > STORE_VERTICES_MAX)
        return bad_input("%s: declares %" PRId64 " frames of %" PRId64 " vertices, expected 1 to %d of each",
                         array->place, frame_count, vertex_count, STORE_VERTICES_MAX);
    array->frame_count = (int)frame_count;
    array->vertex_count = (int)vertex_count;
    return status_ok();
}

/* Reads frames, checks their values, and scales them. */
static Status checked_read(const FrameArray *array, double scale, int first, int count, float *positions)
{
    STATUS_TRY(array->read(array, first, count, positions));
    const int64_t values = 3 * (int64_t)array->vertex_count * count;
    for (int64_t i = 0; scale != 1.0 && i < values; i++)
        positions[i] = (float)(scale * (double)positions[i]);
    return frames_validate(positions, first, count, 0, array->vertex_count, array->place, "frames");
}

/* Stores the triangles in the mesh of the data set. NULL means that there are none. */
static Status triangles_set(Dataset *header, const int32_t *triangles, int count, const char *place)
{
    Mesh *mesh = &header->mesh;
    count = triangles ? count : 0;
    ALLOCATE_TABLE(mesh->triangles, count, 3, "triangles");
    if (!triangles)
        return status_ok();
    const int64_t wrong = corner_out_of_range(triangles, count, mesh->vertex_count);
    if (wrong >= 0)
        return bad_input("%s: triangle %" PRId64 " names vertex %" PRId32 ", but there are %d vertices",
                         place, wrong / 3, triangles[wrong], mesh->vertex_count);
    memcpy(mesh->triangles, triangles, 3 * (size_t)count * sizeof *triangles);
    mesh->triangle_count = count;
    return status_ok();
}

/* Copies the rest pose and the faces of the base mesh. */
static Status base_mesh_copy(const FrameArray *array, const ImportOptions *options, Dataset *header)
{
    CLEANUP(file_mesh_clear) FileMesh base = {0};
    STATUS_TRY(format_rest_check(options));
    STATUS_TRY(mesh_allocate(&header->mesh, array->vertex_count, 0));
    memory_free(header->mesh.triangles);
    header->mesh.triangles = NULL;
    if (!options->rest) {
        STATUS_TRY(checked_read(array, options->scale, 0, 1, header->mesh.rest));
        if (!array->triangles)
            format_note(options->notes, "no faces: --rest FILE adds the faces of a mesh (OBJ, PLY or OFF) "
                                        "and uses its vertices as the rest pose");
    } else {
        STATUS_TRY(file_mesh_read(options->rest, &base));
        if (base.vertex_count != array->vertex_count)
            return bad_input("%s: has %d vertices, expected %d as in %s", options->rest, base.vertex_count,
                             array->vertex_count, array->place);
        for (int64_t i = 0; i < 3 * (int64_t)array->vertex_count; i++)
            header->mesh.rest[i] = (float)(options->scale * (double)base.positions[i]);
        STATUS_TRY(frames_validate(header->mesh.rest, 0, 1, 0, array->vertex_count, options->rest, "frames"));
    }
    if (base.triangle_count > 0)
        return triangles_set(header, base.triangles, base.triangle_count, options->rest);
    return triangles_set(header, array->triangles, array->triangle_count,
                         array->triangles_place ? array->triangles_place : array->place);
}

Status frame_array_import(const FrameArray *array, const ImportOptions *options, const char *output)
{
    OWNED_BY(dataset_free) Dataset *header = NULL;
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    STATUS_TRY(format_dataset_create(options, &header));
    if (options->fps <= 0.0 && array->fps > 0.0)
        header->fps = array->fps;
    STATUS_TRY(base_mesh_copy(array, options, header));
    header->animation.frame_count = array->frame_count;
    STATUS_TRY(dataset_writer_open(output, header, 0, &writer));
    /* the frames */
    const int frames = array->frame_count;
    const size_t frame_bytes = 3 * (size_t)array->vertex_count * sizeof(float);
    const int max = frame_bytes < BLOCK_BYTES ? (int)(BLOCK_BYTES / frame_bytes) : 1;
    LOCAL_TABLE(float, positions, int_min(max, frames), 3 * (size_t)array->vertex_count, "frames");
    for (int first = 0; first < frames; first += max) {
        const int count = int_min(frames - first, max);
        STATUS_TRY(checked_read(array, options->scale, first, count, positions));
        STATUS_TRY(dataset_write_frames(writer, count, positions, NULL));
        if (!progress_report(options->progress, "importing frames", (double)(first + count) / frames))
            return status_make(STATUS_STOPPED, "stopped after %d of %d frames", first + count, frames);
    }
    return dataset_writer_commit(TAKE(writer));
}

void stored_frames_close(StoredFrames *stored)
{
    descriptor_close(&stored->file);
    memory_free(stored->buffer);
}

void frame_array_clear(FrameArray *array)
{
    memory_free(array->triangles);
}

Status stored_bytes_read(const StoredFrames *stored, int64_t offset, size_t size, void *bytes)
{
    errno = 0;
    if (stored->file >= 0 && input_bytes_read(stored->file, offset, size, bytes) == size)
        return status_ok();
    if (stored->file < 0 && offset >= 0 && (uint64_t)offset + size <= (uint64_t)stored->size_bytes) {
        memcpy(bytes, stored->memory + offset, size);
        return status_ok();
    }
    if (errno != 0)
        return input_failure(stored->place, "read");
    return bad_input("%s: ends after %" PRId64 " bytes, expected %" PRId64 " or more", stored->place,
                     stored->size_bytes, offset + (int64_t)size);
}

Status stored_frames_check(const StoredFrames *stored, const FrameArray *array)
{
    const double frame = 3.0 * array->vertex_count * (double)number_bytes(stored->type);
    const double expected = (double)stored->offset + frame * array->frame_count;
    if (expected == (double)stored->size_bytes)
        return status_ok();
    return bad_input("%s: has %" PRId64 " bytes, expected %.0f for %d frames of %d vertices%s", stored->place,
                     stored->size_bytes, expected, array->frame_count, array->vertex_count,
                     expected > (double)stored->size_bytes ? "; it is truncated" : "");
}

void frames_transpose(const float *values, size_t rows, int frames, float *positions)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t f = 0; f < (size_t)frames; f++)
            positions[f * rows + row] = values[row * (size_t)frames + f];
}

Status stored_frames_read(const FrameArray *array, int first, int count, float *positions)
{
    StoredFrames *stored = array->context;
    const size_t size = number_bytes(stored->type), values = 3 * (size_t)array->vertex_count * (size_t)count;
    const size_t wanted = (stored->frames_last ? (size_t)count : values) * size;
    if (wanted > stored->buffer_bytes) {
        memory_free(stored->buffer);
        stored->buffer = memory_array(wanted, 1);
        stored->buffer_bytes = stored->buffer ? wanted : 0;
    }
    ALLOCATED(stored->buffer, "frames");
    if (stored->frames_last) {
        /* a row of [3][N][F] is one coordinate of one vertex over all frames */
        const size_t vertices = (size_t)array->vertex_count;
        LOCAL_ARRAY(float, row, count, "frames");
        for (size_t i = 0; i < 3 * vertices; i++) {
            const int64_t start = stored->offset + ((int64_t)i * array->frame_count + first) * (int64_t)size;
            STATUS_TRY(stored_bytes_read(stored, start, (size_t)count * size, stored->buffer));
            numbers_load(stored->buffer, stored->type, stored->big_endian, (size_t)count, row);
            for (size_t f = 0; f < (size_t)count; f++)
                positions[(f * vertices + i % vertices) * 3 + i / vertices] = row[f];
        }
        return status_ok();
    }
    const int64_t frame = 3 * (int64_t)array->vertex_count * (int64_t)size;
    STATUS_TRY(stored_bytes_read(stored, stored->offset + first * frame, wanted, stored->buffer));
    numbers_load(stored->buffer, stored->type, stored->big_endian, values, positions);
    return status_ok();
}

Status frame_array_export(const ExportOptions *options, void (*begin)(FILE *file, const Dataset *header),
                          bool big_endian)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(dataset_reader_open(options->input, options->progress, &reader, &header));
    STATUS_TRY(dataset_reader_restore_order(reader));
    if (header->animation.frame_count == 0)
        return bad_input("%s: has no animation/positions to export", options->input);
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FILE, &path));
    STATUS_TRY(stream_create(path.temporary, "wbe", options->output, &file));
    begin(file, header);
    const int frames = header->animation.frame_count;
    const size_t values = 3 * (size_t)header->mesh.vertex_count;
    LOCAL_ARRAY(float, positions, values, "a frame");
    OWNED unsigned char *bytes = memory_array(values, sizeof *positions);
    ALLOCATED(bytes, "a frame");
    for (int f = 0; f < frames; f++) {
        STATUS_TRY(dataset_read_frames(reader, f, 1, positions));
        floats_store(positions, values, big_endian, bytes);
        fwrite(bytes, sizeof *positions, values, file);
        if (!progress_report(options->progress, "exporting frames", (f + 1.0) / frames))
            return status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
    }
    STATUS_TRY(stream_finish(TAKE(file), options->output));
    STATUS_TRY(atomic_path_commit(&path));
    if (header->mesh.triangle_count > 0)
        format_note(options->notes, "it has no faces and no rest pose: `skinbench export obj-sequence FILE "
                                    "-o NAME.obj` writes them, for --rest NAME.obj");
    return status_ok();
}
