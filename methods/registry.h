/* The methods compiled into this program. CMake generates these tables, sorted by name, from the calls of
 * skinbench_add_method (skinbench_add_method.cmake). Nothing in methods/ includes this header: code that
 * runs a method finds its entry here and passes it on. */
#pragma once

#include "methods/fitting/decomposition_method.h"
#include "methods/runtime/skinning_entry.h"

/* The direct methods, terminated by a row of NULLs. */
extern const SkinningEntry skinning_registry[];
/* The decomposition methods, terminated by NULL, with the names under which they were registered. */
extern const DecompositionMethod *const decomposition_registry[];
extern const char *const decomposition_names[];

/* Checks all tables; the program calls this first. Fails with STATUS_USAGE and names the first method with
 * an invalid table (skinning_method_check, decomposition_method_check). A table is also invalid if its name
 * differs from the name in the call of skinbench_add_method, because the method could then be mistaken for
 * another. */
Status registry_check(void);

/* The direct methods, in alphabetical order of their names. */
int skinning_entry_count(void);
const SkinningEntry *skinning_entry_at(int index);
/* Returns the direct method with this name, or NULL if there is none. */
const SkinningEntry *skinning_entry_find(const char *name);
/* Looks up a name given by the user. Fails with STATUS_USAGE if it is not the name of a direct method; the
 * message says what the name is, or suggests a similar one. */
Status skinning_entry_named(const char *name, const SkinningEntry **out);
/* Returns the method lbs, which blends the first phase of two-phase skinning, or NULL if it is not built
 * in. */
const SkinningEntry *skinning_first_phase(void);

/* Look up a decomposition method by name, as skinning_entry_find and skinning_entry_named do for direct
 * methods. */
int decomposition_method_count(void);
const DecompositionMethod *decomposition_method_at(int index);
const DecompositionMethod *decomposition_method_find(const char *name);
Status decomposition_method_named(const char *name, const DecompositionMethod **out);
/* Fails with STATUS_USAGE unless a method of either kind has this name. */
Status method_name_check(const char *name);
