/* What the methods compiled into this program are: tables that CMake generates from the calls of
 * skinbench_add_method (skinbench_add_method.cmake), sorted by name. Nothing in methods/ includes this
 * header: code that runs a method takes its entry from here and hands it down. */
#pragma once

#include "methods/fitting/decomposition_method.h"
#include "methods/runtime/skinning_entry.h"

/* Closed by a row of NULLs. */
extern const SkinningEntry skinning_registry[];
/* Closed by NULL; and the names they were registered by. */
extern const DecompositionMethod *const decomposition_registry[];
extern const char *const decomposition_names[];

/* STATUS_USAGE names the first method that its author has to mend: its table is not in order
 * (skinning_method_check, decomposition_method_check), or its name is not that of its call of
 * skinbench_add_method, so that another could be taken for it. The first thing that the program does. */
Status registry_check(void);

/* The direct methods compiled in, in alphabetical order of name. */
int skinning_entry_count(void);
const SkinningEntry *skinning_entry_at(int index);
/* NULL when there is none of that name. */
const SkinningEntry *skinning_entry_find(const char *name);
/* For a name that a user gave: STATUS_USAGE says what it is instead, or which one was meant. */
Status skinning_entry_named(const char *name, const SkinningEntry **out);
/* What blends the first phase of two-phase skinning: lbs. NULL when it is not built in. */
const SkinningEntry *skinning_first_phase(void);

/* Likewise the decomposition methods. */
int decomposition_method_count(void);
const DecompositionMethod *decomposition_method_at(int index);
const DecompositionMethod *decomposition_method_find(const char *name);
Status decomposition_method_named(const char *name, const DecompositionMethod **out);
/* STATUS_USAGE unless there is a method of either kind. */
Status method_name_check(const char *name);
