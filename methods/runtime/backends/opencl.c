/* OpenCL 1.2 through the ICD loader, opened at run time. A GPU is preferred, then any other device. */
#define CL_TARGET_OPENCL_VERSION 120

#include "methods/runtime/backends/device.h"
#include "methods/runtime/backends/dynamic.h"

#include "datasets/base/memory.h"

#include <CL/cl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* One size of group, whatever the mesh: implementations compile anew for each. */
enum { PLATFORMS_MAX = 16, NAME_BYTES = 128, GROUP_SIZE = 64 };

#define OPENCL_FUNCTIONS(X)                                                                                  \
    X(clGetPlatformIDs)                                                                                      \
    X(clGetDeviceIDs)                                                                                        \
    X(clGetDeviceInfo)                                                                                       \
    X(clCreateContext)                                                                                       \
    X(clReleaseContext)                                                                                      \
    X(clCreateCommandQueue)                                                                                  \
    X(clReleaseCommandQueue)                                                                                 \
    X(clCreateProgramWithSource)                                                                             \
    X(clBuildProgram)                                                                                        \
    X(clGetProgramBuildInfo)                                                                                 \
    X(clReleaseProgram)                                                                                      \
    X(clCreateKernel)                                                                                        \
    X(clReleaseKernel)                                                                                       \
    X(clSetKernelArg)                                                                                        \
    X(clCreateBuffer)                                                                                        \
    X(clReleaseMemObject)                                                                                    \
    X(clEnqueueWriteBuffer)                                                                                  \
    X(clEnqueueReadBuffer)                                                                                   \
    X(clEnqueueNDRangeKernel)                                                                                \
    X(clWaitForEvents)                                                                                       \
    X(clGetEventProfilingInfo)                                                                               \
    X(clReleaseEvent)

/* The functions, each under its own name. */
typedef struct OpenclFunctions {
#define MEMBER(function) __typeof__(function) *function;
    OPENCL_FUNCTIONS(MEMBER)
#undef MEMBER
} OpenclFunctions;

typedef struct Opencl {
    OpenclFunctions cl;
    cl_device_id device;
    char name[NAME_BYTES];
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffers[BUFFER_COUNT];
} Opencl;

/* A failed call as a status. */
static Status opencl_failure(cl_int error, const char *call)
{
    StatusCode code = error == CL_OUT_OF_HOST_MEMORY || error == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                              error == CL_OUT_OF_RESOURCES || error == CL_INVALID_BUFFER_SIZE
                          ? STATUS_MACHINE
                          : STATUS_UNAVAILABLE;
    return status_make(code, "OpenCL: %s gives error %d", call, (int)error);
}

#define OPENCL_TRY(call, name)                                                                               \
    do {                                                                                                     \
        cl_int opencl_error = (call);                                                                        \
        if (opencl_error != CL_SUCCESS) {                                                                    \
            status = opencl_failure(opencl_error, name);                                                     \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

static Status opencl_load(OpenclFunctions *functions)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const DynamicRow rows[] = {
#define ROW(function) {#function, offsetof(OpenclFunctions, function)},
        OPENCL_FUNCTIONS(ROW)
#undef ROW
            {NULL, 0},
    };
    void *library = NULL;
    Status status;
    STATUS_TRY(dynamic_open(names, "the OpenCL loader", &library));
    STATUS_TRY(dynamic_load(library, "the OpenCL loader", rows, functions));
done:
    return status;
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
            if (opencl->cl.clGetDeviceInfo(opencl->device, CL_DEVICE_NAME, NAME_BYTES, opencl->name, NULL) !=
                CL_SUCCESS)
                snprintf(opencl->name, NAME_BYTES, "a device with a long name");
            return status_ok();
        }
    return status_make(STATUS_UNAVAILABLE, "OpenCL: %u platforms, but none has a device", platform_count);
}

static Status opencl_probe(char *text, size_t size)
{
    Opencl opencl = {.device = NULL};
    Status status;
    STATUS_TRY(opencl_load(&opencl.cl));
    STATUS_TRY(opencl_find(&opencl));
    snprintf(text, size, "%s", opencl.name);
done:
    return status;
}

/* The first line of the compiler's log as a status. */
static Status opencl_build_failure(const Opencl *opencl, const char *method)
{
    char log[STATUS_TEXT_BYTES / 2] = "";
    size_t size = 0;
    char *whole = NULL;
    if (opencl->cl.clGetProgramBuildInfo(opencl->program, opencl->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                         &size) == CL_SUCCESS &&
        (whole = memory_array(size + 1, 1)) != NULL) {
        opencl->cl.clGetProgramBuildInfo(opencl->program, opencl->device, CL_PROGRAM_BUILD_LOG, size, whole,
                                         NULL);
        snprintf(log, sizeof log, "%.*s", (int)strcspn(whole, "\n"), whole);
    }
    memory_free(whole);
    return status_make(STATUS_UNAVAILABLE, "OpenCL: %s does not compile the kernel of %s: %s", opencl->name,
                       method, log);
}

static void opencl_close(void *device)
{
    Opencl *opencl = device;
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (opencl->buffers[i])
            opencl->cl.clReleaseMemObject(opencl->buffers[i]);
    if (opencl->kernel)
        opencl->cl.clReleaseKernel(opencl->kernel);
    if (opencl->program)
        opencl->cl.clReleaseProgram(opencl->program);
    if (opencl->queue)
        opencl->cl.clReleaseCommandQueue(opencl->queue);
    if (opencl->context)
        opencl->cl.clReleaseContext(opencl->context);
    memory_free(opencl);
}

static Status opencl_open(const DeviceProgram *program, void **device)
{
    Opencl *opencl = memory_array(1, sizeof *opencl);
    if (!opencl)
        return status_out_of_memory("an OpenCL device");
    Status status = status_ok();
    cl_int error = CL_SUCCESS;
    STATUS_TRY(opencl_load(&opencl->cl));
    STATUS_TRY(opencl_find(opencl));
    opencl->context = opencl->cl.clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &error);
    OPENCL_TRY(error, "clCreateContext");
    opencl->queue =
        opencl->cl.clCreateCommandQueue(opencl->context, opencl->device, CL_QUEUE_PROFILING_ENABLE, &error);
    OPENCL_TRY(error, "clCreateCommandQueue");
    opencl->program = opencl->cl.clCreateProgramWithSource(opencl->context, 1,
                                                           (const char *[]){program->text}, NULL, &error);
    OPENCL_TRY(error, "clCreateProgramWithSource");
    if (opencl->cl.clBuildProgram(opencl->program, 1, &opencl->device, "-cl-std=CL1.2", NULL, NULL) !=
        CL_SUCCESS) {
        status = opencl_build_failure(opencl, program->name);
        goto done;
    }
    opencl->kernel = opencl->cl.clCreateKernel(opencl->program, program->entry_point, &error);
    OPENCL_TRY(error, "clCreateKernel");
    *device = opencl;
done:
    if (status.code != STATUS_OK)
        opencl_close(opencl);
    return status;
}

static Status opencl_allocate(void *device, DeviceBuffer buffer, size_t size_bytes)
{
    Opencl *opencl = device;
    Status status = status_ok();
    cl_int error = CL_SUCCESS;
    if (opencl->buffers[buffer])
        opencl->cl.clReleaseMemObject(opencl->buffers[buffer]);
    opencl->buffers[buffer] = opencl->cl.clCreateBuffer(opencl->context, CL_MEM_READ_WRITE,
                                                        size_bytes > 0 ? size_bytes : 1, NULL, &error);
    OPENCL_TRY(error, "clCreateBuffer");
    OPENCL_TRY(opencl->cl.clSetKernelArg(opencl->kernel, (cl_uint)buffer, sizeof(cl_mem),
                                         (const void *)&opencl->buffers[buffer]),
               "clSetKernelArg");
done:
    return status;
}

static Status opencl_upload(void *device, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Opencl *opencl = device;
    Status status = status_ok();
    OPENCL_TRY(opencl->cl.clEnqueueWriteBuffer(opencl->queue, opencl->buffers[buffer], CL_TRUE, 0, size_bytes,
                                               data, 0, NULL, NULL),
               "clEnqueueWriteBuffer");
done:
    return status;
}

static Status opencl_download(void *device, DeviceBuffer buffer, size_t offset_bytes, size_t size_bytes,
                              void *data)
{
    Opencl *opencl = device;
    Status status = status_ok();
    OPENCL_TRY(opencl->cl.clEnqueueReadBuffer(opencl->queue, opencl->buffers[buffer], CL_TRUE, offset_bytes,
                                              size_bytes, data, 0, NULL, NULL),
               "clEnqueueReadBuffer");
done:
    return status;
}

static Status opencl_launch(void *device, const int sizes[SIZE_COUNT], int frames, double *time_s)
{
    Opencl *opencl = device;
    Status status = status_ok();
    const size_t groups = ((size_t)sizes[SIZE_VERTICES] + GROUP_SIZE - 1) / GROUP_SIZE;
    const size_t global[2] = {groups * GROUP_SIZE, (size_t)frames}, local[2] = {GROUP_SIZE, 1};
    cl_event event = NULL;
    cl_ulong begin_ns = 0, end_ns = 0;
    for (int i = 0; i < SIZE_COUNT; i++)
        OPENCL_TRY(
            opencl->cl.clSetKernelArg(opencl->kernel, (cl_uint)(BUFFER_COUNT + i), sizeof(cl_int), &sizes[i]),
            "clSetKernelArg");
    OPENCL_TRY(opencl->cl.clEnqueueNDRangeKernel(opencl->queue, opencl->kernel, 2, NULL, global, local, 0,
                                                 NULL, &event),
               "clEnqueueNDRangeKernel");
    OPENCL_TRY(opencl->cl.clWaitForEvents(1, &event), "clWaitForEvents");
    OPENCL_TRY(opencl->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin_ns,
                                                  &begin_ns, NULL),
               "clGetEventProfilingInfo");
    OPENCL_TRY(
        opencl->cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL),
        "clGetEventProfilingInfo");
    *time_s += 1e-9 * (double)(end_ns - begin_ns);
done:
    if (event)
        opencl->cl.clReleaseEvent(event);
    return status;
}

static Status opencl_create(const BackendBinding *binding, void **state)
{
    static const DeviceApi api = {.open = opencl_open,
                                  .close = opencl_close,
                                  .allocate = opencl_allocate,
                                  .upload = opencl_upload,
                                  .download = opencl_download,
                                  .launch = opencl_launch};
    return device_create(&api, binding, state);
}

const Backend backend_opencl = {.name = "opencl",
                                .label = "OpenCL",
                                .title = "float, one work item per vertex and frame (OpenCL 1.2)",
                                .color = 0xe69f00,
                                .is_device = true,
                                .probe = opencl_probe,
                                .create = opencl_create,
                                .functions = &device_functions};
