/* Imports a sequence of mesh files (OBJ, PLY, OFF) as an animation. An archive is unpacked only once, in
 * its own order, so the order and the number of frames are known only at the end. Frames are therefore
 * first written to a nameless scratch file beside the output. */
#include "datasets/formats/formats.h"

#include "datasets/formats/mesh_file.h"
#include "datasets/formats/sequence.h"
#include "datasets/io/atomic_path.h"
#include "datasets/model/check.h"

/* State of an import. */
typedef struct Import {
    const MeshFileFormat *format;
    const ImportOptions *options;
    FileSequence sequence;
    FileMesh first, frame,
        rest; /* `first` is the first mesh that was read; all others must have its topology */
    char *first_place, *rest_place;
    const char *output;
    FILE *file; /* nameless scratch file: positions [frames][N][3] in the order of reading */
} Import;

static Status text_parse(const Import *import, const SequenceText *text, FileMesh *mesh)
{
    STATUS_TRY(import->format->parse(text->text, text->length, text->place, mesh));
    char where[MESH_PLACE_BYTES];
    const double scale = import->options->scale, bound = check_bound(CHECK_BOUND_LENGTH);
    for (int64_t i = 0; i < 3 * (int64_t)mesh->vertex_count; i++) {
        const double scaled = scale * (double)mesh->positions[i];
        if (!(fabs(scaled) <= bound))
            return bad_input(
                "%s: vertex %lld has the coordinate %g times the scale %g, expected no more than %g",
                mesh_place(where, text->place, mesh->vertex_lines[i / 3]), (long long)i / 3,
                (double)mesh->positions[i], scale, bound);
        mesh->positions[i] = (float)scaled;
    }
    return status_ok();
}

static Status scratch_failure(const Import *import, int error)
{
    return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", import->output, strerror(error));
}

/* Stores the name of a mesh, because messages name it when another mesh differs from it. */
static Status place_keep(const SequenceText *text, char **place)
{
    memory_free(*place);
    COPY_TEXT(*place, text->place, "a file name");
    return status_ok();
}

/* Whether the first frame must become the rest pose even if there is a rest file. */
static bool rest_is_first(const ImportOptions *options)
{
    return options->rest && strcmp(options->rest, IMPORT_REST_FIRST) == 0;
}

static Status frame_import(void *context, int frame, const SequenceText *text)
{
    Import *import = context;
    const Progress *progress = import->options->progress;
    const bool is_first = frame == 0;
    if (frame == SEQUENCE_REST) {
        if (rest_is_first(import->options))
            return status_ok();
        STATUS_TRY(text_parse(import, text, &import->rest));
        return place_keep(text, &import->rest_place);
    }
    FileMesh *mesh = is_first ? &import->first : &import->frame;
    STATUS_TRY(text_parse(import, text, mesh));
    if (is_first)
        STATUS_TRY(place_keep(text, &import->first_place));
    else
        STATUS_TRY(file_mesh_same_topology(&import->first, import->first_place, mesh, text->place));
    const size_t values = 3 * (size_t)mesh->vertex_count;
    errno = 0;
    if (values > 0 && fwrite(mesh->positions, sizeof *mesh->positions, values, import->file) != values)
        STATUS_TRY(scratch_failure(import, errno));
    if (!progress_report(progress, "importing frames", import->sequence.share))
        return status_make(STATUS_STOPPED, "stopped after %d frames", frame + 1);
    return status_ok();
}

/* Reads one frame from the scratch file. */
static Status scratch_read(const Import *import, int32_t frame, float *positions)
{
    const size_t values = 3 * (size_t)import->first.vertex_count;
    if (fseeko(import->file, (off_t)(values * sizeof *positions) * frame, SEEK_SET) != 0 ||
        fread(positions, sizeof *positions, values, import->file) != values)
        return status_make(STATUS_SYSTEM, "%s: a temporary file cannot be read", import->output);
    return status_ok();
}

static void import_clear(Import *import)
{
    if (import->file)
        fclose(import->file);
    FREE_ALL(import->first_place, import->rest_place);
    file_mesh_clear(&import->first);
    file_mesh_clear(&import->frame);
    file_mesh_clear(&import->rest);
    sequence_close(&import->sequence);
}

static Status sequence_import(const MeshFileFormat *format, const ImportOptions *options, const char *output)
{
    CLEANUP(import_clear) Import import = {.format = format, .options = options, .output = output};
    STATUS_TRY(sequence_open(options->inputs, options->input_count, format->suffix,
                             rest_is_first(options) ? NULL : options->rest, &import.sequence));
    /* unlink the scratch file as soon as it is open, so that it disappears even if the process is killed */
    {
        CLEANUP(atomic_path_discard) AtomicPath path = {0};
        STATUS_TRY(atomic_path_start(output, OUTPUT_FILE, &path));
        STATUS_TRY(stream_create(path.temporary, "w+be", output, &import.file));
    }
    STATUS_TRY(sequence_visit(&import.sequence, frame_import, &import));
    char where[MESH_PLACE_BYTES];
    if (import.first_place && import.first.vertex_count == 0)
        return bad_input("%s: has no vertices",
                         mesh_place(where, import.first_place, import.first.line_count));
    /* copy the frames from the scratch file to the data set, in the order of their names */
    OWNED_BY(dataset_free) Dataset *header = NULL;
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    OWNED int32_t *order = NULL;
    const int count = import.sequence.frame_count;
    LOCAL_TABLE(float, positions, import.first.vertex_count, 3, "a frame");
    if (stream_flush(import.file) != 0)
        STATUS_TRY(scratch_failure(&import, errno));
    STATUS_TRY(sequence_order(&import.sequence, import.options->inputs[0], &order));
    STATUS_TRY(scratch_read(&import, order[0], positions));
    const FileMesh *first = &import.first;
    STATUS_TRY(format_dataset_create(import.options, &header));
    if (import.rest_place)
        STATUS_TRY(file_mesh_same_topology(first, import.first_place, &import.rest, import.rest_place));
    STATUS_TRY(file_mesh_copy(import.rest_place ? &import.rest : first, &header->mesh));
    if (!import.rest_place)
        memcpy(header->mesh.rest, positions, 3 * (size_t)first->vertex_count * sizeof *positions);
    header->animation.frame_count = import.sequence.frame_count;
    format_note(import.options->notes, "the rest pose is %s",
                import.rest_place ? import.rest_place : "the first frame");
    STATUS_TRY(dataset_writer_open(import.output, header, 0, &writer));
    for (int f = 0; f < count; f++) {
        STATUS_TRY(scratch_read(&import, order[f], positions));
        STATUS_TRY(dataset_write_frames(writer, 1, positions, NULL));
        if (progress_stopped(import.options->progress))
            return status_make(STATUS_STOPPED, "stopped; %s is not written", import.output);
    }
    return dataset_writer_commit(TAKE(writer));
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
