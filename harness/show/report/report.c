/* Writes a report, with separate sections for each machine, into a folder that is renamed when it is
 * complete. */
#include "harness/show/report/report.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/catalogue.h"
#include "harness/measure/environment/processors.h"
#include "harness/show/report/report_parts.h"
#include <sys/stat.h>

/* Begins the report with a warning about what the numbers cannot show, if only generated data were
 * measured. */
static Status generated_write(ReportPage *report, const RecordStore *store)
{
    static const char text[] = "A quick look at generated data: none of the papers' models was measured.";
    char path[PUBLISHED_PATH_BYTES];
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    bool known = false, any = false;
    snprintf(path, sizeof path, "%s/datasets/catalogue.json", environment_home());
    const Status read = catalogue_read(path, &catalogue);
    if (read.code != STATUS_OK) /* the catalogue cannot be read, so the origin of the data is unknown */
        return read.code == STATUS_SYSTEM ? read : status_ok();
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL && !known;) {
        any = any || record->cell.dataset.name[0] != '\0';
        for (int i = 0; i < catalogue.count && !known; i++)
            known = strcmp(catalogue.entries[i].name, record->cell.dataset.name) == 0;
    }
    if (known || !any)
        return status_ok();
    markdown_print(report->page, "%s\n\n", text);
    html_print(report->html, "<p class=\"lack\">%s</p>\n", text);
    return status_ok();
}

typedef struct RecordsReport {
    const RecordStore *store;
    const char *source;
    const SceneSources *scenes;
} RecordsReport;

static Status records_report_write(ReportPage *report, const void *context)
{
    const RecordsReport *input = context;
    char stamp[TIME_STAMP_BYTES];
    const char *source = input->source + output_path_folder_length(input->source);
    OWNED RecordView *views = NULL;
    int count = 0;
    time_stamp(stamp);
    if (input->scenes && !report->is_again)
        STATUS_TRY(report_scenes_write(input->store, input->scenes, report->folder, report->progress,
                                       &report->scenes));
    STATUS_TRY(record_views(input->store, &views, &count));
    markdown_print(
        report->page,
        "# skinbench report\n\nResults of %s, written %s. Times are medians over interleaved rounds; "
        "ratios compare paired rounds of the same "
        "run.\n\n",
        source, stamp);
    STATUS_TRY(index_start(report, source, stamp));
    html_print(report->html, "A click on a number shows its <a href=\"records.html\">record</a>.");
    index_main(report);
    STATUS_TRY(generated_write(report, input->store));
    STATUS_TRY(machine_comparison_write(report, views, count));
    for (int i = 0; i < count; i++) {
        report->records = &views[i];
        record_view_suffix(&views[i], report->suffix);
        if (views[i].machine) {
            const char *machine = views[i].machine[0] ? views[i].machine : "an unknown machine";
            markdown_print(report->page, "# Measured on %s\n\n", machine);
            html_print(report->html, "<h1>Measured on %s</h1>\n", machine);
        }
        STATUS_TRY(sections_write(report));
    }
    index_end(report);
    STATUS_TRY(page_data_write(report, views, count, stamp));
    return records_page_write(report, views, count);
}

static void report_clear(ReportPage *report)
{
    memory_free(report->drawings);
}

/* Writes all pages of the report, and the data and programs of their figures. */
static Status pages_write(ReportPage *report, ReportPages write, const void *context)
{
    report->suffix[0] = '\0';
    report->figure_number = report->figures_missing = 0;
    report->plots = page_plots_create();
    Status status = report_page_open(report);
    if (status.code == STATUS_OK)
        status = write(report, context);
    page_plots_free(report->plots);
    return report_page_close(report, status);
}

Status report_folder_write(const char *folder, const Progress *progress, ReportPages write,
                           const void *context, char left_out[FIGURES_LEFT_OUT_BYTES])
{
    CLEANUP(report_clear) ReportPage report = {.progress = progress, .figures = status_ok()};
    char version[256];
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    STATUS_TRY(atomic_path_start(folder, OUTPUT_LISTED_FOLDER, &path));
    if (mkdir(path.temporary, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", folder, strerror(errno));
    report.folder = path.temporary;
    report.figures = gnuplot_probe(version, sizeof version);
    if (report.figures.code != STATUS_UNAVAILABLE)
        STATUS_TRY(report.figures);
    (void)progress_report(progress, "report", 0.1);
    Status status = pages_write(&report, write, context);
    if (status.code == STATUS_OK)
        status = figures_draw(report.folder, report.drawings, report.drawing_count,
                              processors_usable("").usable, progress);
    report_figures_left_out(&report, left_out);
    if (status.code == STATUS_OK &&
        left_out[0]) { /* write the pages again, without the figures that could not be drawn */
        report.is_again = true;
        status = pages_write(&report, write, context);
    }
    if (status.code == STATUS_SYSTEM)
        return status_make(STATUS_SYSTEM, "%s: %s", folder, status.text);
    STATUS_TRY(status);
    STATUS_TRY(atomic_path_commit(&path));
    (void)progress_report(progress, "report", 1.0);
    if (report.figures_missing > 0)
        return status_make(STATUS_UNAVAILABLE, "%d figures are missing: %.300s", report.figures_missing,
                           report.figures.text);
    return status_ok();
}

Status report_write(const RecordStore *store, const char *source, const SceneSources *scenes,
                    const char *folder, const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES])
{
    const RecordsReport input = {store, source, scenes};
    return report_folder_write(folder, progress, records_report_write, &input, left_out);
}
