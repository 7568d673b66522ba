/* The tree of an FBX 7 file, text or binary. It consists of named nodes with values and children. Values
 * are decoded from the file's bytes only when needed, so unused values cost nothing. */
#pragma once

#include "datasets/base/base.h"

typedef struct FbxNode {
    const char *name, *values, *values_end; /* pointers into the bytes of the file */
    int name_length;
    int child, next; /* first child and next sibling, or -1 */
} FbxNode;

typedef struct FbxTree {
    const char *path;
    char *bytes; /* ends with a NUL */
    size_t size;
    bool binary, wide; /* wide: whether the headers of binary nodes have 64-bit numbers */
    int version;       /* version number, such as 7400 */
    FbxNode *nodes;    /* nodes [node_count]; [0] is the root */
    int node_count;
    double memory_bytes,
        made_bytes; /* limit for the total size of all arrays, and their size so far, in bytes */
} FbxTree;

/* A value: a number ('n'), a text ('s'), or a binary array of the type b, c, i, l, f or d. */
typedef struct FbxValue {
    char kind;
    double number;
    int64_t integer;
    const char *text; /* the text, or the bytes of the array */
    size_t length;    /* length of `text` in bytes */
    uint32_t count;   /* number of elements of an array */
    bool packed;      /* compressed by zlib */
} FbxValue;

/* Reads the file at `path`. The message of STATUS_BAD_INPUT says where the file is damaged, or that its
 * version is not supported. Release with fbx_tree_clear. */
Status fbx_tree_read(const char *path, FbxTree *out);
void fbx_tree_clear(FbxTree *tree);

/* Returns the first child called `name`, or -1 if there is none. Node -1 has no children. */
int fbx_child(const FbxTree *tree, int node, const char *name);

/* Whether a node has this name. */
bool fbx_named(const FbxTree *tree, int node, const char *name);

/* Reads value number `index` (from 0) of a node. Returns false if there is none. */
bool fbx_value(const FbxTree *tree, int node, int index, FbxValue *out);

/* Whether value number `index` of a node equals the text. */
bool fbx_text_is(const FbxTree *tree, int node, int index, const char *text);

/* Reads the numbers in the child `name` of a node. If there is no such child, *out is NULL and *count is 0.
 * Release with memory_free. STATUS_BAD_INPUT if an array is damaged, or if the arrays read so far take too
 * much memory. */
Status fbx_numbers(FbxTree *tree, int node, const char *name, double **out, int *count);

/* Reads up to three numbers of a property, which is a child of the object's node Properties70. Returns how
 * many were read. */
int fbx_property(const FbxTree *tree, int node, double numbers[3]);

/* Returns the first number of an object's property, or `missing` if the object lacks it. */
double fbx_number(const FbxTree *tree, int object, const char *name, double missing);
