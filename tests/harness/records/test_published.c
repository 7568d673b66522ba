/* Tests that the tables of numbers printed in papers are complete, well formed, and consistent with other
 * numbers in the papers. */
#include "tests/stores.h"

#include "harness/records/papers/column_kind.h"
#include <sys/stat.h>

enum { NAMES_BYTES = 2048 };

TEST(every_published_file_is_valid)
{
    char names[NAMES_BYTES] = "";
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    assert_ok(published_tables_read(NULL, &tables));
    for (int i = 0; i < tables.count; i++)
        text_append(names, sizeof names, "%s ", tables.items[i]->name);
    static const char *const parts[] = {
        "fesam-table2 ", "fesam-fig8 ", "sbs-table1 ", "sbs-table2 ",
        "cor-fig2-axes cor-fig2 cor-fig9 cor-nine-floats cor-parameters cor-table1 "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_holds(names, parts[i]);
}

static double number_of(const PublishedTable *table, const char *row, const char *column)
{
    const TableRow *table_row = table_row_find(table, row);
    const TableColumn *table_column = table_column_find(table, column);
    assert_non_null(table_row);
    assert_non_null(table_column);
    return table_published(table, table_row, table_column);
}

TEST(fesam_table2_is_whole)
{
    TABLE(table, "fesam-table2");
    assert_int_equal(table->paper_row_count, 14);
    int printed = 0;
    for (int i = 0; i < table->column_count; i++)
        printed += !table->columns[i].extra;
    assert_int_equal(printed, 12);
    assert_true(number_of(table, "horse", "our") == 1.3);
    assert_true(number_of(table, "clothHorse", "sma-eigenskin") == 1.3);
    assert_true(number_of(table, "swing", "sad") == 26.0);
    assert_true(number_of(table, "elephant", "svd") == 6e-5);
    /* FESAM section 5: there are no results of SMA for skirt and cloak with the larger numbers of bones. */
    assert_true(isnan(number_of(table, "skirt50", "sma")) && isnan(number_of(table, "cloak35", "sma")));
    /* FESAM Figure 1 prints the skirt's times in seconds: SMA 414, SAD 1512, "Our" 22.8. */
    assert_true(number_of(table, "skirt22", "sma-time") == 414.0);
    assert_true(number_of(table, "skirt22", "sad-time") == 1512.0);
    assert_true(number_of(table, "skirt22", "our-time") == 22.8);
}

/* FESAM section 5: the total time is the initialisation plus 15 steps. Each printed number is rounded, so
 * the sum agrees only up to rounding. */
TEST(printed_times_add_up)
{
    TABLE(table, "fesam-table2");
    for (int r = 0; r < table->paper_row_count; r++) {
        const char *row = table->rows[r].name;
        double total = number_of(table, row, "our-time");
        double sum =
            number_of(table, row, "our-time-initialization") + 15.0 * number_of(table, row, "our-time-step");
        assert_near(total, sum, 0.05 + 0.05 + 15.0 * 0.005 + 1e-9);
    }
}

TEST(figures_repeat_table2)
{
    TABLE(table, "fesam-table2");
    TABLE(figure, "fesam-fig8");
    TABLE(first, "fesam-fig1");
    static const char *const rows[] = {"swing", "horse", "skirt50"};
    for (int i = 0; i < 3; i++)
        assert_true(number_of(figure, rows[i], "after-15") == number_of(table, rows[i], "our"));
    static const char *const columns[] = {"our", "our-time", "our-time-initialization", "sad", "sad-time"};
    for (int i = 0; i < 5; i++)
        assert_true(number_of(first, "skirt, 22 bones", columns[i]) ==
                    number_of(table, "skirt22", columns[i]));
}

/* The table fesam-bones searches for the fewest bones that reach an error. Its target errors and its
 * printed numbers of bones must be those of FESAM's Table 2. */
TEST(bones_are_sought_for_table2)
{
    TABLE(table, "fesam-table2");
    TABLE(bones, "fesam-bones");
    assert_int_equal(bones->paper_row_count, table->paper_row_count);
    for (int r = 0; r < table->paper_row_count; r++) {
        const TableRow *row = &table->rows[r], *other = &bones->rows[r];
        assert_string_equal(row->dataset, other->dataset);
        assert_true(number_of(table, row->name, "our") == other->error);
        assert_true(row->sizes[SIZE_BONES] == number_of(bones, other->name, "our"));
    }
}

/* A record of a fit belongs to the cell with the same task, and a record of a search to the cell with the
 * same target error. A row of plain fits uses neither searches nor fits with held-out frames. */
TEST(searches_find_their_cells)
{
    static const char *const records[] = {
        "'bones_delivered':16,'metrics':{'e_rms':1.37},'parameters':{'bones':64,'error':1.4,",
        "'bones_delivered':16,'metrics':{'e_rms':1.37},'parameters':{'bones':64,'error':1.5,",
        "'bones_delivered':40,'metrics':{'e_rms':0.25},'parameters':{'bones':40,'holdout':4,"};
    static const double sought[] = {16.0, NAN, NAN};
    TABLE(table, "fesam-table2");
    TABLE(bones, "fesam-bones");
    const char *path = path_of("run.jsonl");
    for (int i = 0; i < 3; i++) {
        const char *line =
            text_of("{'schema':1,'kind':'decomposition','method':'svd','status':'ok','end':'converged',"
                    "'dataset':{'name':'crane','sha256':'" DIGEST_OF("1") "'},%s'iterations':15}}\n",
                    records[i]);
        text_write(path, quoted(line));
        OWNED_BY(record_store_close) RecordStore *store = store_read(path);
        const RecordView view = {.store = store};
        TableCell cell =
            table_cell_find(&(TableView){bones, &view, NULL}, table_row_find(bones, "crane, E_RMS 1.4"),
                            table_column_find(bones, "svd"));
        assert_true(isnan(sought[i]) ? isnan(cell.measured.value) : cell.measured.value == sought[i]);
        cell = table_cell_find(&(TableView){table, &view, NULL}, table_row_find(table, "crane"),
                               table_column_find(table, "svd"));
        assert_true(isnan(cell.measured.value));
    }
}

/* Each ratio in SBS Table 2 equals the ratio of two printed times, up to the rounding of these times to a
 * hundredth. */
TEST(sbs_ratios_are_those_of_the_times)
{
    static const char *const names[] = {"Hand", "Woman", "Creature"};
    TABLE(table, "sbs-table2");
    TABLE(sizes, "sbs-table1");
    for (int i = 0; i < 3; i++) {
        double lbs = number_of(table, names[i], "lbs-time"), sbs = number_of(table, names[i], "sbs-time");
        assert_true(fabs(sbs / lbs - number_of(table, names[i], "sbs-ratio")) <= 0.005 + 1e-9);
        const TableRow *row = table_row_find(table, names[i]);
        assert_true(row->sizes[SIZE_VERTICES] == number_of(sizes, names[i], "vertices"));
        assert_true(row->sizes[SIZE_JOINTS] == number_of(sizes, names[i], "joints"));
    }
    double average = number_of(table, "Woman", "average-time") / number_of(table, "Woman", "lbs-time");
    assert_true(fabs(average - number_of(table, "Woman", "average-ratio")) <= 0.005 + 1e-9);
}

#define HEAD                                                                                                 \
    "{'schema':1,'name':'broken','title':'t','source':{'paper':'p','place':'q'},"                            \
    "'columns':[{'name':'a','title':'A','quantity':'e_rms'}],"

/* A table of a given kind with one row and one column. `column` contains the members of the column. */
#define OF_KIND(kind, column)                                                                                \
    "{'schema':1,'name':'broken','kind':'" kind "','title':'t','source':{'paper':'p',"                       \
    "'place':'q'},'columns':[{" column ",'title':'A','quantity':'q'}],'rows':[{'name':'r',"                  \
    "'published':{'a':null}}]}"

#define OVER_COLUMN(parameter, count)                                                                        \
    "{'schema':1,'name':'broken','title':'t','source':{'paper':'p','place':'q'},"                            \
    "'columns':[{'name':'a','title':'A','quantity':'e_rms','method':'svd','over':{"                          \
    "'parameter':'" parameter "','count':" count "}}],'rows':[{'name':'r','published':{'a':1}}]}"

TEST(damage_is_named)
{
    static const char *const cases[][2] = {
        {"{", "broken.json:1:"},
        {"{}", "schema is not 1"},
        {"{'schema':1,'name':'other'}", "has the name 'other'"},
        {"{'schema':1,'name':'broken','title':'t'}", "has no source.paper"},
        {OF_KIND("none", "'name':'a'"), "the kind of the table is 'none', which does not exist"},
        {OF_KIND("skinning", "'name':'a'"), "column a has no method"},
        {OF_KIND("skinning", "'name':'a','method':'lbs'"), "column a: skinning has no quantity 'q'"},
        {OF_KIND("study", "'name':'a','study':'no'"), "column a: there is no study 'no'"},
        {OF_KIND("study", "'name':'a'"), "row r, column a: no study is named"},
        {OF_KIND("fit", "'name':'a','kind':'x'"), "column a: there is no kind of column 'x'"},
        {HEAD "'rows':[]}", "has no rows"},
        {"{'schema':1,'name':'broken','title':'t','source':{'paper':'p','place':'q'},"
         "'columns':[{'name':'a','title':'A','quantity':'bones'}],'rows':[{'name':'r','published':{'a':1}}]}",
         "neither column a nor row r sets an error to reach"},
        {HEAD "'rows':[{'name':'r'}]}", "row 0 has no name or no published"},
        {HEAD "'rows':[{'name':'r','published':{}}]}", "row r has no number for the column a"},
        {HEAD "'rows':[{'name':'r','published':{'a':'x'}}]}", "neither a number nor null"},
        {HEAD "'rows':[{'name':'r','published':{'a':1,'b':1}}]}", "column 'b', which does not exist"},
        /* The error for a misspelt member, or for a value of the wrong type, says where it is in the
         * file. */
        {HEAD "'rows':[],'axis':{}}", "broken.json: unknown member \"axis\""},
        {OF_KIND("skinning", "'name':'a','method':'lbs','tread':2"), "columns[a]: unknown member \"tread\""},
        {OF_KIND("skinning", "'name':'a','method':'lbs','threads':'2'"),
         "columns[a].threads is \"2\", expected an integer"},
        {OF_KIND("skinning", "'name':'a','method':'lbs','set':[1]"),
         "columns[a].set[0] is 1, expected a text"},
        {HEAD "'settings':{'iterations':'30'},'rows':[]}",
         "settings.iterations is \"30\", expected an integer"},
        {HEAD "'rows':[{'name':'r','bone':3,'published':{'a':1}}]}", "rows[r]: unknown member \"bone\""},
        {HEAD "'figure':{'kind':'pie'},'rows':[{'name':'r','published':{'a':1}}]}", "figure.kind is \"pie\""},
        {HEAD "'figure':{'kind':'published','points':[{'column':'x'}]},'rows':[{'name':'r',"
              "'published':{'a':1}}]}",
         "a figure uses the column 'x', which does not exist"},
        {OF_KIND("fit", "'name':'a','beside':'b'"),
         "column a: beside names the column 'b', which does not exist"},
        {OVER_COLUMN("rank", "1"), "column a: over.count must be 2 to 64"},
        {OVER_COLUMN("no-such", "3"), "svd has no integer parameter 'no-such' with a range of 0 to 2"}};
    PublishedTable *table = NULL;
    mkdir(path_of("results"), 0777);
    mkdir(path_of("results/published"), 0777);
    OWNED char *sound = file_read(text_of("%s/results/published/sbs-table1.json", environment_home()), NULL);
    text_write("results/published/sbs-table1.json", sound);
    setenv("SKINBENCH_HOME", path_of(""), 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_write("results/published/broken.json", quoted(cases[i][0]));
        assert_bad_input(cases[i][1], published_table_read("broken", &table));
        assert_null(table);
    }
    /* The message names the table that cannot be read. All other tables are still read. */
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    assert_bad_input("published/broken.json", published_tables_read(NULL, &tables));
    assert_int_equal(tables.count, 1);
    assert_refused(STATUS_USAGE, "no table 'none'", published_table_read("none", &table));
    assert_refused(STATUS_USAGE, "no table '../x'", published_table_read("../x", &table));
    unsetenv("SKINBENCH_HOME");
}
