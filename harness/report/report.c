#include "harness/report/report.h"

#include "datasets/io/atomic_path.h"
#include "harness/records/results.h"
#include "harness/report/figures.h"
#include "harness/report/record_tables.h"
#include "harness/text/text_table.h"
#include "harness/tables/published.h"
#include "harness/tables/table_kind.h"
#include "harness/tables/table_tell.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Report {
    const char *folder; /* where it is being written */
    const json_t *records;
    json_t *latest;
    FILE *page;     /* report.md */
    FILE *document; /* report.tex */
    int figures_drawn, figures_missing;
    Status figures; /* why figures are missing */
} Report;

static Status file_write_table(const Report *report, const TextTable *table, const char *name,
                               TableFormat format)
{
    static const char *const suffixes[] = {
        [TABLE_MARKDOWN] = "md", [TABLE_CSV] = "csv", [TABLE_LATEX] = "tex"};
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.%s", report->folder, name, suffixes[format]);
    FILE *file = fopen(path, "w");
    if (!file)
        return status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
    text_table_write(table, format, file);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    return failed ? status_make(STATUS_MACHINE, "%s: cannot be written", path) : status_ok();
}

/* A table on the page, and as LaTeX; as CSV too where there is no long form of it. */
static Status table_add(const Report *report, const TextTable *table, const char *name, bool with_csv)
{
    Status status = file_write_table(report, table, name, TABLE_LATEX);
    if (status.code == STATUS_OK && with_csv)
        status = file_write_table(report, table, name, TABLE_CSV);
    text_table_write(table, TABLE_MARKDOWN, report->page);
    fprintf(report->page, "\nAs files: ");
    if (with_csv)
        fprintf(report->page, "[%s.csv](%s.csv), ", name, name);
    fprintf(report->page, "[%s.tex](%s.tex)\n\n", name, name);
    fprintf(report->document, "\\generatedtable{%s}\n", name);
    return status;
}

/* Missing figures do not stop a report. */
static Status figure_add(Report *report, Status status, bool drawn, const char *name, const char *caption)
{
    if (status.code == STATUS_UNAVAILABLE) {
        report->figures = status;
        report->figures_missing++;
        fprintf(report->page, "*The figure %s is missing: %s. Its data are in [%s.tsv](%s.tsv).*\n\n", name,
                status.text, name, name);
        return status_ok();
    }
    if (status.code == STATUS_OK && drawn) {
        report->figures_drawn++;
        fprintf(report->page,
                "![%s](%s.svg)\n\nThe figure as [PDF](%s.pdf) and [PNG](%s.png), its data as "
                "[%s.tsv](%s.tsv).\n\n",
                caption, name, name, name, name, name);
        fprintf(report->document, "\\generatedfigure{%s}{", name);
        latex_text_write(caption, report->document);
        fputs("}\n", report->document);
    }
    return status;
}

static void environment_tell(const Report *report, const json_t *record)
{
    static const char *const members[][2] = {{"processor", "cpu.model"},
                                             {"compiler", "compiler"},
                                             {"flags", "flags"},
                                             {"build", "build_type"},
                                             {"governor", "cpu.governor"},
                                             {"OpenCL", "devices.opencl"},
                                             {"CUDA", "devices.cuda"},
                                             {"driver", "devices.nvidia_driver"},
                                             {"HDF5", "libraries.hdf5"},
                                             {"OpenBLAS", "libraries.openblas"},
                                             {"hash", "hash"}};
    const json_t *environment = json_object_get(record, "environment");
    fprintf(report->page,
            "- run %s: commit %.12s%s, %.0f threads, memory %.1f GB/s on one thread and %.1f on all\n",
            json_text_at(record, "run"), json_text_at(environment, "commit"),
            json_is_true(json_object_get(environment, "dirty")) ? " with changes not committed" : "",
            json_number_at(environment, "threads"),
            1e-9 * json_number_at(record, "bandwidth.one_thread_bytes_per_s"),
            1e-9 * json_number_at(record, "bandwidth.all_threads_bytes_per_s"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *value = json_text_at(environment, members[i][1]);
        fprintf(report->page, "  - %s: %s\n", members[i][0], value[0] ? value : "none");
    }
}

/* Environments once each: runs on the same machine from the same commit tell nothing new. */
static void environments_tell(const Report *report)
{
    fprintf(report->page, "## Environment\n\n");
    size_t count = json_array_size(report->records);
    for (size_t i = 0; i < count; i++) {
        const json_t *record = json_array_get(report->records, i);
        bool wanted = strcmp(json_text_at(record, "kind"), "environment") == 0;
        for (size_t k = 0; k < i && wanted; k++)
            wanted = !json_equal(json_object_get(json_array_get(report->records, k), "environment"),
                                 json_object_get(record, "environment"));
        if (wanted)
            environment_tell(report, record);
    }
    fputc('\n', report->page);
}

static Status counts_add(const Report *report)
{
    TextTable *counts = NULL, *reasons = NULL;
    Status status;
    fprintf(report->page, "## What was run\n\n");
    STATUS_TRY(counts_table(report->latest, &counts));
    STATUS_TRY(table_add(report, counts, "counts", true));
    STATUS_TRY(reasons_table(report->latest, &reasons));
    if (text_table_row_count(reasons) > 0)
        STATUS_TRY(table_add(report, reasons, "reasons", true));
done:
    text_table_free(counts);
    text_table_free(reasons);
    return status;
}

/* Every timed cell with the numbers as they stand in the result file. */
static Status skinning_long(const json_t *latest, TextTable **out)
{
    static const char *const paths[] = {"dataset.name",
                                        "method",
                                        "backend",
                                        "level",
                                        "timing.ns_per_vertex.median",
                                        "timing.ns_per_vertex.interval_low",
                                        "timing.ns_per_vertex.interval_high",
                                        "timing.end_to_end_ns_per_vertex.median",
                                        "timing.ratio_to_scalar.median",
                                        "timing.ratio_to_lbs.median",
                                        "timing.bandwidth_share",
                                        "timing.bind.median_s",
                                        "timing.pose.median_s",
                                        "timing.skin.median_s",
                                        "timing.deliver.median_s",
                                        "timing.end_to_end.median_s",
                                        "timing.rounds",
                                        "threads",
                                        "frames",
                                        "metrics.reference_distance_max",
                                        "metrics.e_rms",
                                        NULL};
    Status status = text_table_create("", paths, out);
    for (size_t i = 0; i < json_array_size(latest) && status.code == STATUS_OK; i++) {
        const json_t *record = json_array_get(latest, i);
        if (!json_member_at(record, "timing.ns_per_vertex"))
            continue;
        text_table_row(*out);
        for (int p = 0; paths[p]; p++)
            if (p < 4)
                text_table_cell(*out, "%s", json_text_at(record, paths[p]));
            else
                text_table_exact(*out, json_number_at(record, paths[p]));
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

static Status skinning_add(Report *report)
{
    json_t *datasets = records_datasets(report->latest, "skinning");
    TextTable *table = NULL, *all = NULL;
    Status status = datasets ? status_ok() : status_out_of_memory("the report");
    for (size_t i = 0; i < json_array_size(datasets) && status.code == STATUS_OK; i++) {
        const json_t *dataset = json_array_get(datasets, i);
        char name[FIGURE_NAME_BYTES];
        bool drawn = false;
        figure_file_name("skinning-", json_text_at(dataset, "name"), name);
        STATUS_TRY(skinning_table(report->latest, json_text_at(dataset, "sha256"), &table));
        if (text_table_row_count(table) > 0) {
            fprintf(report->page, "## Skinning: %s\n\n", json_text_at(dataset, "name"));
            Status figure = figure_skinning(report->latest, dataset, report->folder, name, &drawn);
            STATUS_TRY(figure_add(report, figure, drawn, name, "Time per vertex by method and backend"));
            STATUS_TRY(table_add(report, table, name, false));
        }
        text_table_free(table);
        table = NULL;
    }
    STATUS_TRY(status);
    STATUS_TRY(skinning_long(report->latest, &all));
    if (text_table_row_count(all) > 0) {
        STATUS_TRY(file_write_table(report, all, "skinning", TABLE_CSV));
        fprintf(report->page, "All timed cells with full digits: [skinning.csv](skinning.csv)\n\n");
    }
done:
    text_table_free(table);
    text_table_free(all);
    json_decref(datasets);
    return status;
}

static Status fits_add(const Report *report)
{
    TextTable *table = NULL;
    Status status = fits_table(report->latest, &table);
    if (status.code == STATUS_OK && text_table_row_count(table) > 0) {
        fprintf(report->page, "## Decomposition\n\n");
        status = table_add(report, table, "decomposition", true);
    }
    text_table_free(table);
    return status;
}

static Status published_parts_add(const Report *report, const json_t *published)
{
    TextTable *parts[TABLE_PARTS_MAX] = {NULL}, *all = NULL;
    int count = 0;
    const char *name = json_text_at(published, "name");
    Status status;
    STATUS_TRY(table_tell(published, report->latest, parts, &count));
    for (int i = 0; i < count; i++) {
        char part[FIGURE_NAME_BYTES];
        snprintf(part, sizeof part, i == 0 ? "%.80s" : "%.80s-%d", name, i + 1);
        STATUS_TRY(table_add(report, parts[i], part, false));
    }
    STATUS_TRY(table_long(published, report->latest, &all));
    STATUS_TRY(file_write_table(report, all, name, TABLE_CSV));
    fprintf(report->page, "All its cells with full digits: [%s.csv](%s.csv)\n\n", name, name);
done:
    text_table_free(all);
    for (int i = 0; i < count; i++)
        text_table_free(parts[i]);
    return status;
}

/* One figure of all rows, or one of each row that has curves. */
static Status curves_add(Report *report, const json_t *published)
{
    static const char *const lists[] = {"rows", "stand_ins"};
    const char *name = json_text_at(published, "name"), *title = json_text_at(published, "title");
    bool drawn = false;
    if (!json_is_true(json_member_at(published, "figure.per_row"))) {
        Status all = figure_curves(published, NULL, report->latest, report->folder, name, &drawn);
        return figure_add(report, all, drawn, name, title);
    }
    for (size_t l = 0; l < 2; l++)
        for (size_t r = 0; r < json_array_size(json_object_get(published, lists[l])); r++) {
            const json_t *row = json_array_get(json_object_get(published, lists[l]), r);
            char prefix[FIGURE_NAME_BYTES], file[FIGURE_NAME_BYTES];
            snprintf(prefix, sizeof prefix, "%.60s-", name);
            figure_file_name(prefix, json_text_at(row, "name"), file);
            Status one = figure_curves(published, row, report->latest, report->folder, file, &drawn);
            Status status = figure_add(report, one, drawn, file, title);
            if (status.code != STATUS_OK)
                return status;
        }
    return status_ok();
}

static Status table_figure_add(Report *report, const json_t *published)
{
    const char *name = json_text_at(published, "name"), *title = json_text_at(published, "title");
    Status figure = status_ok();
    bool drawn = false;
    if (json_object_get(published, "figure"))
        return curves_add(report, published);
    if (json_object_get(published, "axis"))
        figure = figure_iterations(published, report->latest, report->folder, &drawn);
    else if (table_kind_of(published) == &table_kind_fit)
        figure = figure_published(published, report->latest, report->folder, &drawn);
    return figure_add(report, figure, drawn, name, title);
}

static Status published_add(void *context, const json_t *published)
{
    Report *report = context;
    const char *name = json_text_at(published, "name"), *title = json_text_at(published, "title");
    if (!table_has_records(published, report->latest))
        return status_ok();
    fprintf(report->page,
            "## %s: %s\n\nPublished numbers are those of %s (%s); nothing measured here is mixed "
            "into them.\n\n",
            name, title, json_text_at(published, "source.place"), json_text_at(published, "source.paper"));
    Status status = table_figure_add(report, published);
    if (status.code == STATUS_OK)
        status = published_parts_add(report, published);
    const json_t *notes = json_object_get(published, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        fprintf(report->page, "- %s\n", json_string_value(json_array_get(notes, i)));
    fputc('\n', report->page);
    return status;
}

/* A file of the report; `name` is at most a few characters. */
static Status file_open(const Report *report, const char *name, FILE **out)
{
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", report->folder, name);
    *out = fopen(path, "w");
    return *out ? status_ok() : status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
}

static Status file_close(const Report *report, const char *name, FILE *file, Status before)
{
    if (file && fclose(file) != 0 && before.code == STATUS_OK)
        return status_make(STATUS_MACHINE, "%s/%s: cannot be written", report->folder, name);
    return before;
}

static Status pages_write(Report *report, const char *source)
{
    char stamp[32];
    time_stamp(stamp);
    Status status;
    STATUS_TRY(file_open(report, "report.md", &report->page));
    STATUS_TRY(file_open(report, "report.tex", &report->document));
    const char *slash = strrchr(source, '/');
    fprintf(report->page,
            "# skinbench report\n\nOf `%s`, written %s. Times are medians over interleaved rounds; "
            "ratios are of paired rounds of one run.\n\n",
            slash ? slash + 1 : source, stamp);
    STATUS_TRY(counts_add(report));
    STATUS_TRY(skinning_add(report));
    STATUS_TRY(published_each(published_add, report));
    STATUS_TRY(fits_add(report));
    environments_tell(report);
done:
    status = file_close(report, "report.md", report->page, status);
    return file_close(report, "report.tex", report->document, status);
}

/* Whether a folder may be replaced: it is not there, empty, or an earlier report. */
static Status folder_check(const char *folder, bool *there)
{
    struct stat facts;
    char page[PUBLISHED_PATH_BYTES];
    *there = stat(folder, &facts) == 0;
    if (!*there)
        return status_ok();
    snprintf(page, sizeof page, "%s/report.md", folder);
    DIR *entries = opendir(folder);
    bool empty = entries != NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        empty = empty && entry->d_name[0] == '.';
    if (entries)
        closedir(entries);
    if (entries && (empty || access(page, F_OK) == 0))
        return status_ok();
    return status_make(STATUS_USAGE, "%s: is there and is no report (no report.md); not replaced", folder);
}

/* The new folder takes the old one's name; the old one is moved aside first and removed last. */
static Status folder_commit(AtomicPath *fresh, const char *folder, bool there)
{
    AtomicPath old = {NULL, NULL};
    Status status = status_ok();
    if (there) {
        status = atomic_path_start(folder, &old);
        if (status.code == STATUS_OK && rename(folder, old.temporary) != 0)
            status = status_make(STATUS_MACHINE, "%s: %s", folder, strerror(errno));
    }
    if (status.code == STATUS_OK)
        status = atomic_path_commit_folder(fresh);
    if (status.code != STATUS_OK && old.temporary && access(folder, F_OK) != 0)
        (void)rename(old.temporary, folder);
    atomic_path_discard(&old);
    return status;
}

Status report_write(const json_t *records, const char *source, const char *folder, const Progress *progress)
{
    Report report = {.records = records, .figures = status_ok()};
    AtomicPath path = {NULL, NULL};
    char trimmed[PUBLISHED_PATH_BYTES];
    bool there = false;
    Status status;
    snprintf(trimmed, sizeof trimmed, "%s", folder);
    for (size_t length = strlen(trimmed); length > 1 && trimmed[length - 1] == '/';)
        trimmed[--length] = '\0';
    STATUS_TRY(folder_check(trimmed, &there));
    STATUS_TRY(records_latest(records, &report.latest));
    STATUS_TRY(atomic_path_start(trimmed, &path));
    if (mkdir(path.temporary, 0777) != 0) {
        status = status_make(STATUS_MACHINE, "%s: %s", path.temporary, strerror(errno));
        goto done;
    }
    report.folder = path.temporary;
    (void)progress_report(progress, "report", 0.1);
    STATUS_TRY(pages_write(&report, source));
    STATUS_TRY(folder_commit(&path, trimmed, there));
    (void)progress_report(progress, "report", 1.0);
    if (report.figures_missing > 0)
        status = status_make(STATUS_UNAVAILABLE, "%d figures are missing: %.300s", report.figures_missing,
                             report.figures.text);
done:
    atomic_path_discard(&path);
    json_decref(report.latest);
    return status;
}
