/* The tree of an FBX 7 file, text or binary: named nodes with values and children. Values are read from the
 * file's bytes when they are asked for, so what nobody asks for costs nothing. */
#pragma once

#include "datasets/base/base.h"

typedef struct FbxNode {
    const char *name, *values, *values_end; /* in the bytes of the file */
    int name_length;
    int child, next; /* the first child and the next sibling, -1: none */
} FbxNode;

typedef struct FbxTree {
    const char *path;
    char *bytes; /* ends with a NUL */
    size_t size;
    bool binary, wide; /* wide: sizes of 64 bits in the headers of binary nodes */
    int version;       /* such as 7400 */
    FbxNode *nodes;    /* [0] is the root */
    int node_count;
    double memory_bytes, made_bytes; /* what arrays may take, and took */
} FbxTree;

/* A value: a number ('n'), a text ('s'), or a binary array of the type b, c, i, l, f or d. */
typedef struct FbxValue {
    char kind;
    double number;
    int64_t integer;
    const char *text; /* text, or the array's bytes */
    size_t length;    /* of it in bytes */
    uint32_t count;   /* elements of an array */
    bool packed;      /* by zlib */
} FbxValue;

/* Reads the file at `path`. STATUS_BAD_INPUT says where it is damaged, or that its version is not read.
 * Release with fbx_tree_clear. */
Status fbx_tree_read(const char *path, FbxTree *out);
void fbx_tree_clear(FbxTree *tree);

/* The first child of that name, -1: none. Node -1 has no children. */
int fbx_child(const FbxTree *tree, int node, const char *name);

/* Whether a node is named so. */
bool fbx_named(const FbxTree *tree, int node, const char *name);

/* The value number `index` of a node, from 0; false: there is none. */
bool fbx_value(const FbxTree *tree, int node, int index, FbxValue *out);

/* Whether a node's value number `index` is that text. */
bool fbx_text_is(const FbxTree *tree, int node, int index, const char *text);

/* The numbers of the child `name` of a node; *out is NULL, *count 0 if there is none. Release with
 * memory_free. STATUS_BAD_INPUT for damaged arrays, and if all that were read take too much memory. */
Status fbx_numbers(FbxTree *tree, int node, const char *name, double **out, int *count);

/* The numbers of a property, whose node stands in an object's Properties70: at most 3. Returns how many. */
int fbx_property(const FbxTree *tree, int node, double numbers[3]);

/* The first number of an object's property; `missing` if the object does not have it. */
double fbx_number(const FbxTree *tree, int object, const char *name, double missing);
