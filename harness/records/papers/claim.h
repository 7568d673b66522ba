/* The claims of the papers, as results/published/claims/PAPER.json has them (results/README.md documents the
 * members): what is claimed, where it is printed, and the tests that decide it. A test reads cells of
 * published tables and has bounds; nothing here says whether a claim holds (verdict.h). Texts are "" and
 * numbers NAN where the file has none. */
#pragma once

#include "harness/records/papers/published_table.h"

enum { CLAIM_TEXT_BYTES = 400, CLAIM_TESTS_MAX = 8 };

/* What is made of the cells of a row. */
typedef enum ClaimCompare {
    CLAIM_VALUE,      /* the cell */
    CLAIM_RATIO,      /* the cell over the cell `to` */
    CLAIM_DIFFERENCE, /* the cell less the cell `to` */
    CLAIM_PUBLISHED,  /* the cell over the number that the paper prints for it */
    CLAIM_ORDER       /* Kendall's tau of printed and measured numbers over `columns` */
} ClaimCompare;

/* What a claim is about. */
typedef enum ClaimOf {
    CLAIM_OF_METHODS,        /* a statement that holds on any data, or a closed form */
    CLAIM_OF_MODELS,         /* the authors' models or animations */
    CLAIM_OF_RECONSTRUCTION, /* other authors' program, which is a reconstruction here */
    CLAIM_OF_MACHINES,       /* a ratio of times that depends on the machine's generation */
    CLAIM_OF_HARNESS         /* a theorem, or true by construction: a check of what is measured here */
} ClaimOf;

/* Which of the rows count. */
typedef enum ClaimOver {
    CLAIM_EACH, /* every one for itself */
    CLAIM_MEDIAN,
    CLAIM_MIN,
    CLAIM_MAX
} ClaimOver;

/* A cell that another is compared with; a text that is empty is that of the other cell. */
typedef struct ClaimCell {
    char table[TABLE_NAME_BYTES], row[TABLE_TEXT_BYTES], column[TABLE_NAME_BYTES];
} ClaimCell;

typedef struct ClaimTest {
    char title[TABLE_TEXT_BYTES]; /* of what is measured */
    char table_name[TABLE_NAME_BYTES], column[TABLE_NAME_BYTES];
    const char *rows[TABLE_LIST_MAX], *columns[TABLE_LIST_MAX];
    int row_count; /* 0: all rows of the table */
    int column_count;
    ClaimCompare compare;
    ClaimOver over;
    ClaimCell to;
    double min, max; /* bounds that the claim sets, inclusive */
    double ours; /* the bounds are our reading of a word of the paper: what they are distances from (1 of a
                    ratio); NAN: they are printed */
    bool beside; /* measured and shown, decides nothing */
    const PublishedTable *table, *to_table; /* to_table: of `to`; NULL: it has none */
} ClaimTest;

typedef struct PaperClaim {
    char name[TABLE_NAME_BYTES], claim[CLAIM_TEXT_BYTES];
    char published[TABLE_TEXT_BYTES]; /* the number as printed */
    char place[TABLE_TEXT_BYTES];
    char note[CLAIM_TEXT_BYTES];       /* what a reader must know of the comparison */
    char untestable[CLAIM_TEXT_BYTES]; /* why there are no tests */
    ClaimOf of;
    ClaimTest *tests; /* [test_count] */
    int test_count;
} PaperClaim;

typedef struct ClaimPaper {
    char paper[TABLE_NAME_BYTES],
        source[TABLE_TEXT_BYTES]; /* its short name, which is the file's, and citation */
    PaperClaim *claims;           /* [claim_count] */
    int claim_count;
    json_t *file; /* owns the texts of lists */
} ClaimPaper;

/* Papers and the tables that their tests read. */
typedef struct ClaimSet {
    ClaimPaper *papers;      /* [paper_count] in alphabetical order */
    PublishedTable **tables; /* [table_count], each once */
    int paper_count, table_count;
    bool table_damaged; /* which the claim that was read last needs */
} ClaimSet;

/* Reads one paper's claims, or all where `paper` is NULL, and their tables. Every claim has its texts, and
 * tests with bounds or the reason why there are none; every cell it names is in its table. STATUS_USAGE:
 * there is no such paper; STATUS_BAD_INPUT names damaged files, and *out has the claims of the others. A
 * damaged table makes its claims untestable. Release with claim_set_free. */
Status claim_set_read(const char *paper, ClaimSet **out);
/* The same of one paper, from a JSON value, which it takes over; `where` opens messages. */
Status claim_set_from_json(json_t *file, const char *where, const char *paper, ClaimSet **out);
void claim_set_free(ClaimSet *set);
DEFINE_OWNED_BY(ClaimSet, claim_set_free)
