/* What the shared object skinbench_draco offers to gltf_draco.c: Draco's interface is C++ alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DRACO_ATTRIBUTES_MAX = 32 };

/* An attribute of the vertices, and where its values go. */
typedef struct DracoAttribute {
    uint32_t id;           /* its unique id in the packed mesh */
    int component, width;  /* componentType of glTF, and numbers of a vertex */
    size_t offset, stride; /* of the first vertex in `out`, and from one to the next */
} DracoAttribute;

/* A packed mesh of glTF: what its accessors say of it. */
typedef struct DracoMesh {
    const unsigned char *bytes; /* [size] */
    size_t size;
    uint32_t vertex_count, triangle_count;
    int attribute_count;
    DracoAttribute attributes[DRACO_ATTRIBUTES_MAX];
} DracoMesh;

/* Unpacks a mesh: 32-bit corners of the triangles from the start of `out`, then the attributes. Returns NULL,
 * or why it cannot be unpacked ("is damaged", "has 12 vertices, ..."); the text is the callee's. */
#define DRACO_UNPACK "skinbench_draco_unpack"
typedef const char *DracoUnpack(const DracoMesh *mesh, unsigned char *out);
