/* Tests the reading of suites. Every unknown or invalid member is named with its value. */
#include "tests/support.h"

#include "harness/run/suites/suite.h"
#include "methods/registry.h"

#include <unistd.h>

#define BAR "{'datasets':[{'generate':'bar'}],"
/* A suite whose fit has one additional member. */
#define FIT(member, message)                                                                                 \
    {                                                                                                        \
        BAR "'decomposition':[{'method':'svd','bones':[4]," member "}]}", message                            \
    }

TEST(suites_are_read_and_checked)
{
    static const char *const cases[][2] = {
        {"[", "suite.json:1:"},
        {"{}", "has no datasets"},
        {"{'datasets':[{}]}", "datasets[0] needs either a file or a generator"},
        {"{'datasets':[{'generate':'bar'}],'skinning':{'backends':['abacus']}}", "abacus"},
        {"{'datasets':[{'generate':'bar'}],'skinning':{'threads':[0]}}",
         "threads[0] is 0, expected 1 to 1024"},
        {"{'datasets':[{'generate':'bar'}],'decomposition':[{'method':'x'}]}", "method 'x'"},
        {"{'datasets':[{'generate':'bar'}],'decomposition':[{'method':'svd'}]}", "bones"},
        FIT("'iterations':'30'", "decomposition[0].iterations is \"30\", expected an integer"),
        FIT("'iteration':30", "decomposition[0]: unknown member \"iteration\": 30"),
        FIT("'seeds':9", "decomposition[0].seeds is 9, expected an array"),
        FIT("'seeds':[0]", "decomposition[0].seeds[0] is 0, expected 1 to"),
        FIT("'seeds':[]", "decomposition[0].seeds is empty"),
        FIT("'holdout':2.5", "decomposition[0].holdout is 2.5, expected an integer"),
        FIT("'error':'1'", "decomposition[0].error is \"1\", expected a number"),
        FIT("'time_limit_s':null", "decomposition[0].time_limit_s is null, expected a value"),
        FIT("'set':'dimension=3'", "decomposition[0].set is \"dimension=3\", expected an array"),
        FIT("'set':[3]", "decomposition[0].set[0] is 3, expected a text"),
        FIT("'set':['color=3']", "color"),
        FIT("'repeats':9000000000", "decomposition[0].repeats is 9000000000, expected an integer"),
        {BAR "'decomposition':[{'method':'svd','bones':['4']}]}",
         "decomposition[0].bones[0] is \"4\", expected an integer"},
        {BAR "'decomposition':[{'method':'svd','bones':4}]}",
         "decomposition[0].bones is 4, expected an array"},
        {BAR "'decomposition':{'method':'svd'}}", "decomposition is {\"method\":\"svd\"}, expected an array"},
        {BAR "'skining':{}}", "suite.json: unknown member \"skining\": {}"},
        {BAR "'skinning':[]}", "skinning is [], expected an object"},
        {BAR "'skinning':{'normals':'yes'}}", "skinning.normals is \"yes\", expected true or false"},
        {BAR "'skinning':{'thread':[1]}}", "skinning: unknown member \"thread\": [1]"},
        {BAR "'skinning':{'threads':2}}", "skinning.threads is 2, expected an array"},
        {BAR "'skinning':{'threads':[1.5]}}", "skinning.threads[0] is 1.5, expected an integer"},
        {BAR "'skinning':{'methods':'lbs'}}", "skinning.methods is \"lbs\", expected an array"},
        {BAR "'skinning':{'methods':[{'name':'lbs','sets':[]}]}}", "methods[lbs]: unknown member \"sets\""},
        {BAR "'skinning':{'methods':['none']}}", "no skinning method 'none'"},
        {"{'datasets':[{'generate':'bar','frames':3}]}", "datasets[0]: unknown member \"frames\": 3"},
        {"{'datasets':[{'generate':3}]}", "datasets[0].generate is 3, expected a name"},
        {"{'datasets':{}}", "datasets is {}, expected an array"},
        {"[1]", "suite.json[0] is 1, expected an object"},
        {"[]", "has no datasets"},
        {"{'tables':['a']}", "tables[0] is \"a\", expected an object"},
        {BAR "'skinning':{'levels':[4]}}", "skinning.levels[0] is 4, expected a name"}};
    const char *path = path_of("suite.json");
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        bool good = i == sizeof cases / sizeof *cases;
        CLEANUP(suite_clear) Suite suite = {0};
        text_write(path, quoted(good ? "{'datasets':[{'file':'a.h5'},{'generate':'bar','set':['around=4']}],"
                                       "'skinning':{'methods':[{'name':'dqs','set':['hemisphere=first']}],"
                                       "'backends':['scalar','simd'],'threads':[1,2],'two_phase':true},"
                                       "'decomposition':[{'method':'svd','bones':[3,5],'seeds':[1,4]}]}"
                                     : cases[i][0]));
        Status status = suite_read(path, 2, &suite);
        if (good) {
            assert_int_equal(status.code, STATUS_OK);
            assert_int_equal(suite.parts[0].plan_count, 3); /* scalar on one thread, simd on one and on two */
            assert_true(suite.parts[0].plans[2].two_phase && !suite.parts[0].plans[2].normals);
            assert_int_equal(suite.parts[0].fit_count, 4); /* the seeds of a fit are consecutive */
            assert_int_equal(suite.parts[0].fits[1].bones, 3);
            assert_int_equal(suite.parts[0].fits[1].seed, 4);
            assert_int_equal(suite.parts[0].fits[2].bones, 5);
            assert_holds(suite.parts[0].datasets[0].path, "/a.h5"); /* relative to the suite's folder */
            assert_true(suite.parts[0].datasets[0].path[0] == '/');
        } else {
            assert_int_equal(status.code, STATUS_BAD_INPUT);
            assert_holds(status.text, "suite.json");
            fail_if(!strstr(status.text, cases[i][1]), "'%s' does not say '%s'", status.text, cases[i][1]);
        }
    }
}

/* A suite is a list of parts. Only backends that are compiled once for each level of vector instructions
 * are run at every level. */
TEST(a_suite_has_parts_levels_and_tables)
{
    CLEANUP(suite_clear) Suite suite = {0};
    const char *path = path_of("suite.json");
    text_write(path, quoted("[{'datasets':[{'generate':'bar'}],'skinning':{'methods':['lbs'],'backends':"
                            "['scalar','simd'],'threads':[1,2],'levels':['v2','v3','v4']}},"
                            "{'tables':[{'name':'dqs-fig8','rows':['a','b']},{'name':'cor-fig2'}]}]"));
    assert_ok(suite_read(path, 1, &suite));
    assert_int_equal(suite.part_count, 2);
    assert_int_equal(suite.parts[0].plan_count, 1 + 2 * 3);
    assert_string_equal(suite.parts[0].plans[0].level, "");
    assert_string_equal(suite.parts[0].plans[6].level, "v4");
    assert_int_equal(suite.parts[0].plans[6].threads, 2);
    assert_int_equal(suite.parts[1].table_count, 2);
    assert_string_equal(suite.parts[1].tables[0].rows[1], "b");
    assert_int_equal(suite.parts[1].tables[1].row_count, 0);
}

/* Whether a suite skins or fits with this method. */
static bool suite_has(const Suite *suite, const char *method)
{
    for (int p = 0; p < suite->part_count; p++) {
        const SuitePart *part = &suite->parts[p];
        for (int i = 0; i < part->plan_count; i++)
            if (strcmp(part->plans[i].entry->method->name, method) == 0)
                return true;
        for (int i = 0; i < part->fit_count; i++)
            if (strcmp(part->fits[i].method, method) == 0)
                return true;
    }
    return false;
}

/* Every method of the tree must be in the suite of accuracy and in the suite of times. */
TEST(the_night_runs_every_method)
{
    static const char *const files[] = {"suite", "times"};
    for (int f = 0; f < 2; f++) {
        CLEANUP(suite_clear) Suite suite = {0};
        const Status status =
            suite_read(text_of("%s/results/baseline/%s.json", environment_home(), files[f]), 1, &suite);
        if (strstr(status.text, "no method")) /* a build of some methods (SKINBENCH_METHODS) */
            skip();
        assert_ok(status);
        for (int i = 0; i < skinning_entry_count() + decomposition_method_count(); i++) {
            const bool skins = i < skinning_entry_count();
            const char *method = skins ? skinning_entry_at(i)->method->name
                                       : decomposition_method_at(i - skinning_entry_count())->name;
            const char *folder =
                text_of("%s/methods/%s/%s", environment_home(), skins ? "skinning" : "decomposition", method);
            if (access(folder, F_OK) == 0 && !suite_has(&suite, method))
                fail_msg("results/baseline/%s.json does not run %s", files[f], method);
        }
    }
}
