/* skinbench compare: exits with 1 if a number changed, a cell vanished or appeared, or the newer of two
 * executables is slower. */

#include "datasets/io/atomic_path.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare_runs.h"
#include "harness/commands/name_list.h"
#include "harness/run/binary/binary_rounds.h"

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
