/* Writes the papers' claims as a table. Also writes a summary: how many claims have each verdict, and on
 * which data they were judged. */
#include "harness/show/tables/claim_table.h"

#include "harness/show/tables/record_tables.h"

const char *const verdict_classes[VERDICT_COUNT] = {
    [VERDICT_CONTRADICTED] = "verdict contradicted",
    [VERDICT_PARTLY] = "verdict partly",
    [VERDICT_CONFIRMED] = "verdict confirmed",
    [VERDICT_UNDECIDED] = "verdict undecided",
    [VERDICT_FAILS_ON_STAND_INS] = "verdict stand-in",
    [VERDICT_PARTLY_ON_STAND_INS] = "verdict stand-in",
    [VERDICT_HOLDS_ON_STAND_INS] = "verdict stand-in",
    [VERDICT_DIFFERS_FROM_RECONSTRUCTION] = "verdict stand-in",
    [VERDICT_DIFFERS_HERE] = "verdict stand-in",
    [VERDICT_CHECK_FAILS] = "verdict contradicted",
    [VERDICT_CHECK_HOLDS] = "verdict stand-in",
    [VERDICT_INCOMPLETE] = "verdict undecided",
    [VERDICT_UNTESTABLE] = "verdict untestable",
};

void claims_data(const JudgedClaims *claims, char text[CLAIMS_DATA_BYTES])
{
    const char *data = claims->authors_data;
    snprintf(text, CLAIMS_DATA_BYTES, "%s%s%s", data[0] ? "the authors' data " : "", data,
             !data[0]            ? "stand-ins alone"
             : claims->stand_ins ? ", and on stand-ins where these are missing"
                                 : "");
}

void claims_summary(const JudgedClaims *claims, char *text, size_t size)
{
    char data[CLAIMS_DATA_BYTES];
    snprintf(text, size, "%d claims", claims->count);
    for (int i = 0, shown = 0; i < VERDICT_COUNT; i++)
        if (claims->counts[i] > 0)
            text_append(text, size, "%s %d %s", shown++ == 0 ? ":" : ",", claims->counts[i],
                        verdict_names[i]);
    claims_data(claims, data);
    text_append(text, size, "; claims about models and programs were judged on %s", data);
}

TextTable *claims_table(const JudgedClaims *claims, const char *title)
{
    TextTable *out =
        text_table_create(title, "?verdict|?paper|<claim|<printed|<holds if|<measured|<data|<remark");
    for (int i = 0; i < claims->count; i++) {
        const JudgedClaim *item = &claims->items[i];
        const char *note = item->claim->note, *reason = item->verdict.reason;
        const Record *record = NULL; /* the first record on which the verdict is based */
        for (int k = 0; k < item->verdict.outcome_count && !record; k++)
            record = item->verdict.outcomes[k].record;
        text_table_row(out, verdict_names[item->verdict.kind], NULL);
        text_table_mark(out, verdict_classes[item->verdict.kind]);
        text_table_words(out, item->paper->paper, item->claim->claim, NULL);
        text_table_cell(out, "%s (%s)", item->claim->published, item->claim->place);
        text_table_words(out, item->verdict.rule, item->verdict.measured, NULL);
        text_table_record(out, claims->records, record, NAN);
        text_table_words(out, item->verdict.data, NULL);
        text_table_cell(out, "%s%s%s", reason, reason[0] && note[0] ? "; " : "", note);
    }
    return out;
}
