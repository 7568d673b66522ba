/* The claims of the papers, as stored in results/published/claims/PAPER.json (results/formats.md documents
 * the members). Each names the claim, the place where it is printed, and the tests that decide it. A test
 * reads cells of published tables and has bounds; verdict.h decides whether the claim holds. Missing texts
 * are "" and missing numbers NAN. */
#pragma once

#include "harness/records/papers/published_table.h"

enum { CLAIM_TEXT_BYTES = 400, CLAIM_TESTS_MAX = 8 };

/* The number that a test computes from the cells of a row. */
typedef enum ClaimCompare {
    CLAIM_VALUE,      /* the cell */
    CLAIM_RATIO,      /* the cell divided by the cell `to` */
    CLAIM_DIFFERENCE, /* the cell minus the cell `to` */
    CLAIM_EXCESS,     /* the difference divided by the cell minus 1: a share of what a ratio exceeds 1 by */
    CLAIM_PUBLISHED,  /* the cell divided by the number printed in the paper */
    CLAIM_ORDER       /* Kendall's rank correlation tau between printed and measured numbers over `columns` */
} ClaimCompare;

/* The subject of a claim. */
typedef enum ClaimOf {
    CLAIM_OF_METHODS,        /* a statement that holds on any data, or a closed form */
    CLAIM_OF_MODELS,         /* a statement about the authors' models or animations */
    CLAIM_OF_RECONSTRUCTION, /* a statement about another author's program, which is reconstructed here */
    CLAIM_OF_MACHINES,       /* a time, a ratio of times or a ratio of instructions, which depends on the
                                generation of the machine */
    CLAIM_OF_HARNESS         /* a theorem, or a statement that is true by construction; its test checks the
                                measurement itself */
} ClaimOf;

/* How the rows of a test are combined. */
typedef enum ClaimOver {
    CLAIM_EACH, /* each row separately */
    CLAIM_MEDIAN,
    CLAIM_MIN,
    CLAIM_MAX
} ClaimOver;

/* The second cell of a test, with which the test's own cell is compared. If its table, row or column is
 * empty, that of the test's own cell is used. */
typedef struct ClaimCell {
    char table[TABLE_NAME_BYTES], row[TABLE_TEXT_BYTES], column[TABLE_NAME_BYTES];
} ClaimCell;

typedef struct ClaimTest {
    char title[TABLE_TEXT_BYTES]; /* title of the measured quantity */
    char table_name[TABLE_NAME_BYTES], column[TABLE_NAME_BYTES];
    const char *rows[TABLE_LIST_MAX], *columns[TABLE_LIST_MAX];
    int row_count; /* number of named rows; 0: all rows of the table */
    int column_count;
    ClaimCompare compare;
    ClaimOver over;
    ClaimCell to;
    double min, max; /* bounds of the claim, inclusive */
    double
        ours; /* NAN if the paper prints the bounds. If a bound is our interpretation of a word in the paper,
                 this is the value from which the distance of the bound is measured, such as 1 for a ratio. */
    bool beside; /* whether the number is only shown and has no effect on the verdict */
    const PublishedTable *table,
        *to_table; /* to_table: table of the cell `to`; NULL if the test has no such cell */
} ClaimTest;

typedef struct PaperClaim {
    char name[TABLE_NAME_BYTES], claim[CLAIM_TEXT_BYTES];
    char published[TABLE_TEXT_BYTES]; /* the number as the paper prints it */
    char place[TABLE_TEXT_BYTES];
    char note[CLAIM_TEXT_BYTES];       /* caveats of the comparison */
    char untestable[CLAIM_TEXT_BYTES]; /* reason why the claim has no tests; "" if it has */
    ClaimOf of;
    ClaimTest *tests; /* [test_count] */
    int test_count;
} PaperClaim;

typedef struct ClaimPaper {
    char paper[TABLE_NAME_BYTES], source[TABLE_TEXT_BYTES]; /* short name of the paper, which is also the name
                                                               of its file, and its citation */
    PaperClaim *claims;                                     /* [claim_count] */
    int claim_count;
    json_t *file; /* JSON of the file, to which the texts in lists belong */
} ClaimPaper;

/* Papers, and the tables that the tests of their claims read. */
typedef struct ClaimSet {
    ClaimPaper *papers;      /* [paper_count] in alphabetical order */
    PublishedTable **tables; /* [table_count] distinct tables */
    int paper_count, table_count;
    bool table_damaged; /* set if the claim that is being read needs a damaged table */
} ClaimSet;

/* Reads the claims of one paper, or of all papers if `paper` is NULL, and their tables. Every claim must
 * have its texts, existing cells, and either tests with bounds or a reason for having none. STATUS_USAGE:
 * unknown paper. STATUS_BAD_INPUT names the damaged files; *out then has the other claims, and claims on a
 * damaged table are untestable. Release with claim_set_free. */
Status claim_set_read(const char *paper, ClaimSet **out);
/* Reads the claims of one paper from a JSON value and takes ownership of the value. `where` begins each
 * message. */
Status claim_set_from_json(json_t *file, const char *where, const char *paper, ClaimSet **out);
void claim_set_free(ClaimSet *set);
DEFINE_OWNED_BY(ClaimSet, claim_set_free)
