/* Kinds of columns: how the cells of a column are measured. A kind is a struct of functions, named by the
 * member `kind` of a table (default "fit"); a column may name another kind.
 *   fit        rows are animations, columns decompositions of them       fit_columns.c
 *   skinning   rows are rigs, columns ways to skin them                  skinning_columns.c
 *   study      rows are the inputs of a small separate computation       study_columns.c */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/published_table.h"
#include "harness/records/record/record_numbers.h"

/* The builds of the program that measured the records read for a table: the first record that was read, and
 * the first later record that another build measured. */
typedef struct BuildsRead {
    const Record *first, *other; /* NULL if there is none */
} BuildsRead;

/* A table and the records that fill it. */
typedef struct TableView {
    const PublishedTable *table;
    const RecordView *records;
    BuildsRead *builds; /* builds of the records that were read; NULL: not tracked */
} TableView;

typedef struct ColumnKind {
    const char *name;
    /* Checks the members that a column of this kind must have. The message of STATUS_BAD_INPUT begins with
     * `where`. */
    Status (*check)(const char *where, const PublishedTable *table, const TableColumn *column);
    /* Finds the record for a cell, borrowed; NULL if there is none. */
    const Record *(*record_find)(const TableView *view, const TableRow *row, const TableColumn *column);
    /* Reads a column's number from a record. */
    SampledNumber (*value)(const TableColumn *column, const Record *record);
    bool (*built_in)(
        const TableColumn *column); /* whether this build contains the column's method; NULL: always */
    /* Returns the title of a quantity, and whether its values differ between machines. The table is printed
     * in one part per quantity; if the function is NULL, in one part. */
    const char *(*quantity_title)(const char *quantity, bool *of_machine);
} ColumnKind;

extern const ColumnKind column_kind_fit, column_kind_skinning, column_kind_study;

typedef enum TableCellState {
    TABLE_CELL_MEASURED,
    TABLE_CELL_MISSING,   /* the data set of the row is not available */
    TABLE_CELL_NO_METHOD, /* the method of the column is not built in */
    TABLE_CELL_SKIPPED,   /* a device or toolkit is missing, or the method cannot take the rig */
    TABLE_CELL_FAILED,    /* the cell was run and failed */
    TABLE_CELL_EMPTY      /* no published value and nothing to measure */
} TableCellState;

typedef struct TableCell {
    TableCellState state;
    double published; /* NAN: none */
    SampledNumber measured;
    const Record *record; /* NULL: none */
} TableCell;

/* Returns the name of a state: "measured", "missing", "no method", "skipped", "failed" or "". */
const char *table_cell_state_name(TableCellState state);

/* Finds the record and the value of one cell. */
TableCell table_cell_find(const TableView *view, const TableRow *row, const TableColumn *column);

/* Whether a row is listed in the table. The paper's own rows always are. A stand-in row whose data come
 * from a file is listed only if it has a record, so that a file that was not supplied does not appear as a
 * missing number. */
bool table_row_listed(const TableView *view, const TableRow *row);

/* Divides a measured cell by another and computes the interval of the ratio. Samples of the same round are
 * paired, because a disturbance slows both. Without such pairs, it is the sampled_ratio. */
void table_cell_divide(TableCell *cell, const TableCell *by);

/* Whether the numbers of a column are times. */
bool column_is_time(const TableColumn *column);

/* ---- the runs that a cell needs ---- */

/* Return the number of fits that a column of kind fit needs, and the plan of fit `index`, which leaves the
 * number of threads open. */
int table_fit_count(const TableColumn *column);
FitPlan table_fit_cell(const PublishedTable *table, const TableRow *row, const TableColumn *column,
                       int index);

/* Makes the skinning plan for a column of kind skinning. */
Status table_skinning_plan(const PublishedTable *table, const TableColumn *column, SkinningPlan *plan);

/* Returns the name of the study for a cell. It is named by the column, or else by the row, or else by the
 * table. */
const char *table_study(const PublishedTable *table, const TableRow *row, const TableColumn *column);

/* ---- records behind cells ---- */

/* Returns the median of samples and its interval; NAN if there are none. */
SampledNumber cell_value_samples(const double *samples, int count);

/* Remembers the build that measured a record that fills a cell. */
void table_view_note(const TableView *view, const Record *record);

/* Finds the record of kind "row" that says on which data a row was run. It connects the row to all records
 * of these data, whichever table or bench run they were made for. Returns the last such record that is ok.
 * If none is ok, returns the last one, which may say that the data are not available. NULL if the row was
 * not run or an old version did not record it. */
const Record *table_row_record(const TableView *view, const TableRow *row);
/* Returns the digest of a row's data; "" if the row was not run on any data. */
const char *table_row_digest(const TableView *view, const TableRow *row);

/* Adds the rows that the records have of a user's own rigs, which the table's file cannot list. */
Status table_add_recorded(PublishedTable *table, const RecordView *records);

/* Returns the number of vertices, triangles, frames or joints. */
double table_dataset_size(const CellDataset *dataset, TableSize size);
