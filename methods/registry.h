/* The methods compiled into this program: tables that CMake generates from the calls of
 * skinbench_add_method (skinbench_add_method.cmake), sorted by name. Nothing in methods/ includes this
 * header: code that runs a method takes its entry from here and passes it on. */
#pragma once

#include "methods/fitting/decomposition_method.h"
#include "methods/runtime/skinning_entry.h"

/* Terminated by a row of NULLs. */
extern const SkinningEntry skinning_registry[];
/* Terminated by NULL, with the names under which the methods were registered. */
extern const DecompositionMethod *const decomposition_registry[];
extern const char *const decomposition_names[];

/* Checks all tables; the program calls this first. Fails with STATUS_USAGE naming the first method with an
 * invalid table (skinning_method_check, decomposition_method_check), or whose name differs from that in its
 * call of skinbench_add_method and could therefore be mistaken for another. */
Status registry_check(void);

/* The direct methods in alphabetical order of name. */
int skinning_entry_count(void);
const SkinningEntry *skinning_entry_at(int index);
/* Returns NULL if no method has this name. */
const SkinningEntry *skinning_entry_find(const char *name);
/* Looks up a name given by the user. Fails with STATUS_USAGE that says what the name is instead, or which
 * name was probably meant. */
Status skinning_entry_named(const char *name, const SkinningEntry **out);
/* Returns the method that blends the first phase of two-phase skinning, lbs, or NULL if it is not
 * built in. */
const SkinningEntry *skinning_first_phase(void);

/* The same functions for decomposition methods. */
int decomposition_method_count(void);
const DecompositionMethod *decomposition_method_at(int index);
const DecompositionMethod *decomposition_method_find(const char *name);
Status decomposition_method_named(const char *name, const DecompositionMethod **out);
/* Fails with STATUS_USAGE unless a method of either kind has this name. */
Status method_name_check(const char *name);
