#include "datasets/base/blas_kernels.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char variable[] = "OPENBLAS_CORETYPE";
static const char *const names[] = {NULL, "Haswell", "SkylakeX"};
static bool set_here;

BlasKernels blas_kernels_better(const char *core, bool avx2, bool avx512)
{
    /* Kernels for x86 that do not use AVX2. */
    static const char *const lesser[] = {
        "generic", "katmai",       "coppermine", "northwood", "prescott",    "banias",     "atom",
        "core2",   "penryn",       "dunnington", "nehalem",   "sandybridge", "nano",       "athlon",
        "opteron", "opteron_sse3", "barcelona",  "bobcat",    "bulldozer",   "piledriver", "steamroller"};
    for (size_t i = 0; avx2 && i < sizeof lesser / sizeof *lesser; i++)
        if (strcasecmp(core, lesser[i]) == 0)
            return avx512 ? BLAS_KERNELS_SKYLAKEX : BLAS_KERNELS_HASWELL;
    return BLAS_KERNELS_FIT;
}

BlasKernels blas_kernels_wanted(void)
{
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return blas_kernels_better(openblas_get_corename(), avx2, avx2 && avx512);
#else
    return BLAS_KERNELS_FIT;
#endif
}

void blas_kernels_set(BlasKernels kernels)
{
    if (kernels != BLAS_KERNELS_FIT && !getenv(variable))
        set_here = setenv(variable, names[kernels], 0) == 0;
}

bool blas_kernels_format(char *text, size_t size)
{
    const char *core = openblas_get_corename(), *better = names[blas_kernels_wanted()];
    if (better)
        snprintf(text, size, "%.32s, because %s, although this processor has %s", core,
                 getenv(variable) ? "OPENBLAS_CORETYPE says so" : "OpenBLAS does not know it", better);
    else
        snprintf(text, size, "%.32s%s", core, set_here ? ", set by this program" : "");
    return !better;
}

void blas_threads_set(int threads)
{
    enum { BRINGS_ITS_OWN = 1 }; /* OpenBLAS reports 0: no threads, 1: its own threads, 2: OpenMP */
    if (openblas_get_parallel() == BRINGS_ITS_OWN)
        openblas_set_num_threads(threads);
}
