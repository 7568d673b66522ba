/* Imports a sequence of mesh files (OBJ, PLY, OFF) as an animation, frame by frame into the store. */
#include "datasets/formats/formats.h"

#include "datasets/base/memory.h"
#include "datasets/formats/file_mesh.h"
#include "datasets/formats/sequence.h"
#include "datasets/io/store.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

Status obj_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&obj_format, options, output);
}

Status ply_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&ply_format, options, output);
}

Status off_sequence_import(const ImportOptions *options, const char *output)
{
    return sequence_import(&off_format, options, output);
}
