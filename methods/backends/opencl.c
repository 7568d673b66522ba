#include "methods/backends/backend.h"

static Status opencl_probe(char *text, size_t size)
{
    (void)text;
    (void)size;
    return status_make(STATUS_UNAVAILABLE, "this build runs no kernels there");
}

static Status opencl_create(const BackendBinding *binding, void **state)
{
    (void)binding;
    (void)state;
    return opencl_probe(NULL, 0);
}

const Backend backend_opencl = {.name = "opencl",
                                .title = "float, one work item per vertex and frame (OpenCL 1.2)",
                                .probe = opencl_probe,
                                .create = opencl_create};
