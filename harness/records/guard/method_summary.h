/* A line for each method, study and kind of check says what a comparison found about it: "worse on every
 * backend (12 of 60 cells), e_rms 5.58 to 79". */
#pragma once

#include "harness/records/guard/finding.h"

enum { METHOD_SUMMARY_NAME_BYTES = 96, METHOD_SUMMARY_BYTES = 1024 };

typedef struct MethodSummary {
    const char *method;              /* borrowed from the findings */
    char text[METHOD_SUMMARY_BYTES]; /* what changed; "" if the method only differs by rounding */
    int rank;                        /* 3 if something is worse, slower or missing; 2 if something else fails;
                                        1 if nothing fails, but a cell is new or faster; 0 if numbers differ
                                        by rounding only */
    double change;                   /* |ln(new / base)| of what the text shows; the largest of that rank */
    int worse;                       /* number of cells with something worse, slower or missing */
    int rounding;                    /* number of numbers that differ by rounding */
    double rounding_most;            /* largest of these differences (finding_difference) */
    GuardFinding greatest; /* the finding about E_RMS with the largest change, or else about another number.
                              The findings own its texts. They are NULL if there is no such finding. */
} MethodSummary;

/* Allocates summaries [*count], the greatest changes first. Free with memory_free. */
Status methods_summarize(const Findings *findings, MethodSummary **out, int *count);
