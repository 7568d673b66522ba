/* What a comparison found about each method, study and kind of check, in a line: "worse on every backend
 * (12 of 60 cells), e_rms 5.58 to 79". */
#pragma once

#include "harness/records/guard/finding.h"

enum { METHOD_SUMMARY_NAME_BYTES = 96, METHOD_SUMMARY_BYTES = 1024 };

typedef struct MethodSummary {
    const char *method;              /* borrowed from the findings */
    char text[METHOD_SUMMARY_BYTES]; /* what changed; "" if the method only differs by rounding */
    int rank;                        /* 3: something is worse, slower or missing; 2: something else changed;
                                        1: nothing that fails, such as a new cell; 0: only rounding */
    double change;                   /* |ln(new / base)| of what the text shows; the largest of that rank */
    int worse;                       /* number of cells with something worse, slower or missing */
    int rounding;                    /* number of numbers that differ by rounding */
    double rounding_most;            /* largest of these differences (finding_difference) */
    GuardFinding greatest; /* finding with the largest change, of E_RMS if there is one; its texts are
                              borrowed from the findings, and NULL if there is none */
} MethodSummary;

/* Allocates summaries [*count], the greatest changes first. Free with memory_free. */
Status methods_summarize(const Findings *findings, MethodSummary **out, int *count);
