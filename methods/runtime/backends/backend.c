/* The table of backends. */
#include "methods/runtime/backends/backend.h"

#include <string.h>

static const Backend *const backends[BACKEND_COUNT] = {
    [BACKEND_REFERENCE] = &backend_reference, [BACKEND_SCALAR] = &backend_scalar,
    [BACKEND_SIMD] = &backend_simd,           [BACKEND_SIMD_FRAMES] = &backend_simd_frames,
    [BACKEND_OPENCL] = &backend_opencl,       [BACKEND_CUDA] = &backend_cuda,
};

const Backend *backend_of(BackendKind kind)
{
    return backends[kind];
}

const char *backend_name(BackendKind kind)
{
    return backends[kind]->name;
}

const char *backend_title(BackendKind kind)
{
    return backends[kind]->title;
}

Status backend_find(const char *name, BackendKind *kind)
{
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (strcmp(backends[i]->name, name) == 0) {
            *kind = (BackendKind)i;
            return status_ok();
        }
    return status_make(STATUS_USAGE, "no backend '%s'; `skinbench list backends` shows what there is", name);
}

Status backend_probe(BackendKind kind, char *text, size_t size)
{
    return backends[kind]->probe(text, size);
}
