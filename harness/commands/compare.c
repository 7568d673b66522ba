/* skinbench compare: exits with 1 if a number changed, a cell vanished or appeared, or the newer of two
 * executables is slower. skinbench accept: shows what a run changed, and stores the E_RMS of what is named
 * with the reason for the change. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "harness/commands/name_list.h"
#include "harness/records/guard/accepted.h"
#include "harness/records/guard/compare.h"
#include "harness/records/guard/finding_json.h"
#include "harness/run/binary/binary_rounds.h"
#include "harness/show/tables/finding_print.h"

#include <unistd.h>

/* Options that `compare` and `accept` share. */
#define COMPARE_RUNS_OPTIONS                                                                                 \
    {"tolerance", "SHARE", "fraction by which a number may change (default: 0, every digit counts)"},        \
        {"force", NULL, "also compare times from different environments"},                                   \
        {"also", "FINDINGS.jsonl", "add the findings that compare --json has written; may be repeated"},     \
        {"junit", "FILE", "write a JUnit file with a test case for each cell"},                              \
    {                                                                                                        \
        "markdown", "FILE", "write a summary for a pull request"                                             \
    }

const CommandOption compare_options[] = {
    {"accepted", "FILE",
     "compare the E_RMS of every method with the values that `accept` stored in this file, on any machine"},
    COMPARE_RUNS_OPTIONS,
    {"binary", NULL, "time two executables against each other, in rounds that alternate between them"},
    {"suite", "FILE", "with --binary: the suite to time (default: results/baseline/times.json)"},
    {"methods", "A,B", "with --binary: time only these methods"},
    {"frames", "F", "with --binary: largest number of frames that are skinned at once (default: 8)"},
    {"rounds", "N", "with --binary: number of timing rounds for each cell (default: 12)"},
    {"rounds-max", "N",
     "with --binary: maximum number of timing rounds for a cell whose result is still unsure (default: 384)"},
    {"time-budget", "S",
     "with --binary: after this many seconds, stop adding rounds and report unclear cells as unsure "
     "(default: "
     "180)"},
    {NULL, NULL, NULL},
};

const CommandOption accept_options[] = {
    {"what", "NAME",
     "a method, a study (\"study NAME\"), a cell, or all; may be repeated. Other changes stay open, and "
     "compare fails until they are accepted, too"},
    {"reason", "TEXT", "the reason for the change, stored with the numbers"},
    {"output", "ACCEPTED.json",
     "the file to write; entries of methods whose numbers stay within their spread are kept, so slow drift "
     "is found"},
    COMPARE_RUNS_OPTIONS,
    {NULL, NULL, NULL},
};

/* Appends the findings of the files that --also names. Prints all findings as text or JSON, and writes the
 * files named by --junit and --markdown. */
static Status findings_output(const CommandLine *line, Findings *findings)
{
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    const char *also = NULL;
    for (int i = 0; (also = command_line_value_at(line, "also", i)); i++)
        STATUS_TRY(findings_read(also, findings));
    for (int i = 0; i < findings->count && line->json; i++)
        STATUS_TRY(output_json(finding_to_json(&findings->items[i])));
    if (line->json)
        STATUS_TRY(output_json(findings_summary_to_json(findings)));
    else
        STATUS_TRY(findings_print(findings, false, stdout));
    if (junit)
        STATUS_TRY(findings_write_junit(findings, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(findings, markdown));
    return status_ok();
}

static Status finding_add(const BinaryCell *cell, Findings *findings)
{
    static const FindingKind kinds[TIME_VERDICTS] = {[TIME_SAME] = FINDING_SAME,
                                                     [TIME_SLOWER] = FINDING_SLOWER,
                                                     [TIME_FASTER] = FINDING_FASTER,
                                                     [TIME_UNSURE] = FINDING_UNSURE};
    const TimeJudgement *judgement = &cell->judgement;
    const char *in_old = cell->refused[0],
               *in_new = cell->refused[1]; /* reason why the old or the new executable did not run the cell */
    const FindingKind kind = cell->judged_count > 0 ? kinds[judgement->verdict]
                             : !in_old[0]           ? FINDING_VANISHED
                             : !in_new[0]           ? FINDING_NEW
                                                    : FINDING_SKIPPED;
    GuardFinding finding = finding_of(kind, cell->name, cell->stage);
    finding.part = "times";
    finding.method = cell->method;
    finding.backend = cell->backend;
    char note[FINDING_NOTE_BYTES];
    finding.note = note;
    if (cell->judged_count > 0) {
        finding.base = judgement->old_s;
        finding.fresh = judgement->new_s;
        finding.ratio = judgement->ratio.median;
        finding.low = judgement->ratio.low;
        finding.high = judgement->ratio.high;
        finding.bound = judgement->bound;
        finding.samples = cell->judged_count;
        const Interval *lbs = &cell->to_lbs;
        snprintf(note, sizeof note, "bound %.4g, noise %.2g %%", cell->judgement.bound,
                 100.0 * cell->judgement.noise);
        if (!isnan(lbs->median))
            text_append(note, sizeof note, "; its ratio to LBS changed by %.4f [%.4f, %.4f]", lbs->median,
                        lbs->low, lbs->high);
    } else {
        snprintf(note, sizeof note, "%.250s", in_new[0] ? in_new : in_old);
    }
    return findings_add(findings, &finding);
}

/* Compares executables. Returns STATUS_CHECK_FAILED if NEW is slower. */
static Status compare_binary_run(const CommandLine *line)
{
    BinaryRounds rounds = {.old_path = command_line_argument(line, 0),
                           .new_path = command_line_argument(line, 1),
                           .progress = &line->progress};
    CLEANUP(binary_cells_clear) BinaryCells cells = {.cell_count = 0};
    NameList methods = {.count = 0};
    CLEANUP(suite_clear) Suite suite = {0};
    int frames = 0;
    char path[SUITE_PATH_BYTES];
    STATUS_TRY(names_split(line, "methods", &methods));
    STATUS_TRY(methods_check(&methods));
    STATUS_TRY(command_line_integer(line, "frames", 8, 1, 100000, &frames));
    STATUS_TRY(command_line_integer(line, "rounds", 12, 1, 100000, &rounds.rounds_first));
    STATUS_TRY(command_line_integer(line, "rounds-max", 384, 1, 100000, &rounds.rounds_max));
    STATUS_TRY(command_line_real(line, "time-budget", 180.0, 0.0, 1e6, &rounds.time_budget_s));
    const char *given = command_line_value(line, "suite");
    if (snprintf(path, sizeof path, "%s%s", given ? given : environment_home(),
                 given ? "" : "/results/baseline/times.json") >= (int)sizeof path)
        return bad_usage("the path of the suite is too long");
    STATUS_TRY(suite_read(path, 1, &suite));
    STATUS_TRY(binary_cells_make(&suite, frames, methods.names, methods.count, &cells));
    STATUS_TRY(binary_rounds_run(&rounds, &cells));
    FindingSource source = {.part = "times"};
    snprintf(source.base, sizeof source.base, "%s",
             rounds.old_path + output_path_folder_length(rounds.old_path));
    snprintf(source.fresh, sizeof source.fresh, "%s",
             rounds.new_path + output_path_folder_length(rounds.new_path));
    CLEANUP(findings_clear) Findings findings = {0};
    STATUS_TRY(findings_add_source(&findings, &source));
    for (int i = 0; i < cells.cell_count; i++)
        STATUS_TRY(finding_add(&cells.cells[i], &findings));
    /* find the median noise of the cells */
    LOCAL_ARRAY(double, noises, cells.cell_count, "the cells of a comparison");
    int count = 0;
    for (int i = 0; i < cells.cell_count; i++)
        if (cells.cells[i].judged_count > 0)
            noises[count++] = cells.cells[i].judgement.noise;
    const double noise = median_sorting(noises, count);
    STATUS_TRY(findings_output(line, &findings));
    if (!line->json)
        terminal_print(
            "%d rounds; noise of equal executables on this machine: %.2g %% (median of the cells)\n",
            rounds.rounds, 100.0 * noise);
    if (cells.left_out > 0)
        output_note(line, "%d cells are not timed, because they need a device or several threads",
                    cells.left_out);
    if (findings_failing(&findings) > 0)
        return status_make(STATUS_CHECK_FAILED, "%d cells are slower, %d vanished",
                           findings_count(&findings, FINDING_SLOWER),
                           findings_count(&findings, FINDING_VANISHED));
    return status_ok();
}

/* The result of a comparison. Starts as {0}; release with run_comparison_clear, also on failure. */
typedef struct RunComparison {
    Findings findings;
    Accepted before; /* content of the file `accepted`; empty if there is none */
    Accepted run;    /* acceptance made of the run */
    Status refused;  /* result of accepted_of_run: STATUS_CHECK_FAILED if cells are wrong or failed */
} RunComparison;
static void run_comparison_clear(RunComparison *comparison)
{
    findings_clear(&comparison->findings);
    accepted_clear(&comparison->before);
    accepted_clear(&comparison->run);
}

/* Compares a run, the command's last argument, with the argument before it (if there are two) and with the
 * file `accepted` (unless NULL), and prints the findings. Compares nothing if there is no argument. */
static Status compare_runs(const CommandLine *line, const char *accepted, RunComparison *out)
{
    const bool both = line->argument_count == 2;
    const char *base_path = both ? line->arguments[0] : NULL, *fresh_path = NULL;
    CompareOptions options = {.times = command_line_flag(line, "force")};
    OWNED_BY(record_store_close) RecordStore *base = NULL, *fresh = NULL;
    out->refused = status_ok();
    STATUS_TRY(command_line_real(line, "tolerance", 0.0, 0.0, 10.0, &options.tolerance));
    if (base_path) {
        STATUS_TRY(record_store_read(&base_path, 1, &base));
        record_store_drop_samples(base);
    }
    if (line->argument_count > 0) {
        fresh_path = line->arguments[both];
        STATUS_TRY(record_store_read(&fresh_path, 1, &fresh));
        record_store_drop_samples(fresh);
        STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
        const FindingSource source = source_of_runs(base, base_path, fresh, fresh_path);
        STATUS_TRY(findings_add_source(&out->findings, &source));
        out->refused = accepted_of_run(fresh, fresh_path, &out->run);
    }
    if (base)
        STATUS_TRY(records_compare(base, base_path, fresh, fresh_path, &options, &out->findings));
    if (out->refused.code != STATUS_CHECK_FAILED)
        STATUS_TRY(out->refused);
    if (accepted) {
        STATUS_TRY(accepted_read(accepted, &out->before));
        STATUS_TRY(accepted_compare(&out->before, &out->run, &out->findings));
    }
    return findings_output(line, &out->findings);
}

Status compare_run(const CommandLine *line)
{
    const char *accepted_path = command_line_value(line, "accepted");
    CLEANUP(run_comparison_clear) RunComparison comparison = {0};
    const Findings *findings = &comparison.findings;
    const bool binary = command_line_flag(line, "binary"), also = command_line_value(line, "also") != NULL;
    const int runs = line->argument_count;
    if (binary && runs < 2)
        return bad_usage("--binary needs two executables");
    if ((runs == 1 && !accepted_path && !also) || (runs == 0 && (accepted_path || !also)))
        return bad_usage("compare needs two runs, or a run and --accepted FILE, or --also FINDINGS.jsonl");
    if (binary)
        return compare_binary_run(line);
    STATUS_TRY(compare_runs(line, accepted_path, &comparison));
    if (!accepted_path)
        STATUS_TRY(comparison.refused);
    const int failing = findings_failing(findings), vanished = findings_count(findings, FINDING_VANISHED),
              appeared = findings_count(findings, FINDING_APPEARED);
    if (failing > 0)
        return status_make(STATUS_CHECK_FAILED,
                           "%d numbers changed, %d cells or numbers vanished, %d appeared",
                           failing - vanished - appeared, vanished, appeared);
    return status_ok();
}

Status accept_run(const CommandLine *line)
{
    const char *output = NULL, *reason = NULL, *names[OPTION_VALUES_MAX];
    int count = 0;
    CLEANUP(run_comparison_clear) RunComparison comparison = {0};
    STATUS_TRY(command_line_required(line, "what", &names[0]));
    STATUS_TRY(command_line_required(line, "reason", &reason));
    STATUS_TRY(command_line_required(line, "output", &output));
    if (reason[0] == '\0')
        return bad_usage("--reason is empty: say why the numbers may change");
    while ((names[count] = command_line_value_at(line, "what", count)))
        count++;
    STATUS_TRY(compare_runs(line, access(output, F_OK) == 0 ? output : NULL, &comparison));
    STATUS_TRY(comparison.refused);
    if (memory_failures() > 0) // a record that was not looked up counts as vanished
        return status_out_of_memory("the comparison");
    Accepted *run = &comparison.run;
    snprintf(run->reason, sizeof run->reason, "%s", reason);
    findings_format(&comparison.findings, run->found);
    STATUS_TRY(accepted_follow(&comparison.before, &comparison.findings, names, count, run));
    STATUS_TRY(accepted_write(run, output));
    for (int i = 0; i < run->change_count; i++)
        if (run->changes[i].open)
            output_note(line, "not accepted: %s: %s", run->changes[i].name, run->changes[i].found);
    if (!line->json)
        terminal_print("%s: %s\n", output, reason);
    return status_ok();
}
