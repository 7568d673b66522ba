/* Builds suites from the command line or reads them from a file, and checks every member. */
#include "harness/run/suites/suite.h"

#include "datasets/formats/formats.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"
#include "harness/records/papers/published.h"
#include "harness/run/scores/external_cell.h"
#include "harness/run/suites/table_run.h"

Status suite_add_part(Suite *suite, SuitePart **part)
{
    GROW(suite->parts, suite->part_count, "the suite");
    *part = &suite->parts[suite->part_count++];
    **part = (SuitePart){.datasets = NULL};
    return status_ok();
}

Status suite_add_dataset(SuitePart *part, const SuiteDataset *dataset)
{
    GROW(part->datasets, part->dataset_count, "the suite");
    part->datasets[part->dataset_count++] = *dataset;
    return status_ok();
}

Status suite_add_file(SuitePart *part, const char *path)
{
    SuiteDataset dataset = {.setting_count = 0};
    if (strlen(path) >= sizeof dataset.path)
        return bad_usage("%s: the path is too long", path);
    snprintf(dataset.path, sizeof dataset.path, "%s", path);
    return suite_add_dataset(part, &dataset);
}

Status suite_add_fit(SuitePart *part, const FitPlan *fit)
{
    GROW(part->fits, part->fit_count, "the suite");
    part->fits[part->fit_count++] = *fit;
    return status_ok();
}

Status suite_add_skinning(SuitePart *part, const char *method, const char *const *settings, int setting_count,
                          const SkinningRange *over)
{
    SkinningPlan plan = {.entry = NULL};
    STATUS_TRY(skinning_plan_make(method, settings, setting_count, &plan));
    plan.normals = over->normals;
    plan.two_phase = over->two_phase;
    for (int b = 0; b < over->backend_count; b++) {
        plan.backend = over->backends[b];
        const int threads = plan.backend->threaded ? over->thread_count : 1;
        const int levels = plan.backend->takes_level && over->level_count > 0 ? over->level_count : 1;
        for (int i = 0; i < threads * levels; i++) {
            const bool leveled = plan.backend->takes_level && over->level_count > 0;
            plan.threads = plan.backend->threaded ? over->threads[i / levels] : 1;
            snprintf(plan.level, sizeof plan.level, "%s", leveled ? over->levels[i % levels] : "");
            GROW(part->plans, part->plan_count, "the suite");
            part->plans[part->plan_count++] = plan;
        }
    }
    return status_ok();
}

void suite_clear(Suite *suite)
{
    for (int i = 0; i < suite->part_count; i++) {
        FREE_ALL(suite->parts[i].datasets, suite->parts[i].plans, suite->parts[i].fits,
                 suite->parts[i].tables);
    }
    memory_free(suite->parts);
    *suite = (Suite){0};
}

/* Checks a data set, and whether the build may time the kernels that run on its rig. */
static Status suite_dataset_check(const SuiteDataset *dataset, bool timed, const Progress *progress)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    const char *settings[SETTINGS_MAX] = {NULL};
    for (int k = 0; k < dataset->setting_count; k++)
        settings[k] = dataset->settings[k];
    STATUS_TRY(dataset->path[0] != '\0'
                   ? dataset_open(dataset->path, progress, &reader, &header)
                   : subject_generate_check(dataset->generator, settings, dataset->setting_count));
    /* a generated data set counts as rigged, because it does not exist yet */
    return timed && (!header || header->rig.joint_count > 0) ? environment_kernel_times_check() : status_ok();
}

Status suite_check(const Suite *suite, bool times, const Progress *progress)
{
    for (int p = 0; p < suite->part_count; p++)
        for (int i = 0; i < suite->parts[p].dataset_count; i++)
            STATUS_TRY(suite_dataset_check(&suite->parts[p].datasets[i],
                                           times && suite->parts[p].plan_count > 0, progress));
    return status_ok();
}

/* ---- the file ---- */

typedef struct SuiteMethod {
    char name[METHOD_NAME_BYTES];
    char settings[SETTINGS_MAX][SETTING_BYTES];
    int setting_count;
} SuiteMethod;

/* Skinning entry of a suite file. It stands for every combination of its methods, backends and numbers of
 * threads. A count of -1 means that the default is used. */
typedef struct SuiteSkinning {
    SuiteMethod *methods;
    char backends[BACKEND_COUNT][SETTING_BYTES];
    int threads[SETTINGS_MAX];
    char levels[SIMD_LEVELS_MAX][CELL_LEVEL_BYTES];
    int method_count, backend_count, thread_count, level_count;
    bool normals, two_phase;
} SuiteSkinning;

enum { SUITE_NUMBERS_MAX = 64 };

/* Fit entry of a suite file. It stands for one fit for every combination of a number of bones and a
 * seed. */
typedef struct SuiteFit {
    FitPlan cell;
    char external[METHOD_NAME_BYTES]; /* name of an external program, which replaces the method */
    int bones[SUITE_NUMBERS_MAX], seeds[SUITE_NUMBERS_MAX];
    int bones_count, seed_count;
} SuiteFit;

typedef struct SuiteFile {
    SuiteDataset *datasets;
    SuiteFit *fits;
    SuiteSkinning skinning;
    SuiteTable *tables;
    int dataset_count, fit_count, table_count;
} SuiteFile;

static const JsonTable short_texts = JSON_TEXTS(SETTING_BYTES, LABEL, true);
#define SETTINGS(type, texts, number) JSON_ARRAY(type, texts, number, "set", &short_texts, OMITTED)

static const JsonTable dataset_table =
    JSON_TABLE_STRICT(SuiteDataset, NULL, JSON_FIELD_AS(SuiteDataset, path, TEXT, "file", OMITTED),
                      JSON_FIELD_AS(SuiteDataset, generator, NAME, "generate", OMITTED),
                      SETTINGS(SuiteDataset, settings, setting_count));

static const JsonTable method_table = JSON_TABLE_STRICT(
    SuiteMethod, NULL, JSON_FIELD(SuiteMethod, name, NAME), SETTINGS(SuiteMethod, settings, setting_count));

/* Reads a method: its name, or an object with its parameters. */
static Status method_read(const json_t *value, const char *where, void *method)
{
    if (!json_is_string(value) || json_string_length(value) >= METHOD_NAME_BYTES)
        return json_read(value, where, &method_table, method);
    snprintf(((SuiteMethod *)method)->name, METHOD_NAME_BYTES, "%s", json_string_value(value));
    return status_ok();
}

static const JsonCustom method_json = {NULL, method_read, NULL};
static const JsonTable methods = JSON_TABLE_STRICT(
    SuiteMethod, NULL, {.kind = JSON_KIND_CUSTOM, .size = sizeof(SuiteMethod), .custom = &method_json});

static const JsonTable levels = JSON_TEXTS(CELL_LEVEL_BYTES, NAME, true);

static const JsonTable skinning_table = JSON_TABLE_STRICT(
    SuiteSkinning, NULL, JSON_LIST(SuiteSkinning, methods, method_count, "methods", &methods, OMITTED),
    JSON_ARRAY(SuiteSkinning, backends, backend_count, "backends", &short_texts, OMITTED),
    JSON_ARRAY(SuiteSkinning, threads, thread_count, "threads", &json_integers, OMITTED),
    JSON_ARRAY(SuiteSkinning, levels, level_count, "levels", &levels, OMITTED),
    JSON_FIELD(SuiteSkinning, normals, FLAG), JSON_FIELD(SuiteSkinning, two_phase, FLAG));

static const JsonTable row_names = JSON_TEXTS(CELL_NAME_BYTES, LABEL, true);
static const JsonTable table_table =
    JSON_TABLE_STRICT(SuiteTable, NULL, JSON_FIELD(SuiteTable, name, NAME),
                      JSON_ARRAY(SuiteTable, rows, row_count, "rows", &row_names, OMITTED));

static const SuiteFit fit_default = {
    .cell = {.influences = 4, .iterations = 15, .repeats = 1}, .seeds = {1}, .seed_count = 1};
static const JsonTable fit_table =
    JSON_TABLE_STRICT(SuiteFit, &fit_default, JSON_FIELD_AS(SuiteFit, cell.method, NAME, "method", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, external, NAME, "external", OMITTED),
                      JSON_FIELD_AS(SuiteFit, cell.influences, COUNT, "influences", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, cell.iterations, COUNT, "iterations", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, cell.repeats, COUNT, "repeats", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, cell.holdout, COUNT, "holdout", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, cell.time_limit_s, SECONDS, "time_limit_s", WRITTEN),
                      JSON_FIELD_AS(SuiteFit, cell.error, AMOUNT, "error", WRITTEN),
                      JSON_ARRAY(SuiteFit, bones, bones_count, "bones", &json_integers, WRITTEN),
                      JSON_ARRAY(SuiteFit, seeds, seed_count, "seeds", &json_integers, OMITTED),
                      SETTINGS(SuiteFit, cell.settings, cell.setting_count));

static const JsonTable file_table = JSON_TABLE_STRICT(
    SuiteFile, NULL, JSON_LIST(SuiteFile, datasets, dataset_count, "datasets", &dataset_table, WRITTEN),
    JSON_GROUP(SuiteFile, skinning, "skinning", &skinning_table, OMITTED),
    JSON_LIST(SuiteFile, fits, fit_count, "decomposition", &fit_table, OMITTED),
    JSON_LIST(SuiteFile, tables, table_count, "tables", &table_table, OMITTED));

/* Returns STATUS_BAD_INPUT for a number outside 1 to `max`. */
static Status numbers_check(const char *where, const int *numbers, int count, int max)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] < 1 || numbers[i] > max)
            return bad_input("%s[%d] is %d, expected 1 to %d", where, i, numbers[i], max);
    return status_ok();
}

static Status part_skinning_append(const char *path, SuiteSkinning *skinning, int threads, SuitePart *part)
{
    const Backend *backends[BACKEND_COUNT];
    const char *names[SIMD_LEVELS_MAX];
    char where[JSON_WHERE_BYTES];
    snprintf(where, sizeof where, "%.400s: skinning.threads", path);
    STATUS_TRY(numbers_check(where, skinning->threads, skinning->thread_count, 1024));
    /* Use defaults for what the entry omits: all methods, all backends, and both one thread and all
     * threads. */
    if (skinning->thread_count < 0) {
        skinning->threads[0] = 1;
        skinning->threads[1] = threads;
        skinning->thread_count = threads > 1 ? 2 : 1;
    }
    const bool all_backends = skinning->backend_count < 0;
    const int backend_count = all_backends ? BACKEND_COUNT : skinning->backend_count;
    for (int i = 0; i < backend_count; i++) {
        backends[i] = backend_at(i);
        if (!all_backends)
            STATUS_TRY(backend_find(skinning->backends[i], &backends[i]));
    }
    for (int i = 0; i < skinning->level_count; i++)
        names[i] = skinning->levels[i];
    const SkinningRange over = {.backends = backends,
                                .threads = skinning->threads,
                                .levels = names,
                                .backend_count = backend_count,
                                .thread_count = skinning->thread_count,
                                .level_count = skinning->level_count,
                                .normals = skinning->normals,
                                .two_phase = skinning->two_phase};
    const int method_count = skinning->method_count < 0 ? skinning_entry_count() : skinning->method_count;
    for (int i = 0; i < method_count; i++) {
        const SuiteMethod *method = skinning->method_count < 0 ? NULL : &skinning->methods[i];
        const char *settings[SETTINGS_MAX] = {NULL};
        for (int k = 0; method && k < method->setting_count; k++)
            settings[k] = method->settings[k];
        STATUS_TRY(suite_add_skinning(part, method ? method->name : skinning_entry_at(i)->method->name,
                                      settings, method ? method->setting_count : 0, &over));
    }
    return status_ok();
}

static void suite_file_clear(SuiteFile *file)
{
    FREE_ALL(file->datasets, file->skinning.methods, file->fits, file->tables);
}

static Status suite_part_read(const char *path, const json_t *object, int threads, Suite *suite)
{
    CLEANUP(suite_file_clear)
    SuiteFile file = {.skinning = {.method_count = -1, .backend_count = -1, .thread_count = -1}};
    SuitePart *part = NULL;
    const json_t *listed = NULL, *entries = json_object_get(object, "datasets");
    size_t place;
    STATUS_TRY(suite_add_part(suite, &part));
    json_array_foreach(entries, place, listed)
    {
        if (json_is_string(listed))
            return bad_input(
                "%s: datasets[%zu] is a text; a data set is written as {\"file\": \"NAME.h5\"} or "
                "{\"generate\": \"rig\"}",
                path, place);
    }
    STATUS_TRY(json_read(object, path, &file_table, &file));
    if (file.dataset_count == 0 && file.table_count == 0)
        return bad_input("%s: has no datasets", path);
    for (int i = 0; i < file.dataset_count; i++) {
        /* add the data sets; their paths are relative to the folder of the suite */
        const SuiteDataset *given = &file.datasets[i];
        const int folder = given->path[0] == '/' ? 0 : output_path_folder_length(path);
        SuiteDataset dataset = *given;
        if ((given->path[0] == '\0') == (given->generator[0] == '\0'))
            return bad_input("%s: datasets[%d] needs either a file or a generator", path, i);
        if (given->path[0] != '\0' && snprintf(dataset.path, sizeof dataset.path, "%.*s%s", folder, path,
                                               given->path) >= (int)sizeof dataset.path)
            return bad_input("%s: datasets[%d]: the path %.200s is too long", path, i, given->path);
        STATUS_TRY(suite_add_dataset(part, &dataset));
    }
    if (json_object_get(object, "skinning"))
        STATUS_TRY(part_skinning_append(path, &file.skinning, threads, part));
    for (int i = 0; i < file.fit_count; i++) {
        /* add one fit for each number of bones and each seed */
        const SuiteFit *entry = &file.fits[i];
        FitPlan fit = entry->cell;
        const DecompositionMethod *method = NULL;
        ParameterValues values;
        char where[JSON_WHERE_BYTES];
        snprintf(where, sizeof where, "%.400s: decomposition[%d].bones", path, i);
        fit.threads = threads;
        fit.time_limit_s = fmax(fit.time_limit_s, 0.0);
        fit.error = fmax(fit.error, 0.0);
        if (entry->external[0] && (fit.method[0] || fit.setting_count > 0))
            return bad_input("%s: decomposition[%d] has an external program, which takes no method and no "
                             "settings",
                             path, i);
        fit.external = entry->external[0] != '\0';
        if (fit.external)
            snprintf(fit.method, sizeof fit.method, "%s", entry->external);
        else
            STATUS_TRY(fit_plan_resolve(&fit, &method, &values));
        STATUS_TRY(numbers_check(where, entry->bones, entry->bones_count, FIT_BONES_MAX));
        if (entry->bones_count == 0)
            return bad_input("%s is empty", where);
        snprintf(where, sizeof where, "%.400s: decomposition[%d].seeds", path, i);
        STATUS_TRY(numbers_check(where, entry->seeds, entry->seed_count, INT_MAX));
        if (entry->seed_count == 0)
            return bad_input("%s is empty", where);
        for (int k = 0; k < entry->bones_count * entry->seed_count; k++) { // seeds of a fit follow each other
            fit.bones = entry->bones[k / entry->seed_count];
            fit.seed = entry->seeds[k % entry->seed_count];
            STATUS_TRY(suite_add_fit(part, &fit));
        }
    }
    part->tables = TAKE(file.tables);
    part->table_count = file.table_count;
    return status_ok();
}

/* Reads a suite that has either one part or a list of parts. */
static Status suite_parts_read(const char *path, const json_t *root, int threads, Suite *suite)
{
    if (!json_is_array(root))
        return suite_part_read(path, root, threads, suite);
    if (json_array_size(root) == 0)
        return bad_input("%s: has no datasets", path);
    for (size_t i = 0; i < json_array_size(root); i++) {
        char place[JSON_WHERE_BYTES];
        json_place(place, path, NULL, i);
        STATUS_TRY(suite_part_read(place, json_array_get(root, i), threads, suite));
    }
    return status_ok();
}

Status suite_read(const char *path, int threads, Suite *suite)
{
    json_auto_t *root = NULL;
    STATUS_TRY(json_file_read(path, &root));
    const Status status = suite_parts_read(path, root, threads, suite);
    if (status.code == STATUS_USAGE) /* an unknown name in a file is bad input, not wrong usage */
        return bad_input("%s: %s", path, status.text);
    return status;
}

/* Reads a table that a suite requests, and selects its rows. */
static Status suite_table_read(const SuiteTable *asked, PublishedTable **out)
{
    const char *rows[SETTINGS_MAX];
    for (int i = 0; i < asked->row_count; i++)
        rows[i] = asked->rows[i];
    STATUS_TRY(published_table_read(asked->name, out));
    return published_table_keep_rows(*out, rows, asked->row_count);
}

Status suite_tables_check(const Suite *suite, const char *path)
{
    for (int p = 0; p < suite->part_count; p++)
        for (int i = 0; i < suite->parts[p].table_count; i++) {
            OWNED_BY(published_table_free) PublishedTable *table = NULL;
            const Status status = suite_table_read(&suite->parts[p].tables[i], &table);
            if (status.code == STATUS_USAGE)
                return bad_input("%s: %s", path, status.text);
            STATUS_TRY(status);
        }
    return status_ok();
}

Status suite_run(Bench *bench, const Suite *suite)
{
    for (int p = 0; p < suite->part_count; p++)
        for (int i = 0; i < suite->parts[p].fit_count; i++)
            if (suite->parts[p].fits[i].external)
                STATUS_TRY(bench_external_load(bench, suite->parts[p].fits[i].method));
    for (int i = 0; i < suite->part_count; i++) {
        const SuitePart *part = &suite->parts[i];
        const TableSources generated = {.folder = NULL};
        for (int m = 0; m < part->dataset_count; m++) {
            CLEANUP(subject_clear) Subject subject = {0};
            CLEANUP(bench_tasks_clear) BenchTasks all = {.items = NULL};
            ALLOCATE(all.items, (size_t)(part->fit_count + bench->externals.count) + 1,
                     "the tasks of a suite");
            const SuiteDataset *dataset = &part->datasets[m];
            const char *settings[SETTINGS_MAX] = {NULL};
            for (int k = 0; k < dataset->setting_count; k++)
                settings[k] = dataset->settings[k];
            STATUS_TRY(dataset->path[0] != '\0'
                           ? subject_read(dataset->path, bench->progress, &subject)
                           : subject_generate(dataset->generator, settings, dataset->setting_count,
                                              bench->progress, &subject));
            const bool has_rig = subject.dataset->rig.joint_count > 0 && subject.dataset->rig.frame_count > 0;
            const bool has_animation = subject.dataset->animation.frame_count > 0;
            if (has_rig && part->plan_count > 0)
                all.items[all.count++] = (BenchTask){.plans = part->plans, .plan_count = part->plan_count};
            if (has_animation)
                for (int k = 0; k < part->fit_count; k++)
                    STATUS_TRY(fit_cell_task(&part->fits[k], &subject, &all.items[all.count++]));
            for (int k = 0; has_rig && k < bench->externals.count; k++)
                if (bench->externals.items[k]->kind != EXTERNAL_FIT)
                    STATUS_TRY(
                        external_cell_task(bench->externals.items[k], &subject, &all.items[all.count++]));
            if (!has_rig && (!has_animation || part->fit_count == 0))
                bench_note(bench,
                           "%s: nothing can be run on this data set (it has no rig with frames, and "
                           "no fit of its animation is requested)",
                           subject.name);
            STATUS_TRY(bench_run(bench, &subject, all.items, all.count));
        }
        for (int m = 0; m < part->table_count; m++) {
            OWNED_BY(published_table_free) PublishedTable *table = NULL;
            STATUS_TRY(suite_table_read(&part->tables[m], &table));
            STATUS_TRY(table_run(table, &generated, bench));
        }
    }
    return status_ok();
}
