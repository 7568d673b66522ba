/* Compiles OpenCL kernels and caches compiled programs on disk. */
#include "methods/runtime/backends/opencl_api.h"

#include "methods/runtime/kernel_cache.h"

/* Options that relax floating point in the same way as for the host's vector loops. They affect only
 * results with infinities and the signs of zeros. */
static const char COMPILE_OPTIONS[] =
    "-w -cl-std=CL1.2 -cl-mad-enable -cl-no-signed-zeros -cl-finite-math-only";

static bool opencl_build(const Opencl *opencl, cl_program program)
{
    return opencl->cl.clBuildProgram(program, 1, &opencl->device, COMPILE_OPTIONS, NULL, NULL) == CL_SUCCESS;
}

/* Loads a program from the cache. *out is NULL if the program is not in the cache or the driver
 * rejects it. */
static Status opencl_load_kept(const Opencl *opencl, const char *key, cl_program *out)
{
    const unsigned char *code = NULL;
    OWNED void *kept = NULL;
    size_t size = 0;
    cl_int error = CL_SUCCESS;
    *out = NULL;
    STATUS_TRY(kernel_cache_load(key, &kept, &size));
    if (!kept)
        return status_ok();
    code = kept;
    cl_program program =
        opencl->cl.clCreateProgramWithBinary(opencl->context, 1, &opencl->device, &size, &code, NULL, &error);
    if (error == CL_SUCCESS && opencl_build(opencl, program))
        *out = program;
    else if (program)
        opencl->cl.clReleaseProgram(program);
    return status_ok();
}

/* Stores a compiled program in the cache if the driver provides its code. */
static Status opencl_keep(const Opencl *opencl, const char *key, cl_program program)
{
    size_t size = 0;
    if (opencl->cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) !=
            CL_SUCCESS ||
        size == 0)
        return status_ok();
    LOCAL_ARRAY(unsigned char, code, size, "a compiled kernel");
    if (opencl->cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof code, &code, NULL) == CL_SUCCESS)
        return kernel_cache_store(key, code, size);
    return status_ok();
}

Status opencl_compile(void *device, const char *name, const char *text, int variant)
{
    Opencl *opencl = device;
    char key[SHA256_TEXT_BYTES];
    cl_int error = CL_SUCCESS;
    /* compute the key of this program for this device's compiler */
    static const cl_device_info facts[] = {CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    enum { FACTS = sizeof facts / sizeof *facts };
    char said[FACTS][OPENCL_NAME_BYTES];
    for (int i = 0; i < FACTS; i++)
        if (opencl->cl.clGetDeviceInfo(opencl->device, facts[i], OPENCL_NAME_BYTES, said[i], NULL) !=
            CL_SUCCESS)
            said[i][0] = '\0';
    kernel_cache_key(
        (const char *const[]){"OpenCL", opencl->name, said[0], said[1], said[2], COMPILE_OPTIONS, text, NULL},
        key);
    if (opencl->keeps)
        STATUS_TRY(opencl_load_kept(opencl, key, &opencl->programs[variant]));
    if (!opencl->programs[variant]) {
        const cl_program program =
            opencl->cl.clCreateProgramWithSource(opencl->context, 1, (const char *[]){text}, NULL, &error);
        OPENCL_CHECK(error, "clCreateProgramWithSource");
        opencl->programs[variant] = program;
        if (!opencl_build(opencl, program)) {
            /* return the first line of the compiler's log as a status */
            char log[STATUS_TEXT_BYTES / 2] = "";
            size_t size = 0;
            OWNED char *whole = NULL;
            if (opencl->cl.clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                                 &size) == CL_SUCCESS &&
                (whole = memory_array(size + 1, 1)) != NULL) {
                opencl->cl.clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, size, whole,
                                                 NULL);
                snprintf(log, sizeof log, "%.*s", (int)strcspn(whole, "\n"), whole);
            }
            return status_make(STATUS_UNAVAILABLE, "OpenCL: %s cannot compile the kernel of %s: %s",
                               opencl->name, name, log);
        }
        if (opencl->keeps)
            STATUS_TRY(opencl_keep(opencl, key, program));
    }
    opencl->kernels[variant] =
        opencl->cl.clCreateKernel(opencl->programs[variant], DEVICE_ENTRY_POINT, &error);
    OPENCL_CHECK(error, "clCreateKernel");
    return status_ok();
}
