/* Files that hold one mesh (obj.c, ply.c, off.c), and the triangle mesh as it is read from them. A face with
 * more than three corners becomes a fan of triangles around its first corner, so that equal faces always give
 * equal triangles. */
#pragma once

#include "datasets/model/dataset.h"

enum { FILE_MESH_COUNT_MAX = (1 << 29) - 1 }; /* limit for vertices and for triangles */

/* The text of a file from its first face to the end. Most files of a sequence repeat this text byte for
 * byte; their triangles are then not parsed again. If the text before the vertices determines how faces are
 * read, it is saved too, and must also be repeated. */
typedef struct MeshTail {
    char *text; /* [head_length + length] */
    size_t head_length, length, capacity;
    int vertices, triangles; /* how many vertices come before this text, and how many triangles it holds */
    int32_t line_before, line_after; /* number of the last line before the text; number of its last line; 0:
                                        no text is saved */
} MeshTail;

typedef struct FileMesh {
    float *positions;        /* [vertex_count][3] */
    int32_t *triangles;      /* [triangle_count][3] vertex numbers from 0 */
    int32_t *vertex_lines;   /* [vertex_count] line on which each vertex ends, counted from 1; 0: the file has
                                no lines */
    int32_t *triangle_lines; /* [triangle_count] */
    int32_t line_count;      /* number of lines; 0: the file has no lines */
    int first_number;        /* number of the first vertex in the file and in messages: 0 or 1 */
    int vertex_count, triangle_count;
    int vertex_capacity, triangle_capacity; /* number of allocated rows, which are reused for the next file */
    MeshTail tail;
} FileMesh;

/* Removes all vertices and triangles from a mesh. The memory stays allocated for the next file. */
void file_mesh_begin(FileMesh *mesh, int first_number);
void file_mesh_clear(FileMesh *mesh);

/* Appends a vertex. Messages name the file `place` and the line `line` (0: no line). */
Status file_mesh_vertex(FileMesh *mesh, const float position[3], const char *place, int32_t line);

/* A face that is turned into a fan of triangles as its corners arrive. */
typedef struct FaceFan {
    int32_t corners[3]; /* first, previous and current corner */
    int corner_count;
} FaceFan;
Status file_mesh_corner(FileMesh *mesh, FaceFan *fan, int32_t corner, const char *place, int32_t line);

/* The text of a file before its vertices (head) and after them (rest). Filled in after the vertices, which
 * end on line `line`, have been read. */
typedef struct MeshText {
    const char *head, *rest;
    size_t head_length, length;
    int32_t line;
} MeshText;

/* Compares the rest of a text with the rest of the previous file of this mesh. If they are equal, restores
 * the triangles and sets *line to the last line of the text. Otherwise saves the text for the next file. */
Status file_mesh_repeats(FileMesh *mesh, const MeshText *text, bool *repeats, int32_t *line);

/* Marks the saved text as valid. Call this once its faces have been read without errors up to `line`. */
void file_mesh_kept(FileMesh *mesh, int32_t line);

/* Fills an empty mesh with copies of the vertices and triangles. */
Status file_mesh_copy(const FileMesh *from, Mesh *out);

/* Returns STATUS_BAD_INPUT if a corner of a triangle refers to a vertex that does not exist. */
Status file_mesh_check(const FileMesh *mesh, const char *place);

/* Returns STATUS_BAD_INPUT unless `mesh` has the same vertex count and the same triangles as `first`. The
 * message says where they differ. */
Status file_mesh_same_topology(const FileMesh *first, const char *first_place, const FileMesh *mesh,
                               const char *place);

/* Formats a place as "horse.obj:12", or as "horse.ply" if there is no line. */
enum { MESH_PLACE_BYTES = 300 };
const char *mesh_place(char text[MESH_PLACE_BYTES], const char *place, int32_t line);

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

/* Reads a mesh file of any of these formats, determined by the suffix of its name. */
Status file_mesh_read(const char *path, FileMesh *mesh);

extern const MeshFileFormat obj_format, ply_format, off_format;
