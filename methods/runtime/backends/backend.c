/* The table of backends, and what this processor can run. */
#include "methods/runtime/backends/backend.h"
#include "methods/registry.h"

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

/* The levels as the x86-64 psABI defines them, as far as compilers can ask for their features. */
static bool level_runs(const char *level)
{
#if defined(__x86_64__)
    bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
              __builtin_cpu_supports("popcnt");
    bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
    return strcmp(level, "v4") == 0 ? v4 : strcmp(level, "v3") == 0 ? v3 : strcmp(level, "v2") == 0 && v2;
#else
    return strcmp(level, "baseline") == 0;
#endif
}

int backend_simd_levels(const char *levels[SIMD_LEVELS_MAX])
{
    int count = 0;
    for (const char *const *level = simd_levels_built; *level; level++)
        if (level_runs(*level))
            levels[count++] = *level;
    return count;
}
