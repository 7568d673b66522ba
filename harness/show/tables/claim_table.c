#include "harness/show/tables/claim_table.h"

#include <math.h>
#include <stdio.h>

const char *const verdict_classes[VERDICT_COUNT] = {
    [VERDICT_CONTRADICTED] = "verdict contradicted", [VERDICT_PARTLY] = "verdict partly",
    [VERDICT_CONFIRMED] = "verdict confirmed",       [VERDICT_UNDECIDED] = "verdict undecided",
    [VERDICT_UNTESTABLE] = "verdict untestable",
};

void claims_summary(const JudgedClaims *claims, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%d claims", claims->count);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s %d %s", i == 0 ? ":" : ",",
                                       claims->counts[i], verdict_names[i]);
}

/* The first record that a verdict rests on; NULL: none. */
static const Record *verdict_record(const Verdict *verdict)
{
    for (int i = 0; i < verdict->outcome_count; i++)
        if (verdict->outcomes[i].record)
            return verdict->outcomes[i].record;
    return NULL;
}

TextTable *claims_table(const JudgedClaims *claims, const char *title)
{
    static const char *const columns[] = {"?verdict",  "?paper", "<claim",  "<printed", "<holds if",
                                          "<measured", "<data",  "<remark", NULL};
    TextTable *out = text_table_create(title, columns);
    char name[RECORD_NAME_BYTES];
    for (int i = 0; i < claims->count; i++) {
        const JudgedClaim *item = &claims->items[i];
        const char *note = item->claim->note, *reason = item->verdict.reason;
        text_table_row(out);
        text_table_words(out, verdict_names[item->verdict.kind], NULL);
        text_table_mark(out, verdict_classes[item->verdict.kind]);
        text_table_words(out, item->paper->paper, item->claim->claim, NULL);
        text_table_cell(out, "%s (%s)", item->claim->published, item->claim->place);
        text_table_words(out, item->verdict.rule, item->verdict.measured, NULL);
        text_table_value(out, NAN, record_name(claims->records, verdict_record(&item->verdict), name));
        text_table_words(out, item->verdict.data, NULL);
        text_table_cell(out, "%s%s%s", reason, reason[0] && note[0] ? "; " : "", note);
    }
    return out;
}
