/* Opens OpenCL's ICD loader at run time and finds a device. If the address space is limited, a child
 * process tries OpenCL first. */
#include "methods/runtime/backends/opencl_api.h"

#include "methods/runtime/backends/dynamic.h"

#include "datasets/base/address_space.h"
#include "datasets/io/confined.h"

#include <pthread.h>
#include <sys/resource.h>

enum { PLATFORMS_MAX = 16 };

/* Converts the error code of a failed call to a status. */
Status opencl_failure(cl_int error, const char *call)
{
    StatusCode code = error == CL_OUT_OF_HOST_MEMORY || error == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                              error == CL_OUT_OF_RESOURCES || error == CL_INVALID_BUFFER_SIZE
                          ? STATUS_SYSTEM
                          : STATUS_UNAVAILABLE;
    return status_make(code, "OpenCL: %s failed with error %d", call, (int)error);
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
                snprintf(opencl->name, OPENCL_NAME_BYTES, "an OpenCL device whose name is too long");
            return status_ok();
        }
    return status_make(STATUS_UNAVAILABLE, "OpenCL: none of the %u platforms has a device", platform_count);
}

/* Compiles and runs a small kernel once. First lowers the limit of the address space, because the real
 * kernels need more memory than this one. Nothing is released, because the process then ends. */
static Status opencl_run_once(void *unused, void *shared)
{
    (void)unused;
    (void)shared;
    enum { SPARE_BYTES = 128 << 20 };
    static const char *text =
        "kernel void once(global float4 *a) { a[get_global_id(0)] = exp(a[get_global_id(0)]); }";
    static const size_t one = 1;
    struct rlimit limit;
    Opencl instance = {.device = NULL}, *opencl = &instance;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    cl_mem memory = NULL;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur > SPARE_BYTES) {
        limit.rlim_cur -= SPARE_BYTES;
        setrlimit(RLIMIT_AS, &limit);
    }
    setenv("POCL_KERNEL_CACHE", "0",
           1); /* switch off PoCL's cache, because it would make the second compilation unnecessary */
    STATUS_TRY(opencl_load_here(&opencl->cl));
    STATUS_TRY(opencl_find(opencl));
    OPENCL_MAKE(context, clCreateContext, NULL, 1, &opencl->device, NULL, NULL);
    OPENCL_MAKE(queue, clCreateCommandQueue, context, opencl->device, 0);
    OPENCL_MAKE(program, clCreateProgramWithSource, context, 1, &text, NULL);
    OPENCL_TRY(clBuildProgram, program, 1, &opencl->device, "", NULL, NULL);
    OPENCL_MAKE(kernel, clCreateKernel, program, "once");
    OPENCL_MAKE(memory, clCreateBuffer, context, CL_MEM_READ_WRITE, sizeof(cl_float4), NULL);
    OPENCL_TRY(clSetKernelArg, kernel, 0, sizeof(cl_mem), (const void *)&memory);
    OPENCL_TRY(clEnqueueNDRangeKernel, queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    OPENCL_TRY(clFinish, queue);
    return status_ok();
}

/* If the address space is limited, tries OpenCL once in another process, because PoCL ends the process when
 * it gets no memory. */
static Status opencl_try(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool tried;
    static Status outcome;
    if (address_space_has(SIZE_MAX / 4))
        return status_ok();
    pthread_mutex_lock(&lock);
    if (!tried) {
        const ConfinedTask task = {.trusted = true, .processor_s = 60.0, .answer = opencl_run_once};
        OWNED_BY(confined_end) Confined *confined = NULL;
        outcome = confined_start(&task, &confined);
        outcome = outcome.code == STATUS_OK ? confined_ask(confined, "", NULL) : outcome;
        if (outcome.code != STATUS_OK)
            outcome = status_make(STATUS_UNAVAILABLE,
                                  "OpenCL does not run within the limit of the address space (ulimit -v): %s",
                                  outcome.text);
        tried = true;
    }
    pthread_mutex_unlock(&lock);
    return outcome;
}

Status opencl_load(Opencl *opencl)
{
    STATUS_TRY(opencl_try());
    STATUS_TRY(opencl_load_here(&opencl->cl));
    return opencl_find(opencl);
}
