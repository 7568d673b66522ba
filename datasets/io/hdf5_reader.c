/* Sends requests to the confined process, executes them there, and checks the answers. Both sides of a
 * request are in this file. If an array has the same format in the file and in memory, the calling process
 * reads the values directly from the file, at the offset that the confined process found. This is safe
 * because all bytes are valid numbers. */
#include "datasets/io/hdf5_reader.h"

#include "datasets/io/confined.h"
#include "datasets/io/hdf5_read.h"
#include "datasets/io/input_file.h"

enum {
    DATA_BYTES = 16 << 20,
    PROBE_BYTES = 1 << 16,
    READ_BYTES = 64 << 20, /* largest single read */
    AHEAD_BYTES = 8 << 20  /* number of bytes to request ahead when a block is not contiguous in the file */
};

typedef enum Operation {
    OPERATION_OPEN,
    OPERATION_FIND,
    OPERATION_NAMES,
    OPERATION_TEXT,
    OPERATION_NUMBER,
    OPERATION_SHAPE,
    OPERATION_PLACE,
    OPERATION_BLOCK,
    OPERATION_TEXTS
} Operation;

typedef struct Request {
    Operation operation;
    ArrayElement element;
    char object[HDF5_OBJECT_BYTES];
    Hdf5Shape first,
        extents; /* to read a block: its start and its size. To check a shape: `extents` is the wanted shape.
                    To read texts: element 0 is the first text, and the number of texts */
    int64_t limit;
} Request;

typedef struct Answer {
    Status status;
    bool found;
    double number;
    Hdf5Shape shape;
    int count; /* number of texts or names */
} Answer;

typedef struct Shared {
    Request request;
    Answer answer;
    _Alignas(64) char data[DATA_BYTES]; /* values of a block, or texts */
} Shared;

/* An array whose values may be contiguous in the file. */
typedef struct PlainArray {
    char object[HDF5_OBJECT_BYTES];
    bool is_plain; /* whether the values can be read directly, without the confined process */
    off_t byte;    /* offset of the first value */
    Hdf5Shape shape;
} PlainArray;

struct Hdf5Reader {
    const char *path;
    const Progress *progress;
    ConfinedTask task;
    Confined *confined;
    Shared *shared;
    Hdf5Input input; /* used only by the confined process, which has its own copy of this struct */
    double size_bytes;
    PlainArray plain; /* the array requested last */
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

static void request_answer(void *context, void *memory)
{
    Hdf5Reader *reader = context;
    Hdf5Input *input = &reader->input;
    Shared *shared = memory;
    const Request *request = &shared->request;
    Answer *answer = &shared->answer;
    char place[32];
    switch (request->operation) {
    case OPERATION_OPEN:
        answer->status =
            hdf5_open(file_place(place, sizeof place, reader->path), reader->path, reader->size_bytes, input);
        break;
    case OPERATION_FIND:
        answer->status = hdf5_find(input, request->object, &answer->found);
        break;
    case OPERATION_NAMES:
        answer->status = hdf5_names(input, request->object, shared->data, DATA_BYTES, &answer->count);
        break;
    case OPERATION_TEXT:
        answer->status = hdf5_attribute_text(input, request->object, &answer->found, shared->data);
        break;
    case OPERATION_NUMBER:
        answer->status = hdf5_attribute_number(input, request->object, &answer->found, &answer->number);
        break;
    case OPERATION_SHAPE:
        answer->status = hdf5_shape(input, request->object, request->element, &request->extents,
                                    request->limit, &answer->shape);
        break;
    case OPERATION_PLACE:
        answer->status = hdf5_place(input, request->object, request->element, &answer->found, &answer->number,
                                    &answer->shape);
        break;
    case OPERATION_BLOCK:
        answer->status = hdf5_read_block(input, request->object, request->element, &request->first,
                                         &request->extents, shared->data);
        break;
    case OPERATION_TEXTS:
        answer->status =
            hdf5_read_texts(input, request->object, (int)request->first.extents[0],
                            (int)request->extents.extents[0], shared->data, DATA_BYTES, &answer->count);
        break;
    }
    /* HDF5 reports lack of memory as almost any error. Conversely, it may report a damaged size as lack of
     * memory. */
    const StatusCode code = answer->status.code;
    void *volatile probe = code == STATUS_OK
                               ? NULL
                               : malloc(code == STATUS_SYSTEM ? reader->task.memory_bytes / 2 : PROBE_BYTES);
    if (code == STATUS_BAD_INPUT && !probe)
        answer->status = status_make(STATUS_SYSTEM, "%s: out of memory", reader->path);
    else if (code == STATUS_SYSTEM && probe)
        answer->status = bad_input("%s: %s%smakes HDF5 request more memory than its size allows",
                                   reader->path, request->object, request->object[0] ? " " : "");
    free(probe);
}

/* ---- in the calling process ---- */

static Status ask_once(Hdf5Reader *reader, const Request *request)
{
    Answer *answer = &reader->shared->answer;
    reader->shared->request = *request;
    *answer = (Answer){.status = bad_input("%s: the process that reads it gave no answer", reader->path)};
    const Status status = confined_ask(reader->confined, reader->progress);
    if (status.code != STATUS_OK)
        return status_make(status.code, "%s: %s%s%s", reader->path, request->object,
                           request->object[0] ? " " : "", status.text);
    return confined_said(answer->status);
}

/* Starts a process and lets it open the file. Ends the earlier process, if there is one. */
static Status process_start(Hdf5Reader *reader)
{
    confined_end(reader->confined);
    STATUS_TRY(status_in(reader->path, confined_start(&reader->task, &reader->confined)));
    reader->shared = confined_shared(reader->confined);
    return ask_once(reader, &(Request){.operation = OPERATION_OPEN});
}

/* Sends a request and waits for the answer. The answer is untrusted, so the caller must check its
 * values. */
static Status ask(Hdf5Reader *reader, const Request *request)
{
    const Status status = ask_once(reader, request);
    /* Repeat the request if it may have failed for lack of memory. HDF5 may crash after a failed
     * allocation. */
    if (!confined_in_doubt(reader->confined, status))
        return status;
    STATUS_TRY(process_start(reader));
    return ask_once(reader, request);
}

static Request request_of(Operation operation, const char *object)
{
    Request request = {.operation = operation};
    snprintf(request.object, sizeof request.object, "%s", object);
    return request;
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
        .task = {.file = -1, .shared_bytes = sizeof(Shared), .answer = request_answer, .context = reader}};
    STATUS_TRY(input_file_open(path, &reader->task.file, &reader->size_bytes));
    reader->task.memory_bytes = (size_t)fmin(MEMORY_BYTES + MEMORY_PER_BYTE * reader->size_bytes, limit);
    reader->task.processor_s = PROCESSOR_S + reader->size_bytes / BYTES_PER_S;
    Status status = process_start(reader);
    if (confined_in_doubt(reader->confined, status))
        status = process_start(reader);
    STATUS_TRY(status);
    *out = TAKE(reader);
    return status_ok();
}

void hdf5_reader_close(Hdf5Reader *reader)
{
    if (!reader)
        return;
    confined_end(reader->confined);
    if (reader->task.file >= 0)
        close(reader->task.file);
    memory_free(reader);
}

Status hdf5_reader_find(Hdf5Reader *reader, const char *object, bool *found)
{
    const Request request = request_of(OPERATION_FIND, object);
    STATUS_TRY(ask(reader, &request));
    *found = reader->shared->answer.found;
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
    const Request request = request_of(OPERATION_NAMES, group);
    *out = (Hdf5Names){0};
    ALLOCATE(out->names, HDF5_NAMES_MAX, "names");
    STATUS_TRY(ask(reader, &request));
    const char *next = reader->shared->data, *end = next + DATA_BYTES;
    for (int delivered = reader->shared->answer.count;
         out->count < delivered && out->count < HDF5_NAMES_MAX && next < end; out->count++) {
        char *name = out->names[out->count] = memory_text_start(next, (size_t)(end - next));
        ALLOCATED(name, "names");
        next += strlen(name) + 1;
    }
    return status_ok();
}

/* Requests an attribute. *found tells whether it exists. */
static Status attribute_ask(Hdf5Reader *reader, Operation operation, const char *name, bool *found,
                            bool *there)
{
    const Request request = request_of(operation, name);
    STATUS_TRY(ask(reader, &request));
    *there = reader->shared->answer.found;
    if (found)
        *found = *there;
    else if (!*there)
        return bad_input("%s: attribute %s is missing", reader->path, name);
    return status_ok();
}

Status hdf5_reader_text(Hdf5Reader *reader, const char *name, bool *found, char **text)
{
    bool there = false;
    Status status = attribute_ask(reader, OPERATION_TEXT, name, found, &there);
    if (!there)
        return status;
    *text = memory_text_start(reader->shared->data, HDF5_TEXT_BYTES_MAX - 1);
    return *text ? status : status_out_of_memory("the strings of a file");
}

Status hdf5_reader_number(Hdf5Reader *reader, const char *name, bool *found, double *number)
{
    bool there = false;
    Status status = attribute_ask(reader, OPERATION_NUMBER, name, found, &there);
    if (there)
        *number = reader->shared->answer.number;
    return status;
}

Status hdf5_reader_shape(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape wanted,
                         int64_t limit, Hdf5Shape *shape)
{
    Request request = request_of(OPERATION_SHAPE, object);
    request.element = element;
    request.extents = wanted;
    request.limit = limit;
    STATUS_TRY(ask(reader, &request));
    *shape = reader->shared->answer.shape;
    shape->rank = wanted.rank;
    for (int i = 0; i < wanted.rank; i++)
        if (shape->extents[i] < 0 ||
            (wanted.extents[i] >= 0 ? shape->extents[i] != wanted.extents[i] : shape->extents[i] > limit))
            return bad_input("%s: %s has an impossible shape", reader->path, object);
    return status_ok();
}

/* Finds the offset of an array's values in the file, unless it is already known. The offset comes from the
 * confined process and is used only if it is plausible. */
static Status plain_array_find(Hdf5Reader *reader, const char *object, ArrayElement element)
{
    PlainArray *plain = &reader->plain;
    if (strcmp(plain->object, object) == 0)
        return status_ok();
    Request request = request_of(OPERATION_PLACE, object);
    request.element = element;
    STATUS_TRY(ask(reader, &request));
    const Answer answer = reader->shared->answer;
    double bytes = answer.number;
    *plain = (PlainArray){.is_plain = answer.found && answer.shape.rank > 0 &&
                                      answer.shape.rank <= HDF5_RANK_MAX && bytes >= 0.0,
                          .shape = answer.shape};
    double size = (double)array_element_bytes(element);
    for (int i = 0; i < plain->shape.rank && plain->is_plain; i++) {
        plain->is_plain = plain->shape.extents[i] >= 0;
        size *= (double)plain->shape.extents[i];
    }
    plain->is_plain = plain->is_plain && bytes + size <= reader->size_bytes;
    plain->byte = plain->is_plain ? (off_t)bytes : 0;
    snprintf(plain->object, sizeof plain->object, "%s", object);
    return status_ok();
}

static bool file_bytes_read(int file, off_t byte, size_t size, char *values)
{
    while (size > 0) {
        const ssize_t got = pread(file, values, size_min(size, READ_BYTES), byte);
        if (got <= 0)
            return false;
        values += got;
        byte += got;
        size -= (size_t)got;
    }
    return true;
}

/* Returns the offset in the file of a run of contiguous values. Runs are numbered row by row over the axes
 * before `axis`. */
static off_t run_byte(const PlainArray *plain, const int64_t *starts, const int64_t *strides,
                      const Hdf5Shape *extents, int axis, int64_t run)
{
    int64_t byte = plain->byte + starts[axis] * strides[axis];
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
    const PlainArray *plain = &reader->plain;
    const int rank = plain->shape.rank;
    int64_t starts[HDF5_RANK_MAX] = {0}, strides[HDF5_RANK_MAX] = {0}, runs = 1;
    if (!plain->is_plain || extents->rank != rank)
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
            !file_bytes_read(reader->task.file, run_byte(plain, starts, strides, extents, axis, run),
                             run_bytes, values + (size_t)run * run_bytes))
            return false;
    }
    return true;
}

/* Reads a block in several parts if it does not fit into the shared memory. The request must have extent 1
 * along all axes before `axis`. */
static Status slabs_read(Hdf5Reader *reader, Request *request, int axis, char *values)
{
    const Hdf5Shape first = request->first, extents = request->extents;
    const int rank = int_min(extents.rank, HDF5_RANK_MAX);
    size_t row = array_element_bytes(request->element);
    for (int i = axis + 1; i < rank; i++)
        row *= (size_t)extents.extents[i];
    int64_t max = row > DATA_BYTES ? 1 : (int64_t)(DATA_BYTES / row);
    for (int64_t done = 0; done < extents.extents[axis]; done += max) {
        int64_t left = extents.extents[axis] - done;
        request->first.extents[axis] = first.extents[axis] + done;
        request->extents.extents[axis] = int64_min(left, max);
        size_t bytes = (size_t)request->extents.extents[axis] * row;
        if (row > DATA_BYTES && axis + 1 < rank) {
            STATUS_TRY(slabs_read(reader, request, axis + 1, values + (size_t)done * row));
            continue;
        }
        STATUS_TRY(ask(reader, request));
        memcpy(values + (size_t)done * row, reader->shared->data, bytes);
    }
    request->first = first;
    request->extents = extents;
    return status_ok();
}

Status hdf5_reader_block(Hdf5Reader *reader, const char *object, ArrayElement element, Hdf5Shape first,
                         Hdf5Shape extents, void *values)
{
    Request request = request_of(OPERATION_BLOCK, object);
    request.element = element;
    request.first = first;
    request.extents = extents;
    for (int i = 0; i < extents.rank; i++)
        if (extents.extents[i] == 0)
            return status_ok();
    STATUS_TRY(plain_array_find(reader, object, element));
    if (plain_block_read(reader, array_element_bytes(element), &first, &extents, values))
        return status_ok();
    return slabs_read(reader, &request, 0, values);
}

Status hdf5_reader_texts(Hdf5Reader *reader, const char *object, int count, char **texts)
{
    Request request = request_of(OPERATION_TEXTS, object);
    for (int done = 0; done < count;) {
        request.first = (Hdf5Shape){1, {done}};
        request.extents = (Hdf5Shape){1, {count - done}};
        STATUS_TRY(ask(reader, &request));
        const char *next = reader->shared->data, *end = next + DATA_BYTES;
        int delivered = reader->shared->answer.count;
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
