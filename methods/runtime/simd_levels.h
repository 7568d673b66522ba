/* Instruction-set levels of the simd backend: "v2", "v3" and "v4" as the x86-64 psABI defines them, "neon"
 * on aarch64, "baseline" on other processors. */
#pragma once

enum { SIMD_LEVELS_MAX = 4 };

/* Levels for which every kernel was compiled, lowest first, NULL-terminated. This list is generated. */
extern const char *const simd_levels_built[];

/* Lists the built levels that this machine can run, best last. Returns their number. */
int simd_levels_here(const char *levels[SIMD_LEVELS_MAX]);
