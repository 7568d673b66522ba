/* The backends that run on the processor: reference, scalar, and simd, which holds one vertex per vector
 * lane. */
#include "methods/runtime/backends/host.h"

static Status host_probe(char *text, size_t size)
{
    snprintf(text, size, "this processor");
    return status_ok();
}

static Status simd_probe(char *text, size_t size)
{
    const char *levels[SIMD_LEVELS_MAX];
    int count = simd_levels_here(levels);
    if (count == 0)
        return status_make(STATUS_UNAVAILABLE, "this processor has none of the instruction-set levels "
                                               "that the program was built for");
    snprintf(text, size, "level %s", levels[count - 1]);
    return status_ok();
}

static Status plain_create(const BackendBinding *binding, void **state)
{
    const SkinningEntry *entry = binding->entry;
    return host_create(binding, binding->backend->double_precision ? entry->reference : entry->scalar, state);
}

/* Binds the kernel of the requested level, or of the best level. */
static Status simd_create(const BackendBinding *binding, void **state)
{
    const char *levels[SIMD_LEVELS_MAX];
    int count = simd_levels_here(levels);
    const char *wanted = binding->simd_level ? binding->simd_level : count ? levels[count - 1] : "any";
    for (int i = 0; i < count; i++)
        for (const HostKernel *const *row = binding->entry->simd; *row; row++)
            if (strcmp(levels[i], wanted) == 0 && strcmp((*row)->level, wanted) == 0)
                return host_create(binding, *row, state);
    bool built = false;
    for (const char *const *level = simd_levels_built; *level; level++)
        built |= strcmp(*level, wanted) == 0;
    return status_make(STATUS_UNAVAILABLE, "this %s the instruction-set level '%s'",
                       built ? "processor cannot run" : "program was not built for", wanted);
}

const Backend backend_reference = {.name = "reference",
                                   .label = "reference",
                                   .title = "double precision, plain loops, strict floating point",
                                   .color = 0x999999,
                                   .double_precision = true,
                                   .probe = host_probe,
                                   .create = plain_create,
                                   .functions = &host_functions};
const Backend backend_scalar = {.name = "scalar",
                                .label = "scalar",
                                .title = "float, one vertex at a time",
                                .color = 0x56b4e9,
                                .probe = host_probe,
                                .create = plain_create,
                                .functions = &host_functions};
const Backend backend_simd = {.name = "simd",
                              .label = "SIMD",
                              .title = "float, lanes are vertices of one joint set",
                              .color = 0x0072b2,
                              .threaded = true,
                              .takes_level = true,
                              .probe = simd_probe,
                              .create = simd_create,
                              .functions = &host_functions};
