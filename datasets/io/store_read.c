/* Reads data set files (schema version 1, datasets/README.md): shapes are checked against each other
 * first, values by dataset_validate. */
#include "datasets/io/hdf5_access.h"
#include "datasets/io/store.h"

#include "datasets/base/memory.h"
#include "datasets/model/validate.h"

#include <string.h>

struct DatasetReader {
    char *path;
    Hdf5File file;
    Dataset *header;
    hid_t positions; /* H5I_INVALID_HID when there is no animation */
};

static const Hdf5Shape any_rows_of_3 = {2, {-1, 3}};

static Status texts_read(const Hdf5File *file, Dataset *dataset)
{
    const struct {
        const char *name;
        char **text;
    } rows[] = {{"name", &dataset->name},
                {"title", &dataset->title},
                {"source", &dataset->source},
                {"license", &dataset->license}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        bool found = false;
        Status status = hdf5_attribute_text(file, rows[i].name, &found, &text);
        if (status.code != STATUS_OK)
            return status;
        if (found) {
            memory_free(*rows[i].text);
            *rows[i].text = text;
        }
    }
    bool found = false;
    return hdf5_attribute_number(file, "fps", &found, &dataset->fps);
}

static Status format_check(const Hdf5File *file)
{
    char *format = NULL;
    double version = 0.0;
    Status status = hdf5_attribute_text(file, "format", NULL, &format);
    if (status.code == STATUS_OK && strcmp(format, "skinbench") != 0)
        status = status_make(STATUS_BAD_INPUT, "%s: attribute format is '%.40s', expected 'skinbench'",
                             file->path, format);
    memory_free(format);
    if (status.code == STATUS_OK)
        status = hdf5_attribute_number(file, "schema_version", NULL, &version);
    if (status.code == STATUS_OK && version != STORE_SCHEMA_VERSION)
        status = status_make(STATUS_BAD_INPUT, "%s: attribute schema_version is %g, expected %d", file->path,
                             version, STORE_SCHEMA_VERSION);
    return status;
}

static Status mesh_read(const Hdf5File *file, Mesh *mesh)
{
    Status status = status_ok();
    Hdf5Shape rest = any_rows_of_3, triangles = {2, {0, 3}};
    STATUS_TRY(hdf5_shape(file, "mesh/rest", HDF5_FLOAT32, any_rows_of_3, STORE_VERTICES_MAX, &rest));
    if (hdf5_has(file, "mesh/triangles"))
        STATUS_TRY(
            hdf5_shape(file, "mesh/triangles", HDF5_INT32, any_rows_of_3, STORE_VERTICES_MAX, &triangles));
    STATUS_TRY(mesh_allocate(mesh, (int)rest.extents[0], (int)triangles.extents[0]));
    STATUS_TRY(hdf5_read(file, "mesh/rest", HDF5_FLOAT32, mesh->rest));
    if (mesh->triangle_count > 0)
        STATUS_TRY(hdf5_read(file, "mesh/triangles", HDF5_INT32, mesh->triangles));
done:
    return status;
}

/* Every shape is checked against the others before memory is allocated for any of them. */
static Status rig_read(const Hdf5File *file, int vertex_count, Rig *rig)
{
    Status status = status_ok();
    Hdf5Shape found, posed, weights;
    STATUS_TRY(hdf5_shape(file, "rig/parents", HDF5_INT32, (Hdf5Shape){1, {-1}}, STORE_JOINTS_MAX, &found));
    int64_t joints = found.extents[0];
    STATUS_TRY(hdf5_shape(file, "rig/joint_names", HDF5_TEXT, (Hdf5Shape){1, {joints}}, 0, &found));
    STATUS_TRY(hdf5_shape(file, "rig/rest", HDF5_FLOAT64, (Hdf5Shape){3, {joints, 3, 4}}, 0, &found));
    STATUS_TRY(hdf5_shape(file, "rig/transforms", HDF5_FLOAT64, (Hdf5Shape){4, {-1, joints, 3, 4}},
                          STORE_FRAMES_MAX, &posed));
    int64_t frames = posed.extents[0];
    bool with_scale = hdf5_has(file, "rig/scale");
    if (with_scale)
        STATUS_TRY(
            hdf5_shape(file, "rig/scale", HDF5_FLOAT64, (Hdf5Shape){4, {frames, joints, 3, 3}}, 0, &found));
    STATUS_TRY(hdf5_shape(file, "rig/weights/joints", HDF5_INT32, (Hdf5Shape){2, {vertex_count, -1}},
                          STORE_INFLUENCES_MAX, &weights));
    STATUS_TRY(hdf5_shape(file, "rig/weights/values", HDF5_FLOAT32, weights, 0, &found));
    STATUS_TRY(rig_allocate(rig, vertex_count, (int)joints, (int)frames, (int)weights.extents[1]));
    STATUS_TRY(hdf5_read(file, "rig/parents", HDF5_INT32, rig->parents));
    STATUS_TRY(hdf5_read_texts(file, "rig/joint_names", rig->joint_count, rig->joint_names));
    STATUS_TRY(hdf5_read(file, "rig/rest", HDF5_FLOAT64, rig->rest));
    STATUS_TRY(hdf5_read(file, "rig/transforms", HDF5_FLOAT64, rig->transforms));
    STATUS_TRY(hdf5_read(file, "rig/weights/joints", HDF5_INT32, rig->weight_joints));
    STATUS_TRY(hdf5_read(file, "rig/weights/values", HDF5_FLOAT32, rig->weight_values));
    if (with_scale) {
        rig->scale = memory_table((size_t)frames, (size_t)joints, sizeof *rig->scale);
        if (!rig->scale) {
            status = status_out_of_memory("the rig");
            goto done;
        }
        STATUS_TRY(hdf5_read(file, "rig/scale", HDF5_FLOAT64, rig->scale));
    }
done:
    return status;
}

static Status centers_read(const Hdf5File *file, int vertex_count, Rig *rig)
{
    Hdf5Shape found;
    if (!hdf5_has(file, "rig/centers"))
        return status_ok();
    Status status =
        hdf5_shape(file, "rig/centers", HDF5_FLOAT32, (Hdf5Shape){2, {vertex_count, 3}}, 0, &found);
    if (status.code != STATUS_OK)
        return status;
    rig->centers = memory_table((size_t)vertex_count, 3, sizeof *rig->centers);
    if (!rig->centers)
        return status_out_of_memory("the rig");
    return hdf5_read(file, "rig/centers", HDF5_FLOAT32, rig->centers);
}

static Status low_rank_read(const Hdf5File *file, int vertex_count, LowRank *model)
{
    Status status = status_ok();
    Hdf5Shape basis, coefficients;
    STATUS_TRY(
        hdf5_shape(file, "model/basis", HDF5_FLOAT64, (Hdf5Shape){2, {-1, -1}}, STORE_VERTICES_MAX, &basis));
    STATUS_TRY(hdf5_shape(file, "model/coefficients", HDF5_FLOAT32,
                          (Hdf5Shape){2, {basis.extents[1], vertex_count}}, 0, &coefficients));
    if (basis.extents[0] % 3 != 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: model/basis has %lld rows, expected 3 for each frame",
                             file->path, (long long)basis.extents[0]);
        goto done;
    }
    model->basis = memory_table((size_t)basis.extents[0], (size_t)basis.extents[1], sizeof *model->basis);
    model->coefficients =
        memory_table((size_t)basis.extents[1], (size_t)vertex_count, sizeof *model->coefficients);
    if (!model->basis || !model->coefficients) {
        status = status_out_of_memory("the low-rank model");
        goto done;
    }
    model->row_count = (int)basis.extents[0];
    model->rank = (int)basis.extents[1];
    STATUS_TRY(hdf5_read(file, "model/basis", HDF5_FLOAT64, model->basis));
    STATUS_TRY(hdf5_read(file, "model/coefficients", HDF5_FLOAT32, model->coefficients));
done:
    return status;
}

/* Opens positions with space in the chunk cache for a row or column of chunks, so that reading frame after
 * frame, or block of vertices after block, unpacks every chunk once. */
static hid_t positions_open(const Hdf5File *file, const Hdf5Shape *shape)
{
    const double CACHE_BYTES_MAX = 64e6;
    hid_t array = H5Dopen2(file->id, "animation/positions", H5P_DEFAULT);
    hid_t creation = H5Dget_create_plist(array), access_list = H5Pcreate(H5P_DATASET_ACCESS);
    hsize_t chunk[3] = {0};
    if (H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, 3, chunk) == 3) {
        double frames = (double)shape->extents[0], vertices = (double)shape->extents[1];
        double row = (double)chunk[0] * (vertices + (double)chunk[1]);
        double column = (frames + (double)chunk[0]) * (double)chunk[1];
        double bytes = (row > column ? row : column) * (double)chunk[2] * sizeof(float);
        H5Pset_chunk_cache(access_list, 12421, bytes < CACHE_BYTES_MAX ? (size_t)bytes : 0, 0.0);
        H5Dclose(array);
        array = H5Dopen2(file->id, "animation/positions", access_list);
    }
    H5Pclose(access_list);
    H5Pclose(creation);
    return array;
}

static Status animation_open(DatasetReader *reader)
{
    const Hdf5File *file = &reader->file;
    int vertices = reader->header->mesh.vertex_count;
    Hdf5Shape shape;
    Status status = hdf5_shape(file, "animation/positions", HDF5_FLOAT32, (Hdf5Shape){3, {-1, vertices, 3}},
                               STORE_FRAMES_MAX, &shape);
    if (status.code != STATUS_OK)
        return status;
    reader->header->animation.frame_count = (int)shape.extents[0];
    reader->positions = positions_open(file, &shape);
    return reader->positions < 0 ? hdf5_error(file, "animation/positions", "cannot be opened") : status;
}

/* Opens without looking at the values. */
static Status reader_open(const char *path, DatasetReader **out)
{
    Status status = status_ok();
    *out = NULL;
    DatasetReader *reader = memory_array(1, sizeof *reader);
    if (!reader)
        return status_out_of_memory("a reader");
    reader->file.id = reader->positions = H5I_INVALID_HID;
    reader->path = memory_text(path);
    if (!reader->path) {
        status = status_out_of_memory("a reader");
        goto done;
    }
    STATUS_TRY(hdf5_open(reader->path, &reader->file));
    STATUS_TRY(format_check(&reader->file));
    STATUS_TRY(dataset_create(NULL, NULL, NULL, NULL, &reader->header));
    STATUS_TRY(texts_read(&reader->file, reader->header));
    STATUS_TRY(mesh_read(&reader->file, &reader->header->mesh));
    int vertices = reader->header->mesh.vertex_count;
    if (hdf5_has(&reader->file, "rig"))
        STATUS_TRY(rig_read(&reader->file, vertices, &reader->header->rig));
    if (hdf5_has(&reader->file, "rig"))
        STATUS_TRY(centers_read(&reader->file, vertices, &reader->header->rig));
    if (hdf5_has(&reader->file, "model"))
        STATUS_TRY(low_rank_read(&reader->file, vertices, &reader->header->low_rank));
    if (hdf5_has(&reader->file, "animation"))
        STATUS_TRY(animation_open(reader));
done:
    if (status.code != STATUS_OK) {
        dataset_reader_close(reader);
        reader = NULL;
    }
    *out = reader;
    return status;
}

Status dataset_reader_open(const char *path, DatasetReader **out, const Dataset **header)
{
    *header = NULL;
    Status status = reader_open(path, out);
    if (*out)
        status = dataset_validate((*out)->header, path);
    if (!*out || status.code != STATUS_OK) {
        dataset_reader_close(*out);
        *out = NULL;
        return status;
    }
    *header = (*out)->header;
    return status;
}

void dataset_reader_close(DatasetReader *reader)
{
    if (!reader)
        return;
    if (reader->positions >= 0)
        H5Dclose(reader->positions);
    (void)hdf5_close(&reader->file);
    dataset_free(reader->header);
    memory_free(reader->path);
    memory_free(reader);
}

static Status block_read(DatasetReader *reader, Hdf5Shape first, Hdf5Shape extents, float *positions)
{
    for (int i = 0; i < extents.rank; i++)
        if (extents.extents[i] == 0)
            return status_ok();
    return hdf5_read_block(&reader->file, "animation/positions", reader->positions, HDF5_FLOAT32, first,
                           extents, positions);
}

static Status range_check(const DatasetReader *reader, int first, int count, int available, const char *what)
{
    if (first >= 0 && count >= 0 && first <= available - count)
        return status_ok();
    return status_make(STATUS_USAGE, "%s: %s %d to %lld asked for, there are %d", reader->path, what, first,
                       (long long)first + count - 1, available);
}

Status dataset_read_frames(DatasetReader *reader, int first, int count, float *positions)
{
    int vertices = reader->header->mesh.vertex_count;
    Status status = range_check(reader, first, count, reader->header->animation.frame_count, "frames");
    if (status.code == STATUS_OK)
        status = block_read(reader, (Hdf5Shape){3, {first, 0, 0}}, (Hdf5Shape){3, {count, vertices, 3}},
                            positions);
    if (status.code == STATUS_OK)
        status = frames_validate(positions, first, count, 0, vertices, reader->path, "animation/positions");
    return status;
}

Status dataset_read_vertices(DatasetReader *reader, int first, int count, float *positions)
{
    int frames = reader->header->animation.frame_count;
    Status status = range_check(reader, first, count, reader->header->mesh.vertex_count, "vertices");
    if (status.code == STATUS_OK)
        status =
            block_read(reader, (Hdf5Shape){3, {0, first, 0}}, (Hdf5Shape){3, {frames, count, 3}}, positions);
    if (status.code == STATUS_OK)
        status = frames_validate(positions, 0, frames, first, count, reader->path, "animation/positions");
    return status;
}

/* Brings positions and normals into the reader's own data set. */
static Status animation_read(DatasetReader *reader)
{
    Status status = status_ok();
    Animation *animation = &reader->header->animation;
    int frames = animation->frame_count, vertices = reader->header->mesh.vertex_count;
    Hdf5Shape whole = {3, {frames, vertices, 3}}, found;
    bool with_normals = hdf5_has(&reader->file, "animation/normals");
    if (with_normals)
        STATUS_TRY(hdf5_shape(&reader->file, "animation/normals", HDF5_FLOAT32, whole, 0, &found));
    STATUS_TRY(animation_allocate(animation, frames, vertices, with_normals));
    STATUS_TRY(block_read(reader, (Hdf5Shape){3, {0}}, whole, animation->positions));
    if (with_normals && frames > 0 && vertices > 0)
        STATUS_TRY(hdf5_read(&reader->file, "animation/normals", HDF5_FLOAT32, animation->normals));
done:
    return status;
}

Status dataset_read_unchecked(const char *path, Dataset **out)
{
    *out = NULL;
    DatasetReader *reader = NULL;
    Status status = reader_open(path, &reader);
    if (reader && reader->header->animation.frame_count > 0)
        status = animation_read(reader);
    if (reader && status.code == STATUS_OK) {
        *out = reader->header;
        reader->header = NULL;
    }
    dataset_reader_close(reader);
    return status;
}

Status dataset_read(const char *path, Dataset **out)
{
    Status status = dataset_read_unchecked(path, out);
    if (!*out)
        return status;
    const Animation *animation = &(*out)->animation;
    int frames = animation->frame_count, vertices = (*out)->mesh.vertex_count;
    status = dataset_validate(*out, path);
    if (status.code == STATUS_OK && frames > 0)
        status = frames_validate(animation->positions, 0, frames, 0, vertices, path, "animation/positions");
    if (status.code == STATUS_OK && animation->normals)
        status = frames_validate(animation->normals, 0, frames, 0, vertices, path, "animation/normals");
    if (status.code != STATUS_OK) {
        dataset_free(*out);
        *out = NULL;
    }
    return status;
}
