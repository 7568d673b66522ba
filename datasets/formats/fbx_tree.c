/* Parses the two encodings of FBX 7 into one tree. The text encoding is a list of `Name: value, value {
 * children }`; the binary one has a header before each node, which says where it ends. */
#include "datasets/formats/fbx_tree.h"

#include "datasets/formats/number_text.h"
#include "datasets/formats/scene.h"
#include "datasets/io/input_file.h"

#include <zlib.h>

enum { DEPTH_MAX = 64 };

static const char BINARY_MAGIC[] = "Kaydara FBX Binary  "; /* its NUL belongs to it */

void fbx_tree_clear(FbxTree *tree)
{
    FREE_ALL(tree->bytes, tree->nodes);
    *tree = (FbxTree){0};
}

/* A failure at a place of the file. */
static Status tree_failure(const FbxTree *tree, const char *at, const char *what)
{
    int line = 1;
    for (const char *c = tree->bytes; !tree->binary && c < at; c++)
        line += *c == '\n';
    return tree->binary ? bad_input("%s: byte %td: %s", tree->path, at - tree->bytes, what)
                        : bad_input("%s:%d: %s", tree->path, line, what);
}

/* Adds a node behind *last, or as the first child of `parent`. */
static Status node_add(FbxTree *tree, int parent, int *last, FbxNode node)
{
    if (tree->node_count == INT32_MAX / 2)
        return bad_input("%s: has too many nodes", tree->path);
    node.child = node.next = -1;
    GROW(tree->nodes, tree->node_count, "a tree");
    tree->nodes[tree->node_count] = node;
    if (parent >= 0)
        *(*last >= 0 ? &tree->nodes[*last].next : &tree->nodes[parent].child) = tree->node_count;
    *last = tree->node_count++;
    return status_ok();
}

/* ---- binary ---- */

static uint64_t word_at(const char *bytes, int size)
{
    uint64_t word = 0;
    for (int i = size; i-- > 0;)
        word = word << 8 | (unsigned char)bytes[i];
    return word;
}

static Status binary_nodes(FbxTree *tree, int parent, size_t at, size_t end, int depth)
{
    const int width = tree->wide ? 8 : 4;
    const size_t head = 3 * (size_t)width + 1;
    if (depth > DEPTH_MAX)
        return tree_failure(tree, tree->bytes + at, "nodes are nested too deeply");
    for (int last = -1; at < end;) {
        const char *bytes = tree->bytes + at;
        if (end - at < head)
            return tree_failure(tree, bytes, "the file ends within a node");
        const uint64_t next = word_at(bytes, width), values = word_at(bytes + 2 * width, width);
        const size_t name = (unsigned char)bytes[head - 1];
        if (next == 0) /* ends the list */
            return status_ok();
        if (next > end || next < at + head + name || values > next - at - head - name)
            return tree_failure(tree, bytes, "a node ends beyond what holds it");
        const FbxNode node = {.name = bytes + head,
                              .name_length = (int)name,
                              .values = bytes + head + name,
                              .values_end = bytes + head + name + values};
        STATUS_TRY(node_add(tree, parent, &last, node));
        STATUS_TRY(binary_nodes(tree, last, at + head + name + (size_t)values, (size_t)next, depth + 1));
        at = (size_t)next;
    }
    return status_ok();
}

static bool binary_value(const char **next, const char *end, FbxValue *out)
{
    const char *at = *next;
    if (at == end)
        return false;
    *out = (FbxValue){.kind = *at++, .text = at};
    size_t size = 0;
    switch (out->kind) {
    case 'C':
    case 'B':
        size = 1;
        break;
    case 'Y':
        size = 2;
        break;
    case 'I':
    case 'F':
    case 'S':
    case 'R':
        size = 4;
        break;
    case 'D':
    case 'L':
        size = 8;
        break;
    default:
        size = strchr("bcilfd", out->kind) && out->kind ? 12 : SIZE_MAX;
    }
    if (size > (size_t)(end - at))
        return false;
    const uint64_t word = word_at(at, (int)(size < 8 ? size : 8));
    if (size == 12 || out->kind == 'S' || out->kind == 'R') {
        out->length = (size_t)word_at(at + size - 4, 4);
        out->text = at + size;
        out->count = (uint32_t)word;
        out->packed = size == 12 && word_at(at + 4, 4) == 1;
        if (out->length > (size_t)(end - out->text))
            return false;
        out->kind = size == 12 ? out->kind : 's';
        *next = out->text + out->length;
        return true;
    }
    const uint32_t half = (uint32_t)word;
    float single = 0.0f;
    memcpy(&single, &half, sizeof single);
    memcpy(&out->number, &word, sizeof word);
    out->integer = size == 8   ? (int64_t)word
                   : size == 4 ? (int64_t)(int32_t)half
                   : size == 2 ? (int64_t)(int16_t)half
                               : (int64_t)half;
    if (out->kind == 'F')
        out->number = (double)single;
    else if (out->kind != 'D')
        out->number = (double)out->integer;
    out->kind = 'n';
    *next = at + size;
    return true;
}

/* ---- text ---- */

/* Skips blanks, ends of lines and comments. */
static const char *text_blanks(const char *at)
{
    while (*at == ' ' || (*at >= '\t' && *at <= '\r') || *at == ';')
        at += *at == ';' ? strcspn(at, "\n") : 1;
    return at;
}

/* The end of a word or of a quoted text. */
static const char *text_word(const char *at)
{
    if (*at != '"')
        return at + strcspn(at, " \t\r\n\v\f,{}:;\"");
    at += 1 + strcspn(at + 1, "\"");
    return at + (*at == '"');
}

/* Reads nodes up to the closing brace or the end. Ends of lines mean nothing: a word before a colon is the
 * name of the next node. */
static Status text_nodes(FbxTree *tree, int parent, const char **next, int depth)
{
    const char *end = tree->bytes + tree->size;
    if (depth > DEPTH_MAX)
        return tree_failure(tree, *next, "nodes are nested too deeply");
    for (int last = -1;;) {
        const char *name = text_blanks(*next), *at = text_word(name);
        *next = name;
        if (name == end || (*name == '}' && depth > 0))
            return status_ok();
        if (at == name || *at != ':')
            return tree_failure(tree, name, "expected a name with a colon behind it");
        FbxNode node = {.name = name, .name_length = (int)(at - name), .values = at + 1};
        at++;
        for (bool more = true; more;) {
            const char *word = text_blanks(at);
            at = text_word(word);
            more = *at != ':' || *word == '"';
            if (!more) {
                at = word;
                break;
            }
            const char *behind = text_blanks(at);
            more = *behind == ',';
            at = more ? behind + 1 : at;
        }
        node.values_end = at;
        STATUS_TRY(node_add(tree, parent, &last, node));
        *next = text_blanks(at);
        if (**next != '{')
            continue;
        ++*next;
        STATUS_TRY(text_nodes(tree, last, next, depth + 1));
        if (**next != '}')
            return tree_failure(tree, *next, "the file ends within a node");
        ++*next;
    }
}

static bool text_value(const char **next, const char *end, FbxValue *out)
{
    const char *at = text_blanks(*next), *behind = text_word(at);
    if (at >= end)
        return false;
    *out = (FbxValue){.kind = 's', .text = at + (*at == '"'), .length = (size_t)(behind - at)};
    if (*at == '"') {
        out->length -= out->length > 1 ? 2 : 1;
    } else if (at < behind && (is_digit(*at) || *at == '-' || *at == '+' || *at == '.')) {
        out->kind = 'n';
        out->number = strtod(at, NULL);
        out->integer = strtoll(at, NULL, 10);
    }
    behind = text_blanks(behind);
    *next = *behind == ',' && behind < end ? behind + 1 : end;
    return true;
}

/* ---- both ---- */

static bool value_next(const FbxTree *tree, const char **next, const char *end, FbxValue *out)
{
    return tree->binary ? binary_value(next, end, out) : text_value(next, end, out);
}

Status fbx_tree_read(const char *path, FbxTree *out)
{
    double size_bytes = 0.0;
    OWNED_BY(fclose) FILE *stream = NULL;
    int last = -1;
    *out = (FbxTree){.path = path};
    STATUS_TRY(input_stream_open(path, &stream, &size_bytes));
    if (size_bytes < 1.0 || size_bytes > INT32_MAX)
        return bad_input("%s: has %.0f bytes, expected 1 to %d", path, size_bytes, INT32_MAX);
    out->size = (size_t)size_bytes;
    out->memory_bytes = scene_memory_bytes(size_bytes);
    ALLOCATE(out->bytes, out->size + 1, path);
    if (fread(out->bytes, 1, out->size, stream) != out->size)
        return bad_input("%s: cannot be read", path);
    const size_t magic = sizeof BINARY_MAGIC + 2, start = magic + 4;
    out->binary = out->size > start && memcmp(out->bytes, BINARY_MAGIC, sizeof BINARY_MAGIC) == 0;
    STATUS_TRY(node_add(out, -1, &last, (FbxNode){0}));
    if (out->binary) {
        const uint64_t version = word_at(out->bytes + magic, 4);
        out->version = version < INT32_MAX ? (int)version : 0;
        out->wide = version >= 7500;
    }
    if (!out->binary || out->version >= 7000) { /* older nodes differ */
        const char *next = out->bytes;
        STATUS_TRY(out->binary ? binary_nodes(out, 0, start, out->size, 0) : text_nodes(out, 0, &next, 0));
    }
    FbxValue version = {0};
    if (!out->binary &&
        fbx_value(out, fbx_child(out, fbx_child(out, 0, "FBXHeaderExtension"), "FBXVersion"), 0, &version))
        out->version = (int)fmax(0.0, fmin(version.number, INT32_MAX));
    if (out->version < 7000 || out->version >= 8000)
        return bad_input("%s: is FBX version %d, and 7000 to 7900 are read: open it in Blender and export "
                         "glTF, or convert it to FBX 2013 or later",
                         path, out->version);
    return status_ok();
}

bool fbx_named(const FbxTree *tree, int node, const char *name)
{
    const FbxNode *at = &tree->nodes[node];
    return (size_t)at->name_length == strlen(name) && memcmp(at->name, name, strlen(name)) == 0;
}

int fbx_child(const FbxTree *tree, int node, const char *name)
{
    int child = node < 0 ? -1 : tree->nodes[node].child;
    while (child >= 0 && !fbx_named(tree, child, name))
        child = tree->nodes[child].next;
    return child;
}

bool fbx_value(const FbxTree *tree, int node, int index, FbxValue *out)
{
    *out = (FbxValue){0};
    if (node < 0)
        return false;
    const char *next = tree->nodes[node].values;
    for (int i = 0; i <= index; i++)
        if (!value_next(tree, &next, tree->nodes[node].values_end, out))
            return false;
    return true;
}

bool fbx_text_is(const FbxTree *tree, int node, int index, const char *text)
{
    FbxValue value;
    return fbx_value(tree, node, index, &value) && value.kind == 's' && value.length == strlen(text) &&
           memcmp(value.text, text, value.length) == 0;
}

/* The elements of a binary array. */
static Status array_numbers(const FbxTree *tree, const FbxValue *array, double **out, int *count)
{
    const int size = array->kind == 'd' || array->kind == 'l' ? 8 : strchr("bc", array->kind) ? 1 : 4;
    const double ZLIB_RATIO_MAX = 1032.0;
    const double bytes = (double)array->count * size;
    OWNED char *unpacked = NULL;
    const char *elements = array->text;
    if (array->packed ? bytes > ZLIB_RATIO_MAX * (double)array->length : bytes != (double)array->length)
        return tree_failure(tree, array->text, "an array has another length than it declares");
    if (8.0 * array->count > tree->memory_bytes)
        return tree_failure(tree, array->text,
                            "an array takes more memory than a file of this size is expected to; to allow "
                            "it, use --memory-limit SIZE");
    if (array->packed) {
        uLongf unpacked_bytes = (uLongf)bytes;
        ALLOCATE(unpacked, bytes, "an array");
        if (uncompress((Bytef *)unpacked, &unpacked_bytes, (const Bytef *)array->text,
                       (uLong)array->length) != Z_OK ||
            (double)unpacked_bytes != bytes)
            return tree_failure(tree, array->text, "an array cannot be unpacked");
        elements = unpacked;
    }
    ALLOCATE(*out, array->count, "an array");
    *count = (int)array->count;
    for (int i = 0; i < *count; i++) {
        const char code[2] = {(char)(array->kind - 'a' + 'A'), '\0'};
        char bytes_of_one[9] = {code[0] == 'B' || code[0] == 'C' ? 'C' : code[0]};
        const char *next = bytes_of_one;
        FbxValue value;
        memcpy(bytes_of_one + 1, elements + (size_t)i * (size_t)size, (size_t)size);
        (void)binary_value(&next, bytes_of_one + 1 + size, &value);
        (*out)[i] = value.number;
    }
    return status_ok();
}

Status fbx_numbers(const FbxTree *tree, int node, const char *name, double **out, int *count)
{
    const int child = fbx_child(tree, node, name), inner = fbx_child(tree, child, "a");
    FbxValue value;
    *out = NULL;
    *count = 0;
    if (child < 0)
        return status_ok();
    if (tree->binary && fbx_value(tree, child, 0, &value) && value.kind != 'n' && value.kind != 's')
        return array_numbers(tree, &value, out, count);
    const FbxNode *from = &tree->nodes[inner >= 0 ? inner : child];
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        if (pass == 1)
            ALLOCATE(*out, *count, "an array");
        *count = 0;
        for (const char *next = from->values; value_next(tree, &next, from->values_end, &value);) {
            if (value.kind != 'n' || *count == INT32_MAX)
                return tree_failure(tree, value.text, "expected a number");
            if (pass == 1)
                (*out)[*count] = value.number;
            ++*count;
        }
    }
    return status_ok();
}

bool fbx_property(const FbxTree *tree, int object, int otherwise, const char *name, int count,
                  double *numbers)
{
    for (int k = 0; k < 2; k++) {
        const int list = fbx_child(tree, k == 0 ? object : otherwise, "Properties70");
        for (int p = list >= 0 ? tree->nodes[list].child : -1; p >= 0; p = tree->nodes[p].next) {
            FbxValue values[3];
            bool there = fbx_text_is(tree, p, 0, name);
            for (int i = 0; i < count && there; i++)
                there = fbx_value(tree, p, 4 + i, &values[i]) && values[i].kind == 'n';
            for (int i = 0; i < count && there; i++)
                numbers[i] = values[i].number;
            if (there)
                return true;
        }
    }
    return false;
}
