/* Reads the claims of papers strictly and finds every cell that they name. */
#include "harness/records/papers/claim.h"

#include "datasets/io/json_table.h"
#include "harness/records/papers/published.h"

static const char *const compare_names[] = {[CLAIM_VALUE] = "value",
                                            [CLAIM_RATIO] = "ratio",
                                            [CLAIM_DIFFERENCE] = "difference",
                                            [CLAIM_EXCESS] = "excess",
                                            [CLAIM_PUBLISHED] = "published",
                                            [CLAIM_ORDER] = "order",
                                            NULL};
static const char *const over_names[] = {
    [CLAIM_EACH] = "each", [CLAIM_MEDIAN] = "median", [CLAIM_MIN] = "least", [CLAIM_MAX] = "most", NULL};

static const char *const of_names[] = {[CLAIM_OF_METHODS] = "methods",
                                       [CLAIM_OF_MODELS] = "models",
                                       [CLAIM_OF_RECONSTRUCTION] = "reconstruction",
                                       [CLAIM_OF_MACHINES] = "machines",
                                       [CLAIM_OF_HARNESS] = "harness",
                                       NULL};

#define TEXT(type, member) JSON_FIELD(type, member, TEXT)

static const JsonTable cell_table =
    JSON_TABLE_STRICT(ClaimCell, NULL, JSON_FIELD(ClaimCell, table, NAME), JSON_FIELD(ClaimCell, row, LABEL),
                      JSON_FIELD(ClaimCell, column, TERM));

static const ClaimTest test_default = {.min = NAN, .max = NAN, .ours = NAN};
static const JsonTable test_table = JSON_TABLE_STRICT(
    ClaimTest, &test_default, TEXT(ClaimTest, title),
    JSON_FIELD_AS(ClaimTest, table_name, NAME, "table", OMITTED), JSON_FIELD(ClaimTest, column, TERM),
    JSON_ARRAY(ClaimTest, rows, row_count, "rows", &json_texts, OMITTED),
    JSON_ARRAY(ClaimTest, columns, column_count, "columns", &json_texts, OMITTED),
    JSON_WORD(ClaimTest, compare, "compare", compare_names), JSON_WORD(ClaimTest, over, "over", over_names),
    JSON_GROUP(ClaimTest, to, "to", &cell_table, OMITTED),
    JSON_FIELD_AS(ClaimTest, min, REAL, "least", WRITTEN),
    JSON_FIELD_AS(ClaimTest, max, REAL, "most", WRITTEN), JSON_FIELD(ClaimTest, ours, REAL),
    JSON_FIELD(ClaimTest, beside, FLAG));

static const JsonTable claim_table =
    JSON_TABLE_STRICT(PaperClaim, NULL, JSON_FIELD(PaperClaim, name, NAME), TEXT(PaperClaim, claim),
                      TEXT(PaperClaim, published), TEXT(PaperClaim, place), TEXT(PaperClaim, note),
                      TEXT(PaperClaim, untestable), JSON_WORD(PaperClaim, of, "of", of_names),
                      JSON_LIST(PaperClaim, tests, test_count, "tests", &test_table, OMITTED));

typedef struct ClaimFile {
    ClaimPaper paper;
    int schema;
} ClaimFile;

static const JsonTable claims_table =
    JSON_TABLE_STRICT(ClaimFile, NULL, JSON_FIELD(ClaimFile, schema, INTEGER),
                      JSON_FIELD_AS(ClaimFile, paper.paper, NAME, "paper", OMITTED),
                      JSON_FIELD_AS(ClaimFile, paper.source, TEXT, "source", OMITTED),
                      JSON_LIST(ClaimFile, paper.claims, paper.claim_count, "claims", &claim_table, OMITTED));

/* Returns the table of that name, and reads it first if necessary. */
static Status claim_table_read(ClaimSet *set, const char *name, const PublishedTable **out)
{
    OWNED_BY(published_table_free) PublishedTable *table = NULL;
    *out = NULL;
    for (int i = 0; i < set->table_count; i++)
        if (strcmp(set->tables[i]->name, name) == 0)
            *out = set->tables[i];
    if (*out)
        return status_ok();
    const Status read = published_table_read(name, &table);
    set->table_damaged = read.code == STATUS_BAD_INPUT;
    STATUS_TRY(read);
    GROW(set->tables, set->table_count, "the tables of claims");
    *out = set->tables[set->table_count++] = TAKE(table);
    return status_ok();
}

static Status row_check(const char *where, const PublishedTable *table, const char *row)
{
    return table_row_find(table, row)
               ? status_ok()
               : bad_input("%s: the table %s has no row '%s'", where, table->name, row);
}

static Status column_check(const char *where, const PublishedTable *table, const char *column)
{
    return table_column_find(table, column)
               ? status_ok()
               : bad_input("%s: the table %s has no column '%s'", where, table->name, column);
}

static Status test_finish(const char *where, ClaimSet *set, ClaimTest *test)
{
    if (isnan(test->min) && isnan(test->max))
        return bad_input("%s: needs `least`, `most` or both as a bound", where);
    if (test->min > test->max)
        return bad_input("%s: `least` is %g, but `most` is only %g", where, test->min, test->max);
    STATUS_TRY(claim_table_read(set, test->table_name, &test->table));
    if (test->compare == CLAIM_ORDER && test->column_count < 2)
        return bad_input("%s: a test of an order needs at least two columns", where);
    if (test->compare != CLAIM_ORDER)
        STATUS_TRY(column_check(where, test->table, test->column));
    for (int i = 0; i < test->column_count; i++)
        STATUS_TRY(column_check(where, test->table, test->columns[i]));
    for (int i = 0; i < test->row_count; i++)
        STATUS_TRY(row_check(where, test->table, test->rows[i]));
    /* The cell with which a test compares. Members that the file leaves out are taken from the test
     * itself. */
    ClaimCell *cell = &test->to;
    const bool needed =
        test->compare == CLAIM_RATIO || test->compare == CLAIM_DIFFERENCE || test->compare == CLAIM_EXCESS;
    if (!needed && (cell->table[0] || cell->row[0] || cell->column[0]))
        return bad_input("%s: only a test of a ratio, a difference or an excess may have a cell `to`", where);
    if (!needed)
        return status_ok();
    STATUS_TRY(claim_table_read(set, cell->table[0] ? cell->table : test->table_name, &test->to_table));
    if (cell->column[0] == '\0')
        snprintf(cell->column, sizeof cell->column, "%s", test->column);
    STATUS_TRY(column_check(where, test->to_table, cell->column));
    if (cell->row[0] != '\0')
        STATUS_TRY(row_check(where, test->to_table, cell->row));
    for (int i = 0; i < test->row_count && cell->row[0] == '\0'; i++)
        STATUS_TRY(row_check(where, test->to_table, test->rows[i]));
    return status_ok();
}

static Status claim_finish(const char *where, ClaimSet *set, const ClaimPaper *paper, int index)
{
    PaperClaim *claim = &paper->claims[index];
    char place[JSON_WHERE_BYTES];
    snprintf(place, sizeof place, "%.300s: claim %s", where, claim->name);
    const char *const needed[] = {claim->name, claim->claim, claim->published, claim->place};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i][0] == '\0')
            return bad_input("%s: claim %d lacks `name`, `claim`, `published` or `place`", where, index);
    for (int i = 0; i < index; i++)
        if (strcmp(paper->claims[i].name, claim->name) == 0)
            return bad_input("%s: occurs twice", place);
    if ((claim->test_count == 0) != (claim->untestable[0] != '\0'))
        return bad_input("%s: needs either tests or a reason in untestable", place);
    if (claim->test_count > CLAIM_TESTS_MAX)
        return bad_input("%s: has %d tests, but at most %d are allowed", place, claim->test_count,
                         CLAIM_TESTS_MAX);
    int deciding = 0;
    for (int i = 0; i < claim->test_count; i++) {
        STATUS_TRY(test_finish(place, set, &claim->tests[i]));
        deciding += !claim->tests[i].beside;
    }
    if (claim->test_count > 0 && deciding == 0)
        return bad_input("%s: every test has `beside`, so no test decides the claim", place);
    return status_ok();
}

/* Adds a paper to the set. The set owns it from now on, even if reading fails. */
static Status paper_add(ClaimSet *set, json_t *json, const char *where, const char *name)
{
    json_auto_t *owned = json;
    GROW(set->papers, set->paper_count, "claims");
    ClaimFile file = {.paper = {.file = TAKE(owned)}};
    const Status status = json_read(json, where, &claims_table, &file);
    ClaimPaper *paper = &set->papers[set->paper_count++];
    *paper = file.paper; /* also on failure, so that the paper is released */
    STATUS_TRY(status);
    if (file.schema != 1)
        return bad_input("%s: schema is not 1", where);
    if (strcmp(paper->paper, name) != 0)
        return bad_input("%s: has the name '%s', which differs from its file name", where, paper->paper);
    if (paper->source[0] == '\0')
        return bad_input("%s: has no source", where);
    for (int i = 0; i < paper->claim_count; i++) {
        const Status finished = claim_finish(where, set, paper, i);
        if (!set->table_damaged)
            STATUS_TRY(finished);
        else {
            paper->claims[i].test_count = 0;
            snprintf(paper->claims[i].untestable, CLAIM_TEXT_BYTES, "%s", finished.text);
            set->table_damaged = false;
        }
    }
    return status_ok();
}

static void claim_paper_clear(ClaimPaper *paper)
{
    for (int i = 0; i < paper->claim_count; i++)
        memory_free(paper->claims[i].tests);
    memory_free(paper->claims);
    json_decref(paper->file);
}

Status claim_set_from_json(json_t *taken, const char *where, const char *paper, ClaimSet **out)
{
    json_auto_t *file = taken;
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    *out = NULL;
    ALLOCATE(set, 1, "claims");
    STATUS_TRY(paper_add(set, TAKE(file), where, paper));
    *out = TAKE(set);
    return status_ok();
}

Status claim_set_read(const char *paper, ClaimSet **out)
{
    CLEANUP(file_list_clear) FileList files = {.count = 0};
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    Status damage = status_ok();
    *out = NULL;
    ALLOCATE(set, 1, "claims");
    STATUS_TRY(published_files_find("/claims", &files));
    for (int i = 0; i < files.count; i++) {
        const char *name = files.entries[i]->d_name;
        char path[PUBLISHED_PATH_BYTES + 512];
        json_t *json = NULL;
        if (paper && strcmp(paper, name) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%.256s.json", files.folder, name);
        const int before = set->paper_count;
        Status added = json_file_read(path, &json);
        if (added.code == STATUS_OK)
            added = paper_add(set, json, path, name);
        if (added.code != STATUS_OK && set->paper_count > before)
            claim_paper_clear(&set->papers[--set->paper_count]);
        if (added.code != STATUS_BAD_INPUT)
            STATUS_TRY(added);
        else
            damage = published_damage_add(damage, added);
    }
    if (set->paper_count == 0)
        return damage.code != STATUS_OK
                   ? damage
                   : bad_usage("no claims are recorded for paper '%s'", paper ? paper : "");
    *out = TAKE(set);
    return damage;
}

void claim_set_free(ClaimSet *set)
{
    if (!set)
        return;
    for (int p = 0; p < set->paper_count; p++)
        claim_paper_clear(&set->papers[p]);
    for (int i = 0; i < set->table_count; i++)
        published_table_free(set->tables[i]);
    FREE_ALL(set->papers, set->tables, set);
}
