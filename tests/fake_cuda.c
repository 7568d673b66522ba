/* A CUDA driver without a GPU, under the name of the real driver. It checks that calls come in an order and
 * with arguments that the driver API allows, and compares the parameters of a launch with the signature in
 * the PTX. Kernels do not run: every resulting frame is the rest pose. test_cuda_launch.c queries the
 * faults found. It is one file because it is one library. Environment variables:
 *   FAKE_CUDA_LAUNCHES      the device is lost after this many launches
 *   FAKE_CUDA_BYTES         size limit of a buffer
 *   FAKE_CUDA_ARCHITECTURE  compute capability of a GPU that accepts machine code only */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OK,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONTEXT = 201,
    ILLEGAL_ADDRESS = 700,
    OBJECTS = 64,
    BUFFERS = 13,
    SIZES = 8,
    FILE_ORDER = 1,
    FILE_NORMALS = 2,
    FRAMES_MAX = 16
};

/* The driver's header, which would declare these functions, is not included. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define EXPORT __attribute__((visibility("default")))

typedef struct Memory {
    char *bytes;
    size_t size;
} Memory;

static Memory memories[OBJECTS];
static size_t copied[OBJECTS];
static int copies;
static unsigned long long launches;
static int contexts, modules, events, streams, pinned, recorded[OBJECTS];
static void *current;
static char fault[256], failing[64];
static const char *program;
static char program_end[64];
static int context_object, module_object, function_object, stream_object, event_objects[OBJECTS];

static int wrong(const char *what)
{
    if (fault[0] == '\0')
        snprintf(fault, sizeof fault, "%s", what);
    return INVALID_VALUE;
}

/* Returns the limit that an environment variable sets. */
static unsigned long long limit_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : ULLONG_MAX;
}

/* The first statement of every driver function. It returns an error if the test has requested that this
 * function fail, or if the function needs a context and none is current. */
#define BEGIN(name, needs_context)                                                                           \
    do {                                                                                                     \
        if (strcmp(failing, name) == 0)                                                                      \
            return ILLEGAL_ADDRESS;                                                                          \
        if ((needs_context) && !current)                                                                     \
            return wrong(name " without a current context");                                                 \
    } while (0)

EXPORT void fake_cuda_fail(const char *function)
{
    snprintf(failing, sizeof failing, "%s", function);
}

EXPORT const char *fake_cuda_fault(void)
{
    return fault;
}

/* Returns the number of copies within the device since the last call, and their sizes. */
EXPORT int fake_cuda_copies(size_t sizes[OBJECTS])
{
    const int count = copies;
    memcpy(sizes, copied, sizeof copied);
    copies = 0;
    return count;
}

/* Forgets the faults recorded so far. */
EXPORT void fake_cuda_forget(void)
{
    fault[0] = '\0';
}

/* Returns the last lines of the most recently loaded program. */
EXPORT const char *fake_cuda_program(void)
{
    return program_end;
}

/* Returns the number of objects that were created and not destroyed. */
EXPORT int fake_cuda_alive(void)
{
    int count = contexts + modules + events + streams + pinned;
    for (int i = 0; i < OBJECTS; i++)
        count += memories[i].bytes != NULL;
    return count;
}

static Memory *memory_at(unsigned long long pointer)
{
    for (int i = 0; i < OBJECTS; i++) {
        unsigned long long first = (unsigned long long)(size_t)memories[i].bytes;
        if (memories[i].bytes && pointer >= first && pointer < first + memories[i].size)
            return &memories[i];
    }
    return NULL;
}

static char *bytes_at(unsigned long long pointer)
{
    const Memory *memory = memory_at(pointer);
    return memory->bytes + (pointer - (unsigned long long)(size_t)memory->bytes);
}

/* Returns whether the `size` bytes at `pointer` lie within one buffer. */
static int inside(unsigned long long pointer, size_t size)
{
    const Memory *memory = memory_at(pointer);
    return memory && pointer - (unsigned long long)(size_t)memory->bytes + size <= memory->size;
}

/* NVRTC 13 calls this function in any CUDA driver that is loaded. If it is missing, NVRTC reads from
 * address 0. */
EXPORT int cuGetExportTable(const void **table, const void *id)
{
    enum { NOT_SUPPORTED = 801 };
    (void)id;
    *table = NULL;
    return NOT_SUPPORTED;
}

EXPORT int cuInit(unsigned flags)
{
    BEGIN("cuInit", 0);
    return flags == 0 ? OK : wrong("cuInit takes no flags");
}

EXPORT int cuGetErrorString(int error, const char **text)
{
    *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
            : error == OUT_OF_MEMORY ? "out of memory"
                                     : "invalid argument";
    return OK;
}

EXPORT int cuDeviceGetCount(int *count)
{
    BEGIN("cuDeviceGetCount", 0);
    *count = 1;
    return OK;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    BEGIN("cuDeviceGet", 0);
    *device = 3; /* the handle of device 0 is 3, to detect code that passes the ordinal instead */
    return ordinal == 0 ? OK : wrong("cuDeviceGet of a device that is not there");
}

EXPORT int cuDeviceGetName(char *name, int size, int device)
{
    BEGIN("cuDeviceGetName", 0);
    snprintf(name, (size_t)size, "Fake GPU");
    return device == 3 ? OK : wrong("cuDeviceGetName of another device");
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    BEGIN("cuDeviceGetAttribute", 0);
    /* By default, the compute capability is 99.9, which is newer than any that a compiler knows. The cache
     * has 40 MiB, more than the copies of a small mesh. */
    const unsigned long long given = limit_of("FAKE_CUDA_ARCHITECTURE");
    const int architecture = given < ULLONG_MAX ? (int)given : 999;
    *value = attribute == 75 ? architecture / 10 : attribute == 76 ? architecture % 10 : 40 << 20;
    return device == 3 && (attribute == 75 || attribute == 76 || attribute == 38)
               ? OK
               : wrong("cuDeviceGetAttribute");
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    BEGIN("cuDeviceTotalMem", 0);
    *bytes = (size_t)8 << 30;
    return device == 3 ? OK : wrong("cuDeviceTotalMem of another device");
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
    BEGIN("cuDevicePrimaryCtxRetain", 0);
    contexts++;
    *context = &context_object;
    return device == 3 ? OK : wrong("cuDevicePrimaryCtxRetain of another device");
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
    if (--contexts == 0)
        current = NULL;
    return device == 3 && contexts >= 0 ? OK : wrong("cuDevicePrimaryCtxRelease of one not retained");
}

EXPORT int cuCtxSetCurrent(void *context)
{
    BEGIN("cuCtxSetCurrent", 0);
    current = context;
    return context == &context_object && contexts > 0 ? OK : wrong("cuCtxSetCurrent of no context");
}

EXPORT int cuModuleLoadData(void **module, const void *image)
{
    BEGIN("cuModuleLoadData", 1);
    program = image;
    if (limit_of("FAKE_CUDA_ARCHITECTURE") < ULLONG_MAX) {
        if (strncmp(program, "\177ELF", 4) != 0)
            return wrong("cuModuleLoadData of what is no machine code");
#define PARAMETERS_2(type) ".param .u" type ".param .u" type
#define PARAMETERS_8(type) PARAMETERS_2(type) PARAMETERS_2(type) PARAMETERS_2(type) PARAMETERS_2(type)
        program = ".version .target .entry skin_tiles(" PARAMETERS_8("64") PARAMETERS_2("64") PARAMETERS_2(
            "64") ".param .u64" PARAMETERS_8("32") ")"; /* parameters of the kernel: 13 buffers and 8 sizes */
    }
    if (!strstr(program, ".version") || !strstr(program, ".target"))
        return wrong("cuModuleLoadData of what is no PTX");
    const size_t length = strlen(program), kept = sizeof program_end - 1;
    snprintf(program_end, sizeof program_end, "%s", length > kept ? program + length - kept : program);
    modules++;
    *module = &module_object;
    return OK;
}

EXPORT int cuModuleUnload(void *module)
{
    BEGIN("cuModuleUnload", 1);
    modules--;
    return module == &module_object ? OK : wrong("cuModuleUnload of no module");
}

/* Writes the parameter types of the entry function as letters: p for 64 bits, i for 32 bits. */
static int signature_read(const char *name, char letters[32])
{
    char head[96];
    snprintf(head, sizeof head, ".entry %s(", name);
    const char *cursor = strstr(program, head), *end = cursor ? strchr(cursor, ')') : NULL;
    int count = 0;
    while (cursor && (cursor = strstr(cursor, ".param .")) != NULL && cursor < end && count < 31) {
        cursor += strlen(".param .");
        letters[count++] = strncmp(cursor + 1, "64", 2) == 0 ? 'p' : 'i';
    }
    letters[count] = '\0';
    return count;
}

static char signature[32];

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
    BEGIN("cuModuleGetFunction", 1);
    if (module != &module_object || signature_read(name, signature) == 0)
        return wrong("cuModuleGetFunction of an entry that is not in the module");
    *function = &function_object;
    return OK;
}

EXPORT int cuMemAlloc_v2(unsigned long long *pointer, size_t size)
{
    BEGIN("cuMemAlloc", 1);
    if (size > limit_of("FAKE_CUDA_BYTES"))
        return OUT_OF_MEMORY;
    for (int i = 0; i < OBJECTS && size > 0; i++)
        if (!memories[i].bytes) {
            memories[i] = (Memory){malloc(size), size};
            *pointer = (unsigned long long)(size_t)memories[i].bytes;
            return OK;
        }
    return wrong("cuMemAlloc of nothing");
}

EXPORT int cuMemFree_v2(unsigned long long pointer)
{
    BEGIN("cuMemFree", 1);
    Memory *memory = memory_at(pointer);
    if (!memory || (unsigned long long)(size_t)memory->bytes != pointer)
        return wrong("cuMemFree of what was not allocated");
    free(memory->bytes);
    memory->bytes = NULL;
    return OK;
}

EXPORT int cuMemcpyHtoD_v2(unsigned long long target, const void *from, size_t size)
{
    BEGIN("cuMemcpyHtoD", 1);
    if (!inside(target, size))
        return wrong("cuMemcpyHtoD beyond its buffer");
    memcpy(bytes_at(target), from, size);
    return OK;
}

EXPORT int cuMemcpyDtoH_v2(void *target, unsigned long long from, size_t size)
{
    BEGIN("cuMemcpyDtoH", 1);
    if (!inside(from, size))
        return wrong("cuMemcpyDtoH beyond its buffer");
    memcpy(target, bytes_at(from), size);
    return OK;
}

EXPORT int cuMemAllocHost_v2(void **memory, size_t size)
{
    BEGIN("cuMemAllocHost", 1);
    pinned++;
    *memory = malloc(size);
    return size > 0 ? OK : wrong("cuMemAllocHost of nothing");
}

EXPORT int cuMemFreeHost(void *memory)
{
    BEGIN("cuMemFreeHost", 1);
    pinned--;
    free(memory);
    return memory ? OK : wrong("cuMemFreeHost of nothing");
}

EXPORT int cuMemcpyDtoHAsync_v2(void *target, unsigned long long from, size_t size, void *stream)
{
    BEGIN("cuMemcpyDtoHAsync", 1);
    if (!inside(from, size) || stream != &stream_object)
        return wrong("cuMemcpyDtoHAsync beyond its buffer, or in no stream");
    memcpy(target, bytes_at(from), size);
    return OK;
}

EXPORT int cuMemcpyDtoDAsync_v2(unsigned long long target, unsigned long long from, size_t size, void *stream)
{
    BEGIN("cuMemcpyDtoDAsync", 1);
    if (!inside(target, size) || !inside(from, size) || memory_at(target) == memory_at(from) ||
        stream != &stream_object)
        return wrong("cuMemcpyDtoDAsync beyond its buffers, within one, or in no stream");
    if (copies < OBJECTS)
        copied[copies] = size;
    copies++;
    return OK;
}

EXPORT int cuStreamCreate(void **stream, unsigned flags)
{
    BEGIN("cuStreamCreate", 1);
    streams++;
    *stream = &stream_object;
    return flags == 0 ? OK : wrong("cuStreamCreate of one that does not wait for the host's copies");
}

EXPORT int cuStreamDestroy_v2(void *stream)
{
    BEGIN("cuStreamDestroy", 1);
    streams--;
    return stream == &stream_object ? OK : wrong("cuStreamDestroy of no stream");
}

/* Returns the number of vertices, with padding. The vertices' numbers have 4 bytes each. */
static size_t lanes_of(const unsigned long long *buffer)
{
    return memory_at(buffer[7])->size / 4;
}

/* Writes one frame of results, in file order or in the order of lanes. This driver runs no kernels, so
 * every result is the rest pose. */
static void frame_write(const unsigned long long *buffer, const int *sizes, size_t frame, size_t components)
{
    const size_t vertices = (size_t)sizes[0], lanes = lanes_of(buffer);
    const char *rest = bytes_at(buffer[0]);
    const int *numbers = (const int *)bytes_at(buffer[7]);
    if (!(sizes[7] & FILE_ORDER)) {
        memcpy(bytes_at(buffer[11]) + 4 * frame * components * lanes, rest, 4 * components * lanes);
        return;
    }
    for (size_t i = 0; i < lanes; i++)
        for (size_t axis = 0; axis < (sizes[7] & FILE_NORMALS ? 6 : 3) && numbers[i] >= 0; axis++)
            memcpy(bytes_at(buffer[11 + axis / 3]) +
                       4 * (3 * (frame * vertices + (size_t)numbers[i]) + axis % 3),
                   rest + 4 * (axis * lanes + i), 4);
}

/* Checks that everything that the entry function of device_kernel.h accesses lies within the given buffers.
 * Some array sizes are known from the text of the program. Reals have 4 bytes. */
static int buffers_check(const unsigned long long *buffer, const int *sizes, size_t components)
{
    const size_t vertices = (size_t)sizes[0], tiles = (size_t)sizes[1], lanes = lanes_of(buffer);
    const size_t all = (size_t)sizes[4] + (size_t)sizes[6], results = (size_t)sizes[5] + (size_t)sizes[6];
    const size_t frame = sizes[7] & FILE_ORDER ? 3 * vertices : components * lanes;
    const size_t min[BUFFERS] = {4 * components * lanes,
                                 4 * lanes,
                                 1,
                                 1,
                                 4 * tiles,
                                 8 * tiles,
                                 4,
                                 4 * lanes,
                                 4 * all * (size_t)sizes[3],
                                 1,
                                 1,
                                 4 * results * frame,
                                 sizes[7] & FILE_NORMALS ? 4 * results * 3 * vertices : 1};
    for (int i = 0; i < BUFFERS; i++)
        if (!inside(buffer[i], min[i] > 0 ? min[i] : 1))
            return wrong("cuLaunchKernel with a buffer that is too small");
    if (lanes < vertices || lanes % tiles != 0)
        return wrong("cuLaunchKernel with tiles that do not hold all vertices");
    for (size_t result = (size_t)sizes[5]; result < results; result++)
        frame_write(buffer, sizes, result, components);
    return OK;
}

EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                          void **arguments, void **extra)
{
    BEGIN("cuLaunchKernel", 1);
    if (launches++ >= limit_of("FAKE_CUDA_LAUNCHES"))
        fake_cuda_fail(
            "cuCtxSetCurrent"); /* every later call first sets the context, so every later call fails */
    unsigned long long buffers[BUFFERS];
    int sizes[SIZES];
    if (function != &function_object || extra || stream != &stream_object || shared_bytes)
        return wrong("cuLaunchKernel of no function, or with what the entry does not take");
    if (strcmp(signature, "pppppppppppppiiiiiiii") != 0)
        return wrong("cuLaunchKernel of an entry with other parameters");
    for (int i = 0; i < BUFFERS; i++)
        memcpy(&buffers[i], arguments[i], sizeof buffers[i]);
    for (int i = 0; i < SIZES; i++)
        memcpy(&sizes[i], arguments[BUFFERS + i], sizeof sizes[i]);
    const size_t items = sizes[7] & FILE_ORDER ? lanes_of(buffers) : (size_t)sizes[1];
    if (grid_z != 1 || block_y != 1 || block_z != 1 || grid_y == 0 || grid_y > 65535 || block_x > 1024 ||
        (size_t)grid_x * block_x < items || (size_t)(grid_x - 1) * block_x >= items ||
        (size_t)grid_y * FRAMES_MAX < (size_t)sizes[6] || (size_t)grid_y > (size_t)sizes[6])
        return wrong("cuLaunchKernel with a grid that does not cover the vertices and frames");
    if (sizes[2] == 0) /* without joint sets, the kernel skins nothing and only measures the device */
        return OK;
    /* With normals, the rest pose has 24 bytes per lane instead of 12. */
    return buffers_check(buffers, sizes, memory_at(buffers[0])->size == 24 * lanes_of(buffers) ? 6 : 3);
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
    BEGIN("cuEventCreate", 1);
    if (flags & 2u)
        return wrong("cuEventCreate without timing");
    recorded[events] = 0;
    *event = &event_objects[events++];
    return OK;
}

EXPORT int cuEventDestroy_v2(void *event)
{
    BEGIN("cuEventDestroy", 1);
    events--;
    return event ? OK : wrong("cuEventDestroy of no event");
}

EXPORT int cuEventRecord(void *event, void *stream)
{
    BEGIN("cuEventRecord", 1);
    recorded[(int *)event - event_objects] = 1;
    return stream == &stream_object ? OK : wrong("cuEventRecord in no stream");
}

EXPORT int cuEventSynchronize(void *event)
{
    BEGIN("cuEventSynchronize", 1);
    int *state = &recorded[(int *)event - event_objects];
    if (*state != 1)
        return wrong("cuEventSynchronize before the event was recorded");
    *state = 2;
    return OK;
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    BEGIN("cuEventElapsedTime", 1);
    if (recorded[(int *)begin - event_objects] == 0 || recorded[(int *)end - event_objects] != 2)
        return wrong("cuEventElapsedTime of events that are not over");
    *milliseconds = 0.25f;
    return OK;
}
