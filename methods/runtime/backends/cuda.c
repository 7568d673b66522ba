/* CUDA backend. It opens the driver at run time and uses the first GPU in its primary context. Kernels come
 * from cuda_compile.c. The driver functions are declared here; the declarations match every driver since
 * CUDA 11. Everything is in one file because all functions work on the private struct Cuda. */
#include "methods/runtime/backends/cuda_compile.h"

#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/backends/dynamic.h"
#include "methods/runtime/kernel_cache.h"

enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_MAJOR = 75, /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR */
    CUDA_MINOR = 76, /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR */
    CUDA_CACHE = 38, /* CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE */
    NAME_BYTES = 128,
    RESULT_BYTES = 32 * 1024 * 1024, /* maximum number of bytes of results in one copy */
    FLUSH_BYTES = 32 * 1024 * 1024, /* Minimum number of bytes that a copy writes to flush the caches before a
                                       cold run. If the cache is larger, more bytes are copied. */
    STREAM_WAITS = 0 /* Flag for cuStreamCreate: the stream waits for copies by the host. Such a copy may end
                        after its call returns if the host's memory is pageable. */
};

typedef int CudaDevice;
typedef unsigned long long CudaPointer;
typedef struct CudaContextStruct *CudaContext;
typedef struct CudaModuleStruct *CudaModule;
typedef struct CudaFunctionStruct *CudaFunction;
typedef struct CudaStreamStruct *CudaStream;
typedef struct CudaEventStruct *CudaEvent;

/* Driver functions used here: X(member, name in the library, arguments). */
#define CUDA_FUNCTIONS(X)                                                                                    \
    X(cuInit, "", (unsigned flags))                                                                          \
    X(cuGetErrorString, "", (int error, const char **text))                                                  \
    X(cuDeviceGetCount, "", (int *count))                                                                    \
    X(cuDeviceGet, "", (CudaDevice * device, int ordinal))                                                   \
    X(cuDeviceGetName, "", (char *name, int size, CudaDevice device))                                        \
    X(cuDeviceGetAttribute, "", (int *value, int attribute, CudaDevice device))                              \
    X(cuDeviceTotalMem, "_v2", (size_t * bytes, CudaDevice device))                                          \
    X(cuDevicePrimaryCtxRetain, "", (CudaContext * context, CudaDevice device))                              \
    X(cuDevicePrimaryCtxRelease, "_v2", (CudaDevice device))                                                 \
    X(cuCtxSetCurrent, "", (CudaContext context))                                                            \
    X(cuModuleLoadData, "", (CudaModule * module, const void *image))                                        \
    X(cuModuleUnload, "", (CudaModule module))                                                               \
    X(cuModuleGetFunction, "", (CudaFunction * function, CudaModule module, const char *name))               \
    X(cuMemAlloc, "_v2", (CudaPointer * pointer, size_t size))                                               \
    X(cuMemFree, "_v2", (CudaPointer pointer))                                                               \
    X(cuMemAllocHost, "_v2", (void **memory, size_t size))                                                   \
    X(cuMemFreeHost, "", (void *memory))                                                                     \
    X(cuMemcpyHtoD, "_v2", (CudaPointer to, const void *from, size_t size))                                  \
    X(cuMemcpyDtoH, "_v2", (void *to, CudaPointer from, size_t size))                                        \
    X(cuMemcpyDtoHAsync, "_v2", (void *to, CudaPointer from, size_t size, CudaStream stream))                \
    X(cuMemcpyDtoDAsync, "_v2", (CudaPointer to, CudaPointer from, size_t size, CudaStream stream))          \
    X(cuStreamCreate, "", (CudaStream * stream, unsigned flags))                                             \
    X(cuStreamDestroy, "_v2", (CudaStream stream))                                                           \
    X(cuLaunchKernel, "",                                                                                    \
      (CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,           \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, CudaStream stream, void **arguments,       \
       void **extra))                                                                                        \
    X(cuEventCreate, "", (CudaEvent * event, unsigned flags))                                                \
    X(cuEventRecord, "", (CudaEvent event, CudaStream stream))                                               \
    X(cuEventSynchronize, "", (CudaEvent event))                                                             \
    X(cuEventElapsedTime, "", (float *milliseconds, CudaEvent begin, CudaEvent end))                         \
    X(cuEventDestroy, "_v2", (CudaEvent event))

typedef struct CudaFunctions {
#define MEMBER(name, suffix, arguments) int(*name) arguments;
    CUDA_FUNCTIONS(MEMBER)
#undef MEMBER
} CudaFunctions;

static const DynamicRow cuda_rows[] = {
#define ROW(name, suffix, arguments) {#name suffix, offsetof(CudaFunctions, name)},
    CUDA_FUNCTIONS(ROW)
#undef ROW
        {NULL, 0},
};

typedef struct Cuda {
    CudaFunctions cu;
    CudaDevice device;
    char name[NAME_BYTES];
    int architecture; /* compute capability without the point: 75 for 7.5 */
    size_t cache_bytes;
    CudaContext context;
    CudaModule modules[KERNEL_VARIANTS_MAX];
    CudaFunction functions[KERNEL_VARIANTS_MAX];
    CudaStream stream;
    CudaEvent begin, middle,
        end; /* events recorded before the kernels, between the kernels and the copy, and after the copy */
    CudaPointer buffers[BUFFER_COUNT];
    CudaPointer results; /* results in file order, before they are copied to the host */
    size_t result_bytes;
    CudaPointer copied[2]; /* source and destination of copies that measure bandwidth */
    size_t copied_bytes;
} Cuda;

/* Turns a failed driver call into a status. */
static Status cuda_failure(const Cuda *cuda, int error, const char *call)
{
    const char *text = NULL;
    if (cuda->cu.cuGetErrorString(error, &text) != CUDA_OK || !text)
        text = "unknown error";
    return status_make(error == CUDA_OUT_OF_MEMORY ? STATUS_SYSTEM : STATUS_UNAVAILABLE, "CUDA: %s: %s", call,
                       text);
}

#define CUDA_TRY(function, ...)                                                                              \
    do {                                                                                                     \
        int cuda_error = cuda->cu.function(__VA_ARGS__);                                                     \
        if (cuda_error != CUDA_OK)                                                                           \
            return cuda_failure(cuda, cuda_error, #function);                                                \
    } while (0)

/* Opens the driver and queries the first GPU. */
static Status cuda_find(Cuda *cuda)
{
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    void *library = NULL;
    int count = 0, major = 0, minor = 0, cache = 0;
    STATUS_TRY(dynamic_open(names, "the NVIDIA driver", &library));
    STATUS_TRY(dynamic_load(library, "the NVIDIA driver", cuda_rows, &cuda->cu));
    CUDA_TRY(cuInit, 0);
    CUDA_TRY(cuDeviceGetCount, &count);
    if (count == 0)
        return status_make(STATUS_UNAVAILABLE, "CUDA: the driver finds no GPU");
    CUDA_TRY(cuDeviceGet, &cuda->device, 0);
    CUDA_TRY(cuDeviceGetName, cuda->name, NAME_BYTES, cuda->device);
    CUDA_TRY(cuDeviceGetAttribute, &major, CUDA_MAJOR, cuda->device);
    CUDA_TRY(cuDeviceGetAttribute, &minor, CUDA_MINOR, cuda->device);
    CUDA_TRY(cuDeviceGetAttribute, &cache, CUDA_CACHE, cuda->device);
    cuda->architecture = 10 * major + minor;
    cuda->cache_bytes = cache > 0 ? (size_t)cache : 0;
    return status_ok();
}

/* Returns the architecture of the PTX that was compiled ahead of time, or 0 if the GPU can use none.
 * *machine receives the architecture of the machine code to use: the latest one of the GPU's generation
 * that is not later than the GPU. */
static int ahead_architecture(const Cuda *cuda, int *machine)
{
    int all[KERNEL_ARCHITECTURES_MAX];
    const int count = kernel_ahead_architectures(all), own = cuda->architecture;
    *machine = 0;
    for (int i = 1; i < count; i++)
        if (all[i] / 10 == own / 10 && all[i] <= own)
            *machine = all[i];
    return count > 0 && all[0] <= own ? all[0] : 0;
}

/* Checks that a GPU and a compiler are available. A driver without a compiler can run kernels that were
 * compiled ahead of time. */
static Status cuda_probe(char *text, size_t size)
{
    Cuda cuda = {.device = 0};
    int architecture = 0;
    STATUS_TRY(cuda_find(&cuda));
    if (ahead_architecture(&cuda, &architecture) == 0)
        STATUS_TRY(cuda_architecture(cuda.architecture, &architecture));
    snprintf(text, size, "%s", cuda.name);
    return status_ok();
}

static double cuda_gpu_bytes(void)
{
    Cuda cuda = {.device = 0};
    size_t bytes = 0;
    const Status status = cuda_find(&cuda);
    return status.code == STATUS_OK && cuda.cu.cuDeviceTotalMem(&bytes, cuda.device) == CUDA_OK
               ? (double)bytes
               : 0.0;
}

static void cuda_copied_release(Cuda *cuda)
{
    for (int i = 0; i < 2; i++)
        if (cuda->copied[i])
            cuda->cu.cuMemFree(cuda->copied[i]);
    cuda->copied[0] = cuda->copied[1] = 0;
    cuda->copied_bytes = 0;
}

static void cuda_close(void *device)
{
    Cuda *cuda = device;
    if (cuda->context)
        cuda->cu.cuCtxSetCurrent(
            cuda->context); /* make the context current, because another thread may have opened the device */
    cuda_copied_release(cuda);
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (cuda->buffers[i])
            cuda->cu.cuMemFree(cuda->buffers[i]);
    const CudaEvent events[] = {cuda->begin, cuda->middle, cuda->end};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i])
            cuda->cu.cuEventDestroy(events[i]);
    if (cuda->results)
        cuda->cu.cuMemFree(cuda->results);
    if (cuda->stream)
        cuda->cu.cuStreamDestroy(cuda->stream);
    for (int i = 0; i < KERNEL_VARIANTS_MAX; i++)
        if (cuda->modules[i])
            cuda->cu.cuModuleUnload(cuda->modules[i]);
    if (cuda->context)
        cuda->cu.cuDevicePrimaryCtxRelease(cuda->device);
    memory_free(cuda);
}
DEFINE_OWNED_BY(Cuda, cuda_close)

static Status cuda_open(void **device, DeviceShape *shape)
{
    OWNED_BY(cuda_close) Cuda *cuda = NULL;
    ALLOCATE(cuda, 1, "a CUDA device");
    STATUS_TRY(cuda_find(cuda));
    CUDA_TRY(cuDevicePrimaryCtxRetain, &cuda->context, cuda->device);
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    CUDA_TRY(cuStreamCreate, &cuda->stream, STREAM_WAITS);
    CUDA_TRY(cuEventCreate, &cuda->begin, 0);
    CUDA_TRY(cuEventCreate, &cuda->middle, 0);
    CUDA_TRY(cuEventCreate, &cuda->end, 0);
    *shape = cuda_shape;
    *device = TAKE(cuda);
    return status_ok();
}

/* Loads the program of a variant, given as PTX or machine code. First unloads a program that turned out to
 * have no entry point. */
static Status cuda_load(Cuda *cuda, const void *code, int variant)
{
    if (cuda->modules[variant])
        cuda->cu.cuModuleUnload(cuda->modules[variant]);
    cuda->modules[variant] = NULL;
    CUDA_TRY(cuModuleLoadData, &cuda->modules[variant], code);
    CUDA_TRY(cuModuleGetFunction, &cuda->functions[variant], cuda->modules[variant], DEVICE_ENTRY_POINT);
    return status_ok();
}

/* Loads a program that was compiled ahead of time, as "sm" or "compute" code of an architecture. *loaded
 * tells whether the program exists and the driver accepts it. */
static Status ahead_build(Cuda *cuda, const char *kind, int architecture, const char *text, int variant,
                          bool *loaded)
{
    char target[32], key[SHA256_TEXT_BYTES];
    size_t size = 0;
    OWNED void *code = NULL;
    snprintf(target, sizeof target, "%s_%d", kind, architecture);
    kernel_ahead_key(target, text, key);
    STATUS_TRY(kernel_ahead_load(key, &code, &size));
    *loaded = code && cuda_load(cuda, code, variant).code == STATUS_OK;
    return status_ok();
}

/* Builds the program of a variant. Uses machine code that was compiled ahead of time, if there is any.
 * Otherwise compiles machine code if the compiler knows the GPU's architecture, else PTX; a cached copy is
 * used if the driver accepts it. Without a compiler, loads PTX that was compiled ahead of time. */
static Status cuda_build(void *device, const char *name, const char *text, int variant)
{
    Cuda *cuda = device;
    CudaCompileOptions options = {.near_division = true};
    char key[SHA256_TEXT_BYTES], version[CUDA_VERSION_BYTES], target[32];
    size_t size = 0;
    OWNED void *kept = NULL;
    OWNED char *made = NULL;
    bool loaded = false;
    int machine = 0;
    const int ahead = ahead_architecture(cuda, &machine);
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    if (machine > 0)
        STATUS_TRY(ahead_build(cuda, "sm", machine, text, variant, &loaded));
    if (loaded)
        return status_ok();
    const Status compiler = cuda_architecture(cuda->architecture, &options.architecture);
    const int ptx = compiler.code == STATUS_OK ? 0 : ahead;
    if (ptx > 0)
        STATUS_TRY(ahead_build(cuda, "compute", ptx, text, variant, &loaded));
    if (loaded)
        return status_ok();
    if (ptx > 0)
        return status_make(STATUS_UNAVAILABLE,
                           "the kernels compiled ahead of time do not belong to this program's %s "
                           "(`skinbench kernels` compiles them again), and %s",
                           name, compiler.text);
    STATUS_TRY(compiler);
    STATUS_TRY(cuda_compiler_version(version));
    options.machine_code = options.architecture == cuda->architecture;
    snprintf(target, sizeof target, "%s_%d", options.machine_code ? "sm" : "compute", options.architecture);
    kernel_cache_key((const char *const[]){"CUDA", version, target, text, NULL}, key);
    STATUS_TRY(kernel_cache_load(key, &kept, &size));
    if (kept && cuda_load(cuda, kept, variant).code == STATUS_OK)
        return status_ok();
    STATUS_TRY(cuda_compile(name, text, &options, &made, &size));
    STATUS_TRY(cuda_load(cuda, made, variant));
    return kernel_cache_store(key, made, size);
}

/* Reallocates a buffer. First makes the context current, because it is current per thread and a skinner may
 * move between threads. */
static Status cuda_allocate(void *device, DeviceBuffer buffer, size_t size_bytes)
{
    Cuda *cuda = device;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    if (cuda->buffers[buffer])
        CUDA_TRY(cuMemFree, cuda->buffers[buffer]);
    cuda->buffers[buffer] = 0;
    CUDA_TRY(cuMemAlloc, &cuda->buffers[buffer], size_bytes > 0 ? size_bytes : 1);
    return status_ok();
}

static Status cuda_upload(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Cuda *cuda = device;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    CUDA_TRY(cuMemcpyHtoD, cuda->buffers[buffer], data, size_bytes);
    return status_ok();
}

static Status cuda_download(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes,
                            void *data)
{
    Cuda *cuda = device;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    CUDA_TRY(cuMemcpyDtoH, data, cuda->buffers[buffer] + offset_bytes, size_bytes);
    return status_ok();
}

static void *cuda_host_allocate(void *device, size_t size_bytes)
{
    const Cuda *cuda = device;
    void *memory = NULL;
    if (cuda->cu.cuCtxSetCurrent(cuda->context) != CUDA_OK ||
        cuda->cu.cuMemAllocHost(&memory, size_bytes) != CUDA_OK)
        return NULL;
    return memory;
}

static void cuda_host_release(void *device, void *memory)
{
    const Cuda *cuda = device;
    cuda->cu.cuCtxSetCurrent(cuda->context);
    cuda->cu.cuMemFreeHost(memory);
}

/* Waits for the later of two events and computes the seconds between them. */
static Status cuda_elapsed(const Cuda *cuda, CudaEvent begin, CudaEvent end, double *time_s)
{
    float milliseconds = 0.0f;
    CUDA_TRY(cuEventSynchronize, end);
    CUDA_TRY(cuEventElapsedTime, &milliseconds, begin, end);
    *time_s += 1e-3 * (double)milliseconds;
    return status_ok();
}

/* Launches the program between the events `begin` and `middle`. */
static Status cuda_run(const Cuda *cuda, const CudaPointer buffers[BUFFER_COUNT], const DeviceLaunch *launch)
{
    const unsigned group = (unsigned)launch->shape.group;
    const unsigned blocks = ((unsigned)device_items(launch) + group - 1) / group;
    void *arguments[BUFFER_COUNT + DEVICE_SIZE_COUNT];
    CudaPointer pointers[BUFFER_COUNT];
    int sizes[DEVICE_SIZE_COUNT];
    for (int i = 0; i < BUFFER_COUNT; i++) {
        pointers[i] = buffers[i];
        arguments[i] = &pointers[i];
    }
    for (int i = 0; i < DEVICE_SIZE_COUNT; i++) {
        sizes[i] = launch->sizes[i];
        arguments[BUFFER_COUNT + i] = &sizes[i];
    }
    CUDA_TRY(cuEventRecord, cuda->begin, cuda->stream);
    CUDA_TRY(cuLaunchKernel, cuda->functions[launch->variant], blocks, (unsigned)device_frame_blocks(launch),
             1, group, 1, 1, 0, cuda->stream, arguments, NULL);
    CUDA_TRY(cuEventRecord, cuda->middle, cuda->stream);
    return status_ok();
}

static Status cuda_launch(void *device, const DeviceLaunch *launch, DeviceTimes *times)
{
    const Cuda *cuda = device;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    STATUS_TRY(cuda_run(cuda, cuda->buffers, launch));
    return cuda_elapsed(cuda, cuda->begin, cuda->middle, &times->kernel_s);
}

static Status cuda_copy(void *device, size_t size_bytes, double *time_s)
{
    Cuda *cuda = device;
    const size_t flush = size_max(cuda->cache_bytes, FLUSH_BYTES);
    const size_t size = size_bytes > 0 ? size_bytes : flush;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    if (size > cuda->copied_bytes) {
        cuda_copied_release(cuda);
        for (int i = 0; i < 2; i++)
            CUDA_TRY(cuMemAlloc, &cuda->copied[i], size);
        cuda->copied_bytes = size;
    }
    CUDA_TRY(cuEventRecord, cuda->begin, cuda->stream);
    CUDA_TRY(cuMemcpyDtoDAsync, cuda->copied[1], cuda->copied[0], size, cuda->stream);
    CUDA_TRY(cuEventRecord, cuda->end, cuda->stream);
    return cuda_elapsed(cuda, cuda->begin, cuda->end, time_s);
}

/* Copies results into the caller's memory by the driver's own copy. On an H100 this takes 0.6 times as long
 * as a copy into pinned memory and a second copy by the host. */
static Status cuda_deliver(void *device, const DeviceLaunch *launch, float *positions, float *normals,
                           DeviceTimes *times)
{
    Cuda *cuda = device;
    float *const targets[2] = {positions, normals};
    const size_t frame_values = 3 * (size_t)launch->sizes[DEVICE_SIZE_VERTICES];
    const size_t frame_bytes = frame_values * (normals ? 2 : 1) * sizeof(float);
    const int frames = launch->sizes[DEVICE_SIZE_FRAMES];
    const int batch = int_max(1, int_min((int)(RESULT_BYTES / frame_bytes), frames));
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    if ((size_t)batch * frame_bytes > cuda->result_bytes) {
        if (cuda->results)
            CUDA_TRY(cuMemFree, cuda->results);
        cuda->results = 0;
        cuda->result_bytes = 0;
        CUDA_TRY(cuMemAlloc, &cuda->results, (size_t)batch * frame_bytes);
        cuda->result_bytes = (size_t)batch * frame_bytes;
    }
    for (int first = 0; first < frames; first += batch) {
        CudaPointer buffers[BUFFER_COUNT];
        DeviceLaunch part = *launch;
        part.sizes[DEVICE_SIZE_FIRST_FRAME] += first;
        part.sizes[DEVICE_SIZE_FRAMES] = int_min(frames - first, batch);
        const size_t values = (size_t)part.sizes[DEVICE_SIZE_FRAMES] * frame_values;
        memcpy(buffers, cuda->buffers, sizeof buffers);
        buffers[BUFFER_OUT] = cuda->results;
        if (normals)
            buffers[BUFFER_OUT_NORMALS] = cuda->results + values * sizeof(float);
        STATUS_TRY(cuda_run(cuda, buffers, &part));
        for (int i = 0; i < 2 && targets[i]; i++)
            CUDA_TRY(cuMemcpyDtoHAsync, targets[i] + (size_t)first * frame_values, buffers[BUFFER_OUT + i],
                     values * sizeof(float), cuda->stream);
        CUDA_TRY(cuEventRecord, cuda->end, cuda->stream);
        STATUS_TRY(cuda_elapsed(cuda, cuda->middle, cuda->end, &times->download_s));
        STATUS_TRY(cuda_elapsed(cuda, cuda->begin, cuda->middle, &times->kernel_s));
    }
    return status_ok();
}

static const DeviceApi cuda_api = {.open = cuda_open,
                                   .close = cuda_close,
                                   .compile = cuda_build,
                                   .allocate = cuda_allocate,
                                   .host_allocate = cuda_host_allocate,
                                   .host_release = cuda_host_release,
                                   .upload = cuda_upload,
                                   .download = cuda_download,
                                   .launch = cuda_launch,
                                   .deliver = cuda_deliver,
                                   .copy = cuda_copy};

const Backend backend_cuda = {.name = "cuda",
                              .label = "CUDA",
                              .title = "float, one thread per 4 vertices and 4 frames (NVIDIA)",
                              .color = 0xd55e00,
                              .is_device = true,
                              .is_gpu = true,
                              .probe = cuda_probe,
                              .gpu_bytes = cuda_gpu_bytes,
                              .device_api = &cuda_api,
                              .create = device_create,
                              .functions = &device_functions};
