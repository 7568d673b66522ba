/* Kinds of published tables: what a cell of one is measured by. A kind is a row of functions; the member
 * `kind` of a table names it ("fit" where it is left out), and a column may name another for itself. fit rows
 * are animations, columns decompositions of them      fit_table.c skinning  rows are rigs, columns ways to
 * skin them                 skinning_table.c study     rows are what a small computation of its own is run
 * for  study_table.c */
#ifndef SKINBENCH_TABLES_TABLE_KIND_H
#define SKINBENCH_TABLES_TABLE_KIND_H

#include "harness/bench/bench.h"
#include "harness/text/text_table.h"
#include <jansson.h>
#include <stdbool.h>

enum { TABLE_PARTS_MAX = 4 };

typedef struct TableKind {
    const char *name;
    /* What a column of this kind must have; STATUS_BAD_INPUT names `path`. NULL: nothing more than any. */
    Status (*column_check)(const char *path, const json_t *published, const json_t *column);
    /* Runs what the row's columns of this kind need and has it in the result file; what is settled there is
     * not run again. subject: NULL for a row without a data set. */
    Status (*row_run)(const json_t *published, const json_t *row, const Subject *subject, Bench *bench);
    /* The record that a cell is read from, among the latest; NULL: none. Borrowed. */
    const json_t *(*record_find)(const json_t *published, const json_t *row, const json_t *column,
                                 const json_t *latest);
    /* The number of a column in the record of a row; NAN: none. */
    double (*value)(const json_t *column, const json_t *record);
    bool (*built_in)(const json_t *column); /* whether its method is; NULL: it always is */
    /* As table_tell; NULL: the plain form. */
    Status (*tell)(const json_t *published, const json_t *latest, TextTable **parts, int *count);
} TableKind;

extern const TableKind table_kind_fit, table_kind_skinning, table_kind_study;

/* The kinds of a table and of one of its columns; NULL: there is none of that name. */
const TableKind *table_kind_of(const json_t *published);
const TableKind *column_kind_of(const json_t *published, const json_t *column);

typedef enum TableCellState {
    TABLE_CELL_MEASURED,
    TABLE_CELL_MISSING,   /* the data set is not there */
    TABLE_CELL_NO_METHOD, /* the method is not built in */
    TABLE_CELL_SKIPPED,   /* something else is not there: a device, a toolkit, a rig the method takes */
    TABLE_CELL_FAILED,    /* tried and failed */
    TABLE_CELL_EMPTY      /* nothing published and nothing to measure */
} TableCellState;

typedef struct TableCell {
    TableCellState state;
    double published, measured; /* NAN: none */
} TableCell;

/* "measured", "missing", "no method", "skipped", "failed", "". */
const char *table_cell_state_name(TableCellState state);

/* What is known of one cell; latest: as records_latest gives it. */
TableCell table_cell_find(const json_t *published, const json_t *row, const json_t *column,
                          const json_t *latest);

/* The record of a row under a column; NULL: none. Borrowed. */
const json_t *table_record_find(const json_t *published, const json_t *row, const json_t *column,
                                const json_t *latest);

/* The texts of an optional array `set` of name=value; those past `room` are left out. */
int settings_list(const json_t *owner, const char **settings, int room);

#endif
