/* The file formats that hold a single triangle mesh (obj.c, ply.c, off.c). */
#pragma once

#include "datasets/formats/file_mesh.h"

/* A file format: its name in messages, the suffix of its file names, and two functions.
 *
 * `parse` fills `mesh` from text [length], which must be followed by a NUL and may contain NULs. `mesh` may
 * be {0} or hold an earlier mesh, whose memory is reused. `place` names the text in messages:
 * `horse/0007.obj:8432: vertex 8431 has 2 coordinates, expected 3`. Numbers are rounded to the nearest
 * float, ties to even. Values that are not finite and invalid vertex numbers are refused.
 *
 * `write` writes positions [vertex_count][3] and faces. Parsing the result gives the same floats. The
 * caller checks ferror(file). */
typedef struct MeshFileFormat {
    const char *name, *suffix;
    Status (*parse)(const char *text, size_t length, const char *place, FileMesh *mesh);
    void (*write)(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
                  int triangle_count);
} MeshFileFormat;

/* Whether a name ends in the format's suffix, ignoring case. */
bool mesh_file_suits(const MeshFileFormat *format, const char *path);

/* Reads a mesh file of any of these formats, determined by the suffix of its name. */
Status file_mesh_read(const char *path, FileMesh *mesh);

extern const MeshFileFormat obj_format, ply_format, off_format;
