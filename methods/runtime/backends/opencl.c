/* OpenCL 1.2 through the ICD loader, opened at run time. A GPU is preferred, then any other device. */
#include "methods/runtime/backends/opencl_api.h"

#include "methods/runtime/backends/device.h"
#include "methods/runtime/backends/dynamic.h"

#include "datasets/base/address_space.h"
#include "datasets/io/confined.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>

enum {
    PLATFORMS_MAX = 16,
    DELIVER_BYTES = 256 * 1024 * 1024,
    /* Copied, read and written, before what is to be cold; on a GPU its cache at least. */
    FLUSH_BYTES = 32 * 1024 * 1024
};

static const DeviceShape processor_shape = {.lanes = 8, .frames = 8, .group = 16};
static const DeviceShape gpu_shape = {.lanes = 1, .frames = 8, .group = 64, .wide_rows = true};

/* A failed call as a status. */
Status opencl_failure(cl_int error, const char *call)
{
    StatusCode code = error == CL_OUT_OF_HOST_MEMORY || error == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                              error == CL_OUT_OF_RESOURCES || error == CL_INVALID_BUFFER_SIZE
                          ? STATUS_SYSTEM
                          : STATUS_UNAVAILABLE;
    return status_make(code, "OpenCL: %s gives error %d", call, (int)error);
}

static Status opencl_load_here(OpenclFunctions *functions)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const DynamicRow rows[] = {
#define ROW(function) {#function, offsetof(OpenclFunctions, function)},
        OPENCL_FUNCTIONS(ROW)
#undef ROW
            {NULL, 0},
    };
    void *library = NULL;
    STATUS_TRY(dynamic_open(names, "the OpenCL loader", &library));
    return dynamic_load(library, "the OpenCL loader", rows, functions);
}

/* The first GPU of any platform, else the first device. */
static Status opencl_find(Opencl *opencl)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;
    errno = 0;
    cl_int error = opencl->cl.clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count);
    if (error == CL_OUT_OF_HOST_MEMORY || (error != CL_SUCCESS && errno == ENOMEM))
        return status_out_of_memory("OpenCL");
    if (error != CL_SUCCESS || platform_count == 0)
        return status_make(STATUS_UNAVAILABLE, "OpenCL: no platform is installed (an ICD, for example PoCL)");
    if (platform_count > PLATFORMS_MAX)
        platform_count = PLATFORMS_MAX;
    for (size_t type = 0; type < sizeof types / sizeof *types; type++)
        for (cl_uint i = 0; i < platform_count; i++) {
            cl_uint count = 0;
            if (opencl->cl.clGetDeviceIDs(platforms[i], types[type], 1, &opencl->device, &count) !=
                    CL_SUCCESS ||
                count == 0)
                continue;
            if (opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_NAME, OPENCL_NAME_BYTES, opencl->name,
                                           NULL) != CL_SUCCESS)
                snprintf(opencl->name, OPENCL_NAME_BYTES, "a device with a long name");
            return status_ok();
        }
    return status_make(STATUS_UNAVAILABLE, "OpenCL: %u platforms, but none has a device", platform_count);
}

/* All that a kernel needs, compiled and run once, with less address space than the program has, whose kernels
 * are larger. What is made is not released: the process ends. */
static Status opencl_run_once(void)
{
    enum { SPARE_BYTES = 128 << 20 };
    static const char *text =
        "kernel void once(global float4 *a) { a[get_global_id(0)] = exp(a[get_global_id(0)]); }";
    static const size_t one = 1;
    struct rlimit limit;
    Opencl opencl = {.device = NULL};
    cl_int error = CL_SUCCESS;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur > SPARE_BYTES) {
        limit.rlim_cur -= SPARE_BYTES;
        setrlimit(RLIMIT_AS, &limit);
    }
    setenv("POCL_KERNEL_CACHE", "0", 1); /* else it compiles nothing a second time */
    STATUS_TRY(opencl_load_here(&opencl.cl));
    STATUS_TRY(opencl_find(&opencl));
    const cl_context context = opencl.cl.clCreateContext(NULL, 1, &opencl.device, NULL, NULL, &error);
    OPENCL_TRY(error, "clCreateContext");
    const cl_command_queue queue = opencl.cl.clCreateCommandQueue(context, opencl.device, 0, &error);
    OPENCL_TRY(error, "clCreateCommandQueue");
    const cl_program program = opencl.cl.clCreateProgramWithSource(context, 1, &text, NULL, &error);
    OPENCL_TRY(error, "clCreateProgramWithSource");
    OPENCL_TRY(opencl.cl.clBuildProgram(program, 1, &opencl.device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel kernel = opencl.cl.clCreateKernel(program, "once", &error);
    OPENCL_TRY(error, "clCreateKernel");
    const cl_mem memory =
        opencl.cl.clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_float4), NULL, &error);
    OPENCL_TRY(error, "clCreateBuffer");
    OPENCL_TRY(opencl.cl.clSetKernelArg(kernel, 0, sizeof(cl_mem), (const void *)&memory), "clSetKernelArg");
    OPENCL_TRY(opencl.cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
               "clEnqueueNDRangeKernel");
    OPENCL_TRY(opencl.cl.clFinish(queue), "clFinish");
    return status_ok();
}

static void opencl_answer(void *context, void *shared)
{
    (void)context;
    *(Status *)shared = opencl_run_once();
}

/* PoCL ends the process where it gets no memory: under a limit of the address space it is tried in another
 * first, once. */
static Status opencl_try(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool tried;
    static Status found;
    if (address_space_has(SIZE_MAX / 4))
        return status_ok();
    pthread_mutex_lock(&lock);
    if (!tried) {
        const ConfinedTask task = {
            .trusted = true, .processor_s = 60.0, .shared_bytes = sizeof found, .answer = opencl_answer};
        OWNED_BY(confined_end) Confined *confined = NULL;
        found = confined_start(&task, &confined);
        found = found.code == STATUS_OK ? confined_ask(confined, NULL) : found;
        if (found.code == STATUS_OK)
            found = *(Status *)confined_shared(confined);
        if (found.code != STATUS_OK)
            found = status_make(STATUS_UNAVAILABLE,
                                "OpenCL does not run under this limit of the address space (ulimit -v): %s",
                                found.text);
        tried = true;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static Status opencl_load(OpenclFunctions *functions)
{
    STATUS_TRY(opencl_try());
    return opencl_load_here(functions);
}

static Status opencl_probe(char *text, size_t size)
{
    Opencl opencl = {.device = NULL};
    STATUS_TRY(opencl_load(&opencl.cl));
    STATUS_TRY(opencl_find(&opencl));
    snprintf(text, size, "%s", opencl.name);
    return status_ok();
}

static Status opencl_memory(double *gpu_bytes)
{
    Opencl opencl = {.device = NULL};
    cl_device_type type = CL_DEVICE_TYPE_CPU;
    cl_ulong bytes = 0;
    STATUS_TRY(opencl_load(&opencl.cl));
    STATUS_TRY(opencl_find(&opencl));
    OPENCL_TRY(opencl.cl.clGetDeviceInfo(opencl.device, CL_DEVICE_TYPE, sizeof type, &type, NULL),
               "clGetDeviceInfo");
    OPENCL_TRY(
        opencl.cl.clGetDeviceInfo(opencl.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL),
        "clGetDeviceInfo");
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

static void opencl_copied_release(Opencl *opencl)
{
    for (int i = 0; i < 2; i++)
        if (opencl->copied[i])
            opencl->cl.clReleaseMemObject(opencl->copied[i]);
    opencl->copied[0] = opencl->copied[1] = NULL;
    opencl->copied_bytes = 0;
}

static void opencl_close(void *device)
{
    Opencl *opencl = device;
    opencl_copied_release(opencl);
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

/* One context for the whole process, made when it is first needed and kept until the program ends: the first
 * device stays the first. With its last context PoCL drops its compiler, and starts it again for the next. */
static Status opencl_context(Opencl *opencl)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static cl_context context;
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!context)
        context = opencl->cl.clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &error);
    opencl->context = context;
    pthread_mutex_unlock(&lock);
    OPENCL_TRY(error, "clCreateContext");
    return status_ok();
}

/* PoCL keeps what it compiles, and compiles all of it a second time, for groups of any size, to hand it
 * out. */
static bool opencl_keeps_itself(const Opencl *opencl)
{
    const char *cache = getenv("POCL_KERNEL_CACHE");
    char version[OPENCL_NAME_BYTES];
    return opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_VERSION, sizeof version, version, NULL) ==
               CL_SUCCESS &&
           (strstr(version, "PoCL") || strstr(version, "pocl")) && !(cache && strcmp(cache, "0") == 0);
}

/* What a vector of the processor holds, as OpenCL C has vectors. */
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
    cl_int error = CL_SUCCESS;
    STATUS_TRY(opencl_load(&opencl->cl));
    STATUS_TRY(opencl_find(opencl));
    OPENCL_TRY(opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL),
               "clGetDeviceInfo");
    STATUS_TRY(opencl_context(opencl));
    opencl->queue =
        opencl->cl.clCreateCommandQueue(opencl->context, opencl->device, CL_QUEUE_PROFILING_ENABLE, &error);
    OPENCL_TRY(error, "clCreateCommandQueue");
    *shape = type & CL_DEVICE_TYPE_CPU ? processor_shape : gpu_shape;
    if (type & CL_DEVICE_TYPE_CPU)
        shape->lanes = opencl_lanes(opencl);
    opencl->flush_bytes = FLUSH_BYTES;
    opencl->keeps = !opencl_keeps_itself(opencl);
    if (!(type & CL_DEVICE_TYPE_CPU)) {
        cl_ulong cache_bytes = 0;
        OPENCL_TRY(opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
                                              sizeof cache_bytes, &cache_bytes, NULL),
                   "clGetDeviceInfo");
        opencl->flush_bytes = size_max(opencl->flush_bytes, (size_t)cache_bytes);
    }
    *device = TAKE(opencl);
    return status_ok();
}

static Status opencl_allocate(void *device, DeviceBuffer buffer, size_t size_bytes)
{
    Opencl *opencl = device;
    cl_int error = CL_SUCCESS;
    if (opencl->buffers[buffer])
        opencl->cl.clReleaseMemObject(opencl->buffers[buffer]);
    opencl->buffers[buffer] = opencl->cl.clCreateBuffer(opencl->context, CL_MEM_READ_WRITE,
                                                        size_bytes > 0 ? size_bytes : 1, NULL, &error);
    OPENCL_TRY(error, "clCreateBuffer");
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
    OPENCL_TRY(opencl->cl.clEnqueueWriteBuffer(opencl->queue, opencl->buffers[buffer], CL_TRUE, 0, size_bytes,
                                               data, 0, NULL, NULL),
               "clEnqueueWriteBuffer");
    return status_ok();
}

static Status opencl_download(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes,
                              void *data)
{
    Opencl *opencl = device;
    OPENCL_TRY(opencl->cl.clEnqueueReadBuffer(opencl->queue, opencl->buffers[buffer], CL_TRUE, offset_bytes,
                                              size_bytes, data, 0, NULL, NULL),
               "clEnqueueReadBuffer");
    return status_ok();
}

/* Adds what an event lasted. */
static Status opencl_event_time(const Opencl *opencl, cl_event event, double *time_s)
{
    cl_ulong begin_ns = 0, end_ns = 0;
    OPENCL_TRY(opencl->cl.clWaitForEvents(1, &event), "clWaitForEvents");
    OPENCL_TRY(opencl->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin_ns,
                                                  &begin_ns, NULL),
               "clGetEventProfilingInfo");
    OPENCL_TRY(
        opencl->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL),
        "clGetEventProfilingInfo");
    *time_s += 1e-9 * (double)(end_ns - begin_ns);
    return status_ok();
}

typedef struct OpenclEvents {
    const Opencl *opencl;
    cl_event events[KERNEL_VARIANTS_MAX];
    int count;
    bool finished;
} OpenclEvents;

static void opencl_events_clear(OpenclEvents *events)
{
    if (!events->finished && events->count > 0) /* nothing may run on into memory that is given back */
        events->opencl->cl.clFinish(events->opencl->queue);
    for (int i = 0; i < events->count; i++)
        events->opencl->cl.clReleaseEvent(events->events[i]);
}

static Status opencl_launch_into(const Opencl *opencl, const cl_mem *buffers, const DeviceLaunch *launch,
                                 DeviceTimes *times)
{
    CLEANUP(opencl_events_clear) OpenclEvents all = {.opencl = opencl};
    for (int variant = 0; variant < KERNEL_VARIANTS_MAX; variant++)
        if (launch->variants >> variant & 1u) {
            /* has the program of one variant run */
            const cl_kernel kernel = opencl->kernels[variant];
            const size_t group = (size_t)launch->shape.group;
            const size_t groups = ((size_t)launch->sizes[SIZE_TILES] + group - 1) / group;
            const size_t global[2] = {groups * group, (size_t)device_frame_blocks(launch)},
                         local[2] = {group, 1};
            for (int i = 0; i < BUFFER_COUNT; i++)
                OPENCL_TRY(
                    opencl->cl.clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), (const void *)&buffers[i]),
                    "clSetKernelArg");
            for (int i = 0; i < SIZE_COUNT; i++)
                OPENCL_TRY(opencl->cl.clSetKernelArg(kernel, (cl_uint)(BUFFER_COUNT + i), sizeof(cl_int),
                                                     &launch->sizes[i]),
                           "clSetKernelArg");
            OPENCL_TRY(opencl->cl.clEnqueueNDRangeKernel(opencl->queue, kernel, 2, NULL, global, local, 0,
                                                         NULL, &all.events[all.count]),
                       "clEnqueueNDRangeKernel");
            all.count++;
        }
    /* One wait for all: waking up takes as long as a small launch. */
    OPENCL_TRY(opencl->cl.clWaitForEvents((cl_uint)all.count, all.events), "clWaitForEvents");
    all.finished = true;
    for (int i = 0; i < all.count; i++)
        STATUS_TRY(opencl_event_time(opencl, all.events[i], &times->kernel_s));
    return status_ok();
}

static Status opencl_launch(void *device, const DeviceLaunch *launch, DeviceTimes *times)
{
    const Opencl *opencl = device;
    return opencl_launch_into(opencl, opencl->buffers, launch, times);
}

/* Makes the results that a kernel wrote into the caller's memory seen there. */
static Status opencl_show(const Opencl *opencl, cl_mem results, size_t size_bytes, double *time_s)
{
    cl_event event = NULL;
    cl_int error = CL_SUCCESS;
    void *shown = opencl->cl.clEnqueueMapBuffer(opencl->queue, results, CL_TRUE, CL_MAP_READ, 0, size_bytes,
                                                0, NULL, &event, &error);
    OPENCL_TRY(error, "clEnqueueMapBuffer");
    const Status timed = opencl_event_time(opencl, event, time_s);
    opencl->cl.clReleaseEvent(event);
    STATUS_TRY(timed);
    OPENCL_TRY(opencl->cl.clEnqueueUnmapMemObject(opencl->queue, results, shown, 0, NULL, NULL),
               "clEnqueueUnmapMemObject");
    return status_ok();
}

/* The caller's memory is the buffer: where the device is the processor nothing is copied. */
typedef struct OpenclResults {
    const Opencl *opencl;
    cl_mem buffers[2];
} OpenclResults;

static void opencl_results_clear(OpenclResults *results)
{
    for (int i = 0; i < 2; i++)
        if (results->buffers[i])
            results->opencl->cl.clReleaseMemObject(results->buffers[i]);
}

static Status opencl_deliver(void *device, const DeviceLaunch *launch, int threads, float *positions,
                             float *normals, DeviceTimes *times)
{
    const Opencl *opencl = device;
    const size_t frame_values = 3 * (size_t)launch->sizes[SIZE_VERTICES];
    const size_t max = DELIVER_BYTES / sizeof(float) / frame_values;
    const int batch = (int)size_max(1, size_min(max, INT_MAX)), frames = launch->sizes[SIZE_FRAMES];
    float *const targets[2] = {positions, normals};
    cl_mem buffers[BUFFER_COUNT];
    DeviceLaunch part = *launch;
    (void)threads;
    memcpy(buffers, opencl->buffers, sizeof buffers);
    for (int first = 0; first < frames; first += batch) {
        CLEANUP(opencl_results_clear) OpenclResults results = {.opencl = opencl};
        part.sizes[SIZE_FIRST_FRAME] = launch->sizes[SIZE_FIRST_FRAME] + first;
        part.sizes[SIZE_FRAMES] = int_min(frames - first, batch);
        const size_t size_bytes = (size_t)part.sizes[SIZE_FRAMES] * frame_values * sizeof(float);
        for (int i = 0; i < 2 && targets[i]; i++) {
            cl_int error = CL_SUCCESS;
            results.buffers[i] = buffers[BUFFER_OUT + i] =
                opencl->cl.clCreateBuffer(opencl->context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR,
                                          size_bytes, targets[i] + (size_t)first * frame_values, &error);
            OPENCL_TRY(error, "clCreateBuffer");
        }
        STATUS_TRY(opencl_launch_into(opencl, buffers, &part, times));
        for (int i = 0; i < 2; i++)
            if (results.buffers[i]) {
                STATUS_TRY(opencl_show(opencl, results.buffers[i], size_bytes, &times->download_s));
                OPENCL_TRY(opencl->cl.clFinish(opencl->queue), "clFinish");
            }
    }
    return status_ok();
}

static Status opencl_copy(void *device, size_t size_bytes, double *time_s)
{
    Opencl *opencl = device;
    const size_t size = size_bytes > 0 ? size_bytes : opencl->flush_bytes;
    cl_event event = NULL;
    if (size > opencl->copied_bytes) {
        opencl_copied_release(opencl);
        for (int i = 0; i < 2; i++) {
            cl_int error = CL_SUCCESS;
            opencl->copied[i] =
                opencl->cl.clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, size, NULL, &error);
            OPENCL_TRY(error, "clCreateBuffer");
        }
        opencl->copied_bytes = size;
    }
    OPENCL_TRY(opencl->cl.clEnqueueCopyBuffer(opencl->queue, opencl->copied[0], opencl->copied[1], 0, 0, size,
                                              0, NULL, &event),
               "clEnqueueCopyBuffer");
    const Status status = opencl_event_time(opencl, event, time_s);
    opencl->cl.clReleaseEvent(event);
    return status;
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

static Status opencl_create(const BackendBinding *binding, void **state)
{
    return device_create(&opencl_api, binding, state);
}

const Backend backend_opencl = {.name = "opencl",
                                .label = "OpenCL",
                                .title = "float, a work item per tile or vertex and 8 frames (OpenCL 1.2)",
                                .color = 0xe69f00,
                                .is_device = true,
                                .probe = opencl_probe,
                                .gpu_bytes = opencl_gpu_bytes,
                                .device_api = &opencl_api,
                                .create = opencl_create,
                                .functions = &device_functions};
