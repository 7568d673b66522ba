/* The C interface between gltf_draco.c and the shared object skinbench_draco, which wraps Draco's C++
 * interface. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DRACO_ATTRIBUTES_MAX = 32 };

/* A vertex attribute, and where its values are stored in the unpacked bytes. */
typedef struct DracoAttribute {
    uint32_t id;           /* unique id in the packed mesh */
    int component, width;  /* glTF componentType, and numbers per vertex */
    size_t offset, stride; /* offset of the first vertex in `out`, and stride between vertices, in bytes */
} DracoAttribute;

/* A compressed mesh, described by its accessors in the glTF file. */
typedef struct DracoMesh {
    const unsigned char *bytes; /* [size] */
    size_t size;
    uint32_t vertex_count, triangle_count;
    int attribute_count;
    DracoAttribute attributes[DRACO_ATTRIBUTES_MAX];
} DracoMesh;

/* Unpacks a mesh. Writes the corners of the triangles as 32-bit integers to `out`, then the attributes.
 * Returns NULL on success, otherwise a text that says why the mesh cannot be unpacked ("is damaged", "has
 * 12 vertices, ..."). The callee owns the text. */
#define DRACO_UNPACK "skinbench_draco_unpack"
typedef const char *DracoUnpack(const DracoMesh *mesh, unsigned char *out);
