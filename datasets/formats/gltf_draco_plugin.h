/* The C interface of the shared object skinbench_draco to gltf_draco.c. Draco itself has only a C++
 * interface. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DRACO_ATTRIBUTES_MAX = 32 };

/* A vertex attribute, and where its values are written. */
typedef struct DracoAttribute {
    uint32_t id;           /* unique id in the packed mesh */
    int component, width;  /* glTF componentType, and numbers per vertex */
    size_t offset, stride; /* of the first vertex in `out`, and between vertices */
} DracoAttribute;

/* A packed mesh of glTF, as its accessors describe it. */
typedef struct DracoMesh {
    const unsigned char *bytes; /* [size] */
    size_t size;
    uint32_t vertex_count, triangle_count;
    int attribute_count;
    DracoAttribute attributes[DRACO_ATTRIBUTES_MAX];
} DracoMesh;

/* Unpacks a mesh. `out` receives the corners of the triangles as 32-bit integers from its start, then the
 * attributes. Returns NULL, or the reason why the mesh cannot be unpacked ("is damaged", "has 12 vertices,
 * ..."). The callee owns that text. */
#define DRACO_UNPACK "skinbench_draco_unpack"
typedef const char *DracoUnpack(const DracoMesh *mesh, unsigned char *out);
