/* Imports a sequence of mesh files (OBJ, PLY, OFF) as an animation, frame by frame into the store, and exports one. */
#include "datasets/formats/formats.h"

#include "datasets/base/memory.h"
#include "datasets/formats/file_mesh.h"
#include "datasets/formats/sequence.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/store.h"
#include "datasets/io/stream.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An import under way. */
typedef struct Import {
    const MeshFileFormat *format;
    const ImportOptions *options;
    const FileSequence *sequence;
    FileMesh first, frame;
    DatasetWriter *writer;
    int frames_done;
} Import;

static Status positions_scale(const FileMesh *mesh, double scale, const char *place)
{
    char where[MESH_PLACE_BYTES];
    if (scale == 1.0)
        return status_ok();
    for (int64_t i = 0; i < 3 * (int64_t)mesh->vertex_count; i++) {
        mesh->positions[i] = (float)(scale * mesh->positions[i]);
        if (!isfinite(mesh->positions[i]))
            return status_make(STATUS_BAD_INPUT, "%s: vertex %lld times the scale %g is not finite",
                               mesh_place(where, place, mesh->vertex_lines[i / 3]), (long long)i / 3, scale);
    }
    return status_ok();
}

static Status text_parse(const Import *import, const SequenceText *text, FileMesh *mesh)
{
    Status status = import->format->parse(text->text, text->length, text->place, mesh);
    if (status.code == STATUS_OK)
        status = positions_scale(mesh, import->options->scale, text->place);
    return status;
}

static Status frame_import(void *context, int frame, const SequenceText *text)
{
    Import *import = context;
    Status status = text_parse(import, text, &import->frame);
    if (status.code == STATUS_OK)
        status = file_mesh_same_topology(&import->first, import->sequence->first.place, &import->frame,
                                         text->place);
    if (status.code == STATUS_OK)
        status = dataset_write_frame(import->writer, frame, import->frame.positions, NULL);
    if (status.code != STATUS_OK)
        return status;
    import->frames_done++;
    double share = (double)import->frames_done / import->sequence->frame_count;
    if (!progress_report(import->options->progress, "importing frames", share))
        return status_make(STATUS_STOPPED, "stopped after %d of %d frames", import->frames_done,
                           import->sequence->frame_count);
    return status_ok();
}

/* The data set but for its positions: faces, and the rest pose from the rest file or the first frame. */
static Status header_make(Import *import, Dataset **out)
{
    Status status = status_ok();
    const FileSequence *sequence = import->sequence;
    const FileMesh *rest = &import->first;
    STATUS_TRY(format_dataset_create(import->options, out));
    if (import->first.vertex_count == 0) {
        char where[MESH_PLACE_BYTES];
        status = status_make(STATUS_BAD_INPUT, "%s: there are no vertices",
                             mesh_place(where, sequence->first.place, import->first.line_count));
        goto done;
    }
    if (sequence->rest.text) {
        rest = &import->frame;
        STATUS_TRY(text_parse(import, &sequence->rest, &import->frame));
        STATUS_TRY(
            file_mesh_same_topology(&import->first, sequence->first.place, rest, sequence->rest.place));
    }
    Mesh *mesh = &(*out)->mesh;
    STATUS_TRY(mesh_allocate(mesh, rest->vertex_count, rest->triangle_count));
    memcpy(mesh->rest, rest->positions, 3 * (size_t)mesh->vertex_count * sizeof *mesh->rest);
    if (mesh->triangle_count > 0)
        memcpy(mesh->triangles, rest->triangles, 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    (*out)->animation.frame_count = sequence->frame_count;
done:
    return status;
}

static Status sequence_import(const MeshFileFormat *format, const ImportOptions *options, const char *output)
{
    Status status = status_ok();
    FileSequence sequence = {0};
    Import import = {.format = format, .options = options, .sequence = &sequence};
    Dataset *header = NULL;
    STATUS_TRY(
        sequence_open(options->inputs, options->input_count, format->suffix, options->rest, &sequence));
    STATUS_TRY(text_parse(&import, &sequence.first, &import.first));
    STATUS_TRY(header_make(&import, &header));
    STATUS_TRY(dataset_writer_open(output, header, 0, &import.writer));
    STATUS_TRY(sequence_visit(&sequence, frame_import, &import));
    DatasetWriter *writer = import.writer;
    import.writer = NULL;
    STATUS_TRY(dataset_writer_commit(writer));
done:
    dataset_writer_abandon(import.writer);
    file_mesh_clear(&import.first);
    file_mesh_clear(&import.frame);
    dataset_free(header);
    sequence_close(&sequence);
    return status;
}

static Status file_export(const MeshFileFormat *format, const AtomicPath *folder, const char *name,
                          const Mesh *mesh, const float *positions)
{
    Status status = status_ok();
    size_t size = strlen(folder->temporary) + strlen(name) + strlen(format->suffix) + 2;
    char *path = memory_array(size, 1);
    if (!path)
        return status_out_of_memory("a file name");
    snprintf(path, size, "%s/%s%s", folder->temporary, name, format->suffix);
    FILE *file = fopen(path, "wbe");
    int error = file ? 0 : errno;
    if (file) {
        format->write(file, positions, mesh->vertex_count, mesh->triangles, mesh->triangle_count);
        error = stream_close(file);
    }
    if (error != 0)
        status = status_make(STATUS_MACHINE, "%s/%s%s: cannot be written: %s", folder->given, name,
                             format->suffix, strerror(error));
    memory_free(path);
    return status;
}

static Status frames_export(const MeshFileFormat *format, DatasetReader *reader, const Dataset *header,
                            const AtomicPath *folder, const Progress *progress)
{
    Status status = status_ok();
    int frames = header->animation.frame_count, width = 4;
    for (int limit = 10000; frames >= limit && width < 9; limit *= 10)
        width++;
    float *positions = memory_table((size_t)header->mesh.vertex_count, 3, sizeof *positions);
    if (!positions)
        return status_out_of_memory("a frame");
    for (int f = 0; f < frames; f++) {
        char name[32];
        snprintf(name, sizeof name, "%0*d", width, f + 1);
        STATUS_TRY(dataset_read_frames(reader, f, 1, positions));
        STATUS_TRY(file_export(format, folder, name, &header->mesh, positions));
        if (!progress_report(progress, "exporting frames", (f + 1.0) / frames)) {
            status = status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
            goto done;
        }
    }
    STATUS_TRY(file_export(format, folder, "rest", &header->mesh, header->mesh.rest));
done:
    memory_free(positions);
    return status;
}

static Status sequence_export(const MeshFileFormat *format, const ExportOptions *options)
{
    const char *input = options->input, *output = options->output;
    Status status = status_ok();
    DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    AtomicPath folder = {0};
    STATUS_TRY(dataset_reader_open(input, options->progress, &reader, &header));
    if (header->animation.frame_count == 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: has no animation/positions to export", input);
        goto done;
    }
    STATUS_TRY(atomic_path_start(output, OUTPUT_FOLDER, &folder));
    if (access(folder.final, F_OK) == 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: is there already", output);
        goto done;
    }
    if (mkdir(folder.temporary, 0777) != 0) {
        status = status_make(STATUS_MACHINE, "%s: cannot be made: %s", output, strerror(errno));
        goto done;
    }
    STATUS_TRY(frames_export(format, reader, header, &folder, options->progress));
    STATUS_TRY(atomic_path_commit_folder(&folder, false));
done:
    atomic_path_discard(&folder);
    dataset_reader_close(reader);
    return status;
}

Status obj_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&obj_format, options, output);
}

Status obj_sequence_export(const ExportOptions *options)
{
    return sequence_export(&obj_format, options);
}

Status ply_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&ply_format, options, output);
}

Status ply_sequence_export(const ExportOptions *options)
{
    return sequence_export(&ply_format, options);
}

Status off_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&off_format, options, output);
}

Status off_sequence_export(const ExportOptions *options)
{
    return sequence_export(&off_format, options);
}
