/* Prints a published table in the layout of the paper, and as one long list of its cells. */
#include "harness/show/tables/table_print.h"

#include "harness/show/tables/record_tables.h"
#include "harness/show/text/interval_text.h"

/* A table has columns for the name of the row, the mark for stand-ins, the rest pose, the sizes, and the
 * published columns. */
_Static_assert(3 + SIZE_COUNT + PUBLISHED_COLUMNS_MAX <= TABLE_COLUMNS_MAX,
               "a published table must fit into a text table");

/* ---- one cell ---- */

/* Prints "1.3 → 1.41 ± 2.1 % (+8 %)": the published number, the measured number, and their difference. If
 * `expected` is set, a missing published number is shown as "- → 1.41". */
static void cell_print(TextTable *out, const TableColumn *column, const TableCell *cell, bool expected)
{
    char before[64] = "", text[INTERVAL_TEXT_BYTES], difference[INTERVAL_TEXT_BYTES];
    if (!isnan(cell->published))
        snprintf(before, sizeof before, "%.10g → ", cell->published);
    else if (expected && cell->state != TABLE_CELL_EMPTY)
        snprintf(before, sizeof before, "- → ");
    if (cell->state != TABLE_CELL_MEASURED) {
        text_table_cell(out, "%s%s", before, table_cell_state_name(cell->state));
        if (cell->state != TABLE_CELL_EMPTY)
            text_table_absent(out, table_cell_state_name(cell->state));
        return;
    }
    SampledNumber number = cell->measured;
    if (number.samples == 0 &&
        column_is_time(column)) /* a study measured this time once, so it counts as one sample */
        number = (SampledNumber){.value = number.value, .low = NAN, .high = NAN, .samples = 1};
    interval_text(&number, column->digits, text);
    if (isnan(cell->published) || cell->published == 0.0) {
        text_table_cell(out, "%s%s", before, text);
        return;
    }
    difference_text(cell->measured.value, cell->published, column_is_time(column), difference);
    text_table_cell(out, "%s%s (%s)", before, text, difference);
}

/* ---- rows and columns ---- */

/* Sizes shown next to a row's name. */
static const char *const size_titles[SIZE_COUNT] = {[SIZE_VERTICES] = "N",
                                                    [SIZE_TRIANGLES] = "triangles",
                                                    [SIZE_FRAMES] = "F",
                                                    [SIZE_JOINTS] = "joints",
                                                    [SIZE_BONES] = "P"};

/* The contents of one part of a table. */
typedef struct Part {
    const char *title;
    const char *quantity; /* only columns of this quantity are shown; NULL shows all columns */
    bool external;   /* with a quantity: whether its columns of external programs are shown, or the others */
    bool with_kinds; /* whether a column shows the kind of each row */
    bool sizes[SIZE_COUNT];
} Part;

static bool part_shows(const Part *part, const TableColumn *column)
{
    return !column->hidden && (!part->quantity || (strcmp(column->quantity, part->quantity) == 0 &&
                                                   (column->external[0] != '\0') == part->external));
}

/* Returns a size of a row, as given by the table's file. If the file gives none, returns the size of the
 * data set on which the row was run. */
static double row_size(const TableView *view, const TableRow *row, TableSize size)
{
    double value = row->sizes[size];
    for (int c = 0; c < view->table->column_count && isnan(value) && size != SIZE_BONES; c++) {
        const Record *record = table_cell_find(view, row, &view->table->columns[c]).record;
        if (record && record->cell.dataset.sha256[0])
            value = table_dataset_size(&record->cell.dataset, size);
    }
    return value;
}

static void part_row(TextTable *out, const TableView *view, const Part *part, const TableRow *row)
{
    bool stand_in = row->stand_in && !part->quantity;
    text_table_row(out, row->name, NULL);
    if (part->with_kinds)
        text_table_cell(out, "%s%s%s", stand_in ? "stand-in" : "", stand_in && row->group[0] ? ", " : "",
                        row->group);
    if (view->table->rest[0] != '\0')
        text_table_words(out, strcmp(view->table->rest, "first") == 0 ? "first frame" : "the file's", NULL);
    for (int i = 0; i < SIZE_COUNT; i++) {
        double size = part->quantity   ? row->sizes[i]
                      : part->sizes[i] ? row_size(view, row, (TableSize)i)
                                       : NAN;
        if (part->sizes[i] && isnan(size))
            text_table_cell(out, "-");
        else if (part->sizes[i])
            text_table_cell(out, "%.0f", size);
        if (part->sizes[i])
            text_table_value(out, size, "");
    }
    for (int c = 0; c < view->table->column_count; c++) {
        const TableColumn *column = &view->table->columns[c];
        if (!part_shows(part, column))
            continue;
        TableCell cell = table_cell_find(view, row, column);
        cell_print(out, column, &cell, part->quantity || (!row->stand_in && !column->extra));
        text_table_record(out, view->records, cell.record, cell.measured.value);
    }
}

static TextTable *part_print(const TableView *view, const Part *part)
{
    const PublishedTable *table = view->table;
    TextTable *out = text_table_create(part->title, part->with_kinds ? "<row|?kind" : "<row");
    if (table->rest[0] != '\0')
        text_table_column_add(out, "<rest pose");
    for (int i = 0; i < SIZE_COUNT; i++)
        if (part->sizes[i])
            text_table_column_add(out, size_titles[i]);
    for (int c = 0; c < table->column_count; c++) {
        const TableColumn *column = &table->columns[c];
        char title[TABLE_TEXT_BYTES + TABLE_NAME_BYTES + 4];
        snprintf(title, sizeof title, "%s%s%s", column->title, column->unit[0] ? ", " : "", column->unit);
        if (part_shows(part, column))
            text_table_column_add(out, title);
    }
    for (int r = 0; r < table->row_count; r++)
        if (table_row_listed(view, &table->rows[r]))
            part_row(out, view, part, &table->rows[r]);
    return out;
}

/* Prints a whole table: all columns, and those sizes that at least one row has. */
static TextTable *whole_print(const TableView *view)
{
    const PublishedTable *table = view->table;
    const char *machine = table->machine;
    char title[1024];
    Part part = {.title = title, .with_kinds = table->row_count > table->paper_row_count};
    bool published = false;
    for (int r = 0; r < table->row_count; r++) {
        part.with_kinds = part.with_kinds || table->rows[r].group[0] != '\0';
        for (int i = 0; i < SIZE_COUNT; i++)
            part.sizes[i] = part.sizes[i] || !isnan(table->rows[r].sizes[i]);
        for (int c = 0; c < table->column_count; c++)
            published = published || !isnan(table->rows[r].published[c]);
    }
    if (published)
        snprintf(title, sizeof title, "%s: %s; published%s%s%s → measured here (difference)", table->place,
                 table->title, machine[0] ? " (" : "", machine, machine[0] ? ")" : "");
    else
        snprintf(title, sizeof title, "%s: %s; measured here", table->place, table->title);
    return part_print(view, &part);
}

static TextTable *quantity_print(const TableView *view, const char *quantity, bool external)
{
    const PublishedTable *table = view->table;
    bool of_machine = false;
    const char *name = table->kind->quantity_title(quantity, &of_machine);
    char title[1024];
    Part part = {.title = title,
                 .quantity = quantity,
                 .external = external,
                 .with_kinds = true,
                 .sizes = {[SIZE_VERTICES] = true, [SIZE_FRAMES] = true, [SIZE_BONES] = true}};
    const bool named = of_machine && table->machine[0];
    snprintf(title, sizeof title, "%s: %s%s, published%s%s%s → measured%s", table->place,
             external ? "external programs, " : "", name, named ? " (" : "", named ? table->machine : "",
             named ? ")" : "", of_machine ? " here" : " (difference)");
    return part_print(view, &part);
}

/* ---- a figure of iterations ---- */

static TextTable *iterations_print(const TableView *view)
{
    const PublishedTable *table = view->table;
    const TableFigure *figure = &table->figure;
    const TableColumn *column = &table->columns[0];
    TextTable *out = text_table_create("E_RMS after this many iterations", "<row|P");
    char title[16];
    for (int i = 0; i < figure->at_count; i++) {
        snprintf(title, sizeof title, "%d", figure->at[i]);
        text_table_column_add(out, title);
    }
    text_table_column_add(out, "published");
    text_table_column_add(out, "<note");
    for (int r = 0; r < table->row_count; r++) {
        const TableRow *row = &table->rows[r];
        TableCell cell = table_cell_find(view, row, column);
        text_table_row(out, row->name, NULL);
        text_table_number(out, row->sizes[SIZE_BONES], 1);
        for (int i = 0; i < figure->at_count; i++) {
            const double e_rms = record_e_rms_after(cell.record, figure->at[i]);
            text_table_number(out, e_rms, 4);
            text_table_record(out, view->records, cell.record, e_rms);
        }
        text_table_number(out, cell.published, 2);
        text_table_words(out, cell.state == TABLE_CELL_MEASURED ? "" : table_cell_state_name(cell.state),
                         NULL);
        if (cell.state != TABLE_CELL_MEASURED && cell.state != TABLE_CELL_EMPTY)
            text_table_absent(out, table_cell_state_name(cell.state));
    }
    return out;
}

/* ---- cells that were not measured ---- */

static TextTable *reasons_print(const TableView *view)
{
    const PublishedTable *table = view->table;
    TextTable *out =
        text_table_create("Cells that were not measured, and why", "<row|<from column|?status|<reason");
    for (int r = 0; r < table->row_count; r++)
        for (int c = 0; c < table->column_count; c++) {
            const Record *record = table_cell_find(view, &table->rows[r], &table->columns[c]).record;
            bool is_shown = !record || record->status == RECORD_OK;
            for (int k = 0; k < c && !is_shown; k++) /* an earlier column shows the same record */
                is_shown = table_cell_find(view, &table->rows[r], &table->columns[k]).record == record;
            if (is_shown)
                continue;
            text_table_row(out, table->rows[r].name, table->columns[c].title,
                           record_status_names[record->status], record->reason, NULL);
            text_table_record(out, view->records, record, NAN);
        }
    return out;
}

/* ---- all parts ---- */

/* Whether a column is the first one with its quantity. If `external` is set, only columns of external
 * programs count. */
static bool quantity_is_new(const PublishedTable *table, int column, bool external)
{
    for (int c = 0; c < column; c++)
        if (strcmp(table->columns[c].quantity, table->columns[column].quantity) == 0 &&
            (!external || table->columns[c].external[0]))
            return false;
    return !external || table->columns[column].external[0];
}

/* Adds how well measured numbers agree with published ones, once by rows and once by columns. A part without
 * comparable numbers is left out. */
static void agreement_add(const TableView *view, const char *quantity, TableParts *out)
{
    bool of_machine = false;
    const char *name = view->table->kind->quantity_title(quantity, &of_machine);
    char title[1024];
    snprintf(title, sizeof title,
             "%s: %s, how well published and measured numbers agree on the order of the columns in each row",
             view->table->place, name);
    out->tables[out->count] = agreement_of_rows(view, quantity, title);
    out->count += out->tables[out->count] != NULL;
    snprintf(title, sizeof title,
             "%s: %s, measured numbers divided by published numbers, over the rows of each column",
             view->table->place, name);
    out->tables[out->count] = agreement_of_columns(view, quantity, title);
    out->count += out->tables[out->count] != NULL;
}

Status table_parts(const TableView *view, TableParts *out)
{
    const PublishedTable *table = view->table;
    *out = (TableParts){.count = 0};
    if (table->figure.kind == FIGURE_ITERATIONS) {
        out->tables[out->count++] = iterations_print(view);
    } else if (table->kind->quantity_title) {
        for (int external = 0; external <= 1; external++)
            for (int c = 0; c < table->column_count; c++)
                if (quantity_is_new(table, c, external))
                    out->tables[out->count++] = quantity_print(view, table->columns[c].quantity, external);
        for (int c = 0; c < table->column_count; c++)
            if (quantity_is_new(table, c, false))
                agreement_add(view, table->columns[c].quantity, out);
    } else {
        out->tables[out->count++] = whole_print(view);
        out->tables[out->count++] = reasons_print(view);
    }
    for (int i = 0; i < out->count; i++)
        STATUS_TRY(text_table_status(out->tables[i]));
    const int last = out->count - 1;
    if (!table->kind->quantity_title && last > 0 && text_table_row_count(out->tables[last]) == 0)
        text_table_free(out->tables[out->count = last]);
    return status_ok();
}

void table_parts_free(TableParts *parts)
{
    for (int i = 0; i < parts->count; i++)
        text_table_free(parts->tables[i]);
}

/* ---- the long form ---- */

/* Writes the members of the record behind a cell. */
static void record_columns(TextTable *out, const Record *record)
{
    static const Cell none = {.threads = 0};
    const Cell *cell = record ? &record->cell : &none;
    OWNED_BY(free) char *parameters = cell->parameters ? argument_key(cell->parameters) : NULL;
    if (cell->parameters && !parameters)
        text_table_fail(out);
    text_table_words(out, cell->dataset.sha256, cell->method, cell->backend, cell->level, NULL);
    text_table_exact(out, record ? (double)cell->threads : (double)NAN);
    text_table_exact(out, record && cell->kind == CELL_SKINNING ? (double)cell->frames : (double)NAN);
    text_table_words(out, cell->normals ? "yes" : "", cell->two_phase ? "yes" : "", NULL);
    text_table_words(out, parameters ? parameters : "", record ? record->run : "", NULL);
}

static void long_row(TextTable *out, const TableView *view, const TableRow *row, const TableColumn *column)
{
    TableCell cell = table_cell_find(view, row, column);
    text_table_row(out, view->table->name, row->name, row->dataset, column->name, column->quantity, NULL);
    text_table_exact(out, cell.published);
    text_table_exact(out, cell.measured.value);
    text_table_exact(out, cell.measured.low);
    text_table_exact(out, cell.measured.high);
    text_table_exact(out, cell.measured.samples);
    text_table_words(out, cell.measured.disturbed ? "yes" : "", NULL);
    text_table_exact(out, cell.measured.value - cell.published);
    text_table_exact(out, cell.published / cell.measured.value);
    text_table_words(out, table_cell_state_name(cell.state), NULL);
    record_columns(out, cell.record);
    text_table_words(out, view->records->machine, NULL);
}

TextTable *table_long(const TableView *views, int count)
{
    const PublishedTable *table = views[0].table;
    TextTable *out = text_table_create(
        table->title,
        "<table|<row|<dataset|<column|<quantity|published|measured|low|high|samples|<disturbed|difference|"
        "ratio|<state|<sha256|<method|<backend|<level|threads|frames|<normals|<two_phase|<parameters|<run");
    if (views[0].records->machine)
        text_table_column_add(out, "<machine");
    for (int v = 0; v < count; v++)
        for (int r = 0; r < table->row_count; r++)
            for (int c = 0; c < table->column_count && table_row_listed(&views[v], &table->rows[r]); c++)
                long_row(out, &views[v], &table->rows[r], &table->columns[c]);
    return out;
}

bool table_has_records(const TableView *view)
{
    for (const Record *record = NULL; (record = record_view_next(view->records, record));)
        if (strcmp(record->cell.table, view->table->name) == 0)
            return true;
    return false;
}

/* Finds a cell, and returns whether it has both a published and a measured number. */
static bool compared(const TableView *view, const TableRow *row, const TableColumn *column,
                     const char *quantity, TableCell *cell)
{
    if (strcmp(column->quantity, quantity) != 0 || isnan(table_published(view->table, row, column)))
        return false;
    *cell = table_cell_find(view, row, column);
    return cell->state == TABLE_CELL_MEASURED;
}

static TextTable *unless_empty(TextTable *table)
{
    if (table && text_table_row_count(table) > 0)
        return table;
    text_table_free(table);
    return NULL;
}

TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title)
{
    const PublishedTable *table = view->table;
    TextTable *out = text_table_create(title, "<row|columns|Kendall's tau");
    double printed[TABLE_COLUMNS_MAX], measured[TABLE_COLUMNS_MAX];
    for (int r = 0; r < table->paper_row_count; r++) {
        TableCell cell;
        int count = 0;
        for (int c = 0; c < table->column_count; c++)
            if (table->columns[c].beside[0] == '\0' && /* skip a column that is already shown beside another
                                                          column with the same published number */
                compared(view, &table->rows[r], &table->columns[c], quantity, &cell)) {
                printed[count] = cell.published;
                measured[count++] = cell.measured.value;
            }
        if (count < 2)
            continue;
        text_table_row(out, table->rows[r].name, NULL);
        text_table_cell(out, "%d", count);
        text_table_number(out, kendall_tau(printed, measured, count), 3);
    }
    return unless_empty(out);
}

TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title)
{
    const PublishedTable *table = view->table;
    TextTable *out = text_table_create(title, "<column|rows|median|least|most");
    double *ratios = memory_array((size_t)table->row_count + 1, sizeof *ratios);
    for (int c = 0; c < table->column_count && ratios; c++) {
        TableCell cell;
        int count = 0;
        for (int r = 0; r < table->paper_row_count; r++)
            if (compared(view, &table->rows[r], &table->columns[c], quantity, &cell) && cell.published != 0.0)
                ratios[count++] = cell.measured.value / cell.published;
        if (count == 0)
            continue;
        text_table_row(out, table->columns[c].title, NULL);
        text_table_cell(out, "%d", count);
        text_table_number(out, median_sorting(ratios, count), 3);
        text_table_number(out, ratios[0], 3);
        text_table_number(out, ratios[count - 1], 3);
    }
    memory_free(ratios);
    return unless_empty(out);
}
