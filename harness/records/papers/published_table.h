/* A paper's table, as stored in results/published/<name>.json (results/formats.md documents the members).
 * Published and measured numbers are never mixed. Missing texts are "" and missing numbers NAN. */
#pragma once

#include "harness/records/record/plans.h"

enum {
    PUBLISHED_PATH_BYTES = 4096,
    PUBLISHED_COLUMNS_MAX = 56,
    TABLE_NAME_BYTES = 64,
    TABLE_TEXT_BYTES = 192,
    TABLE_LIST_MAX = 40
};

/* Parameters of a method or generator, as texts "name=value". */
typedef struct TableSettings {
    const char *texts[SETTINGS_MAX];
    int count;
} TableSettings;

typedef enum SpreadStatistic { SPREAD_MINIMUM, SPREAD_MEDIAN, SPREAD_MAXIMUM } SpreadStatistic;

/* Several fits that are shown in one cell. They differ only in the value of one parameter, which runs from
 * 0 to count - 1. The statistic selects the fit that is shown. The median of an even number of fits is the
 * lower of the two in the middle. */
typedef struct TableSpread {
    char parameter[TABLE_NAME_BYTES];
    int count; /* 0: the column has one fit */
    SpreadStatistic statistic;
} TableSpread;

typedef struct TableColumn {
    char name[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES], unit[TABLE_NAME_BYTES], quantity[TABLE_NAME_BYTES];
    char place[TABLE_TEXT_BYTES];  /* place where the column's numbers are printed, if not in the table */
    char beside[TABLE_NAME_BYTES]; /* column with the paper's numbers that are shown beside the measured
                                      numbers of this column; "": this column */
    char kind_name[TABLE_NAME_BYTES];
    const struct ColumnKind *kind; /* kind of the column; if the file names none, the table's kind */
    char method[TABLE_NAME_BYTES], backend[TABLE_NAME_BYTES], level[16], study[TABLE_NAME_BYTES];
    char external[TABLE_NAME_BYTES]; /* name of an external program, which fits in place of a method */
    char stage[TABLE_NAME_BYTES];    /* name of the stage, if the quantity is a time */
    char
        relative_to[TABLE_NAME_BYTES]; /* column whose numbers divide those of this column; "": no division */
    TableSettings settings;
    TableSpread over;
    int digits;     /* significant digits to show */
    int threads;    /* number of threads; 0: the table's */
    int influences; /* largest number of bones per vertex in a fit; 0: the table's */
    int iterations; /* iterations of a fit; 0: the table's */
    int iteration;  /* iteration of a fit whose error is shown; -1: the last */
    double error;   /* E_RMS that a fit must reach with the fewest bones; NAN: the row's */
    bool extra;     /* whether we added the column, which the paper does not have */
    bool normals, two_phase;
    bool hidden; /* not requested (published_table_keep_columns) */
} TableColumn;

typedef enum TableSize {
    SIZE_VERTICES,
    SIZE_TRIANGLES,
    SIZE_FRAMES,
    SIZE_JOINTS,
    SIZE_BONES,
    SIZE_COUNT
} TableSize;

typedef struct TableRow {
    char name[TABLE_TEXT_BYTES], group[TABLE_TEXT_BYTES];
    char dataset[TABLE_TEXT_BYTES], generate[TABLE_NAME_BYTES]; /* file or generator of the row's data set; a
                                                                   row that needs no data has neither */
    char study[TABLE_NAME_BYTES];
    TableSettings settings; /* settings of the generator */
    int influences;         /* influences per vertex to which the rig is pruned; 0: no pruning */
    double sizes[SIZE_COUNT];
    double error; /* E_RMS that a fit must reach with the fewest bones, unless the column sets its own */
    Argument *parameters; /* parameters of the row's study; values of the row replace those of the table */
    double *published;    /* [column_count] */
    bool stand_in; /* whether the row is a stand-in, which is run in addition to the paper's rows and never
                      compared with them */
    bool authors;  /* whether a stand-in row uses the authors' own data */
    bool own;      /* whether `dataset` is the name of a user's own file, with its extension; such a row is a
                      stand-in that the table's file does not list */
    bool drawn;    /* whether a figure of all rows shows this row */
} TableRow;

typedef enum FigureKind {
    FIGURE_NONE,
    FIGURE_CURVES,     /* curves of studies */
    FIGURE_ITERATIONS, /* E_RMS of fits against the number of iterations; the table shows only some of the
                          iterations */
    FIGURE_STAGES,     /* E_RMS of fits against the time at which each stage ended */
    FIGURE_PUBLISHED,  /* published E_RMS beside measured E_RMS */
    FIGURE_SCATTER /* one column against another, with one series of published and one of measured values per
                      method */
} FigureKind;

typedef struct FigureCurve {
    char y[TABLE_NAME_BYTES], x[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES];
} FigureCurve;

typedef struct FigurePoints {
    char column[TABLE_NAME_BYTES], beside[TABLE_NAME_BYTES]; /* beside: another column that is drawn on the
                                                                same line of the plot; "": none */
    char against[TABLE_NAME_BYTES]; /* column on the x axis, for a scatter plot or for published points on
                                       curves */
    char title[TABLE_TEXT_BYTES];   /* title of the axis; "": title of the column */
} FigurePoints;

typedef struct FigureBound {
    double value;
    char title[TABLE_TEXT_BYTES];
} FigureBound;

typedef struct TableFigure {
    FigureKind kind;
    char name[TABLE_NAME_BYTES]; /* text that is appended to the table's name to make the figure's file name;
                                    "" for the first figure */
    char x[TABLE_NAME_BYTES], x_title[TABLE_TEXT_BYTES], y_title[TABLE_TEXT_BYTES], log[4];
    char title[TABLE_TEXT_BYTES],
        beside_title[TABLE_TEXT_BYTES]; /* titles of the two measured series in the plot's legend */
    bool per_row;
    FigureCurve curves[TABLE_LIST_MAX];
    FigurePoints points[TABLE_LIST_MAX];
    int at[TABLE_LIST_MAX];             /* iterations */
    FigureBound bounds[TABLE_LIST_MAX]; /* horizontal lines at values that the paper prints */
    int curve_count, point_count, at_count, bound_count;
} TableFigure;

enum { TABLE_FIGURES_MAX = 4 };

typedef struct PublishedTable {
    char name[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES], study[TABLE_NAME_BYTES],
        kind_name[TABLE_NAME_BYTES];
    char paper[TABLE_TEXT_BYTES], place[TABLE_TEXT_BYTES], machine[TABLE_TEXT_BYTES];
    const struct ColumnKind *kind;
    const char *notes[TABLE_LIST_MAX];
    int note_count;
    int influences, iterations, bones_max; /* for fits */
    char rest[TABLE_NAME_BYTES];           /* rest pose from which fits start; "": the method's own choice */
    int threads;                           /* for skinning */
    char backend[TABLE_NAME_BYTES];
    TableColumn *columns; /* [column_count] */
    TableRow *rows;       /* [row_count] rows of the paper, followed by the stand-ins */
    int column_count, row_count, paper_row_count;
    int added_count; /* rows that the table's file does not list, at most OWN_ROWS_MAX */
    int own_rigs;    /* largest number of a user's own rigs that are measured as well, by studies alone */
    TableFigure figure, more_figures[TABLE_FIGURES_MAX];
    int more_figure_count;
    json_t *file; /* JSON of the file, which owns the texts in lists */
} PublishedTable;

/* Frees a table, which may be NULL. */
void published_table_free(PublishedTable *table);
DEFINE_OWNED_BY(PublishedTable, published_table_free)

/* Return the column or row of that name, or NULL if there is none. */
const TableColumn *table_column_find(const PublishedTable *table, const char *name);
const TableRow *table_row_find(const PublishedTable *table, const char *name);

/* Keeps the rows named in names [count], in the table's order, and drops the other rows. Keeps all rows if
 * count is 0. STATUS_USAGE for an unknown name. */
Status published_table_keep_rows(PublishedTable *table, const char *const *names, int count);
/* Hides the columns that are not named, by their name or their heading. A heading may name several columns. A
 * hidden column may still be measured because another column needs it. */
Status published_table_keep_columns(PublishedTable *table, const char *const *names, int count);

/* Adds a row for a user's own file, which gives the row its name. Adds nothing if the row exists, if its name
 * is too long, or if OWN_ROWS_MAX rows were added. */
enum { OWN_ROWS_MAX = 64 };
Status published_table_add_own(PublishedTable *table, const char *file);

/* Adds a row for an external program beside each row that names the table's first one (parameter `external`),
 * with the same data. Adds nothing if the table has rows of this program. STATUS_USAGE if there are too many
 * rows. */
Status published_table_add_program(PublishedTable *table, const char *program);

/* Whether a row of this name can be that of a user's own file: the name ends in .h5, .glb or .gltf. */
bool table_row_is_own(const char *name);

/* Returns the number that the paper prints for a cell, or for the cell in the column named by `beside`; NAN
 * if there is none. */
double table_published(const PublishedTable *table, const TableRow *row, const TableColumn *column);
