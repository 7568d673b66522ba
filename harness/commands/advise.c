/* skinbench advise RIG: says in one sentence, with numbers, which direct method suits a rig. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "harness/run/advice/advise.h"
#include "harness/show/report/advice_report.h"

const CommandOption advise_options[] = {
    {"output", "FOLDER",
     "also write a page with the recommendation, a plot, all numbers, and the joints at which methods "
     "differ"},
    {"own-poses", NULL,
     "compare only in the poses of the file, without the generated test poses (the gauntlet)"},
    {"budget", "1.5x", "recommend only methods that take at most this many times as long as lbs"},
    {"reference", "METHOD",
     "rank methods by their distance from reference shapes: those of a method such as delta-mush, the file's "
     "own "
     "shapes (file), or elastic flesh simulated on its bones (elastic)"},
    {"seed", "N", "random seed of the generated test poses and of the timing order (default: 1)"},
    {NULL, NULL, NULL},
};

/* ---- output of --json ---- */

static json_t *method_json(const Advice *advice, int m)
{
    const AdviceMethod *method = &advice->methods[m];
    json_t *entry = json_pack("{s:s, s:s, s:s}", "method", method->name, "title", method->title, "status",
                              method->reason[0] ? "refused" : "ok");
    if (method->reason[0]) {
        json_set(entry, "reason", json_text(method->reason));
        return entry;
    }
    for (int i = 0; i < ADVICE_MEASURES; i++)
        json_set(entry, advice_measures[i].name, json_number_or_null(method->values[i]));
    json_set(entry, "loss_of_shape", json_number_or_null(method->harm));
    json_set(entry, "ratio_to_lbs", json_number_or_null(method->cost));
    json_set(
        entry, "ratio_interval",
        json_pack("[o, o]", json_number_or_null(method->cost_low), json_number_or_null(method->cost_high)));
    json_set(entry, "ns_per_vertex", json_number_or_null(method->ns_per_vertex));
    json_set(entry, "device_ratio_to_lbs", json_number_or_null(method->device_cost));
    json_set(entry, "device_ns_per_vertex", json_number_or_null(method->device_ns_per_vertex));
    json_set(entry, "bytes_per_vertex", json_integer(method->bytes_per_vertex));
    json_set(entry, "data_bytes_per_vertex", json_number_or_null(method->data_bytes));
    json_set(entry, "bytes_per_joint", json_integer(method->bytes_per_joint));
    json_set(entry, "bytes_per_set", json_integer(method->bytes_per_set));
    json_set(entry, "precompute_s", json_number_or_null(method->precompute_s));
    json_set(entry, "dominated_by",
             method->dominated_by < 0 ? json_null() : json_text(advice->methods[method->dominated_by].name));
    const char *fault = advice_fault(advice, m);
    json_set(entry, "fault", fault ? json_text(fault) : json_null());
    json_set(entry, "named", json_boolean(advice_names(advice, m)));
    return entry;
}

static json_t *joint_json(const Advice *advice, const AdviceJoint *joint)
{
    json_t *collapse = json_object(), *bulge = json_object();
    for (int m = 0; m < advice->method_count; m++)
        if (advice->methods[m].reason[0] == '\0') {
            json_set(collapse, advice->methods[m].name, json_number_or_null(joint->collapse[m]));
            json_set(bulge, advice->methods[m].name, json_number_or_null(joint->bulge[m]));
        }
    return json_pack("{s:o, s:i, s:o, s:o, s:o}", "joint", json_text(joint->name), "vertices",
                     joint->vertex_count, "difference_percent", json_number_or_null(joint->difference),
                     "collapse_percent", collapse, "bulge_percent", bulge);
}

static json_t *advice_json(const Advice *advice, const char *path)
{
    json_t *methods = json_array(), *joints = json_array(), *views = json_array();
    for (int m = 0; m < advice->method_count; m++)
        json_array_append_new(methods, method_json(advice, m));
    for (int j = 0; j < advice->joint_used; j++)
        json_array_append_new(joints, joint_json(advice, &advice->joints[j]));
    for (int i = 0; i < advice->view_count; i++)
        json_array_append_new(views, json_pack("{s:o, s:s}", "joint",
                                               json_text(advice->joints[advice->views[i].joint].name), "pose",
                                               advice->views[i].pose));
    return json_pack("{s:i, s:o, s:o, s:s, s:s, s:o, s:I, s:i, s:i, s:s, s:o, s:o, s:o}", "schema", 1, "file",
                     json_text(path), "sentence", json_text(advice->sentence), "rule", advice_rule(advice),
                     "advised", advice->methods[advice->chosen].name, "budget",
                     json_number_or_null(advice->budget), "seed", (json_int_t)advice->seed, "own_poses",
                     advice->own_poses, "gauntlet_poses", advice->gauntlet_poses, "backend", "simd",
                     "methods", methods, "joints", joints, "views", views);
}

/* Advises on one file and prints JSON or a table. Also writes the page to `folder` unless it is NULL. */
static Status file_advise(const CommandLine *line, const char *path, AdviseOptions how, const char *folder)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(advice_clear) Advice advice = {.method_count = 0};
    OWNED_BY(text_table_free) TextTable *table = NULL;
    OWNED_BY(free) char *json = NULL;
    if (folder) { /* fail before the long work if the folder cannot be written */
        CLEANUP(atomic_path_discard) AtomicPath place = {0};
        STATUS_TRY(atomic_path_start(folder, OUTPUT_LISTED_FOLDER, &place));
    }
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    how.threads = line->threads;
    how.timing_s = 1.5;
    how.progress = &line->progress;
    STATUS_TRY(dataset_load_any(path, NULL, &line->progress, &dataset));
    STATUS_TRY(status_in(path, advise(dataset, &how, &advice)));
    if (line->json)
        STATUS_TRY(output_json_line(advice_json(&advice, path), &json));
    table = advice_table(&advice, false);
    STATUS_TRY(text_table_status(table));
    const Status written =
        folder ? advice_report_write(&advice, path, folder, line->threads, &line->progress, left_out)
               : status_ok();
    if (written.code != STATUS_OK && written.code != STATUS_UNAVAILABLE)
        return written;
    if (left_out[0])
        output_note(line, "%s", left_out);
    if (json) {
        puts(json);
        return written;
    }
    terminal_print("%s\n", advice.sentence);
    putchar('\n');
    text_table_write(table, TABLE_MARKDOWN, stdout);
    terminal_print("\n%s\n", advice_rule(&advice));
    for (int i = 0; i < advice.view_count && advice.joints[i].difference >= ADVICE_VISIBLE_PERCENT; i++)
        terminal_print("methods differ at %s, %s: %.2g %% of the diagonal on average\n",
                       advice.joints[i].name, advice.views[i].pose, advice.joints[i].difference);
    if (folder)
        output_note(line, "wrote %s/index.html and report.md, with all measures and pictures", folder);
    return written;
}

Status advise_run(const CommandLine *line)
{
    int seed = 1;
    AdviseOptions how = {.own_poses = command_line_flag(line, "own-poses"),
                         .reference = command_line_value(line, "reference")};
    const char *text = command_line_value(line, "budget");
    char *end = NULL;
    how.budget = text ? strtod(text, &end) : INFINITY;
    if (text && (end == text || (strcmp(end, "x") != 0 && *end != '\0') || !(how.budget >= 1.0) ||
                 !(how.budget <= 1e6)))
        return bad_usage("--budget is '%s', expected 1 or more times the cost of lbs, such as 1.5x", text);
    STATUS_TRY(command_line_integer(line, "seed", 1, 0, 1 << 30, &seed));
    how.seed = (uint64_t)seed;
    return file_advise(line, command_line_argument(line, 0), how, command_line_value(line, "output"));
}

Status equal_cost_run(const CommandLine *line)
{
    const char *reference = command_line_value(line, "reference");
    const AdviseOptions how = {
        .reference = reference ? reference : "delta-mush", .budget = INFINITY, .seed = 1};
    if (line->argument_count < 2)
        return bad_usage("table equal-cost needs at least one file with a rig");
    if (command_line_value(line, "output"))
        return bad_usage("table equal-cost writes no result file; for a page with plots, use `skinbench "
                         "advise FILE --reference METHOD -o "
                         "FOLDER`");
    for (int i = 1; i < line->argument_count; i++) {
        if (!line->json) {
            fputs(i > 1 ? "\n" : "", stdout);
            terminal_print("**%s**\n", command_line_argument(line, i));
            putchar('\n');
        }
        STATUS_TRY(file_advise(line, command_line_argument(line, i), how, NULL));
    }
    return status_ok();
}
