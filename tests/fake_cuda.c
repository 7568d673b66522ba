/* A driver without a GPU, under the name of the real one: it checks that calls come in an order and with
 * arguments that the driver API allows, and what a launch passes against the signature in the PTX. A kernel
 * is not run: every frame of the result becomes the rest pose. tests/test_cuda_launch.c asks it what went
 * wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, INVALID_VALUE = 1, INVALID_CONTEXT = 201, ILLEGAL_ADDRESS = 700, OBJECTS = 64, BUFFERS = 12 };

#define EXPORT __attribute__((visibility("default")))

typedef struct Memory {
    char *bytes;
    size_t size;
} Memory;

static Memory memories[OBJECTS];
static int contexts, modules, events, recorded[OBJECTS];
static void *current;
static char fault[256], failing[64], entry[64];
static const char *program;
static int context_object, module_object, function_object, event_objects[OBJECTS];

static int wrong(const char *what)
{
    if (fault[0] == '\0')
        snprintf(fault, sizeof fault, "%s", what);
    return INVALID_VALUE;
}

/* Opens every function: fails where the test wants it to, and where a context is needed and none is
 * current. */
#define BEGIN(name, needs_context)                                                                           \
    do {                                                                                                     \
        if (strcmp(failing, name) == 0)                                                                      \
            return ILLEGAL_ADDRESS;                                                                          \
        if ((needs_context) && !current)                                                                     \
            return wrong(name " without a current context");                                                 \
    } while (0)

EXPORT void fake_cuda_fail(const char *function);
EXPORT const char *fake_cuda_fault(void);
EXPORT int fake_cuda_alive(void);

void fake_cuda_fail(const char *function)
{
    snprintf(failing, sizeof failing, "%s", function);
}

const char *fake_cuda_fault(void)
{
    return fault;
}

/* Objects that were made and not given back. */
int fake_cuda_alive(void)
{
    int count = contexts + modules + events;
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

/* Whether `size` bytes from `pointer` on lie in one buffer. */
static int inside(unsigned long long pointer, size_t size)
{
    const Memory *memory = memory_at(pointer);
    return memory && pointer - (unsigned long long)(size_t)memory->bytes + size <= memory->size;
}

EXPORT int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    BEGIN("cuInit", 0);
    return flags == 0 ? OK : wrong("cuInit takes no flags");
}

EXPORT int cuGetErrorString(int error, const char **text);
int cuGetErrorString(int error, const char **text)
{
    *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "invalid argument";
    return OK;
}

EXPORT int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count)
{
    BEGIN("cuDeviceGetCount", 0);
    *count = 1;
    return OK;
}

EXPORT int cuDeviceGet(int *device, int ordinal);
int cuDeviceGet(int *device, int ordinal)
{
    BEGIN("cuDeviceGet", 0);
    *device = 3; /* a handle, not the ordinal */
    return ordinal == 0 ? OK : wrong("cuDeviceGet of a device that is not there");
}

EXPORT int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetName(char *name, int size, int device)
{
    BEGIN("cuDeviceGetName", 0);
    snprintf(name, (size_t)size, "Fake GPU");
    return device == 3 ? OK : wrong("cuDeviceGetName of another device");
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    BEGIN("cuDeviceGetAttribute", 0);
    *value = attribute == 75 ? 99 : 9; /* compute capability 99.9: newer than any compiler knows */
    return device == 3 && (attribute == 75 || attribute == 76) ? OK : wrong("cuDeviceGetAttribute");
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    BEGIN("cuDevicePrimaryCtxRetain", 0);
    contexts++;
    *context = &context_object;
    return device == 3 ? OK : wrong("cuDevicePrimaryCtxRetain of another device");
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxRelease_v2(int device)
{
    if (--contexts == 0)
        current = NULL;
    return device == 3 && contexts >= 0 ? OK : wrong("cuDevicePrimaryCtxRelease of one not retained");
}

EXPORT int cuCtxSetCurrent(void *context);
int cuCtxSetCurrent(void *context)
{
    BEGIN("cuCtxSetCurrent", 0);
    current = context;
    return context == &context_object && contexts > 0 ? OK : wrong("cuCtxSetCurrent of no context");
}

EXPORT int cuModuleLoadData(void **module, const void *image);
int cuModuleLoadData(void **module, const void *image)
{
    BEGIN("cuModuleLoadData", 1);
    program = image;
    if (!strstr(program, ".version") || !strstr(program, ".target"))
        return wrong("cuModuleLoadData of what is no PTX");
    modules++;
    *module = &module_object;
    return OK;
}

EXPORT int cuModuleUnload(void *module);
int cuModuleUnload(void *module)
{
    BEGIN("cuModuleUnload", 1);
    modules--;
    return module == &module_object ? OK : wrong("cuModuleUnload of no module");
}

/* The parameters of the entry, as letters: p for 64 bits, i for 32. */
static int signature_read(const char *name, char letters[32])
{
    char head[96];
    snprintf(head, sizeof head, ".entry %s(", name);
    const char *at = strstr(program, head);
    const char *end = at ? strchr(at, ')') : NULL;
    int count = 0;
    while (at && (at = strstr(at, ".param .")) != NULL && at < end && count < 31) {
        at += strlen(".param .");
        letters[count++] = strncmp(at + 1, "64", 2) == 0 ? 'p' : 'i';
    }
    letters[count] = '\0';
    return count;
}

static char signature[32];

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    BEGIN("cuModuleGetFunction", 1);
    snprintf(entry, sizeof entry, "%s", name);
    if (module != &module_object || signature_read(name, signature) == 0)
        return wrong("cuModuleGetFunction of an entry that is not in the module");
    *function = &function_object;
    return OK;
}

EXPORT int cuMemAlloc_v2(unsigned long long *pointer, size_t size);
int cuMemAlloc_v2(unsigned long long *pointer, size_t size)
{
    BEGIN("cuMemAlloc", 1);
    for (int i = 0; i < OBJECTS && size > 0; i++)
        if (!memories[i].bytes) {
            memories[i] = (Memory){malloc(size), size};
            *pointer = (unsigned long long)(size_t)memories[i].bytes;
            return OK;
        }
    return wrong("cuMemAlloc of nothing");
}

EXPORT int cuMemFree_v2(unsigned long long pointer);
int cuMemFree_v2(unsigned long long pointer)
{
    BEGIN("cuMemFree", 1);
    Memory *memory = memory_at(pointer);
    if (!memory || (unsigned long long)(size_t)memory->bytes != pointer)
        return wrong("cuMemFree of what was not allocated");
    free(memory->bytes);
    memory->bytes = NULL;
    return OK;
}

EXPORT int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size);
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size)
{
    BEGIN("cuMemcpyHtoD", 1);
    if (!inside(to, size))
        return wrong("cuMemcpyHtoD beyond its buffer");
    memcpy(bytes_at(to), from, size);
    return OK;
}

EXPORT int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size);
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size)
{
    BEGIN("cuMemcpyDtoH", 1);
    if (!inside(from, size))
        return wrong("cuMemcpyDtoH beyond its buffer");
    memcpy(to, bytes_at(from), size);
    return OK;
}

/* What the entries of device_kernel.h read and write lies in the buffers given; `reals` 4 bytes each. */
static int buffers_check(const unsigned long long *buffer, const int *sizes, size_t frames, size_t components)
{
    const size_t vertices = (size_t)sizes[0], sets = (size_t)sizes[1], joints = (size_t)sizes[2];
    const size_t per_joint = (size_t)sizes[3], per_set = (size_t)sizes[4];
    const size_t all = (size_t)sizes[5] + frames;
    const size_t least[BUFFERS] = {4 * components * vertices,
                                   4 * vertices,
                                   1,
                                   1,
                                   4 * vertices,
                                   4 * (sets + 1),
                                   4,
                                   4 * all * joints * per_joint,
                                   4 * all * sets * per_set,
                                   all * sets,
                                   1,
                                   4 * all * components * vertices};
    for (int i = 0; i < BUFFERS; i++)
        if (!inside(buffer[i], least[i] > 0 ? least[i] : 1))
            return wrong("cuLaunchKernel with a buffer that is too small");
    for (size_t frame = (size_t)sizes[5]; frame < all; frame++)
        memcpy(bytes_at(buffer[BUFFERS - 1]) + 4 * frame * components * vertices, bytes_at(buffer[0]),
               4 * components * vertices);
    return OK;
}

EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                          void **arguments, void **extra);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
                   void **extra)
{
    BEGIN("cuLaunchKernel", 1);
    unsigned long long buffers[BUFFERS];
    int sizes[6];
    if (function != &function_object || extra || stream || shared_bytes)
        return wrong("cuLaunchKernel of no function, or with what the entry does not take");
    if (strcmp(signature, "ppppppppppppiiiiii") != 0)
        return wrong("cuLaunchKernel of an entry with other parameters");
    for (int i = 0; i < BUFFERS; i++)
        memcpy(&buffers[i], arguments[i], sizeof buffers[i]);
    for (int i = 0; i < 6; i++)
        memcpy(&sizes[i], arguments[BUFFERS + i], sizeof sizes[i]);
    if (grid_z != 1 || block_y != 1 || block_z != 1 || grid_y == 0 || grid_y > 65535 || block_x > 1024 ||
        (size_t)grid_x * block_x < (size_t)sizes[0] || (size_t)(grid_x - 1) * block_x >= (size_t)sizes[0])
        return wrong("cuLaunchKernel with a grid that does not cover the vertices");
    return buffers_check(buffers, sizes, grid_y, strcmp(entry, "skin_normals") == 0 ? 6 : 3);
}

EXPORT int cuEventCreate(void **event, unsigned flags);
int cuEventCreate(void **event, unsigned flags)
{
    BEGIN("cuEventCreate", 1);
    if (flags & 2u)
        return wrong("cuEventCreate without timing");
    recorded[events] = 0;
    *event = &event_objects[events++];
    return OK;
}

EXPORT int cuEventDestroy_v2(void *event);
int cuEventDestroy_v2(void *event)
{
    BEGIN("cuEventDestroy", 1);
    events--;
    return event ? OK : wrong("cuEventDestroy of no event");
}

EXPORT int cuEventRecord(void *event, void *stream);
int cuEventRecord(void *event, void *stream)
{
    BEGIN("cuEventRecord", 1);
    recorded[(int *)event - event_objects] = 1;
    return stream ? wrong("cuEventRecord in a stream of its own") : OK;
}

EXPORT int cuEventSynchronize(void *event);
int cuEventSynchronize(void *event)
{
    BEGIN("cuEventSynchronize", 1);
    int *state = &recorded[(int *)event - event_objects];
    if (*state != 1)
        return wrong("cuEventSynchronize before the event was recorded");
    *state = 2;
    return OK;
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *begin, void *end);
int cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    BEGIN("cuEventElapsedTime", 1);
    if (recorded[(int *)begin - event_objects] == 0 || recorded[(int *)end - event_objects] != 2)
        return wrong("cuEventElapsedTime of events that are not over");
    *milliseconds = 0.25f;
    return OK;
}
