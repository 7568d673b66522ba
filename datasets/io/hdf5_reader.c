/* Sends requests to the confined process, where functions of hdf5_read.h answer them, and checks the answers.
 * If an array has the same format in the file and in memory, the calling process
 * reads the values directly from the file, at the offset that the confined process found. This is safe
 * because all bytes are valid numbers. */
#include "datasets/io/hdf5_reader.h"

#include "datasets/io/confined.h"
#include "datasets/io/hdf5_read.h"
#include "datasets/io/input_file.h"

enum {
    PROBE_BYTES = 1 << 16,
    AHEAD_BYTES = 8 << 20 /* number of bytes to request ahead when a block is not contiguous in the file */
};

struct Hdf5Reader {
    const char *path;
    const Progress *progress;
    ConfinedTask task;
    Confined *confined;
    Hdf5Request *request; /* in memory shared with the confined process */
    Hdf5Input input;      /* used only by the confined process, which has its own copy of this struct */
    bool open;            /* likewise: whether `input` is open */
    double size_bytes;
    char object[HDF5_OBJECT_BYTES]; /* the array described last */
    ArrayElement element;
    Hdf5Array array;
};

/* ---- in the confined process ---- */

/* Names the open file by its descriptor, so that exactly the checked file is opened. HDF5 also looks up the
 * path of that descriptor. If a newer file has this path now, returns the path instead. */
static const char *file_place(char *place, size_t size, const char *path)
{
    char name[4096];
    snprintf(place, size, "/dev/fd/%d", CONFINED_FILE);
    ssize_t length = readlink(place, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    return access(name, F_OK) == 0 ? place : path;
}

static Status request_answer(void *context, void *memory)
{
    Hdf5Reader *reader = context;
    Hdf5Request *request = memory;
    const long failures = memory_failures();
    char place[32];
    Status status = status_ok();
    if (!reader->open)
        status = hdf5_open(file_place(place, sizeof place, reader->path), reader->path, reader->size_bytes,
                           &reader->input);
    reader->open = status.code == STATUS_OK;
    if (reader->open && request->answer)
        status = request->answer(&reader->input, request);
    if (status.code == STATUS_OK)
        return status;
    if (memory_failures() > failures)
        return status_make(STATUS_SYSTEM, "%s: out of memory", reader->path);
    /* HDF5 reports lack of memory as almost any error. Conversely, it may report a damaged size as lack of
     * memory. */
    const bool lacking = status.code == STATUS_SYSTEM;
    void *volatile probe = malloc(lacking ? reader->task.memory_bytes / 2 : PROBE_BYTES);
    if (status.code == STATUS_BAD_INPUT && !probe)
        status = status_make(STATUS_SYSTEM, "%s: out of memory", reader->path);
    else if (lacking && probe)
        status = bad_input("%s: %s%smakes HDF5 request more memory than its size allows", reader->path,
                           request->object, request->object[0] ? " " : "");
    free(probe);
    return status;
}

/* ---- in the calling process ---- */

/* Begins a request in the shared memory. The answer is untrusted, so the caller must check its values. */
static Hdf5Request *request_begin(Hdf5Reader *reader, Hdf5Answer *answer, const char *object)
{
    memset(reader->request, 0, offsetof(Hdf5Request, data));
    reader->request->answer = answer;
    snprintf(reader->request->object, sizeof reader->request->object, "%s", object);
    return reader->request;
}

static Status ask(const Hdf5Reader *reader, const char *object)
{
    char place[STATUS_TEXT_BYTES];
    snprintf(place, sizeof place, "%s: %s%s", reader->path, object, object[0] ? " " : "");
    return confined_ask(reader->confined, place, reader->progress);
}

/* Whether a file has HDF5's signature, at its beginning or at 512, 1024, 2048, ... bytes. Reading it here
 * saves a process for files of other formats. */
static bool signature_find(int file, double size_bytes)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char bytes[sizeof signature - 1];
    for (off_t at = 0, next = 512; (double)at < size_bytes; at = next, next *= 2)
        if (input_bytes_read(file, at, sizeof bytes, bytes) == sizeof bytes &&
            memcmp(bytes, signature, sizeof bytes) == 0)
            return true;
    return false;
}

Status hdf5_reader_open(const char *path, const Progress *progress, Hdf5Reader **out)
{
    /* Even a small request may make HDF5 unpack a chunk as large as a whole compressed array. A process
     * that reads less than 10 MB/s is considered stuck. */
    const double MEMORY_BYTES = 1e9, MEMORY_PER_BYTE = 16.0, PROCESSOR_S = 2.0, BYTES_PER_S = 10e6;
    const double limit = memory_limit() > 0 ? (double)memory_limit() : INFINITY;
    *out = NULL;
    OWNED_BY(hdf5_reader_close) Hdf5Reader *reader = NULL;
    ALLOCATE(reader, 1, "a reader");
    *reader = (Hdf5Reader){
        .path = path,
        .progress = progress,
        .task = {
            .file = -1, .shared_bytes = sizeof(Hdf5Request), .answer = request_answer, .context = reader}};
    STATUS_TRY(input_file_open(path, &reader->task.file, &reader->size_bytes));
    if (!signature_find(reader->task.file, reader->size_bytes))
        return bad_input("%s: is not an HDF5 file (%.0f bytes)", path, reader->size_bytes);
    reader->task.memory_bytes = (size_t)fmin(MEMORY_BYTES + MEMORY_PER_BYTE * reader->size_bytes, limit);
    reader->task.processor_s = PROCESSOR_S + reader->size_bytes / BYTES_PER_S;
    STATUS_TRY(status_in(path, confined_start(&reader->task, &reader->confined)));
    reader->request = confined_shared(reader->confined);
    request_begin(reader, NULL, "");
    STATUS_TRY(ask(reader, ""));
    *out = TAKE(reader);
    return status_ok();
}

void hdf5_reader_close(Hdf5Reader *reader)
{
    if (!reader)
        return;
    confined_end(reader->confined);
    descriptor_close(&reader->task.file);
    memory_free(reader);
}

Status hdf5_reader_find(Hdf5Reader *reader, const char *object, bool *found)
{
    const Hdf5Request *request = request_begin(reader, hdf5_find, object);
    STATUS_TRY(ask(reader, object));
    *found = request->found;
    return status_ok();
}

void hdf5_names_clear(Hdf5Names *names)
{
    for (int i = 0; i < names->count; i++)
        memory_free(names->names[i]);
    memory_free((void *)names->names);
    *names = (Hdf5Names){0};
}

Status hdf5_reader_names(Hdf5Reader *reader, const char *group, Hdf5Names *out)
{
    const Hdf5Request *request = request_begin(reader, hdf5_names, group);
    *out = (Hdf5Names){0};
    ALLOCATE(out->names, HDF5_NAMES_MAX, "names");
    STATUS_TRY(ask(reader, group));
    const char *next = request->data, *end = next + HDF5_DATA_BYTES;
    for (int delivered = request->count; out->count < delivered && out->count < HDF5_NAMES_MAX && next < end;
         out->count++) {
        char *name = out->names[out->count] = memory_text_start(next, (size_t)(end - next));
        ALLOCATED(name, "names");
        next += strlen(name) + 1;
    }
    return status_ok();
}

/* Requests an attribute. *found tells whether it exists. */
static Status attribute_ask(Hdf5Reader *reader, Hdf5Answer *answer, const char *name, bool *found,
                            bool *there)
{
    const Hdf5Request *request = request_begin(reader, answer, name);
    STATUS_TRY(ask(reader, name));
    *there = request->found;
    if (found)
        *found = *there;
    else if (!*there)
        return bad_input("%s: attribute %s is missing", reader->path, name);
    return status_ok();
}

Status hdf5_reader_text(Hdf5Reader *reader, const char *name, bool *found, char **text)
{
    bool there = false;
    Status status = attribute_ask(reader, hdf5_attribute_text, name, found, &there);
    if (!there)
        return status;
    *text = memory_text_start(reader->request->data, HDF5_TEXT_BYTES_MAX - 1);
    return *text ? status : status_out_of_memory("the strings of a file");
}

Status hdf5_reader_number(Hdf5Reader *reader, const char *name, bool *found, double *number)
{
    bool there = false;
    Status status = attribute_ask(reader, hdf5_attribute_number, name, found, &there);
    if (there)
        *number = reader->request->number;
    return status;
}

/* Asks for the description of an array, unless it is already known. The offset of its values is used only if
 * it is plausible. */
static Status array_find(Hdf5Reader *reader, const char *object, ArrayElement element)
{
    Hdf5Array *array = &reader->array;
    if (strcmp(reader->object, object) == 0 && reader->element == element)
        return status_ok();
    Hdf5Request *request = request_begin(reader, hdf5_array, object);
    request->element = element;
    STATUS_TRY(ask(reader, object));
    *array = request->array;
    double size = (double)array_element_bytes(element);
    bool plain = array->byte >= 0.0 && array->shape.rank > 0 && array->shape.rank <= HDF5_RANK_MAX;
    for (int i = 0; plain && i < array->shape.rank; i++) {
        plain = array->shape.extents[i] >= 0;
        size *= (double)array->shape.extents[i];
    }
    if (!plain || array->byte + size > reader->size_bytes)
        array->byte = -1.0;
    snprintf(reader->object, sizeof reader->object, "%s", object);
    reader->element = element;
    return status_ok();
}

static const char *class_name(H5T_class_t class)
{
    static const char *const names[] = {
        [H5T_INTEGER] = "integers", [H5T_FLOAT] = "floating-point numbers", [H5T_STRING] = "strings"};
    return class >= 0 && (size_t) class < sizeof names / sizeof names[0] && names[class] ? names[class]
                                                                                         : "something else";
}

/* Formats a shape, such as "5075 x 13". */
static void shape_format(const Hdf5Shape *shape, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < shape->rank; i++) {
        size_t used = strlen(text);
        if (shape->extents[i] < 0)
            snprintf(text + used, size - used, "%sany", i ? " x " : "");
        else
            snprintf(text + used, size - used, "%s%lld", i ? " x " : "", (long long)shape->extents[i]);
    }
}

Status hdf5_reader_shape(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape wanted,
                         int64_t limit, Hdf5Shape *shape)
{
    static const H5T_class_t classes[] = {[ARRAY_FLOAT32] = H5T_FLOAT,
                                          [ARRAY_FLOAT64] = H5T_FLOAT,
                                          [ARRAY_INT32] = H5T_INTEGER,
                                          [ARRAY_TEXT] = H5T_STRING};
    const H5T_class_t expected = classes[element];
    STATUS_TRY(array_find(reader, object, element));
    const Hdf5Array *array = &reader->array;
    if (array->class != expected && !(array->class == H5T_INTEGER && expected == H5T_FLOAT))
        return bad_input("%s: %s holds %s, expected %s", reader->path, object, class_name(array->class),
                         class_name(expected));
    if (array->shape.rank != wanted.rank)
        return bad_input("%s: %s has %d dimensions, expected %d", reader->path, object, array->shape.rank,
                         wanted.rank);
    *shape = array->shape;
    bool fits = true;
    double announced = array->value_bytes;
    for (int i = 0; i < wanted.rank; i++) {
        const int64_t extent = shape->extents[i];
        announced *= (double)extent;
        if (wanted.extents[i] >= 0)
            fits = fits && extent == wanted.extents[i];
        else if ((uint64_t)extent > (uint64_t)limit)
            return bad_input("%s: %s declares %llu rows, but at most %lld can be read", reader->path, object,
                             (unsigned long long)extent, (long long)limit);
    }
    char have[96], want[96];
    shape_format(shape, have, sizeof have);
    shape_format(&wanted, want, sizeof want);
    if (!fits)
        return bad_input("%s: %s is %s, expected %s", reader->path, object, have, want);
    /* The file must be large enough for the announced size, since deflate compresses by at most 1032 to 1.
     * This also refuses an array that was never written, because it occupies no space in the file. */
    const double COMPRESSION_MAX = 1100.0;
    if (announced > array->stored_bytes * COMPRESSION_MAX || array->stored_bytes > reader->size_bytes)
        return bad_input("%s: %s declares %s values (%.0f bytes), but the file stores %.0f bytes",
                         reader->path, object, have, announced, array->stored_bytes);
    if (array->lost_chunks > 0.0)
        return bad_input("%s: %s has %.0f chunks that were never written", reader->path, object,
                         array->lost_chunks);
    return status_ok();
}

/* Returns the offset in the file of a run of contiguous values. Runs are numbered row by row over the axes
 * before `axis`. */
static off_t run_byte(const Hdf5Array *plain, const int64_t *starts, const int64_t *strides,
                      const Hdf5Shape *extents, int axis, int64_t run)
{
    int64_t byte = (int64_t)plain->byte + starts[axis] * strides[axis];
    for (int i = axis - 1; i >= 0; i--) {
        byte += (starts[i] + run % extents->extents[i]) * strides[i];
        run /= extents->extents[i];
    }
    return (off_t)byte;
}

/* Reads a block of a plain array, one run of contiguous values at a time. Tells the system which runs come
 * next, so that it reads at the full speed of the disk. Returns false if the array is not plain or cannot
 * be read. The caller then asks the confined process, which finds the reason. */
static bool plain_block_read(const Hdf5Reader *reader, size_t element, const Hdf5Shape *from,
                             const Hdf5Shape *extents, char *values)
{
    const Hdf5Array *plain = &reader->array;
    const int rank = plain->shape.rank;
    int64_t starts[HDF5_RANK_MAX] = {0}, strides[HDF5_RANK_MAX] = {0}, runs = 1;
    if (plain->byte < 0.0 || extents->rank != rank)
        return false;
    for (int i = rank - 1; i >= 0; i--) {
        starts[i] = from->rank == rank ? from->extents[i] : 0;
        strides[i] = i == rank - 1 ? (int64_t)element : strides[i + 1] * plain->shape.extents[i + 1];
        if (starts[i] < 0 || extents->extents[i] > plain->shape.extents[i] - starts[i])
            return false;
    }
    int axis = rank - 1; /* a run covers this axis and all axes after it */
    while (axis > 0 && extents->extents[axis] == plain->shape.extents[axis])
        axis--;
    for (int i = 0; i < axis; i++)
        runs *= extents->extents[i];
    const size_t run_bytes = (size_t)(extents->extents[axis] * strides[axis]);
    const int64_t ahead = runs > 1 ? (int64_t)(AHEAD_BYTES / run_bytes) + 1 : 0;
    for (int64_t run = -ahead; run < runs; run++) {
        if (run + ahead < runs && ahead > 0)
            (void)posix_fadvise(reader->task.file,
                                run_byte(plain, starts, strides, extents, axis, run + ahead),
                                (off_t)run_bytes, POSIX_FADV_WILLNEED);
        if (run >= 0 &&
            input_bytes_read(reader->task.file, run_byte(plain, starts, strides, extents, axis, run),
                             run_bytes, values + (size_t)run * run_bytes) != run_bytes)
            return false;
    }
    return true;
}

/* Reads a block in several parts if it does not fit into the shared memory. The block must have extent 1
 * along all axes before `axis`. */
static Status slabs_read(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape first,
                         Hdf5Shape extents, int axis, char *values)
{
    const int64_t start = first.extents[axis], count = extents.extents[axis];
    const int rank = int_min(extents.rank, HDF5_RANK_MAX);
    size_t row = array_element_bytes(element);
    for (int i = axis + 1; i < rank; i++)
        row *= (size_t)extents.extents[i];
    const int64_t max = row > HDF5_DATA_BYTES ? 1 : (int64_t)(HDF5_DATA_BYTES / row);
    for (int64_t done = 0; done < count; done += max) {
        first.extents[axis] = start + done;
        extents.extents[axis] = int64_min(count - done, max);
        if (row > HDF5_DATA_BYTES && axis + 1 < rank) {
            STATUS_TRY(
                slabs_read(reader, object, element, first, extents, axis + 1, values + (size_t)done * row));
            continue;
        }
        Hdf5Request *request = request_begin(reader, hdf5_read_block, object);
        request->element = element;
        request->first = first;
        request->extents = extents;
        STATUS_TRY(ask(reader, object));
        memcpy(values + (size_t)done * row, request->data, (size_t)extents.extents[axis] * row);
    }
    return status_ok();
}

Status hdf5_reader_block(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape first,
                         Hdf5Shape extents, void *values)
{
    for (int i = 0; i < extents.rank; i++)
        if (extents.extents[i] == 0)
            return status_ok();
    STATUS_TRY(array_find(reader, object, element));
    if (plain_block_read(reader, array_element_bytes(element), &first, &extents, values))
        return status_ok();
    return slabs_read(reader, object, element, first, extents, 0, values);
}

Status hdf5_reader_texts(Hdf5Reader *reader, const char *object, int count, char **texts)
{
    for (int done = 0; done < count;) {
        Hdf5Request *request = request_begin(reader, hdf5_read_texts, object);
        request->first = (Hdf5Shape){1, {done}};
        request->extents = (Hdf5Shape){1, {count - done}};
        STATUS_TRY(ask(reader, object));
        const char *next = request->data, *end = next + HDF5_DATA_BYTES;
        const int delivered = request->count;
        if (delivered < 1 || delivered > count - done)
            return bad_input("%s: %s cannot be read", reader->path, object);
        for (int i = 0; i < delivered && next < end; i++) {
            texts[done + i] = memory_text_start(next, (size_t)(end - next));
            if (!texts[done + i])
                return status_out_of_memory("the strings of a file");
            next += strlen(texts[done + i]) + 1;
        }
        done += delivered;
    }
    return status_ok();
}
