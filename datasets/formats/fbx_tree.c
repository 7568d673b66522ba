/* Parses the two encodings of FBX 7 into one tree. The text encoding is a list of
 *
 *   Name: value, value { children }
 *
 * The binary encoding has a header before each node, which tells where the node ends. */
#include "datasets/formats/fbx_tree.h"

#include "datasets/formats/number_bytes.h"
#include "datasets/formats/number_text.h"
#include "datasets/io/input_file.h"

#include <ctype.h>
#include <zlib.h>

enum { DEPTH_MAX = 64 };

static const char BINARY_MAGIC[] = "Kaydara FBX Binary  "; /* the comparison includes the final NUL */

void fbx_tree_clear(FbxTree *tree)
{
    FREE_ALL(tree->bytes, tree->nodes);
    *tree = (FbxTree){0};
}

/* Returns STATUS_BAD_INPUT with a message that says where in the file the error is. */
static Status tree_failure(const FbxTree *tree, const char *fault, const char *what)
{
    int line = 1;
    for (const char *c = tree->bytes; !tree->binary && c < fault; c++)
        line += *c == '\n';
    return tree->binary ? bad_input("%s: byte %td: %s", tree->path, fault - tree->bytes, what)
                        : bad_input("%s:%d: %s", tree->path, line, what);
}

/* Adds a node as the next sibling of *last, or as the first child of `parent` if *last is -1. */
static Status tree_node_add(FbxTree *tree, int parent, int *last, FbxNode node)
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
    return word_load((const unsigned char *)bytes, (size_t)size, false);
}

static Status binary_nodes(FbxTree *tree, int parent, size_t offset, size_t end, int depth)
{
    const int width = tree->wide ? 8 : 4;
    const size_t head = 3 * (size_t)width + 1;
    if (depth > DEPTH_MAX)
        return tree_failure(tree, tree->bytes + offset, "nodes are nested too deeply");
    for (int last = -1; offset < end;) {
        const char *bytes = tree->bytes + offset;
        if (end - offset < head)
            return tree_failure(tree, bytes, "the file ends within a node");
        const uint64_t next = word_at(bytes, width), values = word_at(bytes + 2 * width, width);
        const size_t name = (unsigned char)bytes[head - 1];
        if (next == 0) /* an empty header marks the end of a list of nodes */
            return status_ok();
        if (next > end || next < offset + head + name || values > next - offset - head - name)
            return tree_failure(tree, bytes, "a node ends beyond the end of its parent");
        const FbxNode node = {.name = bytes + head,
                              .name_length = (int)name,
                              .values = bytes + head + name,
                              .values_end = bytes + head + name + values};
        STATUS_TRY(tree_node_add(tree, parent, &last, node));
        STATUS_TRY(binary_nodes(tree, last, offset + head + name + (size_t)values, (size_t)next, depth + 1));
        offset = (size_t)next;
    }
    return status_ok();
}

/* Returns the type of the numbers that a letter stands for. Arrays use the lower-case letter. */
static NumberType number_type(char letter)
{
    static const char letters[] = "CBYIFLD";
    static const NumberType types[] = {NUMBER_UINT8,   NUMBER_UINT8, NUMBER_INT16,  NUMBER_INT32,
                                       NUMBER_FLOAT32, NUMBER_INT64, NUMBER_FLOAT64};
    return types[strchr(letters, toupper((unsigned char)letter)) - letters];
}

static bool binary_value(const char **next, const char *end, FbxValue *out)
{
    static const char types[] = "CBYIFSRDLbcilfd";
    static const unsigned char sizes[] = {1, 1, 2, 4, 4, 4, 4, 8, 8, 12, 12, 12, 12, 12, 12};
    const char *type = *next < end && **next ? strchr(types, **next) : NULL, *bytes = *next + 1;
    const size_t size = type ? sizes[type - types] : 0;
    if (!type || size > (size_t)(end - bytes))
        return false;
    const uint64_t word = word_at(bytes, (int)(size < 8 ? size : 8));
    *out = (FbxValue){.kind = *type, .text = bytes + size, .count = (uint32_t)word};
    if (size == 12 || *type == 'S' || *type == 'R') {
        out->kind = size == 12 ? *type : 's';
        out->length = (size_t)word_at(bytes + size - 4, 4);
        out->packed = size == 12 && word_at(bytes + 4, 4) == 1;
        *next = out->text + out->length;
        return out->length <= (size_t)(end - out->text);
    }
    out->kind = 'n';
    out->integer = size == 8 ? (int64_t)word : size == 2 ? (int16_t)word : (int64_t)(int32_t)out->count;
    out->number = number_load((const unsigned char *)bytes, number_type(*type), false);
    *next = out->text;
    return true;
}

/* ---- text ---- */

/* Skips white space and comments. */
static const char *text_blanks(const char *cursor)
{
    while (*cursor == ' ' || (*cursor >= '\t' && *cursor <= '\r') || *cursor == ';')
        cursor += *cursor == ';' ? strcspn(cursor, "\r\n") : 1;
    return cursor;
}

/* Returns the end of a word or of a quoted text. */
static const char *text_word(const char *cursor)
{
    if (*cursor != '"')
        return cursor + strcspn(cursor, " \t\r\n\v\f,{}:;\"");
    cursor += 1 + strcspn(cursor + 1, "\"");
    return cursor + (*cursor == '"');
}

/* Reads nodes up to the closing brace or the end of the file. Line breaks have no meaning: a word before a
 * colon is the name of the next node. */
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
            return tree_failure(tree, name, "expected a name followed by a colon");
        FbxNode node = {.name = name, .name_length = (int)(at - name), .values = at + 1};
        at++;
        for (bool more = true; more; at += more) {
            const char *word = text_blanks(at), *behind = text_word(word);
            at = *behind == ':' && *word != '"' ? word : text_blanks(behind);
            more = *at == ',';
        }
        node.values_end = at;
        STATUS_TRY(tree_node_add(tree, parent, &last, node));
        *next = at;
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
    const char *word = text_blanks(*next), *behind = text_word(word);
    if (word >= end)
        return false;
    *out = (FbxValue){.kind = 's', .text = word + (*word == '"'), .length = (size_t)(behind - word)};
    if (*word == '"') {
        out->length -= out->length > 1 ? 2 : 1;
    } else if (word < behind && (is_digit(*word) || *word == '-' || *word == '+' || *word == '.')) {
        char *stop = NULL;
        out->kind = 'n';
        out->number = strtod(word, &stop);
        if (stop != behind) /* Windows writes numbers such as 1.#QNAN, of which strtod reads only the 1 */
            out->number = NAN;
        out->integer = strtoll(word, NULL, 10);
    }
    behind = text_blanks(behind);
    *next = *behind == ',' && behind < end ? behind + 1 : end;
    return true;
}

/* ---- both encodings ---- */

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
    out->memory_bytes = input_contents_limit(size_bytes);
    ALLOCATE(out->bytes, out->size + 1, path);
    if (fread(out->bytes, 1, out->size, stream) != out->size)
        return bad_input("%s: cannot be read", path);
    const size_t magic = sizeof BINARY_MAGIC + 2, start = magic + 4;
    out->binary = out->size > start && memcmp(out->bytes, BINARY_MAGIC, sizeof BINARY_MAGIC) == 0;
    STATUS_TRY(tree_node_add(out, -1, &last, (FbxNode){0}));
    if (out->binary) {
        const uint64_t version = word_at(out->bytes + magic, 4);
        out->version = version < INT32_MAX ? (int)version : 0;
        out->wide = version >= 7500;
    }
    if (!out->binary ||
        out->version >= 7000) { /* skip the nodes of older binary versions, whose layout is different */
        const bool marked = strncmp(out->bytes, "\xef\xbb\xbf", 3) == 0; /* a byte-order mark */
        const char *next = out->bytes + (marked ? 3 : 0);
        STATUS_TRY(out->binary ? binary_nodes(out, 0, start, out->size, 0) : text_nodes(out, 0, &next, 0));
    }
    FbxValue version = {0};
    if (!out->binary &&
        fbx_value(out, fbx_child(out, fbx_child(out, 0, "FBXHeaderExtension"), "FBXVersion"), 0, &version))
        out->version = (int)fmax(0.0, fmin(version.number, INT32_MAX));
    if (out->version < 7000 || out->version >= 8000)
        return bad_input(
            "%s: is FBX version %d, but only 7000 to 7900 can be read: open it in Blender and export "
            "glTF, or convert it to FBX 2013 or later",
            path, out->version);
    return status_ok();
}

bool fbx_named(const FbxTree *tree, int node, const char *name)
{
    const FbxNode *record = &tree->nodes[node];
    return (size_t)record->name_length == strlen(name) && memcmp(record->name, name, strlen(name)) == 0;
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

/* Counts the memory of an array before it is allocated. An array that is read twice is counted twice, so
 * that the limit also bounds the time of reading. */
static Status array_count(FbxTree *tree, const char *start, double count)
{
    tree->made_bytes += sizeof(double) * count;
    if (tree->made_bytes > tree->memory_bytes || count > INT32_MAX)
        return tree_failure(tree, start,
                            "arrays take more memory than a file of this size should need; "
                            "use --memory-limit SIZE to allow it");
    return status_ok();
}

/* Reads the elements of a binary array. */
static Status array_numbers(FbxTree *tree, const FbxValue *array, double **out, int *count)
{
    const NumberType type = number_type(array->kind);
    const size_t size = number_bytes(type);
    uLongf bytes = array->count * size;
    OWNED char *unpacked = NULL;
    const char *next = array->text;
    STATUS_TRY(array_count(tree, next, array->count));
    if (!array->packed && bytes != array->length)
        return tree_failure(tree, next, "an array does not have the length that it declares");
    if (array->packed) {
        const uLongf declared = bytes;
        ALLOCATE(unpacked, bytes + 1, "an array");
        if (uncompress((Bytef *)unpacked, &bytes, (const Bytef *)next, (uLong)array->length) != Z_OK ||
            bytes != declared)
            return tree_failure(tree, next, "an array cannot be unpacked");
        next = unpacked;
    }
    ALLOCATE(*out, array->count, "an array");
    for (*count = 0; *count < (int)array->count; ++*count, next += size)
        (*out)[*count] = number_load((const unsigned char *)next, type, false);
    return status_ok();
}

Status fbx_numbers(FbxTree *tree, int node, const char *name, double **out, int *count)
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
    int numbers = 0;
    for (const char *next = from->values; value_next(tree, &next, from->values_end, &value); numbers++)
        if (value.kind != 'n')
            return tree_failure(tree, value.text, "expected a number");
    STATUS_TRY(array_count(tree, from->values, numbers));
    ALLOCATE(*out, numbers, "an array");
    for (const char *next = from->values; *count < numbers; ++*count) {
        (void)value_next(tree, &next, from->values_end, &value);
        (*out)[*count] = value.number;
    }
    return status_ok();
}

int fbx_property(const FbxTree *tree, int node, double numbers[3])
{
    FbxValue value;
    int count = 0;
    while (count < 3 && fbx_value(tree, node, 4 + count, &value) && value.kind == 'n')
        numbers[count++] = value.number;
    return count;
}

double fbx_number(const FbxTree *tree, int object, const char *name, double missing)
{
    enum {
        PROPERTIES_MAX = 256
    }; /* this limit suffices for layers and curves, the only objects that are read this way */
    const int list = fbx_child(tree, object, "Properties70");
    double numbers[3];
    for (int p = list >= 0 ? tree->nodes[list].child : -1, i = 0; p >= 0 && i < PROPERTIES_MAX;
         p = tree->nodes[p].next, i++)
        if (fbx_text_is(tree, p, 0, name) && fbx_property(tree, p, numbers) > 0)
            return numbers[0];
    return missing;
}
