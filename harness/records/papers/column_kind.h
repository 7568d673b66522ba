/* What the cells of a column are measured by. A kind is a row of functions; the member `kind` of a table
 * names it ("fit" where it is left out), and a column may name another for itself.
 *     fit        rows are animations, columns decompositions of them       fit_columns.c
 *     skinning   rows are rigs, columns ways to skin them                  skinning_columns.c
 *     study      rows are what a small computation of its own is run for   study_columns.c */
#pragma once

#include "harness/records/papers/cell_value.h"

typedef struct ColumnKind {
    const char *name;
    /* What a column of this kind must have; STATUS_BAD_INPUT begins with `where`. */
    Status (*check)(const char *where, const PublishedTable *table, const TableColumn *column);
    /* The record that a cell is read from; NULL: none. Borrowed. */
    const Record *(*record_find)(const TableView *view, const TableRow *row, const TableColumn *column);
    /* The number of a column in a record. */
    SampledNumber (*value)(const TableColumn *column, const Record *record);
    bool (*built_in)(const TableColumn *column); /* whether its method is; NULL: it always is */
    /* The table is printed in a part for each quantity of its columns: its title, and whether it differs from
     * machine to machine. NULL: in one part. */
    const char *(*quantity_title)(const char *quantity, bool *of_machine);
} ColumnKind;

extern const ColumnKind column_kind_fit, column_kind_skinning, column_kind_study;

/* NULL: there is none of that name. */
const ColumnKind *column_kind_find(const char *name);

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
    double published; /* NAN: none */
    SampledNumber measured;
    const Record *record; /* NULL: none */
} TableCell;

/* "measured", "missing", "no method", "skipped", "failed", "". */
const char *table_cell_state_name(TableCellState state);

/* What is known of one cell. */
TableCell table_cell_find(const TableView *view, const TableRow *row, const TableColumn *column);

/* Whether a row belongs in the table: one of the paper's always, a stand-in that is read from a file only
 * where something of it is known, so that a file that was not given is no missing number. */
bool table_row_listed(const TableView *view, const TableRow *row);

/* Divides a measured cell by another, with the interval of the ratio: samples of the same rounds pair, as
 * what slowed one down slowed the other; else each end is taken with the other's worst. Times are
 * positive. */
void table_cell_divide(TableCell *cell, const TableCell *by);

/* Whether the numbers of a column are times. */
bool column_is_time(const TableColumn *column);

/* ---- what a cell asks for ---- */

/* How many fits a column of kind fit is read from, and number `index` of them, without threads. */
int table_fit_count(const TableColumn *column);
FitPlan table_fit_cell(const PublishedTable *table, const TableRow *row, const TableColumn *column,
                       int index);

/* The way to skin of a column of kind skinning. */
Status table_skinning_plan(const PublishedTable *table, const TableColumn *column, SkinningPlan *plan);

/* The study of a cell: the column's, else the row's, else the table's. */
const char *table_study(const PublishedTable *table, const TableRow *row, const TableColumn *column);
