/* Prints claims and their verdicts. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/text/text_table.h"

/* The classes by which a page knows a verdict: "verdict contradicted". */
extern const char *const verdict_classes[VERDICT_COUNT];

/* "52 claims: 3 contradicted, 5 partly, ...; of models and programs on the authors' data horse-gallop, on
 * stand-ins wolf" */
enum { CLAIMS_SUMMARY_BYTES = 2048 };
void claims_summary(const JudgedClaims *claims, char *text, size_t size);

/* One row each: verdict, claim, as printed, rule, measured, data, why. text_table_status says whether memory
 * was out. */
TextTable *claims_table(const JudgedClaims *claims, const char *title);
