/* Selects the solvers for this machine among those compiled for several instruction levels. */
#include "methods/decomposition/coordinate-descent/lane_solvers.h"

#ifdef LANE_LEVEL_v3
extern const LaneSolvers lane_solvers_v3;
#endif
#ifdef LANE_LEVEL_v4
extern const LaneSolvers lane_solvers_v4;
#endif

const LaneSolvers *lane_solvers(void)
{
#ifdef LANE_LEVEL_v4
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return &lane_solvers_v4;
#endif
#ifdef LANE_LEVEL_v3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lane_solvers_v3;
#endif
    return &lane_solvers_plain;
}
