/* skinbench claims: compares the papers' claims with measurements. */
#include "harness/commands/commands.h"

#include "harness/commands/measured_run.h"
#include "harness/commands/name_list.h"
#include "harness/show/tables/claim_table.h"

const CommandOption claims_options[] = {
    {"paper", "PAPER", "only the claims of one paper: sbs, dqs, cor or fesam (default: all)"},
    TABLE_RUN_OPTIONS,
    {"format", "markdown|csv|latex", "output format (default: markdown)"},
    {NULL, NULL, NULL},
};

static Status claims_print(const CommandLine *line, const ClaimSet *set, const RecordStore *store,
                           TableFormat format)
{
    OWNED RecordView *views = NULL;
    int count = 0;
    STATUS_TRY(record_views(store, &views, &count));
    for (int i = 0; i < count; i++) {
        const RecordView *view = &views[i];
        CLEANUP(judged_claims_clear) JudgedClaims claims = {0};
        OWNED_BY(text_table_free) TextTable *table = NULL;
        char summary[CLAIMS_SUMMARY_BYTES];
        STATUS_TRY(claims_judge(set, view, &claims));
        claims_summary(&claims, summary, sizeof summary);
        for (int k = 0; k < claims.count && line->json; k++) {
            const Verdict *verdict = &claims.items[k].verdict;
            json_t *outcomes = json_array();
            for (int m = 0; m < verdict->outcome_count; m++) {
                const Outcome *outcome = &verdict->outcomes[m];
                json_array_append_new(
                    outcomes,
                    json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:i}", "table", outcome->test->table->name,
                              "column", outcome->test->column, "row",
                              outcome->row ? json_text(outcome->row->name) : json_null(), "outcome",
                              outcome_names[outcome->kind], "value",
                              json_number_or_null(outcome->number.value), "low",
                              json_number_or_null(outcome->number.low), "high",
                              json_number_or_null(outcome->number.high), "samples", outcome->number.samples));
            }
            json_t *object =
                json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o}", "paper",
                          claims.items[k].paper->paper, "name", claims.items[k].claim->name, "verdict",
                          verdict_names[verdict->kind], "claim", claims.items[k].claim->claim, "published",
                          claims.items[k].claim->published, "place", claims.items[k].claim->place, "rule",
                          json_text(verdict->rule), "measured", json_text(verdict->measured), "data",
                          json_text(verdict->data), "reason", json_text(verdict->reason), "note",
                          claims.items[k].claim->note, "outcomes", outcomes);
            if (view->machine)
                json_set(object, "machine", json_text(view->machine));
            STATUS_TRY(output_json(object));
        }
        if (!line->json) {
            table = claims_table(&claims, summary);
            STATUS_TRY(text_table_status(table));
            if (view->machine)
                terminal_print("%sMeasured on %s\n\n", format == TABLE_LATEX ? "% " : "", view->machine);
            text_table_write(table, format, stdout);
        }
    }
    return status_ok();
}

/* Judges the claims by an existing result file, or by running the published tables that they need. */
Status claims_run(const CommandLine *line)
{
    const char *given = command_line_argument(line, 0);
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    OWNED_BY(record_store_close) RecordStore *read = NULL;
    CLEANUP(measured_run_end) MeasuredRun run = {.line = NULL};
    int format = TABLE_MARKDOWN;
    STATUS_TRY(option_choice(line, "format", &format));
    if (given && (command_line_flag(line, "data") || command_line_flag(line, "output") ||
                  command_line_flag(line, "shard")))
        return bad_usage("--data, --output and --shard do not work if claims reads a result file");
    const Status damaged = claim_set_read(command_line_value(line, "paper"), &set);
    if (!set)
        return damaged;
    if (given) {
        STATUS_TRY(record_store_read(&given, 1, &read));
        STATUS_TRY(claims_print(line, set, read, (TableFormat)format));
        return damaged;
    }
    STATUS_TRY(
        measured_run_start_tables(line, (const PublishedTable *const *)set->tables, set->table_count, &run));
    for (int i = 0; i < set->table_count; i++)
        STATUS_TRY(table_run(set->tables[i], &run.sources, &run.bench));
    STATUS_TRY(bench_shard_end(&run.bench));
    if (run.bench.forecast)
        return measured_run_print_forecast(&run);
    STATUS_TRY(claims_print(line, set, run.bench.store, (TableFormat)format));
    return damaged;
}
