/* Chooses what is timed, runs the rounds, prints what changed. */
#include "harness/commands/compare_binary.h"

#include "datasets/base/memory.h"
#include "harness/commands/name_list.h"
#include "harness/environment/environment.h"
#include "harness/guard/binary_rounds.h"
#include "harness/guard/finding_print.h"
#include "harness/records/json_table.h"
#include "harness/text/text_table.h"
#include "methods/registry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *interval_json(const Interval *interval)
{
    return isnan(interval->median) ? json_null()
                                   : json_pack("{s:f, s:f, s:f}", "median", interval->median, "low",
                                               interval->low, "high", interval->high);
}

/* Timed cells all, so that a reader sees what was found to be the same and how surely. */
static Status timed_cell_print_json(const BinaryCell *cell)
{
    const TimeJudgement *judgement = &cell->judgement;
    const bool timed = cell->judged_count > 0;
    if (!timed)
        return output_json(json_pack("{s:o, s:s, s:s, s:o}", "cell", json_text(cell->name), "finding",
                                     cell->refused[0][0] ? "new" : "vanished", "metric", cell->stage,
                                     "reason", json_text(cell->refused[cell->refused[0][0] ? 0 : 1])));
    return output_json(json_pack("{s:o, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:o, s:o}", "cell",
                                 json_text(cell->name), "finding", time_verdict_names[judgement->verdict],
                                 "metric", cell->stage, "base", judgement->old_s, "new", judgement->new_s,
                                 "ratio", judgement->ratio.median, "low", judgement->ratio.low, "high",
                                 judgement->ratio.high, "bound", judgement->bound, "noise", judgement->noise,
                                 "rounds", cell->judged_count / VISITS_PER_START, "twin",
                                 interval_json(&judgement->twin), "to_lbs", interval_json(&cell->to_lbs)));
}

static void ratio_cell(TextTable *table, const Interval *interval)
{
    if (isnan(interval->median))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.4f [%.4f, %.4f]", interval->median, interval->low, interval->high);
}

static Status changes_print(const BinaryCells *cells)
{
    static const char *const columns[] = {"<cell",   "<stage",    "<finding", "old, us",
                                          "new, us", "new / old", "bound",    "of the ratio to LBS",
                                          "rounds",  NULL};
    TextTable *table = text_table_create("", columns);
    for (int i = 0; i < cells->cell_count; i++) {
        const BinaryCell *cell = &cells->cells[i];
        const TimeJudgement *judgement = &cell->judgement;
        const bool only_one = (cell->refused[0][0] != '\0') != (cell->refused[1][0] != '\0');
        if (only_one) {
            text_table_row(table);
            text_table_words(table, cell->name, cell->stage, cell->refused[0][0] ? "new" : "vanished", NULL);
        } else if (cell->judged_count > 0 && judgement->verdict != TIME_SAME) {
            text_table_row(table);
            text_table_words(table, cell->name, cell->stage, time_verdict_names[judgement->verdict], NULL);
            text_table_number(table, 1e6 * judgement->old_s, 4);
            text_table_number(table, 1e6 * judgement->new_s, 4);
            ratio_cell(table, &judgement->ratio);
            text_table_cell(table, "%.4f", judgement->bound);
            ratio_cell(table, &cell->to_lbs);
            text_table_cell(table, "%d", cell->judged_count / VISITS_PER_START);
        }
    }
    const Status status = text_table_status(table);
    if (status.code == STATUS_OK && text_table_row_count(table) > 0) {
        text_table_write(table, TABLE_MARKDOWN, stdout);
        putchar('\n');
    }
    text_table_free(table);
    return status;
}

typedef struct BinarySummary {
    int counts[TIME_VERDICTS];
    int timed, vanished, added, refused;
    double noise; /* the median of the cells */
} BinarySummary;

static Status summarise(const BinaryCells *cells, BinarySummary *out)
{
    double *noises = memory_array((size_t)cells->cell_count, sizeof *noises);
    *out = (BinarySummary){.timed = 0};
    if (!noises)
        return status_out_of_memory("the cells of a comparison");
    for (int i = 0; i < cells->cell_count; i++) {
        const BinaryCell *cell = &cells->cells[i];
        const bool in_old = !cell->refused[0][0], in_new = !cell->refused[1][0];
        out->vanished += in_old && !in_new;
        out->added += !in_old && in_new;
        out->refused += !in_old && !in_new;
        if (cell->judged_count == 0)
            continue;
        noises[out->timed++] = cell->judgement.noise;
        out->counts[cell->judgement.verdict]++;
    }
    values_sort(noises, (size_t)out->timed);
    out->noise = out->timed > 0 ? quantile_of_sorted(noises, (size_t)out->timed, 0.5) : NAN;
    memory_free(noises);
    return status_ok();
}

/* The cells as findings, for the files that both comparisons write. */
static Status binary_findings(const BinaryCells *cells, Findings *out)
{
    static const FindingKind kinds[TIME_VERDICTS] = {[TIME_SAME] = FINDING_SAME,
                                                     [TIME_SLOWER] = FINDING_SLOWER,
                                                     [TIME_FASTER] = FINDING_FASTER,
                                                     [TIME_UNSURE] = FINDING_UNSURE};
    Status status = status_ok();
    for (int i = 0; i < cells->cell_count && status.code == STATUS_OK; i++) {
        const BinaryCell *cell = &cells->cells[i];
        const TimeJudgement *judgement = &cell->judgement;
        const bool timed = cell->judged_count > 0, in_old = !cell->refused[0][0],
                   in_new = !cell->refused[1][0];
        const FindingKind kind = timed              ? kinds[judgement->verdict]
                                 : in_old && in_new ? FINDING_UNSURE
                                 : in_old           ? FINDING_VANISHED
                                 : in_new           ? FINDING_NEW
                                                    : FINDING_SKIPPED;
        GuardFinding finding = finding_of(kind, cell->name, cell->stage);
        if (timed) {
            finding.base = judgement->old_s;
            finding.fresh = judgement->new_s;
            finding.ratio = judgement->ratio.median;
            finding.low = judgement->ratio.low;
            finding.high = judgement->ratio.high;
            finding.bound = judgement->bound;
            finding.samples = cell->judged_count;
        }
        snprintf(finding.note, sizeof finding.note, "%.200s", cell->refused[in_new ? 0 : 1]);
        status = findings_add(out, &finding);
    }
    return status;
}

static Status files_write(const CommandLine *line, const BinaryCells *cells)
{
    const FindingSource source = {"times", command_line_argument(line, 0), command_line_argument(line, 1), "",
                                  ""};
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    Findings findings = {0};
    Status status = status_ok();
    if (!junit && !markdown)
        return status;
    STATUS_TRY(binary_findings(cells, &findings));
    if (junit)
        STATUS_TRY(findings_write_junit(&findings, &source, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(&findings, &source, markdown));
done:
    findings_clear(&findings);
    return status;
}

static Status result_print(const CommandLine *line, const BinaryRounds *rounds, const BinaryCells *cells)
{
    BinarySummary sum;
    Status status;
    STATUS_TRY(summarise(cells, &sum));
    for (int i = 0; i < cells->cell_count && command_line_json(line); i++)
        if (!(cells->cells[i].refused[0][0] && cells->cells[i].refused[1][0]))
            STATUS_TRY(timed_cell_print_json(&cells->cells[i]));
    if (!command_line_json(line)) {
        STATUS_TRY(changes_print(cells));
        printf("%d cells timed in %d rounds: %d slower, %d faster, %d unsure, %d vanished, %d new; this "
               "machine's own "
               "noise: %.2g %% (median of the cells)\n",
               sum.timed, rounds->rounds, sum.counts[TIME_SLOWER], sum.counts[TIME_FASTER],
               sum.counts[TIME_UNSURE], sum.vanished, sum.added, 100.0 * sum.noise);
    }
    if (sum.refused + cells->left_out > 0)
        output_note(line, "%d cells are for other backends or data, or for several threads, and not timed",
                    sum.refused + cells->left_out);
    if (sum.counts[TIME_SLOWER] > 0 || sum.vanished > 0)
        status = status_make(STATUS_CHECK_FAILED, "%d cells are slower, %d vanished", sum.counts[TIME_SLOWER],
                             sum.vanished);
done:
    return status;
}

static Status suite_path(const CommandLine *line, char *path, size_t size)
{
    const char *given = command_line_value(line, "suite");
    const int length = given ? snprintf(path, size, "%s", given)
                             : snprintf(path, size, "%s/results/baseline/times.json", environment_home());
    return length < (int)size ? status_ok() : status_make(STATUS_USAGE, "the path of the suite is too long");
}

Status compare_binary_run(const CommandLine *line)
{
    BinaryRounds rounds = {.old_path = command_line_argument(line, 0),
                           .new_path = command_line_argument(line, 1),
                           .progress = command_line_progress(line)};
    BinaryCells cells = {.cell_count = 0};
    NameList methods = {.count = 0};
    Suite suite = {0};
    int frames = 0;
    char path[SUITE_PATH_BYTES];
    Status status;
    STATUS_TRY(names_split(line, "methods", &methods));
    STATUS_TRY(methods_check(&methods));
    STATUS_TRY(command_line_integer(line, "frames", 8, 1, 100000, &frames));
    STATUS_TRY(command_line_integer(line, "rounds", 12, 1, 100000, &rounds.rounds_first));
    STATUS_TRY(command_line_integer(line, "rounds-max", 384, 1, 100000, &rounds.rounds_most));
    STATUS_TRY(command_line_real(line, "time-budget", 240.0, 0.0, 1e6, &rounds.time_budget_s));
    STATUS_TRY(suite_path(line, path, sizeof path));
    STATUS_TRY(suite_read(path, 1, &suite));
    STATUS_TRY(binary_cells_make(&suite, frames, methods.names, methods.count, &cells));
    STATUS_TRY(binary_rounds_run(&rounds, &cells));
    STATUS_TRY(files_write(line, &cells));
    status = result_print(line, &rounds, &cells);
done:
    binary_cells_clear(&cells);
    suite_clear(&suite);
    return status;
}
