/* assimp binds skins and clips to nodes by name. Where names of an FBX or Collada file are not unique, it
 * binds all to the first of that name; these functions, for the confined process, prevent that. */
#pragma once

#include "datasets/base/memory.h"

typedef struct NameSpan {
    const char *text; /* not ended by a 0 */
    size_t length;
} NameSpan;

/* A node of an FBX file that shares its name with one before it, and the name that assimp sees in its place.
 */
typedef struct RenamedNode {
    NameSpan name, unique; /* of one length */
} RenamedNode;

typedef struct UniqueNames {
    char *bytes; /* a copy of the file with the unique names; NULL: all names are unique */
    RenamedNode *nodes;
    size_t count;
} UniqueNames;

/* Gives nodes of an FBX file unique names of the same length; its objects refer to each other by number.
 * `bytes` outlive *out. STATUS_BAD_INPUT names a name that is too short for that. Release with
 * unique_names_clear. */
Status fbx_names_make_unique(const void *bytes, size_t size, UniqueNames *out);
void unique_names_clear(UniqueNames *names);

/* The name that the file has for a node that assimp gives as `seen`. */
NameSpan unique_names_original(const UniqueNames *names, NameSpan seen);

/* STATUS_BAD_INPUT names a joint of a Collada skin that several nodes may be: in COLLADA 1.4 a skin names its
 * joints by `sid`, which is unique only below the skeleton's root. */
Status collada_joints_check(const void *bytes, size_t size);
