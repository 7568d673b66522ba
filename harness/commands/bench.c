/* skinbench bench: times skinning methods on all backends, and fits of animations, and writes the times to
 * a result file. */
#include "harness/commands/commands.h"

#include "harness/commands/measured_run.h"
#include "harness/commands/name_list.h"
#include "harness/records/files/noise.h"
#include "harness/records/files/record_json.h"
#include "harness/run/peers/peer_load.h"
#include "harness/run/suites/suite.h"
#include "harness/show/tables/record_tables.h"
#include "harness/show/tables/score_table.h"

const CommandOption bench_options[] = {
    {"suite", "FILE",
     "suite file that says what to run (JSON, see results/formats.md); excludes the options that choose "
     "methods"},
    {"methods", "METHOD,...", "run only these methods, direct or decomposition (default: all)"},
    {"backends", "BACKEND,...",
     "use only these backends (default: all; missing backends are counted as skipped)"},
    {"normals", NULL, "also skin normals"},
    {"two-phase", NULL, "skin in two phases: first apply scale and shear, then skin (DQS 4.2)"},
    {"bones", "P,Q", "also fit each animation, once with each of these numbers of bones"},
    {"iterations", "I", "number of sweeps of each fit (default: 15)"},
    {"peer", "NAME,...", "also time other programs that scripts/build-peer built: ozz"},
    {"no-generated", NULL,
     "without FILE: do not run the generated rig and bar (with FILE they are never run)"},
    MEASURED_RUN_OPTIONS("20"),
    {"wide", NULL, "print all columns, and the tables of devices and of the machine's limits"},
    {"output", "RUN.jsonl",
     "append the results to this file; resumes an existing one (default: a file of this build in the user's "
     "state folder)"},
    {NULL, NULL, NULL},
};

/* Collects the --set values that name a parameter of a method. Returns how many there are. */
static int settings_of(const CommandLine *line, const Parameter *rows, const char **settings)
{
    const char *assignment = NULL;
    int count = 0;
    for (int i = 0; (assignment = command_line_value_at(line, "set", i)) != NULL; i++)
        if (count < SETTINGS_MAX && parameter_find(rows, assignment))
            settings[count++] = assignment;
    return count;
}

static Status skinning_choose(const CommandLine *line, const NameList *methods, SuitePart *part)
{
    const Backend *backends[BACKEND_COUNT] = {NULL};
    int threads[2] = {1, line->threads};
    int thread_count = threads[1] > 1 ? 2 : 1;
    if (command_line_flag(line, "threads")) {
        threads[0] = threads[1];
        thread_count = 1;
    }
    /* use the backends given by --backends, or all backends if it is absent */
    NameList given = {.count = 0};
    STATUS_TRY(names_split(line, "backends", &given));
    if (given.count > BACKEND_COUNT)
        return bad_usage("--backends lists more backends than exist");
    const int backend_count = given.count > 0 ? given.count : BACKEND_COUNT;
    for (int i = 0; i < backend_count; i++) {
        backends[i] = backend_at(i);
        if (given.count > 0)
            STATUS_TRY(backend_find(given.names[i], &backends[i]));
    }
    const SkinningRange over = {.backends = backends,
                                .threads = threads,
                                .backend_count = backend_count,
                                .thread_count = thread_count,
                                .normals = command_line_flag(line, "normals"),
                                .two_phase = command_line_flag(line, "two-phase")};
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningMethod *method = skinning_entry_at(i)->method;
        const char *settings[SETTINGS_MAX] = {NULL};
        int count = settings_of(line, method->parameters, settings);
        if (names_hold(methods, method->name))
            STATUS_TRY(suite_add_skinning(part, method->name, settings, count, &over));
    }
    return status_ok();
}

/* Adds a fit once for each number of bones. */
static Status fit_add_each(const NameList *bones, FitPlan *fit, SuitePart *part)
{
    for (int b = 0; b < bones->count; b++) {
        char *end = NULL;
        const long number = strtol(bones->names[b], &end, 10);
        if (*end != '\0' || number < 1 || number > FIT_BONES_MAX)
            return bad_usage("--bones has '%s', expected numbers from 1 to %d", bones->names[b],
                             FIT_BONES_MAX);
        fit->bones = (int)number;
        STATUS_TRY(suite_add_fit(part, fit));
    }
    return status_ok();
}

static Status fits_choose(const CommandLine *line, const NameList *methods, const Externals *externals,
                          SuitePart *part)
{
    NameList bones = {.count = 0};
    FitPlan fit = {.influences = 4, .repeats = 1, .threads = line->threads};
    STATUS_TRY(names_split(line, "bones", &bones));
    STATUS_TRY(command_line_integer(line, "iterations", 15, 0, 100000, &fit.iterations));
    for (int i = 0; i < decomposition_method_count(); i++) {
        const DecompositionMethod *method = decomposition_method_at(i);
        const char *settings[SETTINGS_MAX] = {NULL};
        if (!names_hold(methods, method->name))
            continue;
        snprintf(fit.method, sizeof fit.method, "%s", method->name);
        fit.setting_count = settings_of(line, method->parameters, settings);
        for (int k = 0; k < fit.setting_count; k++)
            if (snprintf(fit.settings[k], SETTING_BYTES, "%s", settings[k]) >= SETTING_BYTES)
                return bad_usage("--set '%.64s...' is too long", settings[k]);
        STATUS_TRY(fit_add_each(&bones, &fit, part));
    }
    fit.setting_count = 0;
    fit.external = true;
    for (int i = 0; i < externals->count; i++) {
        snprintf(fit.method, sizeof fit.method, "%s", externals->items[i]->name);
        if (externals->items[i]->kind == EXTERNAL_FIT)
            STATUS_TRY(fit_add_each(&bones, &fit, part));
    }
    return status_ok();
}

/* Adds a data set file. A file of another format with rigs is imported first. */
static Status file_add(const CommandLine *line, FileImports *imports, const char *given, SuitePart *part)
{
    const Format *format = NULL;
    char path[FILE_IMPORT_PATH_BYTES];
    if (dataset_probe(given, NULL).code == STATUS_OK)
        return suite_add_file(part, given);
    STATUS_TRY(format_detect(given, &format));
    if (!format->import || !(format->options & FORMAT_RIG) || format->options & FORMAT_MESH)
        return suite_add_file(part, given); /* opening the file says which command makes a data set of it */
    STATUS_TRY(format_explain(file_import(imports, format, given, NULL, &line->progress, path), given));
    return suite_add_file(part, path);
}

static Status suite_choose(const CommandLine *line, const Externals *externals, FileImports *imports,
                           Suite *suite)
{
    const char *file = command_line_value(line, "suite");
    SuitePart *part = NULL;
    NameList methods = {.count = 0};
    STATUS_TRY(names_split(line, "methods", &methods));
    STATUS_TRY(methods_check(&methods));
    /* Refuse a --set whose parameter no method has, because it would have no effect. */
    const char *assignment = NULL;
    for (int i = 0; (assignment = command_line_value_at(line, "set", i)) != NULL; i++) {
        bool known = false;
        for (int m = 0; m < skinning_entry_count(); m++)
            known = known || parameter_find(skinning_entry_at(m)->method->parameters, assignment);
        for (int m = 0; m < decomposition_method_count(); m++)
            known = known || parameter_find(decomposition_method_at(m)->parameters, assignment);
        if (!known || !strchr(assignment, '='))
            return bad_usage("--set '%.64s': expected NAME=VALUE, a parameter of a method", assignment);
    }
    if (file) {
        if (methods.count > 0 || command_line_flag(line, "backends") || command_line_flag(line, "bones"))
            return bad_usage("--suite already names methods, backends and bones; do not give both");
        STATUS_TRY(suite_read(file, line->threads, suite));
        part = &suite->parts[suite->part_count - 1];
    } else {
        STATUS_TRY(suite_add_part(suite, &part));
        STATUS_TRY(skinning_choose(line, &methods, part));
        STATUS_TRY(fits_choose(line, &methods, externals, part));
        const bool generated = line->argument_count == 0 && !command_line_flag(line, "no-generated");
        static const SuiteDataset generators[] = {{.generator = "rig"}, {.generator = "bar"}};
        for (int i = 0; i < 2 && generated; i++)
            STATUS_TRY(suite_add_dataset(part, &generators[i]));
    }
    for (int i = 0; i < line->argument_count; i++)
        STATUS_TRY(file_add(line, imports, command_line_argument(line, i), part));
    if (!file && part->dataset_count == 0)
        return bad_usage("there is no data set to run on");
    return status_ok();
}

/* Columns of the skinning table that are printed without --wide; they fit 120 characters. */
static const char *const main_columns[] = {"data set", "method",          "backend",
                                           "threads",  "frame ns/vertex", "frame over LBS",
                                           "skin",     "off reference",   NULL};

static const char *const main_peer_columns[] = {
    "data set",      "peer", "threads", "frame ns/vertex", "frame over LBS on simd", "frame over plain loop",
    "off reference", NULL};

/* Prints what was measured on one machine. */
static Status records_print(const CommandLine *line, const RecordView *records)
{
    char noise[NOISE_TEXT_BYTES];
    if (line->json) {
        for (const Record *record = NULL; (record = record_view_next(records, record));)
            STATUS_TRY(output_json(record_to_json(record)));
        return status_ok();
    }
    if (records->machine) {
        terminal_print("Measured on %s\n", records->machine);
        putchar('\n');
    }
    TextTable *skinning = skinning_table(records, NULL);
    if (!command_line_flag(line, "wide"))
        text_table_keep(skinning, main_columns);
    STATUS_TRY(text_table_show(skinning));
    TextTable *peers = peers_table(records, NULL);
    if (!command_line_flag(line, "wide"))
        text_table_keep(peers, main_peer_columns);
    STATUS_TRY(text_table_show(peers));
    if (command_line_flag(line, "wide")) {
        STATUS_TRY(text_table_show(devices_table(records, NULL)));
        STATUS_TRY(text_table_show(limits_table(records, NULL)));
    }
    STATUS_TRY(text_table_show(fits_table(records, false)));
    STATUS_TRY(text_table_show(fits_table(records, true)));
    for (const Record *first = NULL; (first = score_group_next(records, first));)
        STATUS_TRY(text_table_show(score_table(records, first)));
    STATUS_TRY(text_table_show(reasons_table(records)));
    STATUS_TRY(noise_format(records, noise));
    if (noise[0])
        terminal_print("%s\n", noise);
    return status_ok();
}

static Status results_print(const CommandLine *line, const Bench *bench)
{
    OWNED RecordView *views = NULL;
    const int *ended = bench->counts.ended;
    int count = 0;
    STATUS_TRY(record_views(bench->store, &views, &count));
    for (int i = 0; i < count; i++)
        STATUS_TRY(records_print(line, &views[i]));
    if (line->json)
        return status_ok();
    if (bench->bandwidth.threads > 0)
        terminal_print("memory bandwidth: %.1f GB/s on one thread, %.1f GB/s on %d threads\n",
                       1e-9 * bench->bandwidth.one_thread, 1e-9 * bench->bandwidth.all_threads,
                       bench->bandwidth.threads);
    terminal_print("%d ok, %d skipped, %d wrong, %d failed in this run; %d cells were already in %s\n",
                   ended[RECORD_OK], ended[RECORD_SKIPPED], ended[RECORD_WRONG], ended[RECORD_FAILED],
                   bench->counts.already, bench->path);
    return status_ok();
}

/* Work per call, in vertices times frames. With this much work, a GPU computes several hundred times as
 * long as a kernel launch takes. */
static const double GPU_VERTEX_FRAMES = 1e8;

Status bench_command_run(const CommandLine *line)
{
    CLEANUP(file_imports_clear) FileImports imports = {.count = 0};
    CLEANUP(suite_clear) Suite suite = {0};
    CLEANUP(measured_run_end) MeasuredRun run = {.line = NULL};
    Bench *bench = &run.bench;
    STATUS_TRY(measured_run_read(line, 20.0, &run));
    if (!command_line_value(line, "frames") && !bench->no_times)
        bench->gpu_vertex_frames = GPU_VERTEX_FRAMES;
    NameList names = {.count = 0};
    STATUS_TRY(suite_choose(line, &bench->externals, &imports, &suite));
    STATUS_TRY(names_split(line, "peer", &names));
    if (names.count > PEERS_MAX)
        return bad_usage("--peer names %d programs, but at most %d are allowed", names.count, PEERS_MAX);
    for (; bench->peer_count < names.count; bench->peer_count++)
        STATUS_TRY(peer_load(names.names[bench->peer_count], &bench->peers[bench->peer_count]));
    STATUS_TRY(suite_check(&suite, !bench->no_times && !bench->forecast, bench->progress));
    STATUS_TRY(suite_tables_check(&suite, command_line_value(line, "suite")));
    STATUS_TRY(measured_run_open(&run));
    Status status = suite_run(bench, &suite);
    if (bench->forecast) {
        STATUS_TRY(status);
        return measured_run_print_forecast(&run);
    }
    if (status.code == STATUS_OK)
        status = bench_shard_end(bench);
    if (status.code != STATUS_OK && status.code != STATUS_STOPPED)
        return status;
    const Status printed = results_print(line, bench);
    STATUS_TRY(status); /* a stopped run still prints its results */
    STATUS_TRY(printed);
    if (bench->counts.ended[RECORD_WRONG] > 0)
        return status_make(STATUS_CHECK_FAILED,
                           "the results of %d cells differ from the reference or are not finite",
                           bench->counts.ended[RECORD_WRONG]);
    return status_ok();
}
