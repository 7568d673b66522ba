/* skinbench advise RIG: says in one sentence, with numbers, which direct method suits a rig. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "harness/run/advice/advise.h"
#include "harness/run/fit/helper_joints.h"
#include "harness/show/report/advice_report.h"
#include "methods/registry.h"

enum { APPLY_POSES = 192 }; /* poses to which --apply fits helper joints, as `fit` does by default */

const CommandOption advise_options[] = {
    {"output", "FOLDER",
     "also write a page with the recommendation, pictures of the joints at which methods differ, what to do "
     "now, and all numbers"},
    {"apply", "OUT.glb",
     "also write the rig with helper joints, which make linear blending imitate the advised method in every "
     "engine"},
    {"own-poses", NULL, "compare only in the poses of the file, without generated test poses"},
    {"budget", "1.5x", "recommend only methods that take at most this many times as long as lbs"},
    {"reference", "METHOD",
     "rank methods by their distance from reference shapes: those of a method such as delta-mush, the file's "
     "own "
     "shapes (file), or elastic flesh simulated on its bones (elastic)"},
    {"seed", "N", "random seed of the generated test poses and of the timing order (default: 1)"},
    {NULL, NULL, NULL},
};

/* Checks that `output` may be written, before the long work. */
static Status advice_output_check(const char *output, OutputKind kind)
{
    CLEANUP(atomic_path_discard) AtomicPath place = {0};
    return atomic_path_start(output, kind, &place);
}

/* Prints a note about the exported file, without the name of the data set, which is a temporary file. */
static void applied_note(void *line, const char *text)
{
    const char *rest = strstr(text, ".h5: ");
    output_note_text(line, rest ? rest + 5 : text);
}

/* Adds helper joints that imitate the advised method to the rig of `dataset`, and exports it to `output`. If
 * the file is a glTF file, the rest of the file is kept. */
static Status advice_apply(const CommandLine *line, const Advice *advice, const AdviceFile *file,
                           Dataset *dataset, const char *output)
{
    HelperOptions options = {.poses = APPLY_POSES,
                             .quadratic = true,
                             .seed = advice->seed,
                             .threads = line->threads,
                             .progress = &line->progress};
    const char *target = advice_helper_target(advice, &options.helpers);
    OWNED_BY(temporary_folder_remove) TemporaryFolder *folder = NULL;
    const Format *format = format_find("glb");
    HelperFit fit = {.count = 0};
    char copy[4096];
    if (!target) {
        output_note(
            line,
            "%s was not written: %s needs no helper joints (--reference METHOD adds joints that imitate "
            "a method)",
            output, advice->methods[advice->chosen].name);
        return status_ok();
    }
    options.target = skinning_entry_find(target);
    options.shapes = options.target ? NULL : dataset->animation.positions;
    const Status status =
        status_in(file->path, helper_joints_fit(&dataset->mesh, &dataset->rig, &options, &fit));
    rig_clear(&dataset->rig);
    dataset->rig = fit.rig;
    STATUS_TRY(status);
    animation_clear(&dataset->animation); /* the animation was made with the old rig */
    STATUS_TRY(temporary_folder_make(temporary_folder_parent(), file->path, &folder));
    snprintf(copy, sizeof copy, "%s/helpers.h5", temporary_folder_path(folder));
    STATUS_TRY(dataset_write(dataset, copy));
    const FormatNotes notes = {applied_note, (void *)line};
    const ExportOptions export = {.input = copy,
                                  .output = output,
                                  .into = file->is_gltf ? file->path : NULL,
                                  .progress = &line->progress,
                                  .notes = &notes};
    STATUS_TRY(format->export(&export));
    output_note(
        line, "wrote %s with %d helper joints; in held-out poses linear blending is now %.0f %% nearer to %s",
        output, fit.count, 100.0 * (1.0 - fit.held.after / fmax(fit.held.before, 1e-300)), target);
    return status_ok();
}

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
    json_set(entry, "loss_of_shape_beyond", json_number_or_null(method->stress));
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

static json_t *advice_json(const Advice *advice, const AdviceFile *file, const char *steps)
{
    json_t *methods = json_array(), *joints = json_array(), *views = json_array(), *commands = json_array(),
           *engines = json_object();
    for (int m = 0; m < advice->method_count; m++)
        json_array_append_new(methods, method_json(advice, m));
    for (int j = 0; j < advice->joint_used; j++)
        json_array_append_new(joints, joint_json(advice, &advice->joints[j]));
    for (int i = 0; i < advice->view_count; i++)
        json_array_append_new(views, json_pack("{s:o, s:s}", "joint",
                                               json_text(advice->joints[advice->views[i].joint].name), "pose",
                                               advice->views[i].pose));
    for (const char *line = steps; *line; line += strcspn(line, "\n") + 1)
        json_array_append_new(commands, json_stringn(line, strcspn(line, "\n")));
    for (int i = 0; i < ENGINE_COUNT; i++)
        json_set(engines, skinning_engine_names[i], json_text(advice_engine(advice, i)));
    return json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:I, s:i, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o}",
        "schema", 1, "file", json_text(file->path), "sentence", json_text(advice->sentence), "caveat",
        json_text(advice->caveat), "stress", json_text(advice->stress), "rule", advice_rule(advice),
        "advised", advice->methods[advice->chosen].name, "budget", json_number_or_null(advice->budget),
        "seed", (json_int_t)advice->seed, "own_poses", advice->own_poses, "gauntlet_poses",
        advice->gauntlet_poses, "poses_beyond", advice->poses_beyond, "backend", "simd", "methods", methods,
        "joints", joints, "views", views, "engines", engines, "commands", commands);
}

/* Prints where each engine has the advised method, and the commands that put it into the file. */
static void steps_print(const Advice *advice, const char *steps)
{
    if (advice->chosen == advice->lbs)
        return;
    terminal_print("\nWhat to do now, to use %s:\n", advice->methods[advice->chosen].name);
    for (int i = 0; i < ENGINE_COUNT; i++)
        terminal_print("  %-9s %s\n", skinning_engine_names[i], advice_engine(advice, i));
    if (steps[0])
        terminal_print("  In every engine, with helper joints that imitate it (or --apply OUT.glb):\n");
    for (const char *line = steps; *line; line += strcspn(line, "\n") + 1)
        terminal_print("    %.*s\n", (int)strcspn(line, "\n"), line);
}

/* What file_advise writes besides its output on stdout; NULL: not wanted. */
typedef struct AdviceOutputs {
    const char *folder, *applied;
} AdviceOutputs;

/* Recommends a method for one file, and prints the advice as JSON or as a table. Writes the page and the
 * file with helper joints if the options ask for them. */
static Status file_advise(const CommandLine *line, const char *path, AdviseOptions how, AdviceOutputs outputs)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(advice_clear) Advice advice = {.method_count = 0};
    OWNED_BY(text_table_free) TextTable *table = NULL;
    OWNED_BY(free) char *json = NULL, *steps = NULL;
    AdviceFile file = {.path = path};
    const Format *format = NULL;
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    if (outputs.folder)
        STATUS_TRY(advice_output_check(outputs.folder, OUTPUT_LISTED_FOLDER));
    if (outputs.applied)
        STATUS_TRY(output_ending_check(outputs.applied, ".glb"));
    how.threads = line->threads;
    how.timing_s = 1.0;
    how.progress = &line->progress;
    file.is_dataset = dataset_probe(path, NULL).code == STATUS_OK;
    file.is_gltf =
        !file.is_dataset && format_detect(path, &format).code == STATUS_OK && format->import == gltf_import;
    STATUS_TRY(dataset_load_any(path, NULL, &line->progress, &dataset));
    if (outputs.applied) /* after the input was opened, so that it is refused as an output */
        STATUS_TRY(advice_output_check(outputs.applied, OUTPUT_FILE));
    STATUS_TRY(status_in(path, advise(dataset, &how, &advice)));
    steps = advice_steps(&advice, &file);
    ALLOCATED(steps, "the commands");
    if (line->json)
        STATUS_TRY(output_json_line(advice_json(&advice, &file, steps), &json));
    table = advice_table(&advice, false);
    STATUS_TRY(text_table_status(table));
    const Status written = outputs.folder ? advice_report_write(&advice, &file, outputs.folder, line->threads,
                                                                &line->progress, left_out)
                                          : status_ok();
    if (written.code != STATUS_OK && written.code != STATUS_UNAVAILABLE)
        return written;
    if (left_out[0])
        output_note(line, "%s", left_out);
    if (outputs.applied)
        STATUS_TRY(advice_apply(line, &advice, &file, dataset, outputs.applied));
    if (json) {
        puts(json);
        return written;
    }
    terminal_print("%s.\n", advice.sentence);
    if (advice.caveat[0])
        terminal_print("%s\n", advice.caveat);
    if (advice.stress[0])
        terminal_print("%s\n", advice.stress);
    putchar('\n');
    text_table_write(table, TABLE_MARKDOWN, stdout);
    steps_print(&advice, steps);
    terminal_print("\n%s\n", advice_rule(&advice));
    for (int i = 0; i < advice.view_count && advice.joints[i].difference >= ADVICE_VISIBLE_PERCENT; i++)
        terminal_print("methods differ at %s, %s: %.2g %% of the diagonal on average\n",
                       advice.joints[i].name, advice.views[i].pose, advice.joints[i].difference);
    if (outputs.folder)
        output_note(line, "wrote %s/index.html and report.md, with all measures and pictures",
                    outputs.folder);
    return written;
}

Status advise_run(const CommandLine *line)
{
    int seed = 1;
    AdviseOptions how = {.own_poses = command_line_flag(line, "own-poses"),
                         .reference = command_line_value(line, "reference")};
    const AdviceOutputs outputs = {command_line_value(line, "output"), command_line_value(line, "apply")};
    const char *text = command_line_value(line, "budget");
    char *end = NULL;
    how.budget = text ? strtod(text, &end) : INFINITY;
    if (text && (end == text || (strcmp(end, "x") != 0 && *end != '\0') || !(how.budget >= 1.0) ||
                 !(how.budget <= 1e6)))
        return bad_usage("--budget is '%s', expected 1 or more times the cost of lbs, such as 1.5x", text);
    STATUS_TRY(command_line_integer(line, "seed", 1, 0, 1 << 30, &seed));
    how.seed = (uint64_t)seed;
    return file_advise(line, command_line_argument(line, 0), how, outputs);
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
        STATUS_TRY(file_advise(line, command_line_argument(line, i), how, (AdviceOutputs){NULL, NULL}));
    }
    return status_ok();
}
