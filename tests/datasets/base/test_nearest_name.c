/* Tests the names that are suggested for unknown names. */
#include "tests/support.h"

#include "datasets/base/nearest_name.h"

static const char *nearest_of(const char *given, NearestName *nearest)
{
    static const char *const names[] = {"walk", "coordinate-descent", "sad", "sma", "simd", "scalar", ""};
    *nearest = (NearestName){.given = given};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        nearest_name_add_candidate(nearest, names[i]);
    return nearest->best ? nearest->best : "none";
}

TEST(one_edit_of_each_kind_is_seen)
{
    NearestName nearest;
    assert_string_equal(nearest_of("wlk", &nearest), "walk");   /* one letter missing */
    assert_string_equal(nearest_of("wallk", &nearest), "walk"); /* one letter too many */
    assert_string_equal(nearest_of("wulk", &nearest), "walk");  /* one letter wrong */
    assert_string_equal(nearest_of("wakl", &nearest), "walk");  /* two letters swapped */
    assert_int_equal(nearest.edits, 1);
    assert_string_equal(nearest_of("coordinate_decsent", &nearest), "coordinate-descent");
    assert_int_equal(nearest.edits, 2);
    assert_string_equal(nearest_of("coord", &nearest),
                        "coordinate-descent"); /* only the beginning of the name is given */
}

TEST(what_is_far_is_not_suggested)
{
    NearestName nearest;
    char lengthy[200];
    memset(lengthy, 'w', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_string_equal(nearest_of("wk", &nearest), "none");
    assert_string_equal(nearest_of("descent", &nearest), "none");
    assert_string_equal(nearest_of(lengthy, &nearest), "none");
}

TEST(suggestions_are_added_to_the_message)
{
    NearestName nearest;
    const Status none = bad_usage("no method 'sadd'");
    nearest_of("sadd", &nearest);
    assert_refused(STATUS_USAGE, "no method 'sadd'; did you mean 'sad'?",
                   nearest_name_suggest(&nearest, none));
    nearest_of("other", &nearest);
    assert_string_equal(nearest_name_suggest(&nearest, none).text, none.text);
}
