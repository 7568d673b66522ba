/* Writes accessors, buffer views and the buffer of a glTF file, in either of the two containers (.glb,
 * .gltf). */
#include "datasets/formats/gltf_writer.h"

#include "datasets/base/base64.h"
#include "datasets/io/file_name.h"
#include "datasets/io/json_file.h"

enum { NO_TARGET = 0, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

typedef struct ArrayLayout {
    int component; /* componentType */
    int component_bytes, width;
    const char *type;
    int target;      /* glTF's number for the target of the buffer view */
    bool normalized; /* whether integers stand for numbers from 0 to 1 */
    bool bounded;    /* whether the accessor must state min and max */
} ArrayLayout;

enum { TYPE_UINT8 = 5121, TYPE_UINT16 = 5123, TYPE_UINT32 = 5125, TYPE_FLOAT = 5126 };

static const ArrayLayout layouts[] = {
    [GLTF_POSITIONS] = {TYPE_FLOAT, 4, 3, "VEC3", ARRAY_BUFFER, false, true},
    [GLTF_NORMALS] = {TYPE_FLOAT, 4, 3, "VEC3", ARRAY_BUFFER, false, false},
    [GLTF_COLORS] = {TYPE_UINT16, 2, 4, "VEC4", ARRAY_BUFFER, true, false},
    [GLTF_JOINTS_8] = {TYPE_UINT8, 1, 4, "VEC4", ARRAY_BUFFER, false, false},
    [GLTF_JOINTS_16] = {TYPE_UINT16, 2, 4, "VEC4", ARRAY_BUFFER, false, false},
    [GLTF_WEIGHTS] = {TYPE_FLOAT, 4, 4, "VEC4", ARRAY_BUFFER, false, false},
    [GLTF_WEIGHTS_8] = {TYPE_UINT8, 1, 4, "VEC4", ARRAY_BUFFER, true, false},
    [GLTF_WEIGHTS_16] = {TYPE_UINT16, 2, 4, "VEC4", ARRAY_BUFFER, true, false},
    [GLTF_INDICES_16] = {TYPE_UINT16, 2, 1, "SCALAR", ELEMENT_ARRAY_BUFFER, false, false},
    [GLTF_INDICES_32] = {TYPE_UINT32, 4, 1, "SCALAR", ELEMENT_ARRAY_BUFFER, false, false},
    [GLTF_INVERSE_BINDS] = {TYPE_FLOAT, 4, 16, "MAT4", NO_TARGET, false, false},
    [GLTF_TIMES] = {TYPE_FLOAT, 4, 1, "SCALAR", NO_TARGET, false, true},
    [GLTF_VECTORS] = {TYPE_FLOAT, 4, 3, "VEC3", NO_TARGET, false, false},
    [GLTF_ROTATIONS] = {TYPE_FLOAT, 4, 4, "VEC4", NO_TARGET, false, false},
    [GLTF_NUMBERS] = {TYPE_FLOAT, 4, 1, "SCALAR", NO_TARGET, false, false},
};

Status gltf_writer_open(const AtomicPath *path, GltfWriter *out)
{
    OWNED char *name = path_join(path->temporary, "", ".data");
    *out = (GltfWriter){.path = path, .failures = memory_failures()};
    ALLOCATED(name, "a file name");
    STATUS_TRY(stream_create(name, "w+bxe", path->given, &out->data));
    (void)remove(name); /* removes only the name; the file disappears when the stream is closed */
    json_memory_init();
    out->accessors = json_array();
    out->views = json_array();
    return status_ok();
}

void gltf_writer_close(GltfWriter *writer)
{
    if (writer->data)
        fclose(writer->data);
    json_decref(writer->accessors);
    json_decref(writer->views);
    *writer = (GltfWriter){0};
}

void gltf_array_begin(GltfWriter *writer, GltfArray array)
{
    writer->array = array;
    writer->array_start = writer->size;
    writer->count = 0;
}

void gltf_array_add(GltfWriter *writer, const void *elements, int count)
{
    const ArrayLayout *layout = &layouts[writer->array];
    const size_t element = (size_t)layout->component_bytes * (size_t)layout->width;
    const float *values = elements;
    for (int i = 0; i < count && layout->bounded; i++)
        for (int k = 0; k < layout->width; k++) {
            const float value = values[(ptrdiff_t)i * layout->width + k];
            const bool first = writer->count + i == 0;
            writer->low[k] = first || value < writer->low[k] ? value : writer->low[k];
            writer->high[k] = first || value > writer->high[k] ? value : writer->high[k];
        }
    (void)fwrite(elements, element, (size_t)count, writer->data); /* gltf_writer_finish reports failures */
    writer->count += count;
    writer->size += (int64_t)element * count;
}

static json_t *bounds_json(const float *values, int count)
{
    json_t *array = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(array, json_real((double)values[k]));
    return array;
}

/* Pads the data with zeros, because every view starts at a multiple of 4 bytes. */
static void data_pad(GltfWriter *writer)
{
    static const unsigned char zeros[4] = {0};
    const int64_t padding = (4 - writer->size % 4) % 4;
    (void)fwrite(zeros, 1, (size_t)padding, writer->data);
    writer->size += padding;
}

int gltf_array_end(GltfWriter *writer)
{
    const ArrayLayout *layout = &layouts[writer->array];
    const int number = (int)json_array_size(writer->accessors), views = (int)json_array_size(writer->views);
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)writer->array_start,
                             "byteLength", (json_int_t)(writer->size - writer->array_start));
    json_t *accessor = json_pack("{s:i, s:i, s:I, s:s}", "bufferView", views, "componentType",
                                 layout->component, "count", (json_int_t)writer->count, "type", layout->type);
    if (layout->target != NO_TARGET)
        json_object_set_new(view, "target", json_integer(layout->target));
    if (layout->normalized)
        json_object_set_new(accessor, "normalized", json_true());
    if (layout->bounded) {
        json_object_set_new(accessor, "min", bounds_json(writer->low, layout->width));
        json_object_set_new(accessor, "max", bounds_json(writer->high, layout->width));
    }
    json_array_append_new(writer->views, view);
    json_array_append_new(writer->accessors, accessor);
    data_pad(writer);
    return number;
}

int gltf_array_write(GltfWriter *writer, GltfArray array, const void *elements, int count)
{
    gltf_array_begin(writer, array);
    gltf_array_add(writer, elements, count);
    return gltf_array_end(writer);
}

Status gltf_writer_copy(GltfWriter *writer, const GltfFile *file)
{
    json_t *views = NULL, *accessors = json_object_get(file->root, "accessors");
    int count = 0;
    STATUS_TRY(gltf_array(file, file->root, "", "bufferViews", &views, &count));
    if (json_array_extend(writer->accessors, accessors) != 0 && json_array_size(accessors) > 0)
        return status_out_of_memory(file->path);
    for (int i = 0; i < count; i++) {
        const GltfPlace place = gltf_place("bufferViews[%d]", i);
        GltfRange range;
        json_t *view = NULL;
        STATUS_TRY(gltf_element(file, "bufferViews", i, "bufferViews", &view));
        STATUS_TRY(gltf_range_read(file, view, place.text, &range));
        view = json_copy(view); /* change a copy, because the source file still uses its own view */
        json_object_set_new(view, "buffer", json_integer(0));
        json_object_set_new(view, "byteOffset", json_integer(writer->size));
        json_object_del(view, "extensions"); /* the extensions describe the compression of the old bytes */
        json_array_append_new(writer->views, view);
        if (range.length > 0)
            (void)fwrite(range.bytes, 1, (size_t)range.length, writer->data);
        writer->size += range.length;
        data_pad(writer);
    }
    return status_ok();
}

/* ---- the containers ---- */

static void number_write(FILE *file, uint32_t number)
{
    const unsigned char bytes[4] = {(unsigned char)number, (unsigned char)(number >> 8),
                                    (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
    (void)fwrite(bytes, 1, sizeof bytes, file);
}

/* Copies the bytes of all arrays to the file, in binary or in base64. */
static void data_copy(GltfWriter *writer, FILE *file, bool binary)
{
    enum { BLOCK_BYTES = 3 << 14 };
    unsigned char block[BLOCK_BYTES];
    rewind(writer->data);
    for (int64_t left = writer->size; left > 0;) {
        const size_t wanted = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        const size_t count = fread(block, 1, wanted, writer->data);
        if (count < wanted)
            return; /* the caller reports the error of the stream */
        if (binary)
            (void)fwrite(block, 1, count, file);
        else
            base64_write(file, block, count);
        left -= (int64_t)count;
    }
}

Status gltf_writer_finish(GltfWriter *writer, json_t *root, bool binary)
{
    json_object_set(root, "accessors", writer->accessors);
    json_object_set(root, "bufferViews", writer->views);
    json_object_del(root, "buffers");
    if (binary)
        json_object_set_new(root, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)writer->size));
    OWNED_BY(free) char *json = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    if (!json || memory_failures() != writer->failures)
        return status_out_of_memory("the JSON of a glTF file");
    if ((double)writer->size + (double)strlen(json) + 64.0 > (double)UINT32_MAX)
        return bad_input("%s: would have %.3g GiB, but a glTF file has at most 4", writer->path->given,
                         (double)writer->size / 0x1p30);
    const AtomicPath *path = writer->path;
    int error = stream_flush(writer->data);
    FILE *file = error == 0 ? fopen(path->temporary, "wbe") : NULL;
    error = error != 0 ? error : file ? 0 : errno;
    if (file) {
        if (binary) {
            const size_t length = strlen(json);
            enum { HEADER_BYTES = 12, CHUNK_BYTES = 8, CHUNK_JSON = 0x4e4f534a, CHUNK_BIN = 0x004e4942 };
            const size_t padding = (4 - length % 4) % 4;
            number_write(file, 0x46546c67); /* glTF */
            number_write(file, 2);
            number_write(file, (uint32_t)(HEADER_BYTES + 2 * CHUNK_BYTES + length + padding) +
                                   (uint32_t)writer->size);
            number_write(file, (uint32_t)(length + padding));
            number_write(file, CHUNK_JSON);
            (void)fwrite(json, 1, length, file);
            fprintf(file, "%*s", (int)padding, "");
            number_write(file, (uint32_t)writer->size);
            number_write(file, CHUNK_BIN);
            data_copy(writer, file, true);
        } else {
            fprintf(file,
                    "{\"buffers\":[{\"byteLength\":%lld,\"uri\":\"data:application/octet-stream;base64,",
                    (long long)writer->size);
            data_copy(writer, file, false);
            fprintf(file, "\"}],%s", json + 1);
        }
        error = stream_close(file);
        error = error == 0 ? stream_flush(writer->data) : error;
    }
    return error == 0 ? status_ok()
                      : status_make(STATUS_SYSTEM, "%s: cannot be written: %s", path->given, strerror(error));
}
