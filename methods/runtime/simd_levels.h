/* The instruction-set levels of the simd backends: "v2", "v3" and "v4" as the x86-64 psABI defines them,
 * "neon" on aarch64, "baseline" on other processors. */
#pragma once

enum { SIMD_LEVELS_MAX = 4 };

/* The levels that every kernel was compiled for, least first, NULL-terminated (generated). */
extern const char *const simd_levels_built[];

/* Those of them that this machine can run, best last; the count is returned. */
int simd_levels_here(const char *levels[SIMD_LEVELS_MAX]);
