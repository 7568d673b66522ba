/* Findings: the results of comparing two programs. Accuracy and times share one array and one printer
 * (finding_print.h). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/text_pool.h"

typedef enum FindingKind {
    FINDING_WORSE,  /* a number became worse; for fits, the median over the seeds left the spread on the worse
                       side */
    FINDING_BETTER, /* a number became better */
    FINDING_MOVED,  /* a fit has different numbers, but its median over seeds stayed within the spread */
    FINDING_CHANGED,  /* a number changed for which neither direction is better */
    FINDING_VANISHED, /* a cell or one of its numbers no longer exists or is not "ok" */
    FINDING_APPEARED, /* a number did not exist before, or a cell did not run before */
    FINDING_SLOWER,   /* slower than noise can explain */
    FINDING_OPEN,     /* an earlier acceptance left changes of this method out (accepted.h) */
    FINDING_FAILED,   /* a check of the source tree failed */
    FINDING_FASTER,
    FINDING_UNSURE,  /* the interval of the ratio of times is too wide to tell whether the time changed */
    FINDING_NEW,     /* a cell that the base does not have */
    FINDING_SKIPPED, /* not compared because something is missing on this machine */
    FINDING_TIME,    /* a ratio of times that is shown but not judged */
    FINDING_SAME,
    FINDING_KIND_COUNT
} FindingKind;

/* Names of the kinds: "worse", "better", "moved", "changed", "vanished", "appeared", "slower", "open",
 * "failed", "faster", "unsure", "new", "skipped", "time", "same". */
extern const char *const finding_kind_names[FINDING_KIND_COUNT + 1]; /* NULL-terminated */

enum { FINDING_CELL_BYTES = 512, FINDING_NOTE_BYTES = 256 };
/* The text with which `cell` begins if a finding is about the mean E_RMS of all cells of a method
 * (accepted.h). */
#define ANY_MACHINE "any machine: "

/* One finding. Missing numbers are NAN, missing texts "". The texts are borrowed, except that a list of
 * Findings owns copies. */
typedef struct GuardFinding {
    FindingKind kind;
    const char *part; /* "accuracy", "times" or "checks" */
    const char *cell;
    const char *method; /* method of the cell, "study NAME" for a study; "" if there is none */
    const char *backend;
    const char *of;   /* name of the number, such as "e_rms" or "skin"; "" for a whole cell */
    const char *note; /* reason for the finding */
    double base, fresh, ratio;
    double bound;     /* largest allowed ratio of times */
    double low, high; /* interval of the ratio of two times */
    int samples;      /* number of samples of a time; 0 if not a time */
    bool disturbed;
} GuardFinding;

/* What a part of the findings compares. Each side has a description in a line and a commit; "" if unknown. */
enum { SIDE_BYTES = 2304, COMMIT_BYTES = 64 };
typedef struct FindingSource {
    char part[32], base[SIDE_BYTES], fresh[SIDE_BYTES], base_commit[COMMIT_BYTES], commit[COMMIT_BYTES];
} FindingSource;

/* A list of findings, at least one per cell; the findings of a cell are consecutive. */
typedef struct Findings {
    GuardFinding *items;    /* [count], owned */
    FindingSource *sources; /* [source_count], owned */
    int count, source_count;
    TextPool texts;
} Findings;

/* Makes a finding about a cell, without numbers. Its part is "accuracy". */
GuardFinding finding_of(FindingKind kind, const char *cell, const char *quantity);

/* Appends a copy of a finding. The list starts as {0} and is released with findings_clear. */
Status findings_add(Findings *findings, const GuardFinding *finding);
/* Inserts a copy of a finding before index `index`. */
Status findings_insert(Findings *findings, int index, const GuardFinding *finding);
/* Gives all findings that begin at index `first` this method and this backend. */
Status findings_set_method(Findings *findings, int first, const char *method, const char *backend);
Status findings_add_source(Findings *findings, const FindingSource *source);
void findings_clear(Findings *findings);

/* Number of findings of a kind. */
int findings_count(const Findings *findings, FindingKind kind);

/* Whether the finding says that a number changed: worse, better, moved or changed. */
bool finding_is_of_number(const GuardFinding *finding);

/* Returns the difference of a number relative to the larger of its values. A distance from backend
 * `reference` is itself an error of rounding, relative to the size of the data; its difference is divided by
 * 1 instead. Numbers below 1e-6 count as 1e-6. Returns 0 for a metric whose values are both rounding
 * (Metric.slack). */
double finding_difference(const GuardFinding *finding);

/* Whether a number changed so little that rounding explains it: by at most FINDING_ROUNDING. */
#define FINDING_ROUNDING 1e-6
bool finding_is_rounding(const GuardFinding *finding);

/* Whether a finding of this kind makes a run fail. All kinds up to FINDING_FAILED do. */
bool finding_fails(FindingKind kind);
int findings_failing(const Findings *findings);

/* Returns "changed" if a finding fails, "differs by rounding only" if only such findings do, "not compared"
 * if all findings of a part are skipped, and otherwise "as accepted". */
const char *findings_verdict(const Findings *findings);

/* Writes the number of findings of each kind that occurs: "3 worse, 1 vanished, 5 new, 700 same". */
enum { FINDINGS_TEXT_BYTES = 256 };
void findings_format(const Findings *findings, char text[FINDINGS_TEXT_BYTES]);
