/* Opens glTF files: the chunks of a .glb (section 4.4 of the glTF 2.0 specification), and buffers in files
 * and data: URIs (section 3.6.1.1). A buffer is read when an accessor first needs it. */
#define _DEFAULT_SOURCE /* realpath */
#include "datasets/formats/gltf_file.h"

#include "datasets/base/base64.h"
#include "datasets/formats/number_bytes.h"
#include "datasets/io/input_file.h"
#include "datasets/io/json_file.h"

#include <ctype.h>
#include <strings.h>

GltfPlace gltf_place(const char *format, ...)
{
    GltfPlace place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place.text, sizeof place.text, format, arguments);
    va_end(arguments);
    return place;
}

Status gltf_failure_at(const GltfFile *file, const char *place, Status text)
{
    return bad_input("%s: %s%s%s", file->path, place, place[0] ? " " : "", text.text);
}

Status gltf_array(const GltfFile *file, const json_t *object, const char *place, const char *key,
                  json_t **out, int *count)
{
    *out = json_object_get(object, key);
    *count = (int)json_array_size(*out);
    if (*out && !json_is_array(*out))
        return gltf_failure(file, place, "has a '%s' that is not an array", key);
    return json_array_size(*out) < INT_MAX / 4 ? status_ok()
                                               : gltf_failure(file, place, "has too many %s", key);
}

Status gltf_element(const GltfFile *file, const char *array, int64_t index, const char *used_by, json_t **out)
{
    json_t *list = json_object_get(file->root, array);
    *out = json_array_get(list, (size_t)index);
    if (index < 0 || !*out)
        return gltf_failure(file, used_by, "refers to %s[%lld], but the file has only %zu", array,
                            (long long)index, json_array_size(list));
    return json_is_object(*out)
               ? status_ok()
               : gltf_failure(file, "", "%s[%lld] is not an object", array, (long long)index);
}

Status gltf_integer(const GltfFile *file, const json_t *object, const char *place, const char *key,
                    int64_t missing, int64_t max, int64_t *out)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_number_value(value);
    *out = missing;
    if (!value && missing != GLTF_NEEDED)
        return status_ok();
    if (!value)
        return gltf_failure(file, place, "has no '%s'", key);
    if (!json_is_number(value) || !(number >= 0.0 && number <= (double)max) || number != floor(number))
        return gltf_failure(file, place, "has the %s %.17g, expected a whole number from 0 to %lld", key,
                            json_is_number(value) ? number : NAN, (long long)max);
    *out = json_is_integer(value) ? json_integer_value(value) : (int64_t)number;
    return status_ok();
}

Status gltf_numbers(const GltfFile *file, const json_t *object, const char *place, const char *key, int count,
                    double *values, bool *there)
{
    const json_t *array = json_object_get(object, key);
    *there = array != NULL;
    if (!array)
        return status_ok();
    if (!json_is_array(array) || json_array_size(array) != (size_t)count)
        return gltf_failure(file, place, "has a %s of %zu numbers, expected %d", key, json_array_size(array),
                            count);
    for (int i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        if (!json_is_number(value))
            return gltf_failure(file, place, "has a %s[%d] that is not a number", key, i);
        values[i] = json_number_value(value);
    }
    return status_ok();
}

const char *gltf_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- bytes ---- */

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)word_load(bytes, sizeof(uint32_t), false);
}

static Status part_read(const char *path, FILE *stream, off_t start, size_t size, void *bytes)
{
    if (fseeko(stream, start, SEEK_SET) == 0 && fread(bytes, 1, size, stream) == size)
        return status_ok();
    return bad_input("%s: cannot be read", path);
}

/* Finds the JSON text and the binary chunk of a .glb by reading only the chunk headers. *binary_bytes is 0
 * if there is no binary chunk. */
static Status chunks_find(GltfFile *file, off_t *text_start, size_t *text_bytes, size_t *binary_bytes)
{
    enum { HEADER_BYTES = 12, CHUNK_BYTES = 8 };
    static const uint32_t JSON_CHUNK = 0x4E4F534A, BINARY_CHUNK = 0x004E4942;
    unsigned char header[HEADER_BYTES + CHUNK_BYTES] = {0};
    const size_t size = (size_t)file->total_bytes;
    STATUS_TRY(part_read(file->path, file->stream, 0, size_min(size, sizeof header), header));
    *text_bytes = size;
    if (memcmp(header, "glTF", 4) != 0)
        return status_ok();
    if (size < sizeof header)
        return gltf_failure(file, "", "ends after %zu bytes, within its header", size);
    if (word_at(header + 4) != 2)
        return gltf_failure(file, "", "is glTF version %u, expected 2", word_at(header + 4));
    const size_t end = word_at(header + 8);
    if (end > size)
        return gltf_failure(file, "", "has %zu bytes, but its header declares %zu", size, end);
    size_t offset = HEADER_BYTES;
    for (int chunk = 0; chunk < 2 && offset + CHUNK_BYTES <= end;
         chunk++) { /* later chunks belong to extensions */
        unsigned char *const start = header + HEADER_BYTES;
        STATUS_TRY(part_read(file->path, file->stream, (off_t)offset, CHUNK_BYTES, start));
        const size_t bytes = word_at(start);
        const uint32_t type = word_at(start + 4);
        offset += CHUNK_BYTES;
        if (bytes > end - offset)
            return gltf_failure(file, "", "has %zu bytes left for chunk %d, which declares %zu", end - offset,
                                chunk, bytes);
        if (chunk == 0 && type != JSON_CHUNK)
            return gltf_failure(file, "", "does not begin with a chunk of JSON");
        if (chunk == 0) {
            *text_start = (off_t)offset;
            *text_bytes = bytes;
        } else if (type == BINARY_CHUNK) {
            file->chunk_start = (off_t)offset;
            *binary_bytes = bytes;
        }
        offset += bytes;
    }
    return status_ok();
}

/* ---- buffers ---- */

static int hex_value(char character)
{
    return isdigit((unsigned char)character)    ? character - '0'
           : isxdigit((unsigned char)character) ? tolower((unsigned char)character) - 'a' + 10
                                                : -1;
}

/* Decodes one byte of a URI, possibly escaped as %41, and advances past it. */
static unsigned char uri_byte(const char **next)
{
    const char *text = *next;
    const int high = *text == '%' ? hex_value(text[1]) : -1, low = high >= 0 ? hex_value(text[2]) : -1;
    *next += low >= 0 ? 3 : 1;
    return (unsigned char)(low >= 0 ? 16 * high + low : *text);
}

/* Converts a relative URI to a path in the folder of the glTF file. */
static Status uri_resolve(const GltfFile *file, const char *uri, const char *place, char path[PATH_MAX])
{
    const char *slash = strrchr(file->path, '/');
    const size_t folder = slash ? (size_t)(slash - file->path) + 1 : 0;
    size_t used = folder;
    if (folder + strlen(uri) >= PATH_MAX)
        return gltf_failure(file, place, "has a URI of %zu bytes", strlen(uri));
    memcpy(path, file->path, folder);
    for (const char *cursor = uri; *cursor;)
        path[used++] = (char)uri_byte(&cursor);
    path[used] = '\0';
    const char *name = path + folder;
    const size_t scheme = strcspn(name, ":/");
    bool leaves = name[0] == '/' || name[0] == '\0' || name[scheme] == ':' || strchr(name, '\\') ||
                  strlen(name) != used - folder;
    for (const char *part = name; part && !leaves; part = strchr(part, '/')) {
        part += *part == '/';
        leaves = strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0');
    }
    return leaves ? gltf_failure(file, place,
                                 "names '%s', expected a file in the folder of this one or below it", name)
                  : status_ok();
}

/* Checks that a path, after following symbolic links, is still inside the folder. */
static Status links_check(const GltfFile *file, const char *path, const char *place)
{
    char given[PATH_MAX] = ".", folder[PATH_MAX], target[PATH_MAX];
    const char *slash = strrchr(file->path, '/');
    if (slash)
        snprintf(given, sizeof given, "%.*s", (int)(slash - file->path) + 1, file->path);
    if (!realpath(path, target) || !realpath(given, folder))
        return status_ok(); /* opening the file will then fail, too, and report the reason */
    const size_t length = strlen(folder);
    if (strncmp(target, folder, length) == 0 && (target[length] == '/' || folder[length - 1] == '/'))
        return status_ok();
    return gltf_failure(file, place, "names a link that leads out of the folder, to %s", target);
}

static bool uri_is_data(const char *uri)
{
    return uri && strncasecmp(uri, "data:", 5) == 0;
}

/* Decodes a data: URI (RFC 2397):
 *
 *   data:[<type>][;<parameter>=<value>...][;base64],<bytes>
 *
 * Any byte may be escaped. As in browsers, line ends and tabs are skipped. In base64, all white space is
 * skipped. */
static Status data_decode(const GltfFile *file, const char *uri, const char *place, GltfBuffer *buffer)
{
    static const char mark[] = ";base64";
    const char *comma = strchr(uri, ',');
    const size_t length = sizeof mark - 1;
    uint32_t bits = 0;
    size_t digits = 0, size = 0;
    if (!comma)
        return gltf_failure(file, place, "has a data: URI without a comma");
    const bool base64 = (size_t)(comma - uri) > length && strncasecmp(comma - length, mark, length) == 0;
    ALLOCATE(buffer->owned, strlen(comma), file->path);
    for (const char *cursor = comma + 1; *cursor;) {
        const bool skipped = *cursor == '\t' || *cursor == '\r' || *cursor == '\n';
        const unsigned char byte = uri_byte(&cursor);
        if (skipped || (base64 && isspace(byte)))
            continue;
        if (!base64) {
            buffer->owned[size++] = byte;
            continue;
        }
        if (byte == '=')
            break;
        const int value = base64_value((char)byte);
        if (value < 0)
            return gltf_failure(file, place, "contains the byte %d, which is not a base64 character", byte);
        bits = bits << 6 | (uint32_t)value;
        if (digits % 4 != 0)
            buffer->owned[size++] = (unsigned char)(bits >> (6 - 2 * (digits % 4)));
        digits++;
    }
    if (buffer->size > size)
        return gltf_failure(file, place, "has %zu bytes, but its byteLength is %zu", size, buffer->size);
    return status_ok();
}

/* Finds a buffer and the file that contains it, without reading the contents. */
static Status buffer_find(GltfFile *file, int index, size_t binary_bytes)
{
    json_t *object = NULL;
    const GltfPlace place = gltf_place("buffers[%d]", index);
    GltfBuffer *buffer = &file->buffers[index];
    int64_t length = 0;
    char path[PATH_MAX];
    double size_bytes = (double)binary_bytes;
    STATUS_TRY(gltf_element(file, "buffers", index, "buffers", &object));
    STATUS_TRY(gltf_integer(file, object, place.text, "byteLength", GLTF_NEEDED, (int64_t)1 << 50, &length));
    const char *uri = gltf_text(object, "uri");
    if (!uri && json_object_get(json_object_get(object, "extensions"), "EXT_meshopt_compression"))
        return status_ok();        /* a placeholder without bytes; gltf_meshopt.h unpacks its views */
    buffer->size = (size_t)length; /* the length of a .glb's chunk is not used, because it includes padding */
    buffer->read_bytes = uri ? 0 : buffer->size;
    if (uri_is_data(uri))
        return status_ok();
    if (!uri && (index > 0 || file->chunk_start == 0))
        return gltf_failure(file, place.text, "has no uri, and the file has no binary chunk for it");
    if (uri) {
        CLEANUP(descriptor_close) int opened = -1;
        STATUS_TRY(uri_resolve(file, uri, place.text, path));
        STATUS_TRY(links_check(file, path, place.text));
        STATUS_TRY(input_file_open(path, &opened, &size_bytes));
        COPY_TEXT(buffer->path, path, "a file name");
        if (!file_identify(opened, "", &buffer->identity))
            return bad_input("%s: cannot be read: %s", path, strerror(errno));
        int other = file->last_first;
        while (other >= 0 &&
               memcmp(&file->buffers[other].identity, &buffer->identity, sizeof buffer->identity) != 0)
            other = file->buffers[other].other;
        if (other < 0) {
            buffer->other = file->last_first;
            file->last_first = index;
        }
        GltfBuffer *first = &file->buffers[other < 0 ? index : other];
        buffer->first = (int)(first - file->buffers);
        file->total_bytes += fmax((double)length - (double)first->read_bytes, 0.0);
        first->read_bytes = size_max(first->read_bytes, buffer->size);
    }
    if ((double)length > size_bytes)
        return gltf_failure(file, place.text, "has %.0f bytes, but its byteLength is %lld", size_bytes,
                            (long long)length);
    return status_ok();
}

Status gltf_buffer_read(const GltfFile *file, int64_t index, const char *used_by, const GltfBuffer **out)
{
    if (index < 0 || index >= file->buffer_count)
        return gltf_failure(file, used_by, "refers to buffers[%lld], but the file has only %d",
                            (long long)index, file->buffer_count);
    GltfBuffer *buffer = &file->buffers[index], *first = &file->buffers[buffer->first];
    const char *uri = gltf_text(json_array_get(json_object_get(file->root, "buffers"), (size_t)index), "uri");
    *out = buffer;
    if (buffer->bytes || buffer->size == 0)
        return status_ok();
    if (uri_is_data(uri)) {
        STATUS_TRY(data_decode(file, uri, gltf_place("buffers[%lld]", (long long)index).text, buffer));
    } else if (!first->owned) {
        OWNED_BY(fclose) FILE *beside = NULL;
        if (first->path)
            STATUS_TRY(input_stream_open(first->path, &beside, NULL));
        ALLOCATE(first->owned, first->read_bytes, file->path);
        STATUS_TRY(part_read(beside ? first->path : file->path, beside ? beside : file->stream,
                             beside ? 0 : file->chunk_start, first->read_bytes, first->owned));
    }
    buffer->bytes = first->owned;
    return status_ok();
}

Status gltf_range_read(const GltfFile *file, const json_t *object, const char *place, GltfRange *out)
{
    int64_t index = 0, start = 0, length = 0;
    const GltfBuffer *buffer = NULL;
    STATUS_TRY(gltf_integer(file, object, place, "buffer", GLTF_NEEDED, INT_MAX, &index));
    STATUS_TRY(gltf_integer(file, object, place, "byteOffset", 0, GLTF_BYTES_MAX, &start));
    STATUS_TRY(gltf_integer(file, object, place, "byteLength", GLTF_NEEDED, GLTF_BYTES_MAX, &length));
    STATUS_TRY(gltf_buffer_read(file, index, place, &buffer));
    if (start + length > (int64_t)buffer->size)
        return gltf_failure(file, place, "ends at byte %lld of buffers[%lld], which has %zu bytes",
                            (long long)(start + length), (long long)index, buffer->size);
    *out = (GltfRange){length > 0 ? buffer->bytes + start : NULL, length};
    return status_ok();
}

Status gltf_buffer_append(GltfFile *file, size_t size, GltfBuffer **out)
{
    GROW(file->buffers, file->buffer_count, file->path);
    *out = &file->buffers[file->buffer_count];
    **out = (GltfBuffer){.size = size, .read_bytes = size, .first = file->buffer_count++};
    ALLOCATE((*out)->owned, size + 1, file->path);
    (*out)->bytes = (*out)->owned;
    file->total_bytes += (double)size;
    return status_ok();
}

Status gltf_file_open(const char *path, GltfFile *out)
{
    OWNED char *text = NULL;
    off_t text_start = 0;
    size_t text_size = 0, binary_bytes = 0;
    json_t *buffers = NULL;
    *out = (GltfFile){.path = path, .last_first = -1};
    STATUS_TRY(input_stream_open(path, &out->stream, &out->total_bytes));
    STATUS_TRY(chunks_find(out, &text_start, &text_size, &binary_bytes));
    if (text_size > JSON_TEXT_BYTES_MAX)
        STATUS_TRY(gltf_failure(out, "",
                                "has %zu bytes of JSON, expected %d or fewer; keep buffers in a .bin or .glb",
                                text_size, JSON_TEXT_BYTES_MAX));
    ALLOCATE(text, text_size + 1, path);
    STATUS_TRY(part_read(path, out->stream, text_start, text_size, text));
    while (text_start > 0 && text_size > 0 && text[text_size - 1] == '\0')
        text_size--; /* some writers pad the JSON chunk with NUL bytes instead of spaces */
    const Status read = json_text_read(text, text_size, path, &out->root);
    if (read.code == STATUS_BAD_INPUT && text_start == 0 && text[0] != '{')
        return bad_input("%s; a glTF file is JSON or begins with the letters glTF", read.text);
    STATUS_TRY(read);
    const json_t *asset = json_object_get(out->root, "asset");
    const char *version = gltf_text(asset, "version"), *least = gltf_text(asset, "minVersion");
    if (!version || strncmp(version, "2.", 2) != 0)
        STATUS_TRY(
            gltf_failure(out, "asset", "has the version %s, expected 2.0", version ? version : "none"));
    if (least && !(strtod(least, NULL) <= 2.0))
        STATUS_TRY(
            gltf_failure(out, "asset", "needs glTF %s (minVersion), but only glTF 2.0 can be read", least));
    static const char *const harmless[] = {"KHR_mesh_quantization", "KHR_materials_",
                                           "KHR_texture_",          "EXT_texture_",
                                           "KHR_lights_punctual",   "EXT_meshopt_compression",
                                           "KHR_node_visibility",   "KHR_draco_mesh_compression"};
    json_t *list = NULL;
    int count = 0;
    STATUS_TRY(gltf_array(out, out->root, "", "extensionsRequired", &list, &count));
    for (int i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, (size_t)i));
        bool known = false;
        for (size_t k = 0; name && k < sizeof harmless / sizeof *harmless; k++)
            known = known || strncmp(name, harmless[k], strlen(harmless[k])) == 0;
        if (!known)
            STATUS_TRY(gltf_failure(
                out, "", "requires the extension '%s', which is not supported; export the file without it",
                name ? name : "?"));
    }
    STATUS_TRY(gltf_array(out, out->root, "", "buffers", &buffers, &count));
    for (int i = 0; i < count; i++) {
        GROW(out->buffers, i, path);
        out->buffers[i] = (GltfBuffer){.first = i};
        out->buffer_count++;
        STATUS_TRY(buffer_find(out, i, binary_bytes));
    }
    return status_ok();
}

void gltf_file_close(GltfFile *file)
{
    for (int i = 0; file->buffers && i < file->buffer_count; i++)
        FREE_ALL(file->buffers[i].owned, file->buffers[i].path);
    memory_free(file->buffers);
    if (file->stream)
        fclose(file->stream);
    json_decref(file->root);
    *file = (GltfFile){.path = file->path};
}
