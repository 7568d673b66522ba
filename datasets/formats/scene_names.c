/* Finds names in the bytes of FBX (binary and text) and Collada files without parsing the rest. */
#define _GNU_SOURCE /* memmem */
#include "datasets/formats/scene_names.h"

#include "datasets/base/base.h"

typedef struct FoundNames {
    NameSpan *names;
    size_t count;
} FoundNames;

static void found_names_clear(FoundNames *list)
{
    free(list->names);
}

static Status found_names_add(FoundNames *list, const char *text, size_t length)
{
    if ((list->count & (list->count - 1)) == 0) { /* 0 or a power of two: full */
        NameSpan *names = realloc(list->names, (list->count > 0 ? 2 * list->count : 1) * sizeof *names);
        ALLOCATED(names, "names");
        list->names = names;
    }
    list->names[list->count++] = (NameSpan){text, length};
    return status_ok();
}

static int text_compare(const void *a, const void *b)
{
    const NameSpan *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* By text, and equal ones by their place in the file. */
static int name_compare(const void *a, const void *b)
{
    const NameSpan *x = a, *y = b;
    const int order = text_compare(x, y);
    return order != 0 ? order : (x->text > y->text) - (x->text < y->text);
}

static void found_names_sort(FoundNames *list)
{
    if (list->count > 0)
        qsort(list->names, list->count, sizeof *list->names, name_compare);
}

static bool name_listed(const FoundNames *list, NameSpan name)
{
    return list->count > 0 && bsearch(&name, list->names, list->count, sizeof name, text_compare);
}

static const char *text_find(const char *from, const char *end, const char *text, size_t length)
{
    return from < end ? memmem(from, (size_t)(end - from), text, length) : NULL;
}

/* ---- FBX ---- */

/* Names of Model objects: in binary files a property 'S', uint32 length, NAME \0 \1 "Model", in text files
 * "Model::NAME". */
static Status fbx_names_find(const char *bytes, size_t size, FoundNames *out)
{
    static const char binary[] = "\0\1Model", text[] = "\"Model::";
    enum { BINARY_BYTES = 7, TEXT_BYTES = 8, HEAD_BYTES = 5, NAME_BYTES_MAX = 512 };
    const char *end = bytes + size;
    for (const char *at = bytes; (at = text_find(at, end, binary, BINARY_BYTES)); at += BINARY_BYTES)
        for (size_t length = 1; length <= NAME_BYTES_MAX && (size_t)(at - bytes) >= length + HEAD_BYTES;
             length++) {
            const unsigned char *head = (const unsigned char *)at - length - HEAD_BYTES;
            const uint32_t stated = (uint32_t)head[1] | (uint32_t)head[2] << 8 | (uint32_t)head[3] << 16 |
                                    (uint32_t)head[4] << 24;
            if (head[0] == 'S' && stated == length + BINARY_BYTES) {
                STATUS_TRY(found_names_add(out, at - length, length));
                break;
            }
        }
    for (const char *at = bytes; (at = text_find(at, end, text, TEXT_BYTES));) {
        at += TEXT_BYTES;
        const char *close = memchr(at, '"', (size_t)(end - at));
        if (close && close > at)
            STATUS_TRY(found_names_add(out, at, (size_t)(close - at)));
    }
    return status_ok();
}

/* Writes the next text of `length` digits that no name is. */
static bool unique_text(const FoundNames *names, size_t *number, char *text, size_t length)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    do {
        size_t rest = (*number)++;
        for (size_t i = length; i-- > 0; rest /= 36)
            text[i] = digits[rest % 36];
        if (rest > 0)
            return false;
    } while (name_listed(names, (NameSpan){text, length}));
    return true;
}

Status fbx_names_make_unique(const void *bytes, size_t size, UniqueNames *out)
{
    CLEANUP(found_names_clear) FoundNames names = {0};
    size_t repeated = 0, number = 0;
    *out = (UniqueNames){0};
    STATUS_TRY(fbx_names_find(bytes, size, &names)); // NOLINT(clang-analyzer-unix.Malloc)
    found_names_sort(&names);
    for (size_t i = 1; i < names.count; i++)
        repeated += text_compare(&names.names[i], &names.names[i - 1]) == 0;
    if (repeated > 0) {
        out->bytes = malloc(size);
        out->nodes = calloc(repeated, sizeof *out->nodes);
        ALLOCATED(out->bytes && out->nodes, "a file");
        memcpy(out->bytes, bytes, size);
    }
    for (size_t i = 1; i < names.count; i++) {
        const NameSpan name = names.names[i];
        if (text_compare(&name, &names.names[i - 1]) != 0)
            continue;
        char *unique = out->bytes + (name.text - (const char *)bytes);
        if (!unique_text(&names, &number, unique, name.length))
            return bad_input("too many nodes are named '%.*s': rename them, or export glTF", (int)name.length,
                             name.text);
        out->nodes[out->count++] = (RenamedNode){name, {unique, name.length}};
    }
    return status_ok();
}

void unique_names_clear(UniqueNames *names)
{
    free(names->bytes);
    free(names->nodes);
    *names = (UniqueNames){0};
}

NameSpan unique_names_original(const UniqueNames *names, NameSpan seen)
{
    for (size_t i = 0; i < names->count; i++)
        if (text_compare(&names->nodes[i].unique, &seen) == 0)
            return names->nodes[i].name;
    return seen;
}

/* ---- Collada ---- */

/* The value of an attribute of the tag [tag, end). */
static bool attribute_find(const char *tag, const char *end, const char *key, NameSpan *out)
{
    const size_t length = strlen(key);
    for (const char *at = tag; (at = text_find(at, end, key, length)); at += length) {
        const char *value = at + length;
        if ((at[-1] != ' ' && at[-1] != '\t' && at[-1] != '\n') || value + 2 >= end || value[0] != '=')
            continue;
        const char *close = memchr(value + 2, value[1], (size_t)(end - value - 2));
        *out = (NameSpan){value + 2, close ? (size_t)(close - value - 2) : 0};
        return close != NULL;
    }
    return false;
}

Status collada_joints_check(const void *bytes, size_t size)
{
    static const char node[] = "<node ", array[] = "<Name_array", blanks[] = " \t\r\n";
    const char *file = bytes, *end = file + size;
    CLEANUP(found_names_clear) FoundNames sids = {0}, ids = {0};
    NameSpan value;
    for (const char *at = file; (at = text_find(at, end, node, sizeof node - 1)); at++) {
        const char *close = memchr(at, '>', (size_t)(end - at));
        close = close ? close : end;
        if (attribute_find(at + 1, close, "sid", &value))
            // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): released by the cleanup attribute
            STATUS_TRY(found_names_add(&sids, value.text, value.length));
        if (attribute_find(at + 1, close, "id", &value))
            STATUS_TRY(found_names_add(&ids, value.text, value.length)); // NOLINT(clang-analyzer-unix.Malloc)
    }
    found_names_sort(&ids);
    found_names_sort(&sids);
    /* keep the sids that several nodes have */
    size_t kept = 0;
    for (size_t i = 1; i < sids.count; i++)
        if (text_compare(&sids.names[i], &sids.names[i - 1]) == 0)
            sids.names[kept++] = sids.names[i];
    sids.count = kept;
    for (const char *at = file; kept > 0 && (at = text_find(at, end, array, sizeof array - 1));) {
        at++;
        const char *close = memchr(at, '<', (size_t)(end - at));
        const char *word = memchr(at, '>', (size_t)(end - at));
        close = close ? close : end;
        word = word ? word + 1 : close;
        while (word < close) {
            size_t length = 0;
            while (word + length < close && !strchr(blanks, word[length]))
                length++;
            const NameSpan joint = {word, length};
            if (length > 0 && name_listed(&sids, joint) && !name_listed(&ids, joint))
                return bad_input("several nodes have the sid '%.*s', which a skin names as its joint, and "
                                 "assimp binds every skin to the first: give the bones of each armature "
                                 "names of their own, or export glTF",
                                 (int)length, word);
            word += length + (length == 0);
        }
    }
    return status_ok();
}
