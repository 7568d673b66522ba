/* CUDA through the driver, opened at run time; kernels come from cuda_compile.c. The first GPU is taken, in
 * its primary context. Declarations are our own, as the driver has kept them since CUDA 11. */
#include "methods/runtime/backends/cuda_compile.h"

#include "datasets/base/memory.h"
#include "methods/runtime/backends/device.h"
#include "methods/runtime/backends/dynamic.h"

#include <stdio.h>

enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_MAJOR = 75, /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR */
    CUDA_MINOR = 76, /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR */
    NAME_BYTES = 128,
    BLOCK_SIZE = 128
};

typedef int CudaDevice;
typedef unsigned long long CudaPointer;
typedef struct CudaContextStruct *CudaContext;
typedef struct CudaModuleStruct *CudaModule;
typedef struct CudaFunctionStruct *CudaFunction;
typedef struct CudaStreamStruct *CudaStream;
typedef struct CudaEventStruct *CudaEvent;

typedef struct CudaFunctions {
    int (*init)(unsigned flags);
    int (*error_text)(int error, const char **text);
    int (*device_count)(int *count);
    int (*device_get)(CudaDevice *device, int ordinal);
    int (*device_name)(char *name, int size, CudaDevice device);
    int (*device_attribute)(int *value, int attribute, CudaDevice device);
    int (*context_retain)(CudaContext *context, CudaDevice device);
    int (*context_release)(CudaDevice device);
    int (*context_set)(CudaContext context);
    int (*module_load)(CudaModule *module, const void *image);
    int (*module_unload)(CudaModule module);
    int (*module_function)(CudaFunction *function, CudaModule module, const char *name);
    int (*allocate)(CudaPointer *pointer, size_t size);
    int (*release)(CudaPointer pointer);
    int (*upload)(CudaPointer to, const void *from, size_t size);
    int (*download)(void *to, CudaPointer from, size_t size);
    int (*launch)(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                  unsigned block_y, unsigned block_z, unsigned shared_bytes, CudaStream stream,
                  void **arguments, void **extra);
    int (*event_create)(CudaEvent *event, unsigned flags);
    int (*event_record)(CudaEvent event, CudaStream stream);
    int (*event_synchronize)(CudaEvent event);
    int (*event_elapsed)(float *milliseconds, CudaEvent begin, CudaEvent end);
    int (*event_destroy)(CudaEvent event);
} CudaFunctions;

static const DynamicRow cuda_rows[] = {
    {"cuInit", offsetof(CudaFunctions, init)},
    {"cuGetErrorString", offsetof(CudaFunctions, error_text)},
    {"cuDeviceGetCount", offsetof(CudaFunctions, device_count)},
    {"cuDeviceGet", offsetof(CudaFunctions, device_get)},
    {"cuDeviceGetName", offsetof(CudaFunctions, device_name)},
    {"cuDeviceGetAttribute", offsetof(CudaFunctions, device_attribute)},
    {"cuDevicePrimaryCtxRetain", offsetof(CudaFunctions, context_retain)},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(CudaFunctions, context_release)},
    {"cuCtxSetCurrent", offsetof(CudaFunctions, context_set)},
    {"cuModuleLoadData", offsetof(CudaFunctions, module_load)},
    {"cuModuleUnload", offsetof(CudaFunctions, module_unload)},
    {"cuModuleGetFunction", offsetof(CudaFunctions, module_function)},
    {"cuMemAlloc_v2", offsetof(CudaFunctions, allocate)},
    {"cuMemFree_v2", offsetof(CudaFunctions, release)},
    {"cuMemcpyHtoD_v2", offsetof(CudaFunctions, upload)},
    {"cuMemcpyDtoH_v2", offsetof(CudaFunctions, download)},
    {"cuLaunchKernel", offsetof(CudaFunctions, launch)},
    {"cuEventCreate", offsetof(CudaFunctions, event_create)},
    {"cuEventRecord", offsetof(CudaFunctions, event_record)},
    {"cuEventSynchronize", offsetof(CudaFunctions, event_synchronize)},
    {"cuEventElapsedTime", offsetof(CudaFunctions, event_elapsed)},
    {"cuEventDestroy_v2", offsetof(CudaFunctions, event_destroy)},
    {NULL, 0},
};

typedef struct Cuda {
    CudaFunctions cu;
    CudaDevice device;
    char name[NAME_BYTES];
    int architecture; /* 75 for compute capability 7.5 */
    CudaContext context;
    CudaModule module;
    CudaFunction function;
    CudaEvent begin, end;
    CudaPointer buffers[BUFFER_COUNT];
} Cuda;

/* A failed call as a status. */
static Status cuda_failure(const Cuda *cuda, int error, const char *call)
{
    const char *text = NULL;
    if (cuda->cu.error_text(error, &text) != CUDA_OK || !text)
        text = "unknown error";
    return status_make(error == CUDA_OUT_OF_MEMORY ? STATUS_MACHINE : STATUS_UNAVAILABLE, "CUDA: %s: %s",
                       call, text);
}

#define CUDA_TRY(call, name)                                                                                 \
    do {                                                                                                     \
        int cuda_error = (call);                                                                             \
        if (cuda_error != CUDA_OK) {                                                                         \
            status = cuda_failure(cuda, cuda_error, name);                                                   \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

/* Opens the driver and looks at the first GPU. */
static Status cuda_find(Cuda *cuda)
{
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    void *library = NULL;
    int count = 0, major = 0, minor = 0;
    Status status = status_ok();
    STATUS_TRY(dynamic_open(names, "the NVIDIA driver", &library));
    STATUS_TRY(dynamic_load(library, "the NVIDIA driver", cuda_rows, &cuda->cu));
    CUDA_TRY(cuda->cu.init(0), "cuInit");
    CUDA_TRY(cuda->cu.device_count(&count), "cuDeviceGetCount");
    if (count == 0)
        return status_make(STATUS_UNAVAILABLE, "CUDA: the driver finds no GPU");
    CUDA_TRY(cuda->cu.device_get(&cuda->device, 0), "cuDeviceGet");
    CUDA_TRY(cuda->cu.device_name(cuda->name, NAME_BYTES, cuda->device), "cuDeviceGetName");
    CUDA_TRY(cuda->cu.device_attribute(&major, CUDA_MAJOR, cuda->device), "cuDeviceGetAttribute");
    CUDA_TRY(cuda->cu.device_attribute(&minor, CUDA_MINOR, cuda->device), "cuDeviceGetAttribute");
    cuda->architecture = 10 * major + minor;
done:
    return status;
}

/* A driver without a compiler cannot run anything of ours. */
static Status cuda_probe(char *text, size_t size)
{
    Cuda cuda = {.device = 0};
    int architecture = 0;
    Status status;
    STATUS_TRY(cuda_find(&cuda));
    STATUS_TRY(cuda_architecture(cuda.architecture, &architecture));
    snprintf(text, size, "%s", cuda.name);
done:
    return status;
}

static void cuda_close(void *device)
{
    Cuda *cuda = device;
    if (cuda->context)
        cuda->cu.context_set(cuda->context); /* it may be another thread that closes */
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (cuda->buffers[i])
            cuda->cu.release(cuda->buffers[i]);
    if (cuda->begin)
        cuda->cu.event_destroy(cuda->begin);
    if (cuda->end)
        cuda->cu.event_destroy(cuda->end);
    if (cuda->module)
        cuda->cu.module_unload(cuda->module);
    if (cuda->context)
        cuda->cu.context_release(cuda->device);
    memory_free(cuda);
}

static Status cuda_open(const DeviceProgram *program, void **device)
{
    CudaCompileOptions options = {.architecture = 0};
    size_t size = 0;
    char *ptx = NULL;
    Cuda *cuda = memory_array(1, sizeof *cuda);
    if (!cuda)
        return status_out_of_memory("a CUDA device");
    Status status = status_ok();
    STATUS_TRY(cuda_find(cuda));
    STATUS_TRY(cuda_architecture(cuda->architecture, &options.architecture));
    STATUS_TRY(cuda_compile(program->name, program->text, &options, &ptx, &size));
    CUDA_TRY(cuda->cu.context_retain(&cuda->context, cuda->device), "cuDevicePrimaryCtxRetain");
    CUDA_TRY(cuda->cu.context_set(cuda->context), "cuCtxSetCurrent");
    CUDA_TRY(cuda->cu.module_load(&cuda->module, ptx), "cuModuleLoadData");
    CUDA_TRY(cuda->cu.module_function(&cuda->function, cuda->module, program->entry_point),
             "cuModuleGetFunction");
    CUDA_TRY(cuda->cu.event_create(&cuda->begin, 0), "cuEventCreate");
    CUDA_TRY(cuda->cu.event_create(&cuda->end, 0), "cuEventCreate");
    *device = cuda;
done:
    memory_free(ptx);
    if (status.code != STATUS_OK)
        cuda_close(cuda);
    return status;
}

/* The context is current per thread, and a skinner may move from one to another. */
static Status cuda_allocate(void *device, DeviceBuffer buffer, size_t size_bytes)
{
    Cuda *cuda = device;
    Status status = status_ok();
    CUDA_TRY(cuda->cu.context_set(cuda->context), "cuCtxSetCurrent");
    if (cuda->buffers[buffer])
        CUDA_TRY(cuda->cu.release(cuda->buffers[buffer]), "cuMemFree");
    cuda->buffers[buffer] = 0;
    CUDA_TRY(cuda->cu.allocate(&cuda->buffers[buffer], size_bytes > 0 ? size_bytes : 1), "cuMemAlloc");
done:
    return status;
}

static Status cuda_upload(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Cuda *cuda = device;
    Status status = status_ok();
    CUDA_TRY(cuda->cu.context_set(cuda->context), "cuCtxSetCurrent");
    CUDA_TRY(cuda->cu.upload(cuda->buffers[buffer], data, size_bytes), "cuMemcpyHtoD");
done:
    return status;
}

static Status cuda_download(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes,
                            void *data)
{
    Cuda *cuda = device;
    Status status = status_ok();
    CUDA_TRY(cuda->cu.context_set(cuda->context), "cuCtxSetCurrent");
    CUDA_TRY(cuda->cu.download(data, cuda->buffers[buffer] + offset_bytes, size_bytes), "cuMemcpyDtoH");
done:
    return status;
}

static Status cuda_launch(void *device, const int sizes[SIZE_COUNT], int frames, double *time_s)
{
    Cuda *cuda = device;
    Status status = status_ok();
    const unsigned blocks = ((unsigned)sizes[SIZE_VERTICES] + BLOCK_SIZE - 1) / BLOCK_SIZE;
    int values[SIZE_COUNT];
    void *arguments[BUFFER_COUNT + SIZE_COUNT];
    float milliseconds = 0.0f;
    for (int i = 0; i < BUFFER_COUNT; i++)
        arguments[i] = &cuda->buffers[i];
    for (int i = 0; i < SIZE_COUNT; i++) {
        values[i] = sizes[i];
        arguments[BUFFER_COUNT + i] = &values[i];
    }
    CUDA_TRY(cuda->cu.context_set(cuda->context), "cuCtxSetCurrent");
    CUDA_TRY(cuda->cu.event_record(cuda->begin, NULL), "cuEventRecord");
    CUDA_TRY(cuda->cu.launch(cuda->function, blocks, (unsigned)frames, 1, BLOCK_SIZE, 1, 1, 0, NULL,
                             arguments, NULL),
             "cuLaunchKernel");
    CUDA_TRY(cuda->cu.event_record(cuda->end, NULL), "cuEventRecord");
    CUDA_TRY(cuda->cu.event_synchronize(cuda->end), "cuEventSynchronize");
    CUDA_TRY(cuda->cu.event_elapsed(&milliseconds, cuda->begin, cuda->end), "cuEventElapsedTime");
    *time_s += 1e-3 * (double)milliseconds;
done:
    return status;
}

static Status cuda_create(const BackendBinding *binding, void **state)
{
    static const DeviceApi api = {.open = cuda_open,
                                  .close = cuda_close,
                                  .allocate = cuda_allocate,
                                  .upload = cuda_upload,
                                  .download = cuda_download,
                                  .launch = cuda_launch};
    return device_create(&api, binding, state);
}

const Backend backend_cuda = {.name = "cuda",
                              .label = "CUDA",
                              .title = "float, one thread per vertex and frame (NVIDIA)",
                              .color = 0xd55e00,
                              .is_device = true,
                              .is_gpu = true,
                              .probe = cuda_probe,
                              .create = cuda_create,
                              .functions = &device_functions};
