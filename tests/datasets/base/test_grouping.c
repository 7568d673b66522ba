/* Tests sorting items by group, and disjoint sets, on small cases worked out by hand. */
#include "tests/support.h"

#include "datasets/base/grouping.h"

TEST(members_ascend_within_groups)
{
    const int32_t group_of[] = {2, 0, -1, 2, 3, 0, 2};
    const int64_t first[] = {0, 2, 2, 5, 6};
    const int32_t members[] = {1, 5, 0, 3, 6, 4};
    Grouping grouping;
    assert_ok(grouping_init(group_of, 7, 4, "a test", &grouping));
    assert_int_equal(grouping.group_count, 4);
    assert_memory_equal(grouping.first, first, sizeof first);
    assert_memory_equal(grouping.members, members, sizeof members);
    grouping_clear(&grouping);
    assert_null(grouping.first);
}

TEST(nothing_to_group)
{
    CLEANUP(grouping_clear) Grouping grouping = {0};
    assert_ok(grouping_init(NULL, 0, 0, "a test", &grouping));
    assert_int_equal(grouping.first[0], 0);
    grouping_clear(&grouping);
    const int32_t none[] = {-1, -1};
    assert_ok(grouping_init(none, 2, 3, "a test", &grouping));
    assert_int_equal(grouping.first[3], 0);
}

TEST(memory_that_is_out_is_reported)
{
    const int32_t group_of[] = {0, 1};
    CLEANUP(grouping_clear) Grouping grouping;
    assert_allocations_may_fail(1, grouping_init(group_of, 2, 2, "a test", &grouping),
                                assert_string_equal(failing_status.text, "out of memory for a test");
                                assert_true(!grouping.first && !grouping.members));
}

/* Joining all numbers that differ by 3 leaves one set per remainder, whatever the order of the joins. */
TEST(sets_are_rooted_at_their_lowest_item)
{
    enum { COUNT = 30 };
    for (int backwards = 0; backwards < 2; backwards++) {
        int32_t parents[COUNT];
        union_find_init(parents, COUNT);
        for (int k = 0; k + 3 < COUNT; k++) {
            int i = backwards ? COUNT - 4 - k : k;
            union_find_union(parents, backwards ? i : i + 3, backwards ? i + 3 : i);
        }
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(union_find_root(parents, i), i % 3);
    }
}
