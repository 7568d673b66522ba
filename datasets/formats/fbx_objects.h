/* The objects of an FBX tree and the connections between them, which say what model a mesh, a cluster or a
 * curve belongs to; and the state that the steps of reading share. */
#pragma once

#include "datasets/formats/fbx_tree.h"
#include "datasets/formats/scene.h"

typedef enum FbxKind {
    FBX_MODEL,
    FBX_MESH,
    FBX_SHAPE,
    FBX_SKIN,
    FBX_CLUSTER,
    FBX_BLEND_SHAPE,
    FBX_BLEND_CHANNEL,
    FBX_STACK,
    FBX_LAYER,
    FBX_CURVE_NODE,
    FBX_CURVE,
    FBX_KINDS
} FbxKind;

typedef struct FbxObject {
    int64_t id;
    int node;
    FbxKind kind;
    int links, leaving; /* the first link to it, and from it */
    int number;         /* of a model's node in the scene */
    int use;            /* the first morph target of a blend channel, -1: none; the uses of a curve node */
} FbxObject;

typedef struct FbxLink {
    int from, to; /* objects */
    int node;     /* of the connection, whose fourth value may name a property of `to` */
} FbxLink;

/* A morph target of an instance, which a blend channel moves. */
typedef struct FbxTarget {
    int instance, target;
    int next; /* of the same channel, -1: none */
} FbxTarget;

typedef enum FbxPlace {
    PLACE_TRANSLATION,
    PLACE_ROTATION,
    PLACE_SCALING,
    PLACE_PRE_ROTATION,
    PLACE_POST_ROTATION,
    PLACE_ROTATION_OFFSET,
    PLACE_ROTATION_PIVOT,
    PLACE_SCALING_OFFSET,
    PLACE_SCALING_PIVOT,
    PLACE_GEOMETRIC_TRANSLATION,
    PLACE_GEOMETRIC_ROTATION,
    PLACE_GEOMETRIC_SCALING,
    PLACE_ORDER,
    PLACE_INHERIT,
    PLACES
} FbxPlace;

typedef struct FbxReading {
    FbxTree tree;
    Scene *scene;
    const FormatNotes *notes;
    FbxObject *objects; /* in the order of the file */
    FbxLink *links;     /* by `to`, then in the order of the file */
    FbxLink *leaving;   /* the same by `from` */
    FbxTarget *targets;
    int object_count, link_count, target_count;
    double defaults[PLACES][3]; /* of models */
    double bytes;               /* of what has been made */
    long long corners, dropped, astray;
} FbxReading;

/* The properties of FbxPlace by their names. */
extern const char *const fbx_place_names[PLACES];

void fbx_reading_clear(FbxReading *reading);

/* Lists the objects and links of reading->tree, and reads the defaults of models. STATUS_BAD_INPUT if two
 * objects have one number. */
Status fbx_objects_list(FbxReading *reading);

/* The next link at or behind *link that leads to an object from one of a kind; false: there is none. */
bool fbx_link_from(const FbxReading *reading, int to, FbxKind kind, int *link);

/* Whether a link leads to that property. */
bool fbx_link_moves(const FbxReading *reading, const FbxLink *link, const char *property);

/* Reads the properties of an object that place it; those that it lacks stay. */
void fbx_places_read(const FbxTree *tree, int object, double places[PLACES][3]);

/* Copies an object's name: text files have its class in front of it, binary ones behind it. */
Status fbx_name_copy(const FbxReading *reading, int object, char **out);

/* STATUS_BAD_INPUT that names an object and what it is or does, and the way out. */
Status fbx_refusal(const FbxReading *reading, int object, const char *what);

/* Counts what is about to be allocated. STATUS_BAD_INPUT if all is too much for the file. */
Status fbx_memory_count(FbxReading *reading, double bytes, const char *what);
