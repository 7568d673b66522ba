/* Declarations shared by the files of the OpenCL backend: the functions of the loader, and an open
 * device. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120

#include "methods/runtime/backends/device_binding.h"

#include <CL/cl.h>

enum { OPENCL_NAME_BYTES = 128 };

#define OPENCL_FUNCTIONS(X)                                                                                  \
    X(clGetPlatformIDs)                                                                                      \
    X(clGetDeviceIDs)                                                                                        \
    X(clGetDeviceInfo)                                                                                       \
    X(clCreateContext)                                                                                       \
    X(clCreateCommandQueue)                                                                                  \
    X(clReleaseCommandQueue)                                                                                 \
    X(clCreateProgramWithSource)                                                                             \
    X(clCreateProgramWithBinary)                                                                             \
    X(clGetProgramInfo)                                                                                      \
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
    X(clEnqueueCopyBuffer)                                                                                   \
    X(clEnqueueNDRangeKernel)                                                                                \
    X(clWaitForEvents)                                                                                       \
    X(clGetEventProfilingInfo)                                                                               \
    X(clFinish)                                                                                              \
    X(clReleaseEvent)

/* Pointers to the OpenCL functions, each under the function's name. */
typedef struct OpenclFunctions {
#define MEMBER(function) __typeof__(function) *function;
    OPENCL_FUNCTIONS(MEMBER)
#undef MEMBER
} OpenclFunctions;

typedef struct Opencl {
    OpenclFunctions cl;
    cl_device_id device;
    char name[OPENCL_NAME_BYTES];
    cl_context context;
    cl_command_queue queue;
    cl_program programs[KERNEL_VARIANTS_MAX];
    cl_kernel kernels[KERNEL_VARIANTS_MAX];
    cl_mem buffers[BUFFER_COUNT];
    cl_mem results[2]; /* positions and normals in file order, before they are copied to the host */
    size_t result_bytes;
    cl_mem copied[2]; /* source and destination of copies that measure bandwidth */
    size_t copied_bytes, flush_bytes;
    bool on_host; /* whether the device is a processor, which shares the memory of the host */
    bool keeps;   /* whether compiled programs are cached on disk */
} Opencl;

/* Converts the error code of a failed call to a status. */
Status opencl_failure(cl_int error, const char *call);

#define OPENCL_CHECK(error, name)                                                                            \
    do {                                                                                                     \
        const cl_int opencl_error = (error);                                                                 \
        if (opencl_error != CL_SUCCESS)                                                                      \
            return opencl_failure(opencl_error, name);                                                       \
    } while (0)

/* OPENCL_TRY calls a function of `opencl` and returns on failure. OPENCL_MAKE also stores the object that
 * the function creates. */
#define OPENCL_TRY(function, ...) OPENCL_CHECK(opencl->cl.function(__VA_ARGS__), #function)
#define OPENCL_MAKE(object, function, ...)                                                                   \
    do {                                                                                                     \
        cl_int opencl_made = CL_SUCCESS;                                                                     \
        (object) = opencl->cl.function(__VA_ARGS__, &opencl_made);                                           \
        OPENCL_CHECK(opencl_made, #function);                                                                \
    } while (0)

/* Opens the loader, and finds a device and its name: the first GPU of any platform, or the first device if
 * there is no GPU. Fails with STATUS_UNAVAILABLE if no loader or device is installed, or OpenCL does not run
 * within the process's memory limit. */
Status opencl_load(Opencl *opencl);

/* Compiles a program (device_program) for a variant and stores the kernel in opencl->kernels. `name` is the
 * method's name for messages. If the program does not compile, fails with STATUS_UNAVAILABLE and the first
 * line of the compiler's log. */
Status opencl_compile(void *device, const char *name, const char *text, int variant);
