/* Replaces the kernels of OpenBLAS, once it is loaded, through functions that no header of it declares. */
#include "datasets/base/blas_kernels.h"

#include <cblas.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* OpenBLAS reads the variable here, when it is loaded. Libraries built for a single processor lack these
 * functions. */
__attribute__((weak)) void gotoblas_dynamic_init(void);
__attribute__((weak)) void gotoblas_dynamic_quit(void);

static const char variable[] = "OPENBLAS_CORETYPE";
static bool set_here;

const char *blas_kernels_better(const char *core, bool avx2, bool avx512)
{
    /* Kernels for x86 that do not use AVX2. */
    static const char *const lesser[] = {
        "generic", "katmai",       "coppermine", "northwood", "prescott",    "banias",     "atom",
        "core2",   "penryn",       "dunnington", "nehalem",   "sandybridge", "nano",       "athlon",
        "opteron", "opteron_sse3", "barcelona",  "bobcat",    "bulldozer",   "piledriver", "steamroller"};
    for (size_t i = 0; avx2 && i < sizeof lesser / sizeof *lesser; i++)
        if (strcasecmp(core, lesser[i]) == 0)
            return avx512 ? "SkylakeX" : "Haswell";
    return NULL;
}

/* Returns the kernels that suit this processor better than those in use, or NULL. */
static const char *kernels_wanted(void)
{
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return blas_kernels_better(openblas_get_corename(), avx2, avx2 && avx512);
#else
    return NULL;
#endif
}

void blas_kernels_set(const char *name)
{
    if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || setenv(variable, name, 1) != 0)
        return;
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    unsetenv(variable);
    set_here = true;
}

/* Runs after the constructors of OpenBLAS and before main. */
__attribute__((constructor)) static void openblas_configure(void)
{
    const char *better = getenv(variable) ? NULL : kernels_wanted();
    if (better)
        blas_kernels_set(better);
    blas_threads_set(omp_get_max_threads());
}

bool blas_kernels_format(char *text, size_t size)
{
    const char *core = openblas_get_corename(), *better = kernels_wanted();
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
