#include "methods/backends/backend.h"

static Status cuda_probe(char *text, size_t size)
{
    (void)text;
    (void)size;
    return status_make(STATUS_UNAVAILABLE, "this build runs no kernels there");
}

static Status cuda_create(const BackendBinding *binding, void **state)
{
    (void)binding;
    (void)state;
    return cuda_probe(NULL, 0);
}

const Backend backend_cuda = {.name = "cuda",
                              .title = "float, one thread per vertex and frame (NVIDIA)",
                              .probe = cuda_probe,
                              .create = cuda_create};
