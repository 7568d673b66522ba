/* Tests the limit on the total size of arrays. An allocation beyond the limit is refused, and the message
 * states the reason. */
#include "tests/support.h"

TEST(limit_refuses_what_is_beyond_it)
{
    const size_t before = memory_live();
    memory_limit_set(before + (8 << 20));
    void *half = memory_array(4, 1 << 20);
    assert_non_null(half);
    assert_true(memory_live() >= before + (4 << 20));
    assert_null(memory_array(5, 1 << 20));
    memory_free(half);
    void *later = memory_array(5, 1 << 20);
    assert_non_null(later);
    memory_free(later);
    memory_limit_set(0);
    assert_int_equal(memory_live(), before);
}

TEST(message_says_which_limit_it_was)
{
    memory_limit_set(2 << 20);
    assert_null(memory_array(3, 1 << 20));
    assert_refused(STATUS_SYSTEM, "out of memory for frames: --memory-limit is 2 MB",
                   status_out_of_memory("frames"));
    assert_null(memory_table(SIZE_MAX / 2, 3, 4));
    assert_refused(STATUS_SYSTEM, "--memory-limit is 2 MB", status_out_of_memory("frames"));
    memory_promise(4 << 20, 3 << 20); /* only 1 MB of the 4 MB is left, which is less than the 2 MB limit */
    assert_null(memory_array(3, 1 << 19));
    assert_refused(STATUS_SYSTEM, "out of memory for frames: --memory is 4 MB",
                   status_out_of_memory("frames"));
    memory_limit_set(1 << 20);
    memory_promise(9 << 20, 3 << 20);
    assert_int_equal(memory_limit(), 1 << 20);
    memory_limit_set(0);
    assert_null(memory_table(SIZE_MAX / 2, 3, 4));
    assert_refused(STATUS_SYSTEM, "out of memory for frames: the machine has ",
                   status_out_of_memory("frames"));
    memory_fail_after(0);
    assert_null(memory_array(1, 1));
    memory_fail_after(-1);
    assert_string_equal(status_out_of_memory("frames").text, "out of memory for frames");
}

/* If no limit is set, the memory of the machine is the limit. A damaged file may declare a larger array,
 * which is refused without an attempt to allocate it. */
TEST(more_than_the_machine_has_is_refused)
{
    assert_null(memory_array((size_t)1 << 44, 1));
}
