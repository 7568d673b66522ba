/* Prints the papers' claims and their verdicts. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/text/text_table.h"

/* CSS classes of the verdicts, such as "verdict contradicted". */
extern const char *const verdict_classes[VERDICT_COUNT];

/* Writes a phrase that names the data on which the claims were judged. Examples: "the authors' data
 * horse-gallop, crane, and on stand-ins where these are missing", "stand-ins alone". */
enum { CLAIMS_DATA_BYTES = VERDICT_TEXT_BYTES + 64, CLAIMS_SUMMARY_BYTES = 2048 };
void claims_data(const JudgedClaims *claims, char text[CLAIMS_DATA_BYTES]);

/* Writes a summary such as "52 claims: 3 contradicted, 5 partly, ...; claims about models and programs were
 * judged on stand-ins alone". */
void claims_summary(const JudgedClaims *claims, char *text, size_t size);

/* Returns a table with a row per claim: verdict, claim, printed numbers, rule, measured numbers, data and
 * reason. text_table_status reports whether memory ran out. */
TextTable *claims_table(const JudgedClaims *claims, const char *title);
