/* The contents of a report, section by section. The table at the end of the file has a row and a function
 * for each section. */
#include "harness/show/report/report_parts.h"

#include "harness/records/files/noise.h"
#include "harness/records/papers/published.h"
#include "harness/show/render/image.h"
#include "harness/show/tables/claim_table.h"
#include "harness/show/tables/record_csv.h"
#include "harness/show/tables/record_tables.h"
#include "harness/show/tables/score_table.h"
#include "harness/show/tables/table_print.h"

/* ---- claims ---- */

/* Begins the section of claims: how many claims have each verdict, and which claims are contradicted. */
static void verdicts_write(HtmlFile *html, const JudgedClaims *claims)
{
    char data[CLAIMS_DATA_BYTES];
    claims_data(claims, data);
    html_print(html, "<p>Claims about models and programs were judged on %s.</p>\n<p class=\"counts\">",
               data);
    for (int kind = 0; kind < VERDICT_COUNT; kind++)
        if (claims->counts[kind] > 0)
            html_print(html, "<span class=\"%s\">%d %s</span>\n", verdict_classes[kind], claims->counts[kind],
                       verdict_names[kind]);
    html_print(html, "</p>\n");
    if (claims->counts[VERDICT_CONTRADICTED] == 0)
        return;
    /* The page's script unfolds the list if the window has space for it. */
    html_print(html, "<details class=\"contradicted\"><summary>Contradicted: %d</summary>\n<ul>\n",
               claims->counts[VERDICT_CONTRADICTED]);
    for (int i = 0; i < claims->count && claims->items[i].verdict.kind == VERDICT_CONTRADICTED; i++) {
        const JudgedClaim *item = &claims->items[i];
        html_print(html, "<li><span class=\"%s\">%s</span> %s (printed: %s; measured: %s%s%s)</li>\n",
                   verdict_classes[VERDICT_CONTRADICTED], item->paper->paper, item->claim->claim,
                   item->claim->published, item->verdict.measured, item->claim->note[0] ? "; " : "",
                   item->claim->note);
    }
    html_print(html, "</ul>\n</details>\n");
}

/* Lists the claims of the papers, contradicted ones first. */
static Status claims_write(ReportPage *report)
{
    static const char rule[] =
        "No verdict is written by hand. A claim is confirmed if every number that its rule asks for lies in "
        "its bounds with its 95 % interval, contradicted if some lie outside and none inside, partly true if "
        "some lie inside and some outside, undecided if an interval contains a bound or has too few or "
        "disturbed samples, and untestable here if nothing could be measured. Statements about the authors' "
        "models are confirmed or contradicted only on the authors' data; on stand-ins they hold or do not "
        "hold. If a comparison with a program that we reconstructed is contradicted, the claim differs from "
        "our reconstruction; if one of two generations of machines is, the claim differs here. A "
        "time of one sample decides only if it is further from the bound than equal times were apart in this "
        "run. A bound that is our reading of a word is also tried at half and at twice its distance; if that "
        "changes the verdict, the claim is partly true.";
    const JudgedClaims *claims = report->claims;
    OWNED_BY(text_table_free) TextTable *table = NULL;
    char summary[CLAIMS_SUMMARY_BYTES];
    claims_summary(claims, summary, sizeof summary);
    table = claims_table(claims, summary);
    verdicts_write(report->html, claims);
    html_print(report->html,
               "<details><summary>All %d claims, each with its rule, what was measured, and on which "
               "data</summary>\n",
               claims->count);
    STATUS_TRY(report_add_table(report, table, "claims", true));
    report_paragraph(report, rule);
    html_print(report->html, "</details>\n");
    return status_ok();
}

/* ---- what was run ---- */

static Status counts_write(ReportPage *report)
{
    OWNED_BY(text_table_free)
    TextTable *counts = counts_table(report->records), *reasons = reasons_table(report->records);
    CLEANUP(missing_clear) MissingCells missing = {.table = NULL};
    char noise[NOISE_TEXT_BYTES];
    STATUS_TRY(text_table_status(reasons));
    STATUS_TRY(missing_count(report->records, &missing));
    STATUS_TRY(noise_format(report->records, noise));
    STATUS_TRY(report_add_table(report, counts, "counts", true));
    if (noise[0])
        report_paragraph(report, noise);
    /* write one line that says how much is missing; a reader can unfold it to see the reasons */
    const int reason_count = text_table_row_count(reasons);
    bool first = true;
    html_print(report->html, "<details><summary>What could not be measured: ");
    for (int state = TABLE_CELL_MEASURED + 1; state < TABLE_CELL_EMPTY; state++)
        if (missing.counts[state] > 0) {
            html_print(report->html, "%s%d %s", first ? "" : ", ", missing.counts[state],
                       table_cell_state_name((TableCellState)state));
            first = false;
        }
    html_print(report->html,
               "%s of the %d numbers of the papers' tables that were run; %d other cell%s</summary>\n",
               first ? "none" : "", missing.cells, reason_count, reason_count == 1 ? "" : "s");
    html_print(
        report->html,
        "<p>Missing: a data set is not available. Skipped: a device or a toolkit is not available, or the "
        "method does not accept the data. Failed: it was tried; the record has the reason.</p>\n");
    if (text_table_row_count(missing.table) > 0)
        html_table_write(missing.table, "missing", report->html);
    if (text_table_row_count(reasons) > 0)
        STATUS_TRY(report_add_table(report, reasons, "reasons", true));
    html_print(report->html, "</details>\n");
    char figures[FIGURES_LEFT_OUT_BYTES];
    report_figures_left_out(report, figures);
    if (figures[0])
        report_paragraph(report, figures);
    /* write every record that counts, with all its members, into one file for each kind of cell */
    char names[CELL_KIND_COUNT + 1][FIGURE_NAME_BYTES + 8];
    const char *files[CELL_KIND_COUNT + 2] = {NULL};
    int count = 0;
    for (int kind = 0; kind <= CELL_KIND_COUNT; kind++) {
        const bool cells = kind < CELL_KIND_COUNT;
        char name[FIGURE_NAME_BYTES];
        FILE *file = NULL;
        if (cells && !record_view_next_kind(report->records, (CellKind)kind, NULL))
            continue;
        report_file_name(report, cells ? cell_kind_names[kind] : "environments", name);
        STATUS_TRY(report_file_open(report->folder, name, "csv", &file));
        STATUS_TRY(report_file_close(file, name, records_csv_write(report->records, (CellKind)kind, file)));
        snprintf(names[count], sizeof names[count], "%s.csv", name);
        files[count] = names[count];
        count++;
    }
    report_links(report, "All members of all records, one row for each record", files);
    return status_ok();
}

/* ---- skinning ---- */

/* Only the first few data sets get figures, because gnuplot takes a tenth of a second for each figure. */
enum { DATASETS_DRAWN = 40 };

/* Adds a figure of a data set to the report. It shows ns per vertex or, with `limits`, cycles per vertex
 * beside the limits of the machine. */
static Status skinning_figure_write(ReportPage *report, const CellDataset *dataset, bool limits,
                                    const char *file, const char *caption)
{
    CLEANUP(figure_clear) PlotFigure figure = report_figure(report, file);
    const Status made = figure_skinning(report->records, dataset, limits, &figure);
    return report_add_figure(report, made, &figure, caption);
}

static Status skinning_write(ReportPage *report)
{
    /* peers, devices and limits have tables and files of their own */
    static const struct {
        const char *prefix;
        TextTable *(*make)(const RecordView *records, const char *dataset);
    } more[] = {{"peers", peers_table}, {"devices", devices_table}, {"limits", limits_table}};
    json_auto_t *names = json_object();
    int datasets = 0;
    for (const Record *first = NULL; (first = next_dataset(report->records, CELL_SKINNING, first)) != NULL;) {
        const CellDataset *dataset = &first->cell.dataset;
        OWNED_BY(text_table_free) TextTable *table = skinning_table(report->records, dataset->sha256);
        char name[FIGURE_NAME_BYTES], file[FIGURE_NAME_BYTES], heading[CELL_NAME_BYTES + 16];
        /* name the files after the data set; if an earlier data set has the same name, add the digest */
        char with_digest[CELL_NAME_BYTES + CELL_SHA256_BYTES];
        snprintf(with_digest, sizeof with_digest, "%s\n%s", dataset->name, dataset->sha256);
        const bool again = json_object_get(names, dataset->name) != NULL;
        json_object_set_new(names, dataset->name, json_true());
        file_name_from_text("skinning-", again ? with_digest : dataset->name, name);
        report_file_name(report, name, file);
        STATUS_TRY(text_table_status(table));
        if (text_table_row_count(table) == 0)
            continue;
        /* write the figure and the tables of the data set */
        snprintf(heading, sizeof heading, "Skinning: %s", dataset->name);
        report_fold_start(report, file, heading);
        const bool with_figures = datasets++ < DATASETS_DRAWN;
        if (with_figures)
            STATUS_TRY(
                skinning_figure_write(report, dataset, false, file, "Time per vertex by method and backend"));
        STATUS_TRY(report_add_table(report, table, name, false));
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            char more_name[FIGURE_NAME_BYTES + 16];
            OWNED_BY(text_table_free)
            TextTable *more_table = more[i].make(report->records, dataset->sha256);
            snprintf(more_name, sizeof more_name, "%s-%s", more[i].prefix, name);
            STATUS_TRY(text_table_status(more_table));
            if (text_table_row_count(more_table) > 0)
                STATUS_TRY(report_add_table(report, more_table, more_name, false));
        }
        if (with_figures) {
            char of_cycles[FIGURE_NAME_BYTES];
            snprintf(of_cycles, sizeof of_cycles, "cycles-%.*s", FILE_NAME_BYTES, name);
            report_file_name(report, of_cycles, file);
            STATUS_TRY(skinning_figure_write(report, dataset, true, file,
                                             "Cycles per vertex beside the limits of this machine"));
        }
        report_fold_end(report);
    }
    return status_ok();
}

/* ---- published tables ---- */

static const char NO_PAPER[] = "none"; /* the paper of a table that only this benchmark has */

/* Writes a figure once for all rows of a table, or once for each row. */
static Status table_figure_write(ReportPage *report, const TableView *view, const TableFigure *figure)
{
    const PublishedTable *table = view->table;
    for (int r = 0; r < (figure->per_row ? table->row_count : 1); r++) {
        const TableRow *row = figure->per_row ? &table->rows[r] : NULL;
        char text[2 * TABLE_NAME_BYTES + TABLE_TEXT_BYTES + 4], name[FIGURE_NAME_BYTES],
            file[FIGURE_NAME_BYTES];
        snprintf(text, sizeof text, "%s%s%s%s%s", table->name, figure->name[0] ? "/" : "", figure->name,
                 row ? "//" : "", row ? row->name : "");
        file_name_from_text("", text, name);
        report_file_name(report, name, file);
        CLEANUP(figure_clear) PlotFigure drawing = report_figure(report, file);
        const Status made = figure_table(view, figure, row, &drawing);
        STATUS_TRY(report_add_figure(report, made, &drawing, table->title));
    }
    return status_ok();
}

static Status published_write(ReportPage *report, const PublishedTable *table)
{
    TableView view = {table, report->records, NULL};
    char heading[TABLE_NAME_BYTES + TABLE_TEXT_BYTES + 4], source[3 * TABLE_TEXT_BYTES];
    if (!table_has_records(&view))
        return status_ok();
    snprintf(heading, sizeof heading, "%s: %s", table->name, table->title);
    snprintf(source, sizeof source,
             "Published numbers are those of %s (%s); nothing measured here is mixed into them.",
             table->place, table->paper);
    report_fold_start(report, table->name, heading);
    if (strcmp(table->paper, NO_PAPER) != 0)
        report_paragraph(report, source);
    /* the figures */
    STATUS_TRY(table_figure_write(report, &view, &table->figure));
    for (int i = 0; i < table->more_figure_count; i++)
        STATUS_TRY(table_figure_write(report, &view, &table->more_figures[i]));
    /* write the parts of the table, and all its cells */
    CLEANUP(table_parts_free) TableParts parts = {.count = 0};
    OWNED_BY(text_table_free) TextTable *all = table_long(&view, 1);
    STATUS_TRY(table_parts(&view, &parts));
    for (int i = 0; i < parts.count; i++) {
        char name[FIGURE_NAME_BYTES];
        snprintf(name, sizeof name, i == 0 ? "%s" : "%s-%d", table->name, i + 1);
        STATUS_TRY(report_add_table(report, parts.tables[i], name, false));
    }
    STATUS_TRY(report_add_csv(report, all, table->name, "All cells of the table"));
    html_print(report->html, "<ul class=\"notes\">\n");
    for (int i = 0; i < table->note_count; i++) {
        markdown_print(report->page, "- %s\n", table->notes[i]);
        html_print(report->html, "<li>%s</li>\n", table->notes[i]);
    }
    markdown_print(report->page, "\n");
    html_print(report->html, "</ul>\n");
    report_fold_end(report);
    return status_ok();
}

/* Reports a damaged file on the page and continues with the rest. */
static Status report_damage(ReportPage *report, Status status)
{
    if (status.code != STATUS_BAD_INPUT)
        return status;
    report_paragraph(report, status.text);
    return status_ok();
}

/* ---- scores of predicted rigs ---- */

static Status scores_write(ReportPage *report)
{
    int number = 0;
    report_paragraph(report,
                     "Means stand beside the share of rigs that could be scored. In means with failures, "
                     "a failed prediction counts as one joint in the middle of the mesh.");
    for (const Record *first = NULL; (first = score_group_next(report->records, first));) {
        OWNED_BY(text_table_free) TextTable *table = score_table(report->records, first);
        char name[FIGURE_NAME_BYTES];
        snprintf(name, sizeof name, "scores-%d", ++number);
        STATUS_TRY(text_table_status(table));
        STATUS_TRY(report_add_table(report, table, name, true));
        CLEANUP(figure_clear) PlotFigure figure = report_figure(report, name);
        const Status made = figure_scores(report->records, first, &figure);
        STATUS_TRY(
            report_add_figure(report, made, &figure, "Distances of predicted rigs, from best to worst"));
    }
    return status_ok();
}

/* ---- the table of sections ---- */

/* Writes pictures of the scenes, which the page's script replaces by the 3D view. */
static Status view_write(ReportPage *report)
{
    const ReportScenes *scenes = &report->scenes;
    HtmlFile *html = report->html;
    int pictures = 0;
    for (int i = 0; i < scenes->count; i++) {
        const ReportScene *scene = &scenes->items[i];
        if (scene->picture_count == 0)
            continue;
        html_print(html, "<figure><div class=\"pictures\">\n");
        for (int k = 0; k < scene->picture_count; k++, pictures++)
            html_print(html, "<img loading=\"lazy\" src=\"%s\" alt=\"%s\">\n", scene->pictures[k],
                       scene->title);
        html_print(html, "</div><figcaption>%s</figcaption></figure>\n", scene->title);
    }
    if (scenes->count == 0)
        html_print(
            html,
            "<p>This report has no 3D view: <code>skinbench report RUN.jsonl --data FOLDER -o REPORT</code> "
            "makes it from the data sets in FOLDER.</p>\n");
    else if (pictures == 0)
        html_print(html,
                   "<p>There are no pictures of the scenes: they need %s when skinbench is built.</p>\n",
                   pictures_lacking());
    if (scenes->left_out[0])
        html_print(html, "<details><summary>Data sets without a scene</summary><p>%s</p></details>\n",
                   scenes->left_out);
    return status_ok();
}

/* Returns the index of the first table of a paper that has records; the number of tables if there is none. */
static int paper_table_find(const RecordView *records, const PublishedTables *tables, const char *paper)
{
    int i = 0;
    while (i < tables->count && (strcmp(tables->items[i]->paper, paper) != 0 ||
                                 !table_has_records(&(TableView){tables->items[i], records, NULL})))
        i++;
    return i;
}

/* Writes all measurements. Each data set and each table is in a part that a reader can unfold. */
static Status parts_all_write(ReportPage *report)
{
    html_print(report->html, "<h3>Times on each data set</h3>\n");
    STATUS_TRY(skinning_write(report));
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    const Status damage = published_tables_read(report->records, &tables);
    if (damage.code != STATUS_BAD_INPUT)
        STATUS_TRY(damage);
    /* papers first, in the order of their first table, then the tables that only this benchmark has */
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < tables.count; i++) {
            const char *paper = tables.items[i]->paper;
            const bool is_paper = strcmp(paper, NO_PAPER) != 0;
            if (is_paper != (pass == 0) || paper_table_find(report->records, &tables, paper) != i)
                continue;
            html_print(report->html, "<h3>%s</h3>\n", is_paper ? paper : "This benchmark");
            for (int k = i; k < tables.count; k++)
                if (strcmp(tables.items[k]->paper, paper) == 0)
                    STATUS_TRY(published_write(report, tables.items[k]));
        }
    STATUS_TRY(report_damage(report, damage));
    OWNED_BY(text_table_free) TextTable *table = fits_table(report->records, false);
    OWNED_BY(text_table_free) TextTable *programs = fits_table(report->records, true);
    if (text_table_row_count(table) + text_table_row_count(programs) == 0)
        return status_ok();
    html_print(report->html, "<h3>Fits</h3>\n");
    report_fold_start(report, "fits", "Decomposition");
    STATUS_TRY(report_add_table(report, table, "decomposition", false));
    if (text_table_row_count(programs) > 0)
        STATUS_TRY(report_add_table(report, programs, "external-programs", false));
    report_fold_end(report);
    return status_ok();
}

/* What the records of a machine must have for a section: records of a kind, or in all the first machine,
 * because scenes cover all machines. */
typedef enum SectionNeed {
    NEEDS_NOTHING,
    NEEDS_DIRECT,
    NEEDS_SCORES,
    NEEDS_FITS,
    NEEDS_TABLES,
    NEEDS_FIRST,
    NEEDS
} SectionNeed;

static const struct {
    const char *id, *title;
    bool page_only; /* whether report.md leaves the section out, except for the titles of its parts */
    SectionNeed need;
    Status (*write)(ReportPage *report);
} sections[] = {
    {"direct", "Skinning methods", true, NEEDS_DIRECT, direct_leaders_write},
    {"scores", "Predicted rigs", false, NEEDS_SCORES, scores_write},
    {"decompositions", "Fitted rigs", true, NEEDS_FITS, fit_leaders_write},
    {"view", "Shapes side by side", true, NEEDS_FIRST, view_write},
    {"tables", "Tables", true, NEEDS_NOTHING, parts_all_write},
    {"verdicts", "Claims of the papers", false, NEEDS_TABLES, claims_write},
    {"run", "What was run", false, NEEDS_NOTHING, counts_write},
    {"machine", "Environment", false, NEEDS_NOTHING, machine_write},
};

Status sections_write(ReportPage *report)
{
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    CLEANUP(judged_claims_clear) JudgedClaims claims = {.items = NULL};
    bool has[NEEDS] = {[NEEDS_NOTHING] = true, [NEEDS_FIRST] = report->records->number == 0};
    for (const Record *record = NULL; (record = record_view_next(report->records, record));) {
        const CellKind kind = record->cell.kind;
        has[NEEDS_DIRECT] |= kind == CELL_SKINNING || kind == CELL_STUDY;
        has[NEEDS_SCORES] |= kind == CELL_SCORE;
        has[NEEDS_FITS] |= kind == CELL_DECOMPOSITION && record->status == RECORD_OK;
        has[NEEDS_TABLES] |= record->cell.table[0] != '\0';
    }
    if (has[NEEDS_TABLES]) {
        char summary[CLAIMS_SUMMARY_BYTES];
        STATUS_TRY(report_damage(report, claim_set_read(NULL, &set)));
        STATUS_TRY(set ? claims_judge(set, report->records, &claims) : status_ok());
        claims_summary(&claims, summary, sizeof summary);
        markdown_print(report->page, "%s\n\n", summary); /* the page has a bar in its place */
    }
    report->claims = &claims;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!has[sections[i].need])
            continue;
        if (!sections[i].page_only)
            markdown_print(report->page, "## %s\n\n", sections[i].title);
        html_print(report->html, "<section id=\"%s%s\"%s>\n<h2>%s</h2>\n", sections[i].id, report->suffix,
                   sections[i].write == view_write ? " data-scenes" : "", sections[i].title);
        STATUS_TRY(sections[i].write(report));
        html_print(report->html, "</section>\n");
    }
    report->claims = NULL;
    return status_ok();
}
