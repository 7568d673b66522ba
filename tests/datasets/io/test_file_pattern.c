/* Tests file patterns. They match as in the shell, in any part of a path. Running out of memory is not
 * mistaken for a missing file. */
#include "tests/support.h"

#include "datasets/io/input_file.h"

#include <sys/stat.h>

static const char *const FILES[] = {"a1.obj", "a2.obj", "b1.obj", ".a3.obj", "in/a4.obj", "in/deep/a5.obj"};

/* A search for files: the folder that is searched, and the names found, each followed by a space. */
typedef struct Place {
    const char *folder;
    char found[1024];
} Place;

static void place_open(Place *place)
{
    place->folder = test_folder();
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        for (const char *slash = strchr(FILES[i], '/'); slash; slash = strchr(slash + 1, '/'))
            (void)mkdir(text_of("%s/%.*s", place->folder, (int)(slash - FILES[i]), FILES[i]), 0777);
        text_write(text_of("%s/%s", place->folder, FILES[i]), "");
    }
}

static Status path_keep(void *context, const char *path)
{
    Place *place = context;
    const size_t used = strlen(place->found), folder = strlen(place->folder) + 1;
    assert_true(strlen(path) > folder);
    snprintf(place->found + used, sizeof place->found - used, "%s ", path + folder);
    return status_ok();
}

static Status search(Place *place, const char *pattern)
{
    place->found[0] = '\0';
    return pattern_each(text_of("%s/%s", place->folder, pattern), path_keep, place);
}

static bool has(const Place *place, const char *name)
{
    const char *match = strstr(place->found, name);
    return match && (match == place->found || match[-1] == ' ') && match[strlen(name)] == ' ';
}

TEST(patterns_match_in_every_part_of_a_path)
{
    static const struct {
        const char *pattern;
        bool finds[sizeof FILES / sizeof *FILES];
    } cases[] = {{"*.obj", {true, true, true}},
                 {"a?.obj", {true, true}},
                 {"[!a]1.obj", {false, false, true}},
                 {".*.obj", {false, false, false, true}},
                 {"i*/a4.obj", {false, false, false, false, true}},
                 {"i*/*/a[0-9].obj", {false, false, false, false, false, true}},
                 {"*/d*p//a5.*", {false, false, false, false, false, true}}};
    Place place = {0};
    place_open(&place);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(search(&place, cases[i].pattern));
        int count = 0;
        for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++)
            if (cases[i].finds[f]) {
                count++;
                if (i < 6 && !has(&place, FILES[f]))
                    fail_msg("%s does not find %s but %s", cases[i].pattern, FILES[f], place.found);
            }
        for (const char *blank = place.found; (blank = strchr(blank, ' ')) != NULL; blank++)
            count--;
        fail_if(count != 0, "%s finds %s", cases[i].pattern, place.found);
    }
    assert_bad_input("no file matches", search(&place, "c*.obj"));
    assert_bad_input("no file matches", search(&place, "c*/x.obj"));
}

TEST(memory_that_is_out_is_no_missing_file)
{
    Place place = {0};
    place_open(&place);
    assert_allocations_may_fail(2, search(&place, "i*/*/a*.obj"),
                                assert_holds(failing_status.text, "out of memory"));
    assert_string_equal(place.found, "in/deep/a5.obj ");
}
