/* The objects of an FBX tree and the connections between them. A connection tells, for example, which model
 * a mesh belongs to. The header also declares the state shared by the steps of reading. */
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
    int links, leaving; /* first link to this object; first link from this object */
    int number;         /* for a model: index of its node in the scene */
    int use;            /* for a blend channel: first morph target, or -1; for a curve node: number of uses */
} FbxObject;

typedef struct FbxLink {
    int from, to; /* objects */
    int node;     /* node of the connection in the tree; its fourth value may name a property of `to` */
    int leaving;  /* next link from the same object, or -1 */
} FbxLink;

/* A morph target of an instance, animated by a blend channel. */
typedef struct FbxTarget {
    int instance, target;
    int next; /* next target of the same blend channel, or -1 */
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
    PLACE_ROTATION_ACTIVE,
    PLACE_LIMITS_ONLY,
    PLACES
} FbxPlace;

typedef struct FbxReading {
    FbxTree tree;
    Scene *scene;
    FbxObject *objects; /* in the order of the file */
    FbxLink *links;     /* sorted by `to`; links to the same object are in the order of the file */
    FbxTarget *targets;
    int object_count, link_count, target_count;
    double defaults[PLACES][3]; /* default values of the properties of models */
    double bytes;               /* memory allocated so far */
    double ticks_per_s;         /* unit of the times of keys */
    long long corners, dropped, astray, extended;
} FbxReading;

/* Property names, indexed by FbxPlace. */
extern const char *const fbx_place_names[PLACES];

void fbx_reading_clear(FbxReading *reading);

/* Lists the objects and links of reading->tree, and reads the default properties of models.
 * STATUS_BAD_INPUT if two objects have the same identification number. */
Status fbx_objects_list(FbxReading *reading);

/* Searches the links to `object`, starting at link *link, for the first link from an object of `kind`.
 * If there is one, stores its number in *link and returns true. Otherwise returns false. */
bool fbx_link_from(const FbxReading *reading, int object, FbxKind kind, int *link);

/* Whether a link connects to the property called `name`. */
bool fbx_link_moves(const FbxReading *reading, const FbxLink *link, const char *property);

/* Reads the properties that determine the place of an object. Entries of `places` whose property is absent
 * keep their values. */
void fbx_places_read(const FbxTree *tree, int object, double places[PLACES][3]);

/* Returns the weight of a blend channel in per cent. Blender writes it as a child of the channel instead of
 * a property. */
double fbx_deform_percent(const FbxTree *tree, int channel);

/* Copies an object's name without its class. In text files the class precedes the name; in binary files it
 * follows the name. */
Status fbx_name_copy(const FbxReading *reading, int object, char **out);

/* Returns STATUS_BAD_INPUT. The message names the object, states the problem, and suggests what the user
 * can do. */
Status fbx_refusal(const FbxReading *reading, int object, const char *what);

/* Adds `bytes`, an amount of memory about to be allocated, to the memory used so far. Returns
 * STATUS_BAD_INPUT if the total is too large for a file of this size. */
Status fbx_memory_count(FbxReading *reading, double bytes, const char *what);

/* Adds a clip to the scene for every animation stack, with its layers, curves and tangents (fbx_clips.c). The
 * nodes and instances of the scene must exist already. Animated pivots, offsets or layer weights give
 * STATUS_BAD_INPUT. */
Status fbx_clips_read(FbxReading *reading);
