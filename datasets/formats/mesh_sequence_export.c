/* Exports an animation as a folder of mesh files (OBJ, PLY, OFF), or only the rest pose as one file. */
#include "datasets/formats/formats.h"

#include "datasets/formats/mesh_file.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/file_name.h"

#include <sys/stat.h>

/* Writes one mesh to `path`. `place` is the name of the file in messages. */
static Status file_write(const MeshFileFormat *format, const char *path, const char *place, const Mesh *mesh,
                         const float *positions)
{
    FILE *file = NULL;
    STATUS_TRY(stream_create(path, "wbe", place, &file));
    format->write(file, positions, mesh->vertex_count, mesh->triangles, mesh->triangle_count);
    return stream_finish(file, place);
}

static Status member_export(const MeshFileFormat *format, const AtomicPath *folder, const char *name,
                            const Mesh *mesh, const float *positions)
{
    char file[48];
    snprintf(file, sizeof file, "%s%s", name, format->suffix);
    OWNED char *path = path_join(folder->temporary, "/", file);
    ALLOCATED(path, "a file name");
    return file_write(format, path, folder->given, mesh, positions);
}

/* Writes each frame as a file of a new folder. */
static Status folder_export(const MeshFileFormat *format, const ExportOptions *options, DatasetReader *reader,
                            const Dataset *header)
{
    CLEANUP(atomic_path_discard) AtomicPath folder = {0};
    if (header->animation.frame_count == 0)
        return bad_input("%s: has no animation/positions to export; to export its rest pose, name an "
                         "output that ends in %s",
                         options->input, format->suffix);
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FOLDER, &folder));
    if (mkdir(folder.temporary, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be created: %s", options->output, strerror(errno));
    int frames = header->animation.frame_count, width = 4;
    for (int limit = 10000; frames >= limit && width < 9; limit *= 10)
        width++;
    LOCAL_TABLE(float, positions, header->mesh.vertex_count, 3, "a frame");
    for (int f = 0; f < frames; f++) {
        char name[32];
        snprintf(name, sizeof name, "%0*d", width, f + 1);
        STATUS_TRY(dataset_read_frames(reader, f, 1, positions));
        STATUS_TRY(member_export(format, &folder, name, &header->mesh, positions));
        if (!progress_report(options->progress, "exporting frames", (f + 1.0) / frames))
            return status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
    }
    STATUS_TRY(member_export(format, &folder, "rest", &header->mesh, header->mesh.rest));
    return atomic_path_commit(&folder);
}

static Status sequence_export(const MeshFileFormat *format, const ExportOptions *options)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    STATUS_TRY(dataset_reader_open(options->input, options->progress, &reader, &header));
    STATUS_TRY(dataset_reader_restore_order(reader));
    if (!path_has_suffix(options->output, format->suffix))
        return folder_export(format, options, reader, header);
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FILE, &path));
    STATUS_TRY(file_write(format, path.temporary, options->output, &header->mesh, header->mesh.rest));
    return atomic_path_commit(&path);
}

Status obj_sequence_export(const ExportOptions *options)
{
    return sequence_export(&obj_format, options);
}

Status ply_sequence_export(const ExportOptions *options)
{
    return sequence_export(&ply_format, options);
}

Status off_sequence_export(const ExportOptions *options)
{
    return sequence_export(&off_format, options);
}
