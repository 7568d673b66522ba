/* A cell: what is run, on which data. Whether two records are of the same cell is decided here alone. */
#pragma once

#include "harness/records/record/argument.h"

typedef enum CellKind {
    CELL_SKINNING,
    CELL_DECOMPOSITION,
    CELL_STUDY, /* belongs to one row of one table */
    CELL_ROW,   /* says which data a row of a table of fits or skinning was run on */
    CELL_NOISE, /* a way to skin, timed against itself */
    CELL_PEER,  /* another program's skinning, or a plain loop, timed beside ours */
    CELL_KIND_COUNT
} CellKind;

/* "skinning", "decomposition", "study", "row", "noise", "peer". */
extern const char *const cell_kind_names[CELL_KIND_COUNT + 1]; /* NULL-terminated */

enum {
    CELL_NAME_BYTES = 192,
    CELL_METHOD_BYTES = 64,
    CELL_BACKEND_BYTES = 32,
    CELL_LEVEL_BYTES = 16,
    CELL_SHA256_BYTES = 65,
    CELL_DIGEST_BYTES = 17
};

/* A data set as results name it. */
typedef struct CellDataset {
    char name[CELL_NAME_BYTES];
    char sha256[CELL_SHA256_BYTES]; /* of the file, or of the arrays of what was generated; "": no data set */
    int vertices, triangles, frames, joints, influences;
} CellDataset;

typedef struct Cell {
    CellKind kind;
    CellDataset dataset;
    char method[CELL_METHOD_BYTES], backend[CELL_BACKEND_BYTES];
    char level[CELL_LEVEL_BYTES]; /* instruction-set level that was asked for; "": the best there is */
    Argument *parameters;         /* all of the method, with their values; of fits the task's too */
    int threads;
    int frames;              /* skinning: how many poses are skinned at once */
    bool normals, two_phase; /* skinning */
    char study[CELL_METHOD_BYTES];
    char table[CELL_METHOD_BYTES], row[CELL_NAME_BYTES]; /* the published row it is run for; "": for none */
} Cell;

void cell_clear(Cell *cell);

/* What makes two cells the same, as a text: kind, digest of the data, method, backend, level, parameters,
 * threads, frames, normals, phases, and of studies and rows the study, table and row; not names, sizes or
 * anything measured. For memory_free; NULL: out of memory. */
char *cell_key(const Cell *cell);

/* The key of a cell in 16 hexadecimal digits and a NUL; STATUS_SYSTEM: out of memory. */
Status cell_digest(const Cell *cell, char digest[CELL_DIGEST_BYTES]);

/* Whether two cells have the same way to skin: all of the key but the data and the number of poses. */
bool cell_same_setting(const Cell *a, const Cell *b);

/* "wolf: dqs hemisphere=first on simd, threads 2, normals", for people. */
void cell_format(const Cell *cell, char *text, size_t size);

/* "hemisphere=first bones=30": the parameters of a cell; where its method is built in, only those that are
 * not the default, and of a preset not what it stands for. */
void cell_parameters_format(const Cell *cell, char *text, size_t size);
/* The same without some, by name, NULL-terminated. */
void cell_parameters_without(const Cell *cell, const char *const *without, char *text, size_t size);
