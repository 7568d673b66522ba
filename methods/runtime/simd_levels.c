#include "methods/runtime/simd_levels.h"

#include "datasets/base/base.h"

/* Returns whether this machine has the features of a level, as far as compilers can query them. */
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
#elif defined(__aarch64__)
    return strcmp(level, "neon") == 0; /* every aarch64 processor has neon */
#else
    return strcmp(level, "baseline") == 0;
#endif
}

int simd_levels_here(const char *levels[SIMD_LEVELS_MAX])
{
    int count = 0;
    for (const char *const *level = simd_levels_built; *level; level++)
        if (level_runs(*level))
            levels[count++] = *level;
    return count;
}
