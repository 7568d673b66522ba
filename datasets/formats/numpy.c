/* Imports NumPy arrays in one of two forms.
 *
 * An .npy file has the shape [F,N,3], or [N,3] for one frame. A second .npy file may contain the faces
 * [T,3].
 *
 * An .npz file is an archive of arrays. The array of frames is called `positions`, `vertices` or `verts`,
 * or is the only one with such a shape. The array of faces is called `triangles`, `faces` or `tris`.
 *
 * Both are described in NEP 1, "A Simple File Format for NumPy Arrays", versions 1 to 3. */
#include "datasets/formats/frame_array.h"

#include "datasets/formats/blendshapes.h"
#include "datasets/formats/formats.h"
#include "datasets/io/archive_access.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/input_file.h"
#include "datasets/io/npy.h"

#include <ctype.h>

enum { HEADER_BYTES_MAX = 1 << 16, EXTENTS_MAX = 4 };

typedef struct NpyShape {
    int rank;
    int64_t extents[EXTENTS_MAX];
} NpyShape;

/* ---- the header, a Python dictionary ---- */

static const char *blanks_skip(const char *next)
{
    while (isspace((unsigned char)*next))
        next++;
    return next;
}

/* Returns the text after 'key': in the dictionary, or NULL if the dictionary lacks the key. */
static const char *value_find(const char *dictionary, const char *key)
{
    const size_t length = strlen(key);
    for (const char *next = dictionary; (next = strpbrk(next, "'\"")) != NULL; next++) {
        const char *end = strchr(next + 1, *next);
        if (!end)
            return NULL;
        const char *value = blanks_skip(end + 1);
        if ((size_t)(end - next - 1) == length && strncmp(next + 1, key, length) == 0 && *value == ':')
            return blanks_skip(value + 1);
        next = end;
    }
    return NULL;
}

/* Parses the type of an array's numbers, such as '<f4'. */
static bool descr_parse(const char *value, StoredFrames *stored)
{
    static const struct {
        const char *name;
        NumberType type;
    } rows[] = {{"f2", NUMBER_FLOAT16}, {"f4", NUMBER_FLOAT32}, {"f8", NUMBER_FLOAT64}, {"i1", NUMBER_INT8},
                {"u1", NUMBER_UINT8},   {"i2", NUMBER_INT16},   {"u2", NUMBER_UINT16},  {"i4", NUMBER_INT32},
                {"u4", NUMBER_UINT32},  {"i8", NUMBER_INT64},   {"u8", NUMBER_UINT64}};
    if (!value || (*value != '\'' && *value != '"') || !value[1] || !strchr("<>=|", value[1]))
        return false;
    stored->big_endian = value[1] == '>';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(value + 2, rows[i].name, 2) == 0 && value[4] == *value) {
            stored->type = rows[i].type;
            return true;
        }
    return false;
}

static bool shape_parse(const char *value, NpyShape *shape)
{
    if (!value || *value != '(')
        return false;
    shape->rank = 0;
    for (value = blanks_skip(value + 1); *value != ')'; value = blanks_skip(value)) {
        int64_t extent = 0;
        if (shape->rank == EXTENTS_MAX || !isdigit((unsigned char)*value))
            return false;
        for (; isdigit((unsigned char)*value); value++)
            extent = extent < INT64_C(1) << 50 ? 10 * extent + (*value - '0') : extent;
        shape->extents[shape->rank++] = extent;
        value = blanks_skip(*value == 'L' ? value + 1 : value);
        if (*value == ',')
            value++;
        else if (*value != ')')
            return false;
    }
    return true;
}

/* Reads the shape of an array, and how its values are stored. */
static Status npy_header_read(StoredFrames *stored, NpyShape *shape)
{
    unsigned char prefix[12] = {0};
    *shape = (NpyShape){0};
    STATUS_TRY(stored_bytes_read(stored, 0, 10, prefix));
    if (memcmp(prefix, "\x93NUMPY", 6) != 0 || prefix[6] < 1 || prefix[6] > 3)
        return bad_input("%s: is not a NumPy array of version 1 to 3", stored->place);
    if (prefix[6] > 1)
        STATUS_TRY(stored_bytes_read(stored, 0, 12, prefix));
    const NumberType length_type = prefix[6] > 1 ? NUMBER_UINT32 : NUMBER_UINT16;
    const int64_t start = 8 + (int64_t)number_bytes(length_type),
                  length = (int64_t)number_load(prefix + 8, length_type, false);
    if (length > HEADER_BYTES_MAX)
        return bad_input("%s: declares a header of %" PRId64 " bytes, at most %d are read", stored->place,
                         length, HEADER_BYTES_MAX);
    LOCAL_ARRAY(char, text, (size_t)length + 1, "a header");
    STATUS_TRY(stored_bytes_read(stored, start, (size_t)length, text));
    stored->offset = start + length;
    const char *order = value_find(text, "fortran_order");
    const char *descr = value_find(text, "descr");
    if (descr && (strncmp(descr, "'|O'", 4) == 0 || strncmp(descr, "\"|O\"", 4) == 0))
        return bad_input("%s: is pickled, which could run programs and is not read; "
                         "scripts/convert-rig-npz.py converts rigs",
                         stored->place);
    if (!descr_parse(descr, stored))
        return bad_input("%s: does not hold plain numbers: %.100s", stored->place, text);
    stored->frames_last = order && strncmp(order, "True", 4) == 0;
    if (!order || (!stored->frames_last && strncmp(order, "False", 5) != 0) ||
        !shape_parse(value_find(text, "shape"), shape))
        return bad_input("%s: has a damaged header: %.100s", stored->place, text);
    return status_ok();
}

static bool is_frames(const StoredFrames *stored, const NpyShape *shape)
{
    return (shape->rank == 3 || shape->rank == 2) && shape->extents[shape->rank - 1] == 3 &&
           !number_is_whole(stored->type);
}

static Status shape_refuse(const StoredFrames *stored, const NpyShape *shape, const char *wanted)
{
    char text[128] = "";
    for (int i = 0; i < shape->rank; i++)
        text_append(text, sizeof text, "%s%" PRId64, i ? ", " : "", shape->extents[i]);
    return bad_input("%s: holds %s of shape [%s], expected %s", stored->place,
                     number_is_whole(stored->type) ? "whole numbers" : "floating-point numbers", text,
                     wanted);
}

/* ---- arrays ---- */

static Status npy_frames_read(const StoredFrames *stored, const NpyShape *shape, FrameArray *array)
{
    if (!is_frames(stored, shape))
        return shape_refuse(stored, shape, "floating-point numbers of [frames, vertices, 3]");
    const bool one = shape->rank == 2;
    STATUS_TRY(frame_array_counts(array, one ? 1 : shape->extents[0], shape->extents[one ? 0 : 1]));
    return stored_frames_check(stored, array);
}

static Status npy_faces_read(const StoredFrames *stored, const NpyShape *shape, FrameArray *array)
{
    const int64_t count = shape->extents[0];
    const size_t size = number_bytes(stored->type);
    if (!(shape->rank == 2 && shape->extents[1] == 3 && number_is_whole(stored->type)))
        return shape_refuse(stored, shape, "integers of [triangles, 3]");
    if ((double)stored->size_bytes != (double)stored->offset + 3.0 * (double)count * (double)size)
        return bad_input("%s: has %" PRId64 " bytes, expected %.0f for %" PRId64 " triangles", stored->place,
                         stored->size_bytes, (double)stored->offset + 3.0 * (double)count * (double)size,
                         count);
    if (count > INT32_MAX / 3)
        return bad_input("%s: has more than %d triangles", stored->place, INT32_MAX / 3);
    memory_free(array->triangles);
    ALLOCATE_TABLE(array->triangles, count, 3, "triangles");
    LOCAL_TABLE(unsigned char, bytes, 3 * (size_t)count, size, "triangles");
    STATUS_TRY(stored_bytes_read(stored, stored->offset, 3 * (size_t)count * size, bytes));
    array->triangle_count = (int)count;
    array->triangles_place = stored->place;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        const size_t t = stored->frames_last ? i % (size_t)count * 3 + i / (size_t)count : i;
        const double vertex = number_load(bytes + i * size, stored->type, stored->big_endian);
        array->triangles[t] = vertex < 0.0 || vertex > INT32_MAX ? -1 : (int32_t)vertex;
    }
    return status_ok();
}

static Status file_open(StoredFrames *stored, const char *path, NpyShape *shape)
{
    double size_bytes = 0.0;
    *stored = (StoredFrames){.place = path, .file = -1};
    STATUS_TRY(input_file_open(path, &stored->file, &size_bytes));
    stored->size_bytes = (int64_t)size_bytes;
    return npy_header_read(stored, shape);
}

Status npy_import(const ImportOptions *options, const char *output)
{
    NpyShape shape;
    CLEANUP(stored_frames_close) StoredFrames frames = {.file = -1}, faces = {.file = -1};
    CLEANUP(frame_array_clear)
    FrameArray array = {.place = options->inputs[0], .read = stored_frames_read, .context = &frames};
    if (options->input_count > 2)
        return bad_usage("%s: is a third input; expected one array of frames and one array of faces",
                         options->inputs[2]);
    STATUS_TRY(file_open(&frames, options->inputs[0], &shape));
    STATUS_TRY(npy_frames_read(&frames, &shape, &array));
    if (options->input_count == 2) {
        STATUS_TRY(file_open(&faces, options->inputs[1], &shape));
        STATUS_TRY(npy_faces_read(&faces, &shape, &array));
    }
    return frame_array_import(&array, options, output);
}

/* ---- .npz ---- */

/* What a member of an archive contains, according to its name. For MEMBER_OTHER, the content decides. */
typedef enum MemberKind { MEMBER_OTHER, MEMBER_FRAMES, MEMBER_FACES } MemberKind;

static MemberKind member_kind(const char *name)
{
    static const char *const names[] = {"positions.npy", "vertices.npy", "verts.npy",
                                        "triangles.npy", "faces.npy",    "tris.npy"};
    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0)
            return i < 3 ? MEMBER_FRAMES : MEMBER_FACES;
    return MEMBER_OTHER;
}

/* State of the search for frames and faces in an .npz file. */
typedef struct NpzSearch {
    StoredFrames frames; /* values of the member that contains the frames; their memory is `bytes` */
    char *bytes;
    bool named;         /* whether the frames are called positions, vertices or verts */
    int unnamed;        /* number of arrays of frames under other names */
    char pickled[512];  /* the first member that is pickled, for messages; "" if none is */
    char place[3][512]; /* names of members, for messages: with the frames, the current one, with the faces */
} NpzSearch;

static Status npz_member_read(NpzSearch *search, FrameArray *array, const char *name, char **bytes,
                              size_t length)
{
    NpyShape shape;
    const MemberKind kind = member_kind(name);
    StoredFrames stored = {.place = search->place[1],
                           .file = -1,
                           .memory = (const unsigned char *)*bytes,
                           .size_bytes = (int64_t)length};
    Status status = npy_header_read(&stored, &shape);
    /* Ignore members without frames or faces, such as texts, objects and numbers. */
    if (status.code == STATUS_BAD_INPUT && kind == MEMBER_OTHER) {
        if (search->pickled[0] == '\0' && strstr(status.text, "is pickled"))
            snprintf(search->pickled, sizeof search->pickled, "%s", status.text);
        return status_ok();
    }
    if (status.code == STATUS_OK && kind == MEMBER_FACES) {
        stored.place = memcpy(search->place[2], search->place[1], sizeof search->place[2]);
        return npy_faces_read(&stored, &shape, array);
    }
    if (status.code != STATUS_OK ||
        (kind == MEMBER_OTHER && (shape.rank != 3 || !is_frames(&stored, &shape))))
        return status;
    search->unnamed += kind == MEMBER_OTHER;
    if (search->bytes && (kind == MEMBER_OTHER || search->named)) {
        if (kind == MEMBER_FRAMES)
            return bad_input("%s: the array %s also holds frames", search->place[0], name);
        return status;
    }
    memory_free(search->bytes);
    search->bytes = *bytes;
    *bytes = NULL;
    search->named = kind == MEMBER_FRAMES;
    search->frames = stored;
    search->frames.place = array->place = memcpy(search->place[0], search->place[1], sizeof search->place[0]);
    return npy_frames_read(&search->frames, &shape, array);
}

static void npz_search_clear(NpzSearch *search)
{
    FREE_ALL(search->bytes, search->frames.buffer);
}

void npz_clear(Npz *npz)
{
    for (int i = 0; i < npz->count; i++)
        FREE_ALL(npz->members[i].name, npz->members[i].bytes);
    memory_free(npz->members);
    *npz = (Npz){.path = NULL};
}

Status npz_read(const char *path, const char *const *names, Npz *out)
{
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    const char *name = NULL;
    out->path = path;
    STATUS_TRY(archive_reader_open(path, &reader));
    for (;;) {
        STATUS_TRY(archive_reader_next(reader, &name));
        if (!name)
            return status_ok();
        int wanted = 0;
        const size_t length = path_ends(name, ".npy") ? strlen(name) - strlen(".npy") : 0;
        while (names[wanted] &&
               (strlen(names[wanted]) != length || strncmp(names[wanted], name, length) != 0))
            wanted++;
        if (!names[wanted])
            continue;
        GROW(out->members, out->count, "the arrays of an archive");
        NpzArray *member = &out->members[out->count++];
        *member = (NpzArray){NULL, NULL, 0};
        ALLOCATED(member->name = memory_text_start(name, length), "the arrays of an archive");
        STATUS_TRY(archive_reader_text(reader, &member->bytes, &member->length));
    }
}

const NpzArray *npz_find(const Npz *npz, const char *name, char place[NPZ_PLACE_BYTES])
{
    snprintf(place, NPZ_PLACE_BYTES, "%s:%s.npy", npz->path, name);
    for (int i = 0; i < npz->count; i++)
        if (strcmp(npz->members[i].name, name) == 0)
            return &npz->members[i];
    return NULL;
}

/* Reads an array, which must have `rank` extents. */
static Status array_read(const StoredFrames *stored, const NpyShape *shape, int rank, int64_t *extents,
                         double **values)
{
    size_t count = 1;
    const size_t length = (size_t)stored->size_bytes, size = number_bytes(stored->type);
    if (shape->rank != rank)
        return bad_input("%s: has %d dimensions, expected %d", stored->place, shape->rank, rank);
    bool fits = true;
    for (int i = 0; i < rank && fits; i++) {
        fits = shape->extents[i] > 0 && (size_t)shape->extents[i] <= length / count;
        count *= (size_t)shape->extents[i];
        extents[i] = shape->extents[i];
    }
    if (!fits || length != (size_t)stored->offset + count * size)
        return bad_input("%s: is empty, or its size differs from its shape", stored->place);
    LOCAL_TABLE(unsigned char, bytes, count, size, "an array");
    STATUS_TRY(stored_bytes_read(stored, stored->offset, count * size, bytes));
    ALLOCATE(*values, count, "an array");
    for (size_t i = 0; i < count; i++) {
        size_t element = i, left = i, stride = count;
        for (int axis = 0; axis < rank && stored->frames_last; axis++) { /* the first index varies fastest */
            const size_t extent = (size_t)extents[axis];
            stride /= extent;
            element = (axis == 0 ? 0 : element) + left % extent * stride;
            left /= extent;
        }
        (*values)[element] = number_load(bytes + i * size, stored->type, stored->big_endian);
    }
    return status_ok();
}

Status npz_array_read(const Npz *npz, const char *name, int rank, int64_t *extents, double **values)
{
    char place[NPZ_PLACE_BYTES];
    const NpzArray *member = npz_find(npz, name, place);
    *values = NULL;
    if (!member)
        return status_ok();
    NpyShape shape;
    StoredFrames stored = {.place = place,
                           .file = -1,
                           .memory = (const unsigned char *)member->bytes,
                           .size_bytes = (int64_t)member->length};
    STATUS_TRY(npy_header_read(&stored, &shape));
    return array_read(&stored, &shape, rank, extents, values);
}

Status npy_array_read(const char *path, int rank, int64_t *extents, double **values)
{
    NpyShape shape;
    CLEANUP(stored_frames_close) StoredFrames stored = {.file = -1};
    *values = NULL;
    STATUS_TRY(file_open(&stored, path, &shape));
    return array_read(&stored, &shape, rank, extents, values);
}

Status npz_frames_import(const ImportOptions *options, const char *output)
{
    CLEANUP(npz_search_clear) NpzSearch search = {.frames = {.file = -1}};
    CLEANUP(frame_array_clear) FrameArray array = {.read = stored_frames_read, .context = &search.frames};
    const char *path = options->inputs[0];
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    const char *name = NULL;
    OWNED char *bytes = NULL;
    size_t length = 0;
    STATUS_TRY(archive_reader_open(path, &reader));
    for (;;) {
        STATUS_TRY(archive_reader_next(reader, &name));
        if (!name)
            break;
        memory_release(&bytes);
        snprintf(search.place[1], sizeof search.place[1], "%s:%s", path, name);
        STATUS_TRY(archive_reader_text(reader, &bytes, &length));
        STATUS_TRY(npz_member_read(&search, &array, name, &bytes, length));
    }
    if (!search.bytes && search.pickled[0])
        return bad_input("%s", search.pickled);
    if (!search.bytes || (!search.named && search.unnamed > 1))
        return bad_input("%s: contains %s array of frames [frames, vertices, 3], expected one, "
                         "or one that is called positions, vertices or verts",
                         path, search.bytes ? "more than one" : "no");
    return frame_array_import(&array, options, output);
}

/* ---- writing ---- */

static void npy_begin(FILE *file, const Dataset *header)
{
    const int64_t extents[] = {header->animation.frame_count, header->mesh.vertex_count, 3};
    npy_write_header(file, NPY_FLOAT32, extents, 3);
}

Status npy_export(const ExportOptions *options)
{
    /* the file has the byte order of the machine */
    return frame_array_export(options, npy_begin, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}
