/* Prints claims and their verdicts. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/text/text_table.h"

/* The classes by which a page knows a verdict: "verdict contradicted". */
extern const char *const verdict_classes[VERDICT_COUNT];

/* "the authors' data horse-gallop, crane, and where these lack on stand-ins", "stand-ins alone" */
enum { CLAIMS_DATA_BYTES = VERDICT_TEXT_BYTES + 64, CLAIMS_SUMMARY_BYTES = 2048 };
void claims_data(const JudgedClaims *claims, char text[CLAIMS_DATA_BYTES]);

/* "52 claims: 3 contradicted, 5 partly, ...; those of models and programs on stand-ins alone" */
void claims_summary(const JudgedClaims *claims, char *text, size_t size);

/* One row each: verdict, claim, as printed, rule, measured, data, why. text_table_status says whether memory
 * was out. */
TextTable *claims_table(const JudgedClaims *claims, const char *title);
