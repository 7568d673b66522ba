/* A triangle mesh as one file holds it (mesh_file.h). Faces of more than
 * three corners are fans from their first corner, so that the same faces always give the same triangles. */
#pragma once

#include "datasets/base/base.h"

enum { FILE_MESH_COUNT_MAX = (1 << 29) - 1 }; /* of vertices, and of triangles */

/* The frames of a sequence have the same faces, mostly byte for byte. What a text held from its first face
 * on, and what it held before its vertices where that says how faces are to be read: where both repeat, so do
 * the triangles. */
typedef struct MeshTail {
    char *text; /* [head_length + length] */
    size_t head_length, length, capacity;
    int vertices, triangles;         /* before it, and in it */
    int32_t line_before, line_after; /* line_after 0: nothing is kept */
} MeshTail;

typedef struct FileMesh {
    float *positions;        /* [vertex_count][3] */
    int32_t *triangles;      /* [triangle_count][3] vertex numbers from 0 */
    int32_t *vertex_lines;   /* [vertex_count] line each ends in, counted from 1; 0: the file has no lines */
    int32_t *triangle_lines; /* [triangle_count] */
    int32_t line_count;      /* 0: the file has no lines */
    int first_number;        /* of vertices in the file and in messages: 0 or 1 */
    int vertex_count, triangle_count;
    int vertex_capacity, triangle_capacity; /* allocated; kept when the mesh is filled again */
    MeshTail tail;
} FileMesh;

/* Empties a mesh, which may be {0}, and keeps its memory for the next one. */
void file_mesh_begin(FileMesh *mesh, int first_number);
void file_mesh_clear(FileMesh *mesh);

/* Append; `place` and `line` (0: none) are where they stand. */
Status file_mesh_vertex(FileMesh *mesh, const float position[3], const char *place, int32_t line);
Status file_mesh_triangle(FileMesh *mesh, const int32_t corners[3], const char *place, int32_t line);

/* A face whose corners come one by one, as a fan. */
typedef struct FaceFan {
    int32_t corners[3]; /* the first, the previous, the present one */
    int corner_count;
} FaceFan;
Status file_mesh_corner(FileMesh *mesh, FaceFan *fan, int32_t corner, const char *place, int32_t line);

/* A text's parts around its vertices, when these are read and `line` is reached: head [head_length] and what
 * is left of it, rest [length]. */
typedef struct MeshText {
    const char *head, *rest;
    size_t head_length, length;
    int32_t line;
} MeshText;

/* Whether the rest of a text gives the triangles of the mesh's earlier text: then they are there, and *line
 * is where the text ends. Else the text is kept for the next one. */
Status file_mesh_repeats(FileMesh *mesh, const MeshText *text, bool *repeats, int32_t *line);

/* The rest, whose first line that was, has been read up to `line`, and sound. */
void file_mesh_kept(FileMesh *mesh, int32_t line);

/* STATUS_BAD_INPUT for a corner that names no vertex. */
Status file_mesh_check(const FileMesh *mesh, const char *place);

/* STATUS_BAD_INPUT unless `mesh` has as many vertices as `first` and the same triangles; says where and what
 * differs. */
Status file_mesh_same_topology(const FileMesh *first, const char *first_place, const FileMesh *mesh,
                               const char *place);

/* "horse.obj:12", or "horse.ply" where there is no line. */
enum { MESH_PLACE_BYTES = 300 };
const char *mesh_place(char text[MESH_PLACE_BYTES], const char *place, int32_t line);
