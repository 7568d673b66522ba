/* skinbench score PREDICTED TRUTH: says how far predicted rigs are from true ones. */
#include "harness/commands/commands.h"

#include "harness/records/files/record_json.h"
#include "harness/run/scores/score_run.h"
#include "harness/show/tables/record_tables.h"
#include "harness/show/tables/score_table.h"

const CommandOption score_options[] = {
    {"variant", "NAME",
     "the definitions of a paper's code: rignet (default), exact, magicarticulate, puppeteer, unirig, nbs, "
     "anymate; the options below replace single ones of them"},
    {"unit", "box|box-joints|box2|file|diagonal",
     "length that counts as 1: longest edge of the mesh's box (box), of the box of mesh and true joints, "
     "half "
     "the edge, the file's unit, or the box's diagonal"},
    {"cleanup", "none|clip|merge|clip-merge",
     "first clip joints to the box, or merge near ones and connect the skeleton"},
    {"bones", "step|count|exact|squared",
     "bones are points every 0.005, 100 points each, segments, or segments with squared distances"},
    {"tolerance", "NUMBER",
     "distance below which a joint counts as found (default: 0, half the mesh's diameter at the joint)"},
    {"influence", "NUMBER", "weight above which a joint counts as an influence (default: 0.0001)"},
    {"pooling", "pooled|vertex", "precision and recall of all weights, or means over the vertices"},
    {"prune-below", "NUMBER", "first drop predicted weights below this number"},
    {"prune-relative", "SHARE", "first drop predicted weights below this share of the vertex's largest"},
    {"match", "auto|names|order|hungarian",
     "how joints are paired (default: by name if both rigs have the same names, else by distance)"},
    {"unmatched", "own|parent",
     "weights of a predicted joint without a partner count as wrong (own), or as its ancestor's"},
    {"poses", "N|FILE",
     "compare the skins in this many random poses (default: 10), or in the poses of a JSON file: a list of "
     "objects {joint: [x, y, z]} of rotation vectors in radians"},
    {"angle", "DEGREES", "bound of each component of the random rotation vectors (default: 60)"},
    {"seed", "N", "random seed of the poses (default: 1)"},
    {"replay", "CLIP|all", "also compare the skins in the true rig's frames"},
    {"mesh", "FILE|FOLDER",
     "mesh of rigs without one, such as RigNet's text: a file, or a folder of NAME.obj"},
    {"name", "NAME", "what predicted the rigs, for the results (default: prediction)"},
    {"output", "SCORES.jsonl", "append the scores to this result file; resumes an existing one"},
    {NULL, NULL, NULL},
};

static Status score_options_read(const CommandLine *line, ScoreOptions *out)
{
    const char *poses = command_line_value(line, "poses");
    *out = (ScoreOptions){.method = command_line_value(line, "name"),
                          .parameters = parameters_default(score_parameters),
                          .mesh = command_line_value(line, "mesh"),
                          .replay = command_line_value(line, "replay"),
                          .threads = line->threads};
    out->method = out->method ? out->method : "prediction";
    if (!name_is_plain(out->method) || strlen(out->method) >= CELL_METHOD_BYTES)
        return bad_usage("--name is '%.80s', expected lower-case letters, digits and hyphens", out->method);
    if (poses && strspn(poses, "0123456789") != strlen(poses))
        out->poses = poses;
    for (const Parameter *row = score_parameters; row->name; row++) {
        const char *value = command_line_value(line, row->name);
        char setting[256];
        if (!value || value == out->poses)
            continue;
        snprintf(setting, sizeof setting, "%s=%.200s", row->name, value);
        STATUS_TRY(parameters_set(score_parameters, "score", setting, &out->parameters));
    }
    return status_ok();
}

/* Scores two files without a result file. */
static Status pair_print(const CommandLine *line, const ScorePair *pair, const ScoreOptions *options)
{
    CLEANUP(record_clear) Record record = record_of(&(Cell){.kind = CELL_SCORE});
    STATUS_TRY(score_record_make(pair, options, &record));
    STATUS_TRY(score_pairs(pair, 1, options, &line->progress, &record));
    if (record.status != RECORD_OK)
        return bad_input("%s", record.reason);
    if (line->json)
        return output_json(record_to_json(&record));
    terminal_print("variant %s\n", argument_text(argument_find(record.cell.parameters, "variant"), ""));
    for (int i = 0; i < SCORE_COUNT; i++) {
        const double value = measures_value(&record.measures, score_rows[i].name);
        if (!isnan(value))
            terminal_print("  %-20s %-40s %.6g\n", score_rows[i].name, score_rows[i].title, value);
    }
    return status_ok();
}

static Status scores_print(const CommandLine *line, const Bench *bench)
{
    OWNED RecordView *views = NULL;
    int count = 0;
    STATUS_TRY(record_views(bench->store, &views, &count));
    for (int i = 0; i < count; i++) {
        for (const Record *record = NULL;
             line->json && (record = record_view_next_kind(&views[i], CELL_SCORE, record));)
            STATUS_TRY(output_json(record_to_json(record)));
        for (const Record *first = NULL; !line->json && (first = score_group_next(&views[i], first));)
            STATUS_TRY(text_table_show(score_table(&views[i], first)));
        if (!line->json)
            STATUS_TRY(text_table_show(reasons_table(&views[i])));
    }
    return status_ok();
}

Status score_command_run(const CommandLine *line)
{
    CLEANUP(score_pairs_clear) ScorePairs pairs = {0};
    CLEANUP(bench_close)
    Bench bench = {.path = command_line_value(line, "output"),
                   .threads = line->threads,
                   .progress = &line->progress,
                   .note = output_note_text,
                   .note_context = (void *)line};
    ScoreOptions options;
    STATUS_TRY(score_options_read(line, &options));
    STATUS_TRY(score_pairs_find(command_line_argument(line, 0), command_line_argument(line, 1), &pairs));
    if (!bench.path && pairs.count == 1 && pairs.unpaired == 0)
        return pair_print(line, &pairs.items[0], &options);
    if (!bench.path)
        return bad_usage("the scores of two folders need a file: --output SCORES.jsonl");
    STATUS_TRY(bench_open(&bench));
    const Status status = score_run_pairs(&bench, &pairs, &options);
    if (status.code != STATUS_OK && status.code != STATUS_STOPPED)
        return status;
    const Status printed = scores_print(line, &bench);
    STATUS_TRY(status); /* a stopped run still prints its results */
    STATUS_TRY(printed);
    if (!line->json)
        terminal_print("%d scored, %d failed, %d skipped in this run; %d were already in %s\n",
                       bench.counts.ended[RECORD_OK], bench.counts.ended[RECORD_FAILED],
                       bench.counts.ended[RECORD_SKIPPED], bench.counts.already, bench.path);
    if (pairs.unpaired > 0)
        output_note(line, "%d predictions have no true rig of their name", pairs.unpaired);
    return status_ok();
}
