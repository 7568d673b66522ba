/* A triangle mesh as one file holds it (mesh_file.h). Faces of more than three corners become fans from
 * their first corner, so that the same faces always give the same triangles. */
#pragma once

#include "datasets/base/base.h"

enum { FILE_MESH_COUNT_MAX = (1 << 29) - 1 }; /* limit for vertices and for triangles */

/* The part of a text from its first face on, kept because the frames of a sequence mostly repeat it byte
 * for byte. The part before the vertices is kept, too, if it determines how faces are read. If the next
 * file repeats both, its triangles are the same and are not parsed again. */
typedef struct MeshTail {
    char *text; /* [head_length + length] */
    size_t head_length, length, capacity;
    int vertices, triangles;         /* number of vertices before it, and of triangles in it */
    int32_t line_before, line_after; /* line_after 0: no text is kept */
} MeshTail;

typedef struct FileMesh {
    float *positions;        /* [vertex_count][3] */
    int32_t *triangles;      /* [triangle_count][3] vertex numbers from 0 */
    int32_t *vertex_lines;   /* [vertex_count] line on which each ends, from 1; 0: no lines */
    int32_t *triangle_lines; /* [triangle_count] */
    int32_t line_count;      /* 0: the file has no lines */
    int first_number;        /* number of the first vertex in the file and in messages: 0 or 1 */
    int vertex_count, triangle_count;
    int vertex_capacity, triangle_capacity; /* allocated; kept when the mesh is refilled */
    MeshTail tail;
} FileMesh;

/* Empties a mesh, which may be {0}, and keeps its memory for the next one. */
void file_mesh_begin(FileMesh *mesh, int first_number);
void file_mesh_clear(FileMesh *mesh);

/* Append a vertex or a triangle. `place` and `line` (0: none) say where the file has it. */
Status file_mesh_vertex(FileMesh *mesh, const float position[3], const char *place, int32_t line);
Status file_mesh_triangle(FileMesh *mesh, const int32_t corners[3], const char *place, int32_t line);

/* A face that is turned into a fan of triangles as its corners arrive. */
typedef struct FaceFan {
    int32_t corners[3]; /* first, previous and current corner */
    int corner_count;
} FaceFan;
Status file_mesh_corner(FileMesh *mesh, FaceFan *fan, int32_t corner, const char *place, int32_t line);

/* The parts of a text around its vertices, once the vertices are read up to `line`: the head before them
 * and the rest after them. */
typedef struct MeshText {
    const char *head, *rest;
    size_t head_length, length;
    int32_t line;
} MeshText;

/* Checks whether the rest of a text repeats that of the mesh's previous file. If so, the triangles are
 * restored and *line is the last line of the text. Otherwise the text is kept for the next file. */
Status file_mesh_repeats(FileMesh *mesh, const MeshText *text, bool *repeats, int32_t *line);

/* Confirms the kept text after its faces have been read without errors up to `line`. */
void file_mesh_kept(FileMesh *mesh, int32_t line);

/* STATUS_BAD_INPUT if a corner refers to no vertex. */
Status file_mesh_check(const FileMesh *mesh, const char *place);

/* STATUS_BAD_INPUT unless `mesh` has the vertex count and the triangles of `first`. The message says where
 * they differ. */
Status file_mesh_same_topology(const FileMesh *first, const char *first_place, const FileMesh *mesh,
                               const char *place);

/* Formats a place as "horse.obj:12", or as "horse.ply" if there is no line. */
enum { MESH_PLACE_BYTES = 300 };
const char *mesh_place(char text[MESH_PLACE_BYTES], const char *place, int32_t line);
