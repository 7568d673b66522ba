/* Scans the tags of a Collada file in order, without parsing how they are nested. */
#define _GNU_SOURCE /* memmem */
#include "datasets/formats/collada_text.h"

#include "datasets/base/base.h"

enum { AXIS_BYTES = 64 }; /* three numbers */

typedef struct NameSpan {
    const char *text; /* not terminated by a NUL */
    size_t length;
} NameSpan;

static int text_compare(const void *a, const void *b)
{
    const NameSpan *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static void names_sort(NameSpan *names, size_t count)
{
    if (count > 0)
        qsort(names, count, sizeof *names, text_compare);
}

static bool name_listed(const NameSpan *names, size_t count, NameSpan name)
{
    return count > 0 && bsearch(&name, names, count, sizeof name, text_compare);
}

/* Finds the value of attribute `key` in the tag from `tag` to `end`. */
static bool attribute_find(const char *tag, const char *end, const char *key, NameSpan *out)
{
    const size_t length = strlen(key);
    for (const char *match = tag;
         match < end && (match = memmem(match, (size_t)(end - match), key, length)) != NULL;
         match += length) {
        const char *value = match + length;
        if ((match[-1] != ' ' && match[-1] != '\t' && match[-1] != '\n') || value + 2 >= end ||
            value[0] != '=')
            continue;
        const char *close = memchr(value + 2, value[1], (size_t)(end - value - 2));
        *out = (NameSpan){value + 2, close ? (size_t)(close - value - 2) : 0};
        return close != NULL;
    }
    return false;
}

/* A tag, from the first letter of its name to the end of its attributes. */
typedef struct Tag {
    const char *name, *end;
} Tag;

/* Finds the next tag after *cursor that is not in a comment. */
static bool tag_next(const char **cursor, const char *end, Tag *out)
{
    const char *open = *cursor < end ? memchr(*cursor, '<', (size_t)(end - *cursor)) : NULL;
    while (open && end - open >= 4 && memcmp(open, "<!--", 4) == 0) {
        open = memmem(open, (size_t)(end - open), "-->", 3);
        open = open ? memchr(open, '<', (size_t)(end - open)) : NULL;
    }
    if (!open)
        return false;
    const char *close = memchr(open, '>', (size_t)(end - open));
    *out = (Tag){open + 1, close ? close : end};
    *cursor = out->end;
    return true;
}

static bool tag_named(const Tag *tag, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(tag->end - tag->name) >= length && memcmp(tag->name, name, length) == 0 &&
           (tag->name + length == tag->end || strchr(" \t\r\n/", tag->name[length]));
}

/* Gathers the values of an attribute in all tags called `name` (NULL: in all tags), and sorts them. */
static Status names_gather(const char *file, const char *end, const char *name, const char *key,
                           NameSpan **out, size_t *count)
{
    NameSpan value;
    Tag tag;
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        if ((name && !tag_named(&tag, name)) || !attribute_find(tag.name, tag.end, key, &value))
            continue;
        GROW(*out, *count, "names");
        (*out)[(*count)++] = value;
    }
    names_sort(*out, *count);
    return status_ok();
}

Status collada_joints_check(const void *bytes, size_t size)
{
    static const char blanks[] = " \t\r\n";
    const char *file = bytes, *end = file + size;
    OWNED NameSpan *sids = NULL, *ids = NULL;
    size_t sid_count = 0, id_count = 0, kept = 0;
    Tag tag;
    STATUS_TRY(names_gather(file, end, "node", "id", &ids, &id_count));
    STATUS_TRY(names_gather(file, end, "node", "sid", &sids, &sid_count));
    /* keep only the sids that occur on more than one node */
    for (size_t i = 1; i < sid_count; i++)
        if (text_compare(&sids[i], &sids[i - 1]) == 0)
            sids[kept++] = sids[i];
    for (const char *cursor = file; kept > 0 && tag_next(&cursor, end, &tag);) {
        const char *close = memchr(cursor, '<', (size_t)(end - cursor));
        close = close ? close : end;
        for (const char *word = tag_named(&tag, "Name_array") ? tag.end + 1 : close; word < close;) {
            size_t length = 0;
            while (word + length < close && !strchr(blanks, word[length]))
                length++;
            const NameSpan joint = {word, length};
            if (length > 0 && name_listed(sids, kept, joint) && !name_listed(ids, id_count, joint))
                return bad_input("several nodes have the sid '%.*s', which a skin names as its joint, and "
                                 "assimp binds every skin to the first: give the bones of each armature "
                                 "names of their own, or export glTF",
                                 (int)length, word);
            word += length + (length == 0);
        }
    }
    return status_ok();
}

/* ---- indices ---- */

/* A source of indexed values: either a <source> with its number of elements, or a <vertices> that refers to
 * the source of its positions. */
typedef struct IndexedSource {
    NameSpan id, positions;
    double count;
} IndexedSource;

typedef struct IndexedSources {
    IndexedSource *list;
    size_t count;
} IndexedSources;

static void indexed_sources_clear(IndexedSources *sources)
{
    memory_free(sources->list);
}

static int source_compare(const void *a, const void *b)
{
    return text_compare(&((const IndexedSource *)a)->id, &((const IndexedSource *)b)->id);
}

/* Returns the value of a numeric attribute, or `missing` if the tag lacks it. A number is always followed
 * by the end of its tag, so parsing cannot run past the end of the text. */
static double tag_number(const Tag *tag, const char *key, double missing)
{
    NameSpan value;
    return attribute_find(tag->name, tag->end, key, &value) ? strtod(value.text, NULL) : missing;
}

/* Returns the id that an attribute refers to, without the leading #. */
static NameSpan tag_reference(const Tag *tag)
{
    NameSpan value = {tag->name, 0};
    if (attribute_find(tag->name, tag->end, "source", &value) && value.length > 0)
        return (NameSpan){value.text + 1, value.length - 1};
    return value;
}

static Status sources_find(const char *file, size_t size, IndexedSources *out)
{
    Tag tag;
    IndexedSource source = {{file, 0}, {file, 0}, 0.0};
    double numbers = 0.0;
    for (const char *cursor = file; tag_next(&cursor, file + size, &tag);) {
        const bool vertices = tag_named(&tag, "vertices"), accessor = tag_named(&tag, "accessor");
        if (tag_named(&tag, "source") || vertices) {
            source = (IndexedSource){{file, 0}, {file, 0}, 0.0};
            numbers = 0.0;
            (void)attribute_find(tag.name, tag.end, "id", &source.id);
        } else if (tag_named(&tag, "float_array") || tag_named(&tag, "Name_array") ||
                   tag_named(&tag, "IDREF_array")) {
            numbers = tag_number(&tag, "count", 0.0);
        } else if (accessor) {
            source.count = tag_number(&tag, "count", 0.0);
            const double stride = tag_number(&tag, "stride", 1.0), offset = tag_number(&tag, "offset", 0.0);
            if (!(source.count >= 0.0 && stride >= 1.0 && offset >= 0.0 &&
                  offset + source.count * stride <= numbers))
                return bad_input("the source '%.*s' has %.0f numbers, fewer than its accessor declares",
                                 (int)source.id.length, source.id.text, numbers);
        }
        NameSpan semantic;
        const bool positions = tag_named(&tag, "input") &&
                               attribute_find(tag.name, tag.end, "semantic", &semantic) &&
                               semantic.length == 8 && memcmp(semantic.text, "POSITION", 8) == 0;
        if (positions)
            source.positions = tag_reference(&tag);
        if ((accessor || positions) && source.id.length > 0) {
            GROW(out->list, out->count, "sources");
            out->list[out->count++] = source;
        }
    }
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, source_compare);
    return status_ok();
}

/* Returns the number of elements in the source of an input, or INFINITY if it is unknown. */
static double source_count(const IndexedSources *sources, NameSpan id)
{
    for (int step = 0; step < 2;
         step++) { /* the second step follows <vertices> to the source of its positions */
        const IndexedSource key = {.id = id};
        const IndexedSource *source =
            sources->count > 0 ? bsearch(&key, sources->list, sources->count, sizeof key, source_compare)
                               : NULL;
        if (!source || source->positions.length == 0)
            return source ? source->count : INFINITY;
        id = source->positions;
    }
    return INFINITY;
}

Status collada_indices_check(const void *bytes, size_t size)
{
    static const char *const lists[] = {"triangles", "polylist", "polygons",   "tristrips",
                                        "trifans",   "lines",    "linestrips", "vertex_weights"};
    enum { OFFSETS_MAX = 64 };
    CLEANUP(indexed_sources_clear) IndexedSources sources = {0};
    const char *file = bytes, *end = file + size;
    double limits[OFFSETS_MAX];
    int offsets = 0;
    Tag tag;
    STATUS_TRY(sources_find(file, size, &sources)); // NOLINT(clang-analyzer-unix.Malloc)
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            offsets = tag_named(&tag, lists[i]) ? 0 : offsets;
        const double offset = tag_named(&tag, "input") ? tag_number(&tag, "offset", -1.0) : -1.0;
        if (offset >= 0.0 && offset < OFFSETS_MAX) {
            for (; offsets <= (int)offset; offsets++)
                limits[offsets] = INFINITY;
            limits[(int)offset] = fmin(limits[(int)offset], source_count(&sources, tag_reference(&tag)));
        }
        const bool weights = tag_named(&tag, "v");
        if ((!weights && !tag_named(&tag, "p") && !tag_named(&tag, "h")) || offsets == 0)
            continue;
        const char *word = tag.end + (tag.end < end);
        for (int i = 0; word < end && *word != '<'; i = (i + 1) % offsets) {
            char *behind = NULL;
            const double index = strtod(word, &behind);
            if (behind == word)
                break;
            /* joint -1 stands for the mesh itself */
            if (!(index >= (weights ? -1.0 : 0.0) && index < fmin(limits[i], INT32_MAX)))
                return bad_input("<%s> has the index %.0f, expected 0 to %.0f", weights ? "v" : "p", index,
                                 fmin(limits[i], INT32_MAX) - 1.0);
            word = behind;
        }
    }
    return status_ok();
}

/* ---- clips ---- */

Status collada_channels_check(const void *bytes, size_t size)
{
    const char *file = bytes, *end = file + size;
    OWNED NameSpan *ids = NULL, *nodes = NULL, *sids = NULL;
    size_t id_count = 0, node_count = 0, sid_count = 0;
    NameSpan value;
    Tag tag;
    STATUS_TRY(names_gather(file, end, NULL, "id", &ids, &id_count));
    STATUS_TRY(names_gather(file, end, NULL, "sid", &sids, &sid_count));
    STATUS_TRY(names_gather(file, end, "node", "id", &nodes, &node_count));
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        if (!tag_named(&tag, "channel") || !attribute_find(tag.name, tag.end, "target", &value))
            continue;
        const char *stop = value.text + value.length, *slash = memchr(value.text, '/', value.length);
        if (!slash)
            continue; /* not a node */
        const NameSpan id = {value.text, (size_t)(slash - value.text)};
        NameSpan sid = {slash + 1, 0};
        while (sid.text + sid.length < stop && !strchr("/.(", sid.text[sid.length]))
            sid.length++;
        const bool node = name_listed(nodes, node_count, id);
        const char *rest = sid.text + sid.length, *index = memchr(rest, '(', (size_t)(stop - rest));
        if (!name_listed(ids, id_count, id) || (node && !name_listed(sids, sid_count, sid)))
            return bad_input("the channel '%.*s' animates an element that the file lacks", (int)value.length,
                             value.text);
        if (node && (memchr(rest, '/', (size_t)(stop - rest)) ||
                     (index && !memchr(index + 1, '(', (size_t)(stop - index - 1)))))
            return bad_input("the channel '%.*s' has a target that assimp cannot read; "
                             "write NODE/TRANSFORM.MEMBER, or export glTF",
                             (int)value.length, value.text);
    }
    return status_ok();
}

/* Sets *out to whether no two tags called `name` have equal values of an attribute. */
static Status attributes_differ(const char *file, const char *end, const char *name, const char *key,
                                bool *out)
{
    OWNED NameSpan *values = NULL;
    size_t count = 0;
    STATUS_TRY(names_gather(file, end, name, key, &values, &count));
    *out = true;
    for (size_t i = 1; i < count; i++)
        *out = *out && text_compare(&values[i], &values[i - 1]) != 0;
    return status_ok();
}

/* Replaces the characters from `first` to `last` by blanks; both ends are replaced, too. */
static void text_blank(char *text, const char *first, const char *last)
{
    memset(text + (first - text), ' ', (size_t)(last - first + 1));
}

Status collada_animations_join(char *text, size_t size)
{
    static const char clips_end[] = "</library_animation_clips>";
    const char *end = text + size;
    bool targets = false, samplers = false, opened = false;
    Tag tag, closing = {NULL, NULL};
    STATUS_TRY(attributes_differ(text, end, "channel", "target", &targets));
    STATUS_TRY(attributes_differ(text, end, "sampler", "id", &samplers));
    for (const char *cursor = text; targets && samplers && tag_next(&cursor, end, &tag) && tag.end < end;) {
        if (tag_named(&tag, "library_animations")) {
            opened = false;
            closing.name = NULL;
        } else if (tag_named(&tag, "animation") && tag.end[-1] != '/') {
            if (opened)
                text_blank(text, tag.name - 1, tag.end);
            opened = true;
        } else if (tag_named(&tag, "/animation")) {
            if (closing.name)
                text_blank(text, closing.name - 1, closing.end);
            closing = tag;
        } else if (tag_named(&tag, "library_animation_clips")) {
            const char *behind = memmem(cursor, (size_t)(end - cursor), clips_end, sizeof clips_end - 1);
            text_blank(text, tag.name - 1, behind ? behind + sizeof clips_end - 2 : tag.end);
        }
    }
    return status_ok();
}

/* ---- skins and rotations ---- */

/* Returns whether a tag is a <rotate> whose axis does not have length 1 within the rounding of floats. If so,
 * writes the axis with length 1 to `text`, and points *behind to what follows its numbers in the file. */
static bool axis_unit_make(const Tag *tag, const char *end, char text[AXIS_BYTES], const char **behind)
{
    double axis[3];
    if (!tag_named(tag, "rotate") || tag->end[-1] == '/' || !memchr(tag->end, '<', (size_t)(end - tag->end)))
        return false; /* the next tag ends the numbers */
    *behind = tag->end + 1;
    for (int i = 0; i < 3; i++) {
        char *stop = NULL;
        axis[i] = strtod(*behind, &stop);
        if (stop == *behind)
            return false;
        *behind = stop;
    }
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    snprintf(text, AXIS_BYTES, "%.9g %.9g %.9g", axis[0] / length, axis[1] / length, axis[2] / length);
    return length > 0.0 && isfinite(length) && fabs(length - 1.0) > 1e-7;
}

Status collada_text_repair(const void *bytes, size_t size, char **out, size_t *out_size)
{
    static const char matrix[] = "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>";
    const char *file = bytes, *end = file + size, *copied = file;
    char axis[AXIS_BYTES];
    const char *behind = NULL;
    size_t skins = 0, axes = 0;
    Tag tag, inner;
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        skins += tag_named(&tag, "skin");
        axes += tag_named(&tag, "rotate");
    }
    char *text = malloc(size + skins * (sizeof matrix - 1) + axes * AXIS_BYTES + 1);
    ALLOCATED(text, "a file");
    *out = text;
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        if (axis_unit_make(&tag, end, axis, &behind)) {
            const size_t length = (size_t)(tag.end + 1 - copied);
            memcpy(text, copied, length);
            text = stpcpy(text + length, axis);
            copied = behind;
        }
        bool there = !tag_named(&tag, "skin") || tag.end == end || tag.end[-1] == '/';
        for (const char *next = cursor;
             !there && tag_next(&next, end, &inner) && !tag_named(&inner, "/skin");)
            there = tag_named(&inner, "bind_shape_matrix");
        if (there)
            continue;
        const size_t length = (size_t)(tag.end + 1 - copied);
        memcpy(text, copied, length);
        memcpy(text + length, matrix, sizeof matrix - 1);
        text += length + sizeof matrix - 1;
        copied = tag.end + 1;
    }
    memcpy(text, copied, (size_t)(end - copied));
    text += end - copied;
    *text = '\0';
    *out_size = (size_t)(text - *out);
    return status_ok();
}

bool collada_curves_found(const void *bytes, size_t size)
{
    static const char blanks[] = " \t\r\n";
    const char *file = bytes, *end = file + size, *words = end;
    NameSpan name;
    Tag tag;
    for (const char *cursor = file; tag_next(&cursor, end, &tag);) {
        if (tag_named(&tag, "Name_array"))
            words = tag.end;
        if (!tag_named(&tag, "param") || !attribute_find(tag.name, tag.end, "name", &name) ||
            name.length != 13 || memcmp(name.text, "INTERPOLATION", 13) != 0)
            continue;
        /* look for a word other than LINEAR between the end of the tag and the next tag */
        for (const char *word = words + 1; word < end && *word != '<'; word++)
            if (!strchr(blanks, *word) && strchr(blanks, word[-1] == '>' ? ' ' : word[-1]) &&
                (end - word < 6 || memcmp(word, "LINEAR", 6) != 0))
                return true;
    }
    return false;
}

bool collada_morphs_found(const void *bytes, size_t size)
{
    const char *file = bytes;
    Tag tag;
    for (const char *cursor = file; tag_next(&cursor, file + size, &tag);)
        if (tag_named(&tag, "morph"))
            return true;
    return false;
}
