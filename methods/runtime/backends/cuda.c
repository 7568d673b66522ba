/* CUDA through the driver, opened at run time; kernels come from cuda_compile.c. The first GPU is taken, in
 * its primary context. Declarations are our own, as the driver has kept them since CUDA 11. In one
 * file: all of it works on the struct Cuda, which nobody else sees. */
#include "methods/runtime/backends/cuda_compile.h"

#include "methods/runtime/backends/device.h"
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
    SLOTS = 2,                      /* one is copied while the other is computed */
    SLOT_BYTES = 32 * 1024 * 1024,  /* of results that travel in one copy */
    FLUSH_BYTES = 32 * 1024 * 1024, /* copied before what is to be cold, or as much as the cache holds */
    STREAM_WAITS = 0 /* for what the host copied: of pageable memory a copy may end after its call */
};

typedef int CudaDevice;
typedef unsigned long long CudaPointer;
typedef struct CudaContextStruct *CudaContext;
typedef struct CudaModuleStruct *CudaModule;
typedef struct CudaFunctionStruct *CudaFunction;
typedef struct CudaStreamStruct *CudaStream;
typedef struct CudaEventStruct *CudaEvent;

/* What is used of the driver: X(member, name in the library, arguments). */
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

/* Where a batch of results goes on its way to the host: by a stream of its own, so that the kernel of one
 * batch and the copy of another run at once. */
typedef struct CudaSlot {
    CudaStream stream;
    CudaEvent begin, middle, end; /* of the kernels; of them and the copy between; of the copy */
    CudaPointer results;
    char *pinned;
    int first, frames; /* what is under way; 0 frames: nothing */
} CudaSlot;

typedef struct Cuda {
    CudaFunctions cu;
    CudaDevice device;
    char name[NAME_BYTES];
    int architecture; /* 75 for compute capability 7.5 */
    size_t cache_bytes;
    CudaContext context;
    CudaModule modules[KERNEL_VARIANTS_MAX];
    CudaFunction functions[KERNEL_VARIANTS_MAX];
    CudaSlot slots[SLOTS]; /* the first one's events time what runs alone */
    size_t slot_bytes;
    CudaPointer buffers[BUFFER_COUNT];
    CudaPointer copied[2]; /* copies that are measured go from one to the other */
    size_t copied_bytes;
} Cuda;

/* A failed call as a status. */
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

/* Opens the driver and looks at the first GPU. */
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

/* The architecture that PTX compiled ahead of time is for; 0: there is none, or none that this GPU takes.
 * *machine: that of the machine code, the latest of the GPU's generation but no later one than its own. */
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

/* A driver without a compiler runs what was compiled ahead. */
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
        cuda->cu.cuCtxSetCurrent(cuda->context); /* it may be another thread that closes */
    cuda_copied_release(cuda);
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (cuda->buffers[i])
            cuda->cu.cuMemFree(cuda->buffers[i]);
    for (int i = 0; i < SLOTS; i++) {
        CudaSlot *slot = &cuda->slots[i];
        CudaEvent *const events[] = {&slot->begin, &slot->middle, &slot->end};
        for (size_t k = 0; k < sizeof events / sizeof *events; k++)
            if (*events[k])
                cuda->cu.cuEventDestroy(*events[k]);
        if (slot->results)
            cuda->cu.cuMemFree(slot->results);
        if (slot->pinned)
            cuda->cu.cuMemFreeHost(slot->pinned);
        if (slot->stream)
            cuda->cu.cuStreamDestroy(slot->stream);
        *slot = (CudaSlot){0};
    }
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
    for (int i = 0; i < SLOTS; i++) {
        CUDA_TRY(cuStreamCreate, &cuda->slots[i].stream, STREAM_WAITS);
        CUDA_TRY(cuEventCreate, &cuda->slots[i].begin, 0);
        CUDA_TRY(cuEventCreate, &cuda->slots[i].middle, 0);
        CUDA_TRY(cuEventCreate, &cuda->slots[i].end, 0);
    }
    *shape = cuda_shape;
    *device = TAKE(cuda);
    return status_ok();
}

/* Loads a program, PTX or machine code, as that of a variant. */
static Status cuda_load(Cuda *cuda, const void *code, int variant)
{
    CUDA_TRY(cuModuleLoadData, &cuda->modules[variant], code);
    CUDA_TRY(cuModuleGetFunction, &cuda->functions[variant], cuda->modules[variant], DEVICE_ENTRY_POINT);
    return status_ok();
}

/* Loads what was compiled ahead for "sm" or "compute" of an architecture; *loaded: it is there, and the
 * driver takes it. */
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
    if (!*loaded && cuda->modules[variant]) {
        cuda->cu.cuModuleUnload(cuda->modules[variant]);
        cuda->modules[variant] = NULL;
    }
    return status_ok();
}

/* What was compiled ahead for the GPU; else machine code, where the compiler knows the GPU's architecture,
 * else PTX; as it was kept, if the driver takes that; without a compiler PTX that was compiled ahead. */
static Status cuda_build(void *device, const char *name, const char *text, int variant)
{
    Cuda *cuda = device;
    CudaCompileOptions options = {.architecture = 0};
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
                           "the kernels compiled ahead are not those of this program's %s (`skinbench "
                           "kernels` compiles them again), and %s",
                           name, compiler.text);
    STATUS_TRY(compiler);
    STATUS_TRY(cuda_compiler_version(version));
    options.machine_code = options.architecture == cuda->architecture;
    snprintf(target, sizeof target, "%s_%d", options.machine_code ? "sm" : "compute", options.architecture);
    kernel_cache_key((const char *const[]){"CUDA", version, target, text, NULL}, key);
    STATUS_TRY(kernel_cache_load(key, &kept, &size));
    if (kept && cuda_load(cuda, kept, variant).code == STATUS_OK)
        return status_ok();
    if (cuda->modules[variant])
        cuda->cu.cuModuleUnload(cuda->modules[variant]);
    cuda->modules[variant] = NULL;
    STATUS_TRY(cuda_compile(name, text, &options, &made, &size));
    STATUS_TRY(cuda_load(cuda, made, variant));
    return kernel_cache_store(key, made, size);
}

/* The context is current per thread, and a skinner may move from one to another. */
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

/* Seconds between two events, the later of which is over when it returns. */
static Status cuda_elapsed(const Cuda *cuda, CudaEvent begin, CudaEvent end, double *time_s)
{
    float milliseconds = 0.0f;
    CUDA_TRY(cuEventSynchronize, end);
    CUDA_TRY(cuEventElapsedTime, &milliseconds, begin, end);
    *time_s += 1e-3 * (double)milliseconds;
    return status_ok();
}

/* Lets the programs run in the slot's stream, between its first two events. */
static Status cuda_run(const Cuda *cuda, const CudaSlot *slot, const CudaPointer buffers[BUFFER_COUNT],
                       const DeviceLaunch *launch)
{
    const unsigned group = (unsigned)launch->shape.group;
    const unsigned blocks = ((unsigned)launch->sizes[SIZE_TILES] + group - 1) / group;
    void *arguments[BUFFER_COUNT + SIZE_COUNT];
    CudaPointer pointers[BUFFER_COUNT];
    int sizes[SIZE_COUNT];
    for (int i = 0; i < BUFFER_COUNT; i++) {
        pointers[i] = buffers[i];
        arguments[i] = &pointers[i];
    }
    for (int i = 0; i < SIZE_COUNT; i++) {
        sizes[i] = launch->sizes[i];
        arguments[BUFFER_COUNT + i] = &sizes[i];
    }
    CUDA_TRY(cuEventRecord, slot->begin, slot->stream);
    for (int variant = 0; variant < KERNEL_VARIANTS_MAX; variant++)
        if (launch->variants >> variant & 1u)
            CUDA_TRY(cuLaunchKernel, cuda->functions[variant], blocks, (unsigned)device_frame_blocks(launch),
                     1, group, 1, 1, 0, slot->stream, arguments, NULL);
    CUDA_TRY(cuEventRecord, slot->middle, slot->stream);
    return status_ok();
}

static Status cuda_launch(void *device, const DeviceLaunch *launch, DeviceTimes *times)
{
    const Cuda *cuda = device;
    const CudaSlot *slot = &cuda->slots[0];
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    STATUS_TRY(cuda_run(cuda, slot, cuda->buffers, launch));
    return cuda_elapsed(cuda, slot->begin, slot->middle, &times->kernel_s);
}

static Status cuda_copy(void *device, size_t size_bytes, double *time_s)
{
    Cuda *cuda = device;
    const CudaSlot *slot = &cuda->slots[0];
    const size_t flush = size_max(cuda->cache_bytes, FLUSH_BYTES);
    const size_t size = size_bytes > 0 ? size_bytes : flush;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    if (size > cuda->copied_bytes) {
        cuda_copied_release(cuda);
        for (int i = 0; i < 2; i++)
            CUDA_TRY(cuMemAlloc, &cuda->copied[i], size);
        cuda->copied_bytes = size;
    }
    CUDA_TRY(cuEventRecord, slot->begin, slot->stream);
    CUDA_TRY(cuMemcpyDtoDAsync, cuda->copied[1], cuda->copied[0], size, slot->stream);
    CUDA_TRY(cuEventRecord, slot->end, slot->stream);
    return cuda_elapsed(cuda, slot->begin, slot->end, time_s);
}

/* ---- results in file order, by batches ---- */

/* Memory for batches of that many bytes. */
static Status slots_reserve(Cuda *cuda, size_t size_bytes)
{
    if (size_bytes <= cuda->slot_bytes)
        return status_ok();
    cuda->slot_bytes = 0;
    for (int i = 0; i < SLOTS; i++) {
        CudaSlot *slot = &cuda->slots[i];
        if (slot->results)
            cuda->cu.cuMemFree(slot->results);
        if (slot->pinned)
            cuda->cu.cuMemFreeHost(slot->pinned);
        slot->results = 0;
        slot->pinned = NULL;
        void *pinned = NULL;
        CUDA_TRY(cuMemAlloc, &slot->results, size_bytes);
        CUDA_TRY(cuMemAllocHost, &pinned, size_bytes);
        slot->pinned = pinned;
    }
    cuda->slot_bytes = size_bytes;
    return status_ok();
}

/* What the batches of a call have in common. */
typedef struct CudaDelivery {
    const DeviceLaunch *launch;
    float *targets[2];  /* positions, normals or NULL */
    size_t frame_bytes; /* of one target */
    int threads;
} CudaDelivery;

/* Starts a batch: kernels, then one copy of their results. */
static Status slot_start(const Cuda *cuda, CudaSlot *slot, const CudaDelivery *delivery, int first,
                         int frames)
{
    const size_t size_bytes = (size_t)frames * delivery->frame_bytes;
    CudaPointer buffers[BUFFER_COUNT];
    DeviceLaunch part = *delivery->launch;
    part.sizes[SIZE_FIRST_FRAME] += first;
    part.sizes[SIZE_FRAMES] = frames;
    for (int i = 0; i < BUFFER_COUNT; i++)
        buffers[i] = cuda->buffers[i];
    buffers[BUFFER_OUT] = slot->results;
    if (delivery->targets[1])
        buffers[BUFFER_OUT_NORMALS] = slot->results + size_bytes;
    STATUS_TRY(cuda_run(cuda, slot, buffers, &part));
    CUDA_TRY(cuMemcpyDtoHAsync, slot->pinned, slot->results,
             delivery->targets[1] ? 2 * size_bytes : size_bytes, slot->stream);
    CUDA_TRY(cuEventRecord, slot->end, slot->stream);
    slot->first = first;
    slot->frames = frames;
    return status_ok();
}

/* Waits for a batch and hands it over. */
static Status slot_finish(const Cuda *cuda, CudaSlot *slot, const CudaDelivery *delivery, DeviceTimes *times)
{
    const int frames = slot->frames;
    const size_t bytes = delivery->frame_bytes;
    if (frames == 0)
        return status_ok();
    slot->frames = 0;
    STATUS_TRY(cuda_elapsed(cuda, slot->middle, slot->end, &times->download_s));
    STATUS_TRY(cuda_elapsed(cuda, slot->begin, slot->middle, &times->kernel_s));
    for (int i = 0; i < 2 && delivery->targets[i]; i++) {
        char *to = (char *)delivery->targets[i] + (size_t)slot->first * bytes;
        const char *from = slot->pinned + (size_t)i * (size_t)frames * bytes;
#pragma omp parallel for num_threads(delivery->threads) if (delivery->threads > 1)
        for (int frame = 0; frame < frames; frame++)
            memcpy(to + (size_t)frame * bytes, from + (size_t)frame * bytes, bytes);
    }
    return status_ok();
}

static Status cuda_deliver(void *device, const DeviceLaunch *launch, int threads, float *positions,
                           float *normals, DeviceTimes *times)
{
    Cuda *cuda = device;
    const CudaDelivery delivery = {.launch = launch,
                                   .targets = {positions, normals},
                                   .frame_bytes = 3 * (size_t)launch->sizes[SIZE_VERTICES] * sizeof(float),
                                   .threads = threads};
    const int frames = launch->sizes[SIZE_FRAMES];
    const size_t bytes = delivery.frame_bytes * (normals ? 2 : 1);
    const int batch = int_max(1, int_min((int)(SLOT_BYTES / bytes), frames));
    int slot = 0;
    for (int i = 0; i < SLOTS; i++) /* a delivery that failed may have left some */
        cuda->slots[i].frames = 0;
    CUDA_TRY(cuCtxSetCurrent, cuda->context);
    STATUS_TRY(slots_reserve(cuda, (size_t)batch * bytes));
    for (int first = 0; first < frames; first += batch, slot = 1 - slot) {
        STATUS_TRY(slot_finish(cuda, &cuda->slots[slot], &delivery, times));
        STATUS_TRY(slot_start(cuda, &cuda->slots[slot], &delivery, first, int_min(frames - first, batch)));
    }
    for (int i = 0; i < SLOTS; i++)
        STATUS_TRY(slot_finish(cuda, &cuda->slots[i], &delivery, times));
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
static Status cuda_create(const BackendBinding *binding, void **state)
{
    return device_create(&cuda_api, binding, state);
}

const Backend backend_cuda = {.name = "cuda",
                              .label = "CUDA",
                              .title = "float, one thread per vertex and 8 frames (NVIDIA)",
                              .color = 0xd55e00,
                              .is_device = true,
                              .is_gpu = true,
                              .probe = cuda_probe,
                              .gpu_bytes = cuda_gpu_bytes,
                              .device_api = &cuda_api,
                              .create = cuda_create,
                              .functions = &device_functions};
