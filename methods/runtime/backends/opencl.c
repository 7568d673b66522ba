/* OpenCL 1.2 devices: their buffers, launches and copies. */
#include "methods/runtime/backends/opencl_api.h"

#include <pthread.h>

enum {
    DELIVER_BYTES = 256 * 1024 * 1024,
    /* Bytes copied to flush the caches before a cold run; on a GPU at least the size of its cache. */
    FLUSHED_BYTES = 32 * 1024 * 1024
};

static const DeviceShape processor_shape = {.lanes = 8, .reals = 1, .frames = 8, .group = 16};
static const DeviceShape gpu_shape = {.lanes = 1, .reals = 4, .frames = 4, .group = 64, .wide_rows = true};

static Status opencl_probe(char *text, size_t size)
{
    Opencl instance = {.device = NULL}, *opencl = &instance;
    STATUS_TRY(opencl_load(opencl));
    snprintf(text, size, "%s", opencl->name);
    return status_ok();
}

static Status opencl_memory(double *gpu_bytes)
{
    Opencl instance = {.device = NULL}, *opencl = &instance;
    cl_device_type type = CL_DEVICE_TYPE_CPU;
    cl_ulong bytes = 0;
    STATUS_TRY(opencl_load(opencl));
    OPENCL_TRY(clGetDeviceInfo, opencl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    OPENCL_TRY(clGetDeviceInfo, opencl->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (type & CL_DEVICE_TYPE_GPU)
        *gpu_bytes = (double)bytes;
    return status_ok();
}

static double opencl_gpu_bytes(void)
{
    double bytes = 0.0;
    (void)opencl_memory(&bytes);
    return bytes;
}

static void opencl_release(const Opencl *opencl, cl_mem pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i])
            opencl->cl.clReleaseMemObject(pair[i]);
        pair[i] = NULL;
    }
}

static void opencl_close(void *device)
{
    Opencl *opencl = device;
    opencl_release(opencl, opencl->copied);
    opencl_release(opencl, opencl->results);
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (opencl->buffers[i])
            opencl->cl.clReleaseMemObject(opencl->buffers[i]);
    for (int i = 0; i < KERNEL_VARIANTS_MAX; i++) {
        if (opencl->kernels[i])
            opencl->cl.clReleaseKernel(opencl->kernels[i]);
        if (opencl->programs[i])
            opencl->cl.clReleaseProgram(opencl->programs[i]);
    }
    if (opencl->queue)
        opencl->cl.clReleaseCommandQueue(opencl->queue);
    memory_free(opencl);
}
DEFINE_OWNED_BY(Opencl, opencl_close)

/* Returns whether the OpenCL implementation caches compiled programs itself, as PoCL does. Programs of PoCL
 * are not stored in our cache, because PoCL would have to compile them a second time, for work groups of
 * any size. */
static bool opencl_keeps_itself(const Opencl *opencl)
{
    const char *cache = getenv("POCL_KERNEL_CACHE");
    char version[OPENCL_NAME_BYTES];
    return opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_VERSION, sizeof version, version, NULL) ==
               CL_SUCCESS &&
           (strstr(version, "PoCL") || strstr(version, "pocl")) && !(cache && strcmp(cache, "0") == 0);
}

/* Returns the number of floats in a vector of the processor. It is one of OpenCL C's vector widths. */
static int opencl_lanes(const Opencl *opencl)
{
    cl_uint width = 0;
    const bool known = opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
                                                  sizeof width, &width, NULL) == CL_SUCCESS;
    if (known && width >= 16)
        return 16;
    return known && width < 8 ? 4 : 8;
}

static Status opencl_open(void **device, DeviceShape *shape)
{
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    OWNED_BY(opencl_close) Opencl *opencl = NULL;
    ALLOCATE(opencl, 1, "an OpenCL device");
    STATUS_TRY(opencl_load(opencl));
    OPENCL_TRY(clGetDeviceInfo, opencl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    /* All skinners share one context, which is created on first use and lives until the program ends. They
     * therefore use the same device, and PoCL does not restart its compiler for each context. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static cl_context context;
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!context)
        context = opencl->cl.clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &error);
    opencl->context = context;
    pthread_mutex_unlock(&lock);
    OPENCL_CHECK(error, "clCreateContext");
    OPENCL_MAKE(opencl->queue, clCreateCommandQueue, opencl->context, opencl->device,
                CL_QUEUE_PROFILING_ENABLE);
    opencl->on_host = (type & CL_DEVICE_TYPE_CPU) != 0;
    *shape = opencl->on_host ? processor_shape : gpu_shape;
    if (opencl->on_host)
        shape->lanes = opencl_lanes(opencl);
    opencl->flush_bytes = FLUSHED_BYTES;
    opencl->keeps = !opencl_keeps_itself(opencl);
    if (!opencl->on_host) {
        cl_ulong cache_bytes = 0;
        OPENCL_TRY(clGetDeviceInfo, opencl->device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache_bytes,
                   &cache_bytes, NULL);
        opencl->flush_bytes = size_max(opencl->flush_bytes, (size_t)cache_bytes);
    }
    *device = TAKE(opencl);
    return status_ok();
}

static Status opencl_allocate(void *device, DeviceBuffer buffer, size_t size_bytes)
{
    Opencl *opencl = device;
    if (opencl->buffers[buffer])
        opencl->cl.clReleaseMemObject(opencl->buffers[buffer]);
    OPENCL_MAKE(opencl->buffers[buffer], clCreateBuffer, opencl->context, CL_MEM_READ_WRITE,
                size_bytes > 0 ? size_bytes : 1, NULL);
    return status_ok();
}

static void *opencl_host_allocate(void *device, size_t size_bytes)
{
    (void)device;
    return memory_array(size_bytes, 1);
}

static void opencl_host_release(void *device, void *memory)
{
    (void)device;
    memory_free(memory);
}

static Status opencl_upload(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Opencl *opencl = device;
    OPENCL_TRY(clEnqueueWriteBuffer, opencl->queue, opencl->buffers[buffer], CL_TRUE, 0, size_bytes, data, 0,
               NULL, NULL);
    return status_ok();
}

static Status opencl_download(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes,
                              void *data)
{
    Opencl *opencl = device;
    OPENCL_TRY(clEnqueueReadBuffer, opencl->queue, opencl->buffers[buffer], CL_TRUE, offset_bytes, size_bytes,
               data, 0, NULL, NULL);
    return status_ok();
}

/* The event of a command. */
typedef struct OpenclEvent {
    const Opencl *opencl;
    cl_event event;
} OpenclEvent;

/* Waits until nothing uses the command's memory any more, because it may be released next. */
static void opencl_event_clear(OpenclEvent *event)
{
    if (!event->event)
        return;
    event->opencl->cl.clWaitForEvents(1, &event->event);
    event->opencl->cl.clReleaseEvent(event->event);
}

/* Waits for a command and adds its duration to *time_s. */
static Status opencl_event_time(const OpenclEvent *event, double *time_s)
{
    const Opencl *opencl = event->opencl;
    cl_ulong begin_ns = 0, end_ns = 0;
    OPENCL_TRY(clWaitForEvents, 1, &event->event);
    OPENCL_TRY(clGetEventProfilingInfo, event->event, CL_PROFILING_COMMAND_START, sizeof begin_ns, &begin_ns,
               NULL);
    OPENCL_TRY(clGetEventProfilingInfo, event->event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL);
    *time_s += 1e-9 * (double)(end_ns - begin_ns);
    return status_ok();
}

/* Starts the kernel. The caller releases its event by opencl_event_clear. */
static Status opencl_start(const Opencl *opencl, const cl_mem *buffers, const DeviceLaunch *launch,
                           cl_event *event)
{
    const cl_kernel kernel = opencl->kernels[launch->variant];
    const size_t group = (size_t)launch->shape.group;
    const size_t groups = (device_items(launch) + group - 1) / group;
    const size_t global[2] = {groups * group, (size_t)device_frame_blocks(launch)}, local[2] = {group, 1};
    for (int i = 0; i < BUFFER_COUNT; i++)
        OPENCL_TRY(clSetKernelArg, kernel, (cl_uint)i, sizeof(cl_mem), (const void *)&buffers[i]);
    for (int i = 0; i < DEVICE_SIZE_COUNT; i++)
        OPENCL_TRY(clSetKernelArg, kernel, (cl_uint)(BUFFER_COUNT + i), sizeof(cl_int), &launch->sizes[i]);
    OPENCL_TRY(clEnqueueNDRangeKernel, opencl->queue, kernel, 2, NULL, global, local, 0, NULL, event);
    return status_ok();
}

static Status opencl_launch(void *device, const DeviceLaunch *launch, DeviceTimes *times)
{
    const Opencl *opencl = device;
    CLEANUP(opencl_event_clear) OpenclEvent kernel = {opencl, NULL};
    STATUS_TRY(opencl_start(opencl, opencl->buffers, launch, &kernel.event));
    return opencl_event_time(&kernel, &times->kernel_s);
}

/* Makes the buffers for results of a delivery. A processor writes to the caller's memory. */
static Status opencl_results(Opencl *opencl, size_t size_bytes, float *const targets[2])
{
    if (!opencl->on_host && size_bytes <= opencl->result_bytes && (opencl->results[1] || !targets[1]))
        return status_ok();
    opencl_release(opencl, opencl->results);
    opencl->result_bytes = 0;
    for (int i = 0; i < 2 && targets[i]; i++)
        OPENCL_MAKE(opencl->results[i], clCreateBuffer, opencl->context,
                    CL_MEM_WRITE_ONLY | (opencl->on_host ? CL_MEM_USE_HOST_PTR : 0), size_bytes,
                    opencl->on_host ? targets[i] : NULL);
    opencl->result_bytes = size_bytes;
    return status_ok();
}

static Status opencl_deliver(void *device, const DeviceLaunch *launch, float *positions, float *normals,
                             DeviceTimes *times)
{
    Opencl *opencl = device;
    const size_t frame_values = 3 * (size_t)launch->sizes[DEVICE_SIZE_VERTICES];
    const size_t max = DELIVER_BYTES / sizeof(float) / frame_values;
    const int batch = (int)size_max(1, size_min(max, INT_MAX)), frames = launch->sizes[DEVICE_SIZE_FRAMES];
    for (int first = 0; first < frames; first += batch) {
        const size_t offset = (size_t)first * frame_values;
        float *const targets[2] = {positions + offset, normals ? normals + offset : NULL};
        cl_mem buffers[BUFFER_COUNT];
        DeviceLaunch part = *launch;
        part.sizes[DEVICE_SIZE_FIRST_FRAME] += first;
        part.sizes[DEVICE_SIZE_FRAMES] = int_min(frames - first, batch);
        const size_t size_bytes = (size_t)part.sizes[DEVICE_SIZE_FRAMES] * frame_values * sizeof(float);
        STATUS_TRY(opencl_results(opencl, size_bytes, targets));
        memcpy(buffers, opencl->buffers, sizeof buffers);
        for (int i = 0; i < 2 && targets[i]; i++)
            buffers[BUFFER_OUT + i] = opencl->results[i];
        CLEANUP(opencl_event_clear) OpenclEvent kernel = {opencl, NULL};
        STATUS_TRY(opencl_start(opencl, buffers, &part, &kernel.event));
        for (int i = 0; i < 2 && targets[i]; i++) {
            CLEANUP(opencl_event_clear) OpenclEvent copy = {opencl, NULL};
            OPENCL_TRY(clEnqueueReadBuffer, opencl->queue, opencl->results[i], CL_TRUE, 0, size_bytes,
                       targets[i], 0, NULL, &copy.event);
            STATUS_TRY(opencl_event_time(&copy, &times->download_s));
        }
        STATUS_TRY(opencl_event_time(&kernel, &times->kernel_s));
    }
    return status_ok();
}

static Status opencl_copy(void *device, size_t size_bytes, double *time_s)
{
    Opencl *opencl = device;
    const size_t size = size_bytes > 0 ? size_bytes : opencl->flush_bytes;
    CLEANUP(opencl_event_clear) OpenclEvent copy = {opencl, NULL};
    if (size > opencl->copied_bytes) {
        opencl_release(opencl, opencl->copied);
        opencl->copied_bytes = 0;
        for (int i = 0; i < 2; i++)
            OPENCL_MAKE(opencl->copied[i], clCreateBuffer, opencl->context, CL_MEM_READ_WRITE, size, NULL);
        opencl->copied_bytes = size;
    }
    OPENCL_TRY(clEnqueueCopyBuffer, opencl->queue, opencl->copied[0], opencl->copied[1], 0, 0, size, 0, NULL,
               &copy.event);
    return opencl_event_time(&copy, time_s);
}

static const DeviceApi opencl_api = {.open = opencl_open,
                                     .close = opencl_close,
                                     .compile = opencl_compile,
                                     .allocate = opencl_allocate,
                                     .host_allocate = opencl_host_allocate,
                                     .host_release = opencl_host_release,
                                     .upload = opencl_upload,
                                     .download = opencl_download,
                                     .launch = opencl_launch,
                                     .deliver = opencl_deliver,
                                     .copy = opencl_copy};

const Backend backend_opencl = {
    .name = "opencl",
    .label = "OpenCL",
    .title = "float, one work item per tile of vertices and 4 or 8 frames (OpenCL 1.2)",
    .color = 0xe69f00,
    .is_device = true,
    .probe = opencl_probe,
    .gpu_bytes = opencl_gpu_bytes,
    .device_api = &opencl_api,
    .create = device_create,
    .functions = &device_functions};
