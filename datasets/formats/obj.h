/* Wavefront OBJ text as a triangle mesh. Vertices and faces are read; every face is split into a fan from its
 * first corner, so that the same faces always give the same triangles. Corners may be written v, v/vt, v//vn
 * or v/vt/vn, with negative numbers counting back from the last vertex. Texture coordinates, normals, groups,
 * materials and the like are skipped. Lines may end in CR LF and continue after a backslash. */
#ifndef SKINBENCH_IO_OBJ_H
#define SKINBENCH_IO_OBJ_H

#include "datasets/base/status.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ObjMesh {
    float *positions;        /* [vertex_count][3] */
    int32_t *triangles;      /* [triangle_count][3] */
    int32_t *vertex_lines;   /* [vertex_count] line each ends in, counted from 1 */
    int32_t *triangle_lines; /* [triangle_count] */
    int32_t line_count;
    int vertex_count, triangle_count;
    int vertex_capacity, triangle_capacity; /* allocated; kept when the mesh is filled again */
} ObjMesh;

/* Fills `mesh` (which may be {0} or hold an earlier mesh, whose memory is used again) from text [length], which
 * must be followed by a NUL. `place` names the text in messages: `horse/0007.obj:8432: vertex 8431 has 2
 * coordinates, expected 3`. Numbers are rounded to the nearest float, ties to even. */
Status obj_parse(const char *text, size_t length, const char *place, ObjMesh *mesh);
void obj_mesh_clear(ObjMesh *mesh);

/* STATUS_BAD_INPUT unless `mesh` has as many vertices as `first` and the same triangles; says where and what
 * differs. */
Status obj_same_topology(const ObjMesh *first, const char *first_place, const ObjMesh *mesh,
                         const char *place);

/* Writes positions [vertex_count][3] and faces so that obj_parse gives back the same floats. The caller looks
 * at ferror(file). */
void obj_write(FILE *file, const float *positions, int vertex_count, const int32_t *triangles,
               int triangle_count);

#endif
