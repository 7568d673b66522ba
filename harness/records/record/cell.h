/* A cell: what is run and on which data. Only this file decides whether two records belong to the same
 * cell. */
#pragma once

#include "harness/records/record/argument.h"

typedef enum CellKind {
    CELL_SKINNING,
    CELL_DECOMPOSITION,
    CELL_STUDY, /* a study for one row of one table */
    CELL_ROW,   /* the data set on which a table row of fits or skinning was run */
    CELL_NOISE, /* one cell that is timed twice, to measure the noise of a run */
    CELL_PEER,  /* another program's skinning or a plain loop, timed beside ours */
    CELL_SCORE, /* a predicted rig, compared with the true one */
    CELL_KIND_COUNT
} CellKind;

/* Names of the kinds: "skinning", "decomposition", "study", "row", "noise", "peer", "score". */
extern const char *const cell_kind_names[CELL_KIND_COUNT + 1]; /* NULL-terminated */

enum {
    CELL_NAME_BYTES = 192,
    CELL_METHOD_BYTES = 64,
    CELL_BACKEND_BYTES = 32,
    CELL_LEVEL_BYTES = 16,
    CELL_SHA256_BYTES = 65,
    CELL_DIGEST_BYTES = 17
};

/* Backend of the cells that an external program ran. */
#define CELL_BACKEND_EXTERNAL "external"

/* A data set as named in results. */
typedef struct CellDataset {
    char name[CELL_NAME_BYTES];
    char sha256[CELL_SHA256_BYTES]; /* digest of the file, or of generated arrays; "": no data set */
    int vertices, triangles, frames, joints, influences;
} CellDataset;

typedef struct Cell {
    CellKind kind;
    CellDataset dataset;
    char method[CELL_METHOD_BYTES], backend[CELL_BACKEND_BYTES];
    char level[CELL_LEVEL_BYTES]; /* requested instruction-set level; "": the best available */
    Argument *parameters; /* all parameters of the method with their values; for fits also the parameters of
                             the task */
    int threads;
    int frames;              /* skinning: number of poses skinned at once */
    bool normals, two_phase; /* only for skinning */
    char study[CELL_METHOD_BYTES];
    char table[CELL_METHOD_BYTES],
        row[CELL_NAME_BYTES]; /* row of the published table for which the cell is run; "": none. Of a score,
                                 the name of the pair of rigs; `method` then names what predicted it. */
} Cell;

void cell_clear(Cell *cell);

/* Returns the text that identifies a cell. It consists of kind, digest of the data, method, backend, level,
 * parameters, threads, frames, normals and phases; for studies and rows also study, table and row. Names,
 * sizes and measurements are not part of it. Free with memory_free; NULL if out of memory. */
char *cell_key(const Cell *cell);

/* Hashes a cell's key to 16 hexadecimal digits and a NUL. STATUS_SYSTEM: out of memory. */
Status cell_digest(const Cell *cell, char digest[CELL_DIGEST_BYTES]);

/* Whether two cells skin in the same way: all parts of their keys are equal except the data and the number
 * of poses. */
bool cell_same_setting(const Cell *a, const Cell *b);

/* Describes a cell for people: "wolf: dqs hemisphere=first on simd, threads 2, normals". */
void cell_format(const Cell *cell, char *text, size_t size);

/* Writes the parameters of a cell: "hemisphere=first bones=30". If its method is built in, defaults and
 * values implied by a preset are left out. */
void cell_parameters_format(const Cell *cell, char *text, size_t size);
/* Writes the parameters without those named in `without` (NULL-terminated). */
void cell_parameters_without(const Cell *cell, const char *const *without, char *text, size_t size);
