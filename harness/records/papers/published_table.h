/* A paper's table, as stored in results/published/<name>.json (results/formats.md documents the members).
 * Published and measured numbers are never mixed. Missing texts are "" and missing numbers NAN. */
#pragma once

#include "harness/records/record/plans.h"

enum {
    PUBLISHED_PATH_BYTES = 4096,
    PUBLISHED_COLUMNS_MAX = 40,
    TABLE_NAME_BYTES = 64,
    TABLE_TEXT_BYTES = 192,
    TABLE_LIST_MAX = 40
};

/* Texts name=value with the parameters of a method or generator. */
typedef struct TableSettings {
    const char *texts[SETTINGS_MAX];
    int count;
} TableSettings;

typedef enum SpreadStatistic { SPREAD_MINIMUM, SPREAD_MEDIAN, SPREAD_MAXIMUM } SpreadStatistic;

/* The fits of one cell that differ only in one parameter, which takes the values 0 to count - 1. The cell
 * shows the fit that the statistic selects. If their number is even, the median is the lower of the two
 * middle fits. */
typedef struct TableSpread {
    char parameter[TABLE_NAME_BYTES];
    int count; /* 0: the column has one fit */
    SpreadStatistic statistic;
} TableSpread;

typedef struct TableColumn {
    char name[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES], unit[TABLE_NAME_BYTES], quantity[TABLE_NAME_BYTES];
    char place[TABLE_TEXT_BYTES];  /* place where the column's numbers are printed, if not in the table */
    char beside[TABLE_NAME_BYTES]; /* column whose published numbers are shown beside the measured numbers of
                                      this column; "": this column */
    char kind_name[TABLE_NAME_BYTES];
    const struct ColumnKind *kind; /* kind of the column or, if it names none, of the table */
    char method[TABLE_NAME_BYTES], backend[TABLE_NAME_BYTES], level[16], study[TABLE_NAME_BYTES];
    char stage[TABLE_NAME_BYTES];       /* name of the stage, if the quantity is a time */
    char relative_to[TABLE_NAME_BYTES]; /* column by which the cells are divided; "": none */
    TableSettings settings;
    TableSpread over;
    int digits;     /* significant digits to show */
    int threads;    /* number of threads; 0: that of the table */
    int influences; /* maximum number of bones per vertex of a fit; 0: that of the table */
    int iteration;  /* iteration of a fit after which the error is read; -1: the last */
    double error;   /* E_RMS to reach with the fewest bones; NAN: that of the row */
    bool extra;     /* added by us; the paper does not have the column */
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
    char dataset[TABLE_NAME_BYTES], generate[TABLE_NAME_BYTES]; /* file or generator of the row's data set; a
                                                                   row that needs no data has neither */
    char study[TABLE_NAME_BYTES];
    TableSettings settings; /* settings of the generator */
    int influences;         /* influences per vertex to which the rig is pruned; 0: no pruning */
    double sizes[SIZE_COUNT];
    double error; /* E_RMS to reach with the fewest bones, unless the column has one */
    Argument
        *parameters;   /* parameters of the row's study: those of the table, overridden by those of the row */
    double *published; /* [column_count] */
    bool stand_in;     /* run in addition to the paper's rows and never compared with them */
    bool authors;      /* whether a stand-in row uses the authors' own data */
    bool drawn;        /* whether the row is shown in the figure that has all rows */
} TableRow;

typedef enum FigureKind {
    FIGURE_NONE,
    FIGURE_CURVES,     /* curves of studies */
    FIGURE_ITERATIONS, /* E_RMS of fits against iterations; the table shows a few of these iterations */
    FIGURE_STAGES,     /* E_RMS of fits against the time at which each stage ended */
    FIGURE_PUBLISHED,  /* published E_RMS beside measured E_RMS */
    FIGURE_SCATTER /* one column against another, with one series of published and one of measured values per
                      method */
} FigureKind;

typedef struct FigureCurve {
    char y[TABLE_NAME_BYTES], x[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES];
} FigureCurve;

typedef struct FigurePoints {
    char column[TABLE_NAME_BYTES],
        beside[TABLE_NAME_BYTES];   /* beside: column that is drawn on the same line of the plot; "": none */
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
    char name[TABLE_NAME_BYTES]; /* text after the table's name in the file name; "" for the first figure */
    char x[TABLE_NAME_BYTES], x_title[TABLE_TEXT_BYTES], y_title[TABLE_TEXT_BYTES], log[4];
    char title[TABLE_TEXT_BYTES],
        beside_title[TABLE_TEXT_BYTES]; /* titles of the measured series in the key */
    bool per_row;
    FigureCurve curves[TABLE_LIST_MAX];
    FigurePoints points[TABLE_LIST_MAX];
    int at[TABLE_LIST_MAX];             /* iterations */
    FigureBound bounds[TABLE_LIST_MAX]; /* lines across the curves, at printed values */
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
/* Hides the columns that are not named. A hidden column may still be measured because another column needs
 * it. */
Status published_table_keep_columns(PublishedTable *table, const char *const *names, int count);

/* Returns the number that the paper prints for a cell, or for the cell in the column named by `beside`; NAN
 * if there is none. */
double table_published(const PublishedTable *table, const TableRow *row, const TableColumn *column);
