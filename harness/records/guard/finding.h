/* What a comparison of two programs came to: one array for accuracy and times, printed in one way
 * (finding_print.h). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/text_pool.h"

typedef enum FindingKind {
    FINDING_WORSE,    /* a number changed the worse way; of a fit, its median over seeds left the spread */
    FINDING_BETTER,   /* the better way */
    FINDING_MOVED,    /* a fit has other numbers, and its median over seeds stays within the spread */
    FINDING_CHANGED,  /* a number that is neither better nor worse */
    FINDING_VANISHED, /* a cell, or a number of it, is not there any more, or not "ok" */
    FINDING_APPEARED, /* one that was not there before */
    FINDING_SLOWER,   /* beyond what noise explains */
    FINDING_FASTER,
    FINDING_UNSURE,  /* a time whose interval does not decide */
    FINDING_NEW,     /* timed by the new build alone */
    FINDING_SKIPPED, /* not compared: something is missing here */
    FINDING_TIME,    /* a ratio of times, shown and not judged */
    FINDING_SAME,
    FINDING_KIND_COUNT
} FindingKind;

/* "worse", "better", "moved", "changed", "vanished", "appeared", "slower", "faster", "unsure", "new",
 * "skipped", "time", "same". */
extern const char *const finding_kind_names[FINDING_KIND_COUNT];

enum { FINDING_CELL_BYTES = 512, FINDING_NOTE_BYTES = 256 };

/* Numbers that there are none of are NAN, texts "". Texts are the maker's; in Findings theirs. */
typedef struct GuardFinding {
    FindingKind kind;
    const char *cell;
    const char *of;   /* the number: "e_rms", "skin"; of a whole cell "" */
    const char *note; /* why */
    double base, fresh, ratio;
    double bound;     /* of times: the ratio that may be reached */
    double low, high; /* of the ratio of two times */
    int samples;      /* of a time; 0: none */
    bool disturbed;
} GuardFinding;

/* One of each cell at least, those of a cell one after the other. */
typedef struct Findings {
    GuardFinding *items; /* [count], owned */
    int count;
    TextPool texts;
} Findings;

/* A finding of a cell without numbers. */
GuardFinding finding_of(FindingKind kind, const char *cell, const char *of);

/* Appends a copy. Findings start as {0} and are released with findings_clear. */
Status findings_add(Findings *findings, const GuardFinding *finding);
/* Inserts a copy before the one at `index`. */
Status findings_insert(Findings *findings, int index, const GuardFinding *finding);
void findings_clear(Findings *findings);

/* How many there are of a kind. */
int findings_count(const Findings *findings, FindingKind kind);

/* Whether a number has another value: worse, better, moved or changed. */
bool finding_is_of_number(const GuardFinding *finding);

/* Whether a run with such a finding fails: all up to slower. */
bool finding_fails(FindingKind kind);
int findings_failing(const Findings *findings);

/* "3 worse, 1 vanished, 5 new, 700 same": the kinds there are. */
enum { FINDINGS_TEXT_BYTES = 256 };
void findings_format(const Findings *findings, char text[FINDINGS_TEXT_BYTES]);
