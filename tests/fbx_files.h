/* Writes FBX files for tests, as text or binary. To write a node, call node_begin, write its values, call
 * children_begin if it has children, and call node_end. */
#pragma once

#include "tests/support.h"

#include <zlib.h>

typedef struct FbxWriter {
    char *bytes;
    size_t size, capacity;
    bool binary, wide; /* `wide` means that node headers have 64 bits, as in version 7500 */
    int depth, values[16];
    size_t starts[16], values_at[16];
    bool parents[16];
} FbxWriter;

static inline void fbx_bytes(FbxWriter *writer, const void *bytes, size_t size)
{
    if (writer->size + size > writer->capacity) {
        writer->capacity = 2 * (writer->size + size) + 4096;
        writer->bytes = realloc(writer->bytes, writer->capacity);
        assert_non_null(writer->bytes);
    }
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

static inline void fbx_text(FbxWriter *writer, const char *text)
{
    fbx_bytes(writer, text, strlen(text));
}

static inline void fbx_word(FbxWriter *writer, uint64_t word, int size)
{
    for (int i = 0; i < size; i++)
        fbx_bytes(writer, &(unsigned char){(unsigned char)(i < 8 ? word >> 8 * i : 0)}, 1);
}

static inline void node_begin(FbxWriter *writer, const char *name)
{
    const int width = writer->wide ? 8 : 4, depth = ++writer->depth;
    writer->starts[depth] = writer->size;
    writer->values[depth] = 0;
    writer->parents[depth] = false;
    if (writer->binary) {
        fbx_word(writer, 0, 8);
        fbx_word(writer, 0, 3 * width - 8);
        fbx_word(writer, strlen(name), 1);
        fbx_text(writer, name);
    } else {
        fbx_text(writer, text_of("%s: ", name));
    }
    writer->values_at[depth] = writer->size;
}

static inline void value_begin(FbxWriter *writer, char type)
{
    if (writer->values[writer->depth]++ > 0 && !writer->binary)
        fbx_text(writer, ", ");
    if (writer->binary)
        fbx_bytes(writer, &type, 1);
}

static inline void value_integer(FbxWriter *writer, int64_t value)
{
    value_begin(writer, 'L');
    if (writer->binary)
        fbx_word(writer, (uint64_t)value, 8);
    else
        fbx_text(writer, text_of("%" PRId64, value));
}

static inline void value_real(FbxWriter *writer, double value)
{
    value_begin(writer, 'D');
    if (writer->binary)
        fbx_bytes(writer, &value, 8);
    else
        fbx_text(writer, text_of("%.17g", value));
}

/* Writes a name with its type, or plain text if `type` is NULL. */
static inline void value_text(FbxWriter *writer, const char *text, const char *type)
{
    value_begin(writer, 'S');
    if (writer->binary) {
        const size_t length = strlen(text) + (type ? 2 + strlen(type) : 0);
        fbx_word(writer, length, 4);
        fbx_text(writer, text);
        fbx_bytes(writer, "\0\1", type ? 2 : 0);
        fbx_text(writer, type ? type : "");
    } else {
        fbx_text(writer, type ? text_of("\"%s::%s\"", type, text) : text_of("\"%s\"", text));
    }
}

static inline void children_begin(FbxWriter *writer)
{
    writer->parents[writer->depth] = true;
    if (!writer->binary) {
        fbx_text(writer, " {\n");
        return;
    }
    const int width = writer->wide ? 8 : 4;
    const size_t start = writer->starts[writer->depth];
    const uint64_t numbers[] = {(uint64_t)writer->values[writer->depth],
                                writer->size - writer->values_at[writer->depth]};
    memcpy(writer->bytes + start + width, &numbers[0], (size_t)width);
    memcpy(writer->bytes + start + 2 * width, &numbers[1], (size_t)width);
}

static inline void node_end(FbxWriter *writer)
{
    const bool parent = writer->parents[writer->depth];
    if (writer->binary) {
        if (!parent)
            children_begin(writer);
        else
            fbx_bytes(writer, (const char[25]){0}, writer->wide ? 25 : 13);
        const uint64_t end = writer->size;
        memcpy(writer->bytes + writer->starts[writer->depth], &end, writer->wide ? 8 : 4);
    } else {
        fbx_text(writer, parent ? "}\n" : "\n");
    }
    writer->depth--;
}

/* Writes an array of type d, f, i or l. Long arrays are compressed in binary files. */
static inline void node_array(FbxWriter *writer, const char *name, char type, const double *values, int count)
{
    node_begin(writer, name);
    if (writer->binary) {
        const size_t each = type == 'd' || type == 'l' ? 8 : 4, size = (size_t)count * each;
        OWNED unsigned char *plain = memory_array(size + 1, 1), *packed = memory_array(size + 1024, 1);
        uLongf packed_size = (uLongf)size + 1024;
        for (int i = 0; i < count; i++) {
            const float single = (float)values[i];
            const int64_t whole = (int64_t)values[i];
            memcpy(plain + (size_t)i * each,
                   type == 'd'   ? (const void *)&values[i]
                   : type == 'f' ? (const void *)&single
                                 : (const void *)&whole,
                   each);
        }
        assert_int_equal(compress(packed, &packed_size, plain, (uLong)size), Z_OK);
        const bool pack = count > 20;
        value_begin(writer, type);
        fbx_word(writer, (uint64_t)count, 4);
        fbx_word(writer, pack, 4);
        fbx_word(writer, pack ? packed_size : size, 4);
        fbx_bytes(writer, pack ? packed : plain, pack ? packed_size : size);
    } else {
        fbx_text(writer, text_of("*%d {\n a: ", count));
        for (int i = 0; i < count; i++)
            fbx_text(writer, text_of("%s%.17g", i > 0 ? "," : "", values[i]));
        fbx_text(writer, "\n}");
    }
    node_end(writer);
}

/* Writes a property with `count` numbers. The caller is inside a Properties70 node. */
static inline void node_property(FbxWriter *writer, const char *name, const double *values, int count)
{
    node_begin(writer, "P");
    value_text(writer, name, NULL);
    for (int i = 0; i < 3; i++)
        value_text(writer, i < 2 ? "Vector3D" : "A", NULL);
    for (int i = 0; i < count; i++)
        value_real(writer, values[i]);
    node_end(writer);
}

/* Begins an object, whose children follow. `type` is a class such as "Model", and `what` is the object's
 * third value. */
static inline void object_begin(FbxWriter *writer, const char *kind, int64_t id, const char *name,
                                const char *type, const char *what)
{
    node_begin(writer, kind);
    value_integer(writer, id);
    value_text(writer, name, type);
    value_text(writer, what, NULL);
    children_begin(writer);
}

static inline void node_link(FbxWriter *writer, int64_t from, int64_t target, const char *property)
{
    node_begin(writer, "C");
    value_text(writer, property ? "OP" : "OO", NULL);
    value_integer(writer, from);
    value_integer(writer, target);
    if (property)
        value_text(writer, property, NULL);
    node_end(writer);
}

/* Begins a node that has children but no values. */
static inline void list_begin(FbxWriter *writer, const char *name)
{
    node_begin(writer, name);
    children_begin(writer);
}

static inline void fbx_begin(FbxWriter *writer, bool binary, bool wide)
{
    *writer = (FbxWriter){.binary = binary, .wide = wide};
    const int version = wide ? 7500 : 7400;
    if (binary) {
        fbx_bytes(writer, "Kaydara FBX Binary  \0\x1a\0", 23);
        fbx_word(writer, (uint64_t)version, 4);
        return;
    }
    fbx_text(writer, "; FBX 7.4.0 project file\n");
    list_begin(writer, "FBXHeaderExtension");
    node_begin(writer, "FBXVersion");
    value_integer(writer, version);
    node_end(writer);
    node_end(writer);
}

/* Writes the file and releases the writer. */
static inline void fbx_end(FbxWriter *writer, const char *path)
{
    if (writer->binary)
        fbx_bytes(writer, (const char[200]){0}, 200);
    bytes_write(path, writer->bytes, writer->size);
    free(writer->bytes);
    *writer = (FbxWriter){0};
}
