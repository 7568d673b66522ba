/* The meshes of a glTF file on their way into a scene. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

typedef struct GltfReading {
    GltfFile file;
    Scene *scene;
    const FormatNotes *notes;
    double read_bytes;    /* what the scene's arrays hold so far */
    int foreign_channels; /* of animations, which move what no node has */
} GltfReading;

/* Counts what an array takes before it is allocated. STATUS_BAD_INPUT: more than the file is expected to
 * make. */
Status gltf_bytes_add(GltfReading *reading, double bytes, const char *place);

/* The name of an object, or that of its kind with its number. */
Status gltf_name_copy(const json_t *object, const char *kind, int number, char **out);

enum { GLTF_TRIANGLES = 4 }; /* the mode of triangles, greater ones those of strips and fans */

/* A primitive, and where its vertices and triangles are in the mesh; of lines and points nothing but the
 * mode. */
typedef struct GltfPrimitive {
    GltfPlace place;
    json_t *object, *attributes;
    int mode, corner_count, triangle_count, set_count, target_count;
    int64_t indices; /* -1: none */
    int twin;        /* the earlier primitive of the mesh whose vertices it has, too; -1: they are its own */
    int first_vertex, vertex_count, first_triangle;
} GltfPrimitive;

/* The primitives of a mesh, one after the other: *out [count], for memory_free. */
Status gltf_primitives_open(GltfReading *reading, int mesh, GltfPrimitive **out, int *count);

/* Fills the scene's meshes. */
Status gltf_meshes_read(GltfReading *reading);
