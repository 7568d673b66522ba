/* Opens glTF files: the chunks of a .glb (glTF 2.0 section 4.4), buffers in files and data: URIs (section
 * 3.6.1.1). */
#define _DEFAULT_SOURCE /* realpath */
#include "datasets/formats/gltf_file.h"

#include "datasets/base/base64.h"
#include "datasets/io/input_file.h"
#include "datasets/io/json_file.h"

#include <ctype.h>

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
        return gltf_failure(file, used_by, "refers to %s[%lld]; there are %zu", array, (long long)index,
                            json_array_size(list));
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

static Status bytes_read(const char *path, double max, unsigned char **bytes, size_t *size)
{
    double size_bytes = 0.0;
    OWNED_BY(fclose) FILE *stream = NULL;
    STATUS_TRY(input_stream_open(path, &stream, &size_bytes));
    *size = (size_t)fmin(size_bytes, max);
    ALLOCATE(*bytes, *size + 1, path);
    if (fread(*bytes, 1, *size, stream) != *size)
        return bad_input("%s: cannot be read", path);
    return status_ok();
}

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The JSON text, and the binary chunk of a .glb (size 0: none). */
static Status chunks_find(const GltfFile *file, const char **text, size_t *text_size, GltfBuffer *binary)
{
    enum { HEADER_BYTES = 12, CHUNK_BYTES = 8 };
    static const uint32_t JSON_CHUNK = 0x4E4F534A, BINARY_CHUNK = 0x004E4942;
    const unsigned char *bytes = file->bytes;
    *text = (const char *)bytes;
    *text_size = file->size;
    if (file->size < 4 || memcmp(bytes, "glTF", 4) != 0)
        return status_ok();
    if (file->size < HEADER_BYTES + CHUNK_BYTES)
        return gltf_failure(file, "", "ends after %zu bytes, within its header", file->size);
    if (word_at(bytes + 4) != 2)
        return gltf_failure(file, "", "is glTF version %u, expected 2", word_at(bytes + 4));
    if (word_at(bytes + 8) > file->size)
        return gltf_failure(file, "", "has %zu bytes, its header declares %u", file->size,
                            word_at(bytes + 8));
    const size_t end = word_at(bytes + 8);
    size_t at = HEADER_BYTES;
    for (int chunk = 0; at + CHUNK_BYTES <= end; chunk++) {
        const size_t size = word_at(bytes + at);
        const uint32_t type = word_at(bytes + at + 4);
        at += CHUNK_BYTES;
        if (size > end - at)
            return gltf_failure(file, "", "has %zu bytes left for chunk %d, which declares %zu", end - at,
                                chunk, size);
        if (chunk == 0 && type != JSON_CHUNK)
            return gltf_failure(file, "", "does not begin with a chunk of JSON");
        if (chunk == 0) {
            *text = (const char *)bytes + at;
            *text_size = size;
        } else if (chunk == 1 && type == BINARY_CHUNK) {
            *binary = (GltfBuffer){.bytes = bytes + at, .size = size};
        }
        at += size;
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

/* A relative URI as a path beside the file. */
static Status uri_resolve(const GltfFile *file, const char *uri, const char *place, char path[PATH_MAX])
{
    const char *slash = strrchr(file->path, '/');
    const size_t folder = slash ? (size_t)(slash - file->path) + 1 : 0;
    size_t used = folder;
    if (folder + strlen(uri) >= PATH_MAX)
        return gltf_failure(file, place, "has a URI of %zu bytes", strlen(uri));
    memcpy(path, file->path, folder);
    for (const char *at = uri; *at; at++) {
        const int high = *at == '%' ? hex_value(at[1]) : -1, low = high >= 0 ? hex_value(at[2]) : -1;
        path[used++] = low >= 0 ? (char)(16 * high + low) : *at;
        at += low >= 0 ? 2 : 0;
    }
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

/* Links are followed to where they lead, which is to be below the folder, too. */
static Status links_check(const GltfFile *file, const char *path, const char *place)
{
    char given[PATH_MAX] = ".", folder[PATH_MAX], target[PATH_MAX];
    const char *slash = strrchr(file->path, '/');
    if (slash)
        snprintf(given, sizeof given, "%.*s", (int)(slash - file->path) + 1, file->path);
    if (!realpath(path, target) || !realpath(given, folder))
        return status_ok(); /* opening it says why */
    const size_t length = strlen(folder);
    if (strncmp(target, folder, length) == 0 && (target[length] == '/' || folder[length - 1] == '/'))
        return status_ok();
    return gltf_failure(file, place, "names a link out of the folder, to %s", target);
}

static Status buffer_open(GltfFile *file, int index, const GltfBuffer *binary)
{
    json_t *object = NULL;
    const GltfPlace place = gltf_place("buffers[%d]", index);
    GltfBuffer *buffer = &file->buffers[index];
    int64_t length = 0;
    char path[PATH_MAX];
    STATUS_TRY(gltf_element(file, "buffers", index, "buffers", &object));
    STATUS_TRY(gltf_integer(file, object, place.text, "byteLength", GLTF_NEEDED, (int64_t)1 << 50, &length));
    const char *uri = gltf_text(object, "uri");
    if (!uri && json_object_get(json_object_get(object, "extensions"), "EXT_meshopt_compression")) {
        return status_ok(); /* without bytes: what it stands for is unpacked later (gltf_meshopt.h) */
    } else if (!uri && index == 0 && binary->bytes) {
        *buffer = *binary;
    } else if (!uri) {
        STATUS_TRY(gltf_failure(file, place.text, "has no uri, and the file has no binary chunk for it"));
    } else if (strncmp(uri, "data:", 5) == 0) {
        static const char mark[] = ";base64,";
        const char *text = strstr(uri, mark);
        if (!text)
            return gltf_failure(file, place.text, "has a data: URI without base64");
        text += sizeof mark - 1;
        ALLOCATE(buffer->owned, strlen(text) / 4 * 3 + 3, file->path);
        uint32_t bits = 0;
        size_t digits = 0;
        for (; *text && *text != '='; text++, digits++) {
            const int value = base64_value(*text);
            if (value < 0)
                return gltf_failure(file, place.text, "has the byte %d in its base64", (unsigned char)*text);
            bits = bits << 6 | (uint32_t)value;
            if (digits % 4 != 0)
                buffer->owned[buffer->size++] = (unsigned char)(bits >> (6 - 2 * (digits % 4)));
        }
        buffer->bytes = buffer->owned;
    } else {
        STATUS_TRY(uri_resolve(file, uri, place.text, path));
        STATUS_TRY(links_check(file, path, place.text));
        STATUS_TRY(bytes_read(path, (double)length, &buffer->owned, &buffer->size));
        buffer->bytes = buffer->owned;
    }
    if ((size_t)length > buffer->size)
        STATUS_TRY(gltf_failure(file, place.text, "has %zu bytes, but its byteLength is %lld", buffer->size,
                                (long long)length));
    buffer->size = (size_t)length; /* the chunk of a .glb is padded */
    file->total_bytes += uri ? (double)length : 0.0;
    return status_ok();
}

Status gltf_file_open(const char *path, GltfFile *out)
{
    const char *text = NULL;
    size_t text_size = 0;
    GltfBuffer binary = {0};
    json_t *buffers = NULL;
    *out = (GltfFile){.path = path};
    STATUS_TRY(bytes_read(path, INFINITY, &out->bytes, &out->size));
    out->total_bytes = (double)out->size;
    STATUS_TRY(chunks_find(out, &text, &text_size, &binary));
    if (text_size > JSON_TEXT_BYTES_MAX)
        STATUS_TRY(gltf_failure(out, "",
                                "has %zu bytes of JSON, expected %d or fewer; keep buffers in a .bin or .glb",
                                text_size, JSON_TEXT_BYTES_MAX));
    STATUS_TRY(json_text_read(text, text_size, path, &out->root));
    const char *version = gltf_text(json_object_get(out->root, "asset"), "version");
    if (!version || strncmp(version, "2.", 2) != 0)
        STATUS_TRY(
            gltf_failure(out, "asset", "has the version %s, expected 2.0", version ? version : "none"));
    static const char *const harmless[] = {"KHR_mesh_quantization", "KHR_materials_",
                                           "KHR_texture_",          "EXT_texture_",
                                           "KHR_lights_punctual",   "EXT_meshopt_compression"};
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
                out, "", "requires the extension '%s', which is not supported; export the file without it%s",
                name ? name : "?",
                /* its library has an interface of C++ alone */
                name && strcmp(name, "KHR_draco_mesh_compression") == 0
                    ? ", from Blender or by `gltf-transform copy IN.glb OUT.glb`"
                    : ""));
    }
    STATUS_TRY(gltf_array(out, out->root, "", "buffers", &buffers, &out->buffer_count));
    ALLOCATE(out->buffers, out->buffer_count, path);
    for (int i = 0; i < out->buffer_count; i++)
        STATUS_TRY(buffer_open(out, i, &binary));
    return status_ok();
}

void gltf_file_close(GltfFile *file)
{
    for (int i = 0; file->buffers && i < file->buffer_count; i++)
        memory_free(file->buffers[i].owned);
    FREE_ALL(file->buffers, file->bytes);
    json_decref(file->root);
    *file = (GltfFile){.path = file->path};
}
