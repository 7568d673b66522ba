/* Compares the records of several machines, cell by cell. */
#include "harness/show/report/report_parts.h"

#include "harness/records/record/record_numbers.h"
#include "harness/show/tables/record_tables.h"
#include "harness/show/text/interval_text.h"

/* Number of machines that have their own columns. Further machines appear only in records.html and the CSV
 * files. */
enum { MACHINES_SHOWN = 8, TITLE_BYTES = 32 };

/* One cell on several machines: the record of each machine, or NULL if the cell was not measured there. */
typedef struct SharedCell {
    const RecordView *views;
    const Record *records[MACHINES_SHOWN];
    int machine_count, first; /* first: index of the machine to which the other machines are compared */
} SharedCell;

/* Finds the records of a cell on all machines. Returns false if `record` is the only record of the cell, or
 * is not the first one. */
static bool shared_cell_find(const RecordView *views, int count, int machine, const Record *record,
                             SharedCell *out)
{
    int measured = 0;
    *out = (SharedCell){.views = views, .machine_count = count, .first = machine};
    for (int m = 0; m < count; m++) {
        const Record *other =
            m == machine ? record : record_store_find(views[m].store, &record->cell, views[m].machine);
        if (!other || other->status != RECORD_OK)
            continue;
        if (m < machine)
            return false;
        out->records[m] = other;
        measured++;
    }
    return measured > 1 && out->records[machine];
}

static void number_cell(TextTable *table, const SharedCell *shared, int machine, const RecordNumber *number)
{
    sampled_number_cell(table, &shared->views[machine], shared->records[machine], &number->number,
                        number->timed ? 3 : 8);
}

static void times_add(TextTable *table, const SharedCell *shared)
{
    static const char *const names[] = {"frame_ns_per_vertex", "frame_ratio_to_lbs", "ns_per_vertex",
                                        "ratio_to_lbs",        "ratio_to_scalar",    "total_s"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Record *record = shared->records[shared->first];
        RecordNumber first, other;
        bool timed = false;
        if (!record_number_find(record, names[i], &first) || !first.timed ||
            (first.number.low == 1.0 && first.number.high == 1.0)) /* over itself */
            continue;
        cell_row(table, &record->cell);
        text_table_words(table, record_number_title(record->cell.kind, names[i], &timed), NULL);
        for (int m = 0; m < shared->machine_count; m++) {
            const bool there = shared->records[m] && record_number_find(shared->records[m], names[i], &other);
            if (there)
                number_cell(table, shared, m, &other);
            else
                text_table_cell(table, "-");
            if (m > 0 && there && m != shared->first) {
                char text[INTERVAL_TEXT_BYTES];
                const SampledNumber ratio = sampled_ratio(&other.number, &first.number);
                interval_text(&ratio, 3, text);
                text_table_cell(table, "%s", text);
                text_table_value(table, ratio.value, "");
            } else if (m > 0)
                text_table_cell(table, "-");
        }
    }
}

/* Finds the exact number that differs most from its value on the first machine, and the relative
 * difference. Returns false if there is nothing to compare. */
static bool greatest_difference(const SharedCell *shared, RecordNumber *worst, double *share)
{
    RecordNumber first, other;
    *share = -1.0;
    for (int i = 0; record_number_at(shared->records[shared->first], i, &first); i++)
        for (int m = shared->first + 1; m < shared->machine_count && !first.timed; m++) {
            if (!isfinite(first.number.value) || !shared->records[m] ||
                !record_number_find(shared->records[m], first.name, &other) || !isfinite(other.number.value))
                continue;
            const double difference =
                number_difference(first.number.value, other.number.value, first.rounding);
            if (difference > *share) {
                *share = difference;
                *worst = first;
            }
        }
    return *share >= 0.0;
}

/* Starts a table with a column for each machine, named by its number. If `with_ratios` is set, every
 * machine except the first has a second column with its ratio to the first machine. */
static TextTable *table_start(const char *title, int count, bool with_ratios)
{
    TextTable *table = text_table_create(title, "?data set|?method|?backend|threads|?of");
    char column[TITLE_BYTES];
    for (int m = 0; m < count; m++) {
        snprintf(column, sizeof column, "machine %d", m + 1);
        text_table_column_add(table, column);
        snprintf(column, sizeof column, "%d over first", m + 1);
        if (m > 0 && with_ratios)
            text_table_column_add(table, column);
    }
    if (!with_ratios) {
        text_table_column_add(table, "difference");
        text_table_column_add(table, "?agree");
    }
    return table;
}

static Status table_fold(ReportPage *report, const TextTable *table, const char *name)
{
    Status status = text_table_status(table);
    if (status.code != STATUS_OK || text_table_row_count(table) == 0)
        return status;
    report_fold_start(report, name, table->title);
    status = report_add_table(report, table, name, true);
    report_fold_end(report);
    return status;
}

static Status tables_add(ReportPage *report, const RecordView *views, int count)
{
    OWNED_BY(text_table_free)
    TextTable *times = table_start("Times and ratios of each machine", count, true),
              *errors = table_start("The exact number that differs most in each cell", count, false);
    int agreeing = 0, cells = 0;
    char text[256];
    for (int m = 0; m < count; m++)
        for (const Record *record = NULL; (record = record_view_next(&views[m], record));) {
            SharedCell shared;
            if (record->cell.kind == CELL_ROW || record->cell.kind == CELL_NOISE ||
                !shared_cell_find(views, count, m, record, &shared))
                continue;
            times_add(times, &shared);
            /* find the number that differs most */
            RecordNumber worst, other;
            double share = 0.0;
            if (!greatest_difference(&shared, &worst, &share))
                continue;
            const bool agrees = share <= NUMBER_SHARE;
            cells += 1;
            agreeing += agrees;
            cell_row(errors, &shared.records[shared.first]->cell);
            text_table_words(errors, worst.name, NULL);
            for (int k = 0; k < shared.machine_count; k++)
                if (shared.records[k] && record_number_find(shared.records[k], worst.name, &other) &&
                    isfinite(other.number.value))
                    number_cell(errors, &shared, k, &other);
                else
                    text_table_cell(errors, "-");
            text_table_number(errors, share, 2);
            text_table_words(errors, agrees ? "yes" : "no", NULL);
        }
    STATUS_TRY(text_table_status(times));
    STATUS_TRY(text_table_status(errors));
    snprintf(text, sizeof text,
             "Errors, measures and counts of %d cells were measured on more than one machine. In %d of them, "
             "all numbers agree to 1e-6 of their value, or differ only by known rounding errors.",
             cells, agreeing);
    report_paragraph(report, text);
    STATUS_TRY(table_fold(report, times, "machines-times"));
    return table_fold(report, errors, "machines-errors");
}

Status machine_comparison_write(ReportPage *report, const RecordView *views, int count)
{
    const int shown = int_min(count, MACHINES_SHOWN);
    if (count < 2)
        return status_ok();
    markdown_print(report->page, "# Machines side by side\n\n");
    html_print(report->html, "<section id=\"machines\">\n<h2>Machines side by side</h2>\n<ol>\n");
    for (int m = 0; m < count; m++) {
        const char *machine = views[m].machine[0] ? views[m].machine : "an unknown machine";
        markdown_print(report->page, "%d. %s\n", m + 1, machine);
        html_print(report->html, "<li>%s</li>\n", machine);
    }
    markdown_print(report->page, "\n");
    html_print(report->html, "</ol>\n");
    const Status status = tables_add(report, views, shown);
    html_print(report->html, "</section>\n");
    return status;
}
