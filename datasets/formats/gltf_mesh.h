/* Reads the meshes of a glTF file into a scene. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

typedef struct GltfReading {
    GltfFile file;
    Scene *scene;
    const FormatNotes *notes;
    double read_bytes;    /* total size of the arrays of the scene so far, in bytes */
    int foreign_channels; /* number of animation channels that animate something else than a property of a
                             node */
} GltfReading;

/* Counts the memory of an array before it is allocated. Returns STATUS_BAD_INPUT if the total is too large
 * for a file of this size. */
Status gltf_bytes_add(GltfReading *reading, double bytes, const char *place);

/* Copies the name of an object. An object without a name is named after its kind and number. */
Status gltf_name_copy(const json_t *object, const char *kind, int number, char **out);

enum { GLTF_TRIANGLES = 4 }; /* mode of triangle lists; strips and fans have larger numbers */

/* A primitive, with the ranges of its vertices and triangles in the mesh. For lines and points only `mode`
 * is set. */
typedef struct GltfPrimitive {
    GltfPlace place;
    json_t *object, *attributes;
    int mode, corner_count, triangle_count, set_count, target_count;
    int64_t indices; /* -1: none */
    int twin; /* earlier primitive with which this one shares its vertices; -1: it has its own vertices */
    int first_vertex, vertex_count, first_triangle;
} GltfPrimitive;

/* Reads the primitives of a mesh in order into *out [count]. Release with memory_free. */
Status gltf_primitives_open(GltfReading *reading, int mesh, GltfPrimitive **out, int *count);

/* Reads all meshes of the file into the scene. */
Status gltf_meshes_read(GltfReading *reading);
