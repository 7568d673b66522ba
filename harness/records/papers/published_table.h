/* A paper's table as results/published/<name>.json has it (results/README.md documents the members). A
 * published number is never mixed with a measured one. Texts are "" and numbers NAN where the file has
 * none. */
#pragma once

#include "harness/records/record/plans.h"

enum {
    PUBLISHED_PATH_BYTES = 4096,
    PUBLISHED_COLUMNS_MAX = 40,
    TABLE_NAME_BYTES = 64,
    TABLE_TEXT_BYTES = 192,
    TABLE_LIST_MAX = 40
};

/* name=value texts, for the parameters of a method or generator. */
typedef struct TableSettings {
    const char *texts[SETTINGS_MAX];
    int count;
} TableSettings;

typedef enum SpreadStatistic { SPREAD_MINIMUM, SPREAD_MEDIAN, SPREAD_MAXIMUM } SpreadStatistic;

/* A column of fits that differ in one parameter alone, 0 to count - 1: its cell is that of the fit in the
 * place that the statistic names (of an even count the lower median). */
typedef struct TableSpread {
    char parameter[TABLE_NAME_BYTES];
    int count; /* 0: the column is of one fit */
    SpreadStatistic statistic;
} TableSpread;

typedef struct TableColumn {
    char name[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES], unit[TABLE_NAME_BYTES], quantity[TABLE_NAME_BYTES];
    char place[TABLE_TEXT_BYTES];  /* where its numbers are printed, if not where the table is */
    char beside[TABLE_NAME_BYTES]; /* the column whose published numbers stand beside its own; "": itself */
    char kind_name[TABLE_NAME_BYTES];
    const struct ColumnKind *kind; /* what its cells are measured by: its own, or the table's */
    char method[TABLE_NAME_BYTES], backend[TABLE_NAME_BYTES], level[16], study[TABLE_NAME_BYTES];
    char stage[TABLE_NAME_BYTES];       /* of a time */
    char relative_to[TABLE_NAME_BYTES]; /* another column, which its cells are divided by; "": none */
    TableSettings settings;
    TableSpread over;
    int digits;     /* significant ones to show */
    int threads;    /* 0: the table's */
    int influences; /* of fits, bones per vertex at most; 0: the table's */
    int iteration;  /* of a fit, after which the error is read; -1: its end */
    double error;   /* to reach with the fewest bones */
    bool extra;     /* ours alone: measured beside what the paper has */
    bool normals, two_phase;
    bool hidden; /* not asked for (published_table_keep_columns) */
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
    char dataset[TABLE_NAME_BYTES], generate[TABLE_NAME_BYTES]; /* its data set; neither: it needs none */
    char study[TABLE_NAME_BYTES];
    TableSettings settings; /* of `generate` */
    int influences;         /* to prune the rig to; 0: as it is */
    double sizes[SIZE_COUNT];
    double error;         /* as TableColumn's */
    Argument *parameters; /* of its study: the table's settings, over them its own */
    double *published;    /* [column_count] */
    bool stand_in;        /* run beside the paper's rows and never compared with them */
    bool authors;         /* a stand-in that is the authors' own data all the same */
    bool drawn;           /* in the figure of all rows */
} TableRow;

typedef enum FigureKind {
    FIGURE_NONE,
    FIGURE_CURVES,     /* curves of studies */
    FIGURE_ITERATIONS, /* E_RMS of fits against iterations; the table reads it at a few of them */
    FIGURE_STAGES,     /* E_RMS of fits against the time at which their stages ended */
    FIGURE_PUBLISHED,  /* published beside measured E_RMS */
    FIGURE_SCATTER     /* a column against another, a series for each method: published and measured */
} FigureKind;

typedef struct FigureCurve {
    char y[TABLE_NAME_BYTES], x[TABLE_NAME_BYTES], title[TABLE_TEXT_BYTES];
} FigureCurve;

typedef struct FigurePoints {
    char column[TABLE_NAME_BYTES], beside[TABLE_NAME_BYTES]; /* beside: drawn on the same line; "": none */
    char against[TABLE_NAME_BYTES]; /* the column of the abscissa: of a scatter, and of published points on
                                       curves */
    char title[TABLE_TEXT_BYTES];   /* "": the column's */
} FigurePoints;

typedef struct FigureBound {
    double value;
    char title[TABLE_TEXT_BYTES];
} FigureBound;

typedef struct TableFigure {
    FigureKind kind;
    char name[TABLE_NAME_BYTES]; /* of its file, after the table's; "" of the first */
    char x[TABLE_NAME_BYTES], x_title[TABLE_TEXT_BYTES], y_title[TABLE_TEXT_BYTES], log[4];
    char title[TABLE_TEXT_BYTES], beside_title[TABLE_TEXT_BYTES]; /* of what was measured, in the key */
    bool per_row;
    FigureCurve curves[TABLE_LIST_MAX];
    FigurePoints points[TABLE_LIST_MAX];
    int at[TABLE_LIST_MAX];             /* iterations */
    FigureBound bounds[TABLE_LIST_MAX]; /* lines across curves: what is printed */
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
    int influences, iterations, bones_max; /* of fits */
    char rest[TABLE_NAME_BYTES];           /* rest pose that fits start from; "": the methods' own rule */
    int threads;                           /* of skinning */
    char backend[TABLE_NAME_BYTES];
    TableColumn *columns; /* [column_count] */
    TableRow *rows;       /* [row_count]: the paper's, then the stand-ins */
    int column_count, row_count, paper_row_count;
    TableFigure figure, more_figures[TABLE_FIGURES_MAX];
    int more_figure_count;
    json_t *file; /* owns the texts of lists */
} PublishedTable;

/* NULL is allowed. */
void published_table_free(PublishedTable *table);
DEFINE_OWNED_BY(PublishedTable, published_table_free)

/* NULL: there is none of that name. */
const TableColumn *table_column_find(const PublishedTable *table, const char *name);
const TableRow *table_row_find(const PublishedTable *table, const char *name);

/* Keeps the rows of these names [count], in the table's order, and drops the others; all stay where count is
 * 0. STATUS_USAGE for a name that is none. */
Status published_table_keep_rows(PublishedTable *table, const char *const *names, int count);
/* Hides all columns but these, which may be measured all the same for others. */
Status published_table_keep_columns(PublishedTable *table, const char *const *names, int count);

/* What the paper prints for the cell, or for that of the column beside which it stands; NAN: nothing. */
double table_published(const PublishedTable *table, const TableRow *row, const TableColumn *column);
