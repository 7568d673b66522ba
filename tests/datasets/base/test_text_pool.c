/* Tests the pool that stores equal texts only once. */
#include "tests/support.h"

#include "datasets/base/text_pool.h"

TEST(equal_texts_are_one)
{
    CLEANUP(text_pool_clear) TextPool pool = {NULL};
    const char *kept[1000], *again = NULL;
    char text[16] = "";
    assert_ok(text_pool_keep(&pool, text, &kept[0]));
    assert_string_equal(kept[0], "");
    for (int i = 1; i < 1000; i++) {
        snprintf(text, sizeof text, "%d", i % 500);
        assert_ok(text_pool_keep(&pool, text, &kept[i]));
    }
    for (int i = 1; i < 500; i++)
        assert_ptr_equal(kept[i], kept[i + 500 < 1000 ? i + 500 : i]);
    assert_string_equal(kept[7], "7"); /* the stored text has not moved */
    memory_fail_after(0);
    assert_refused(STATUS_SYSTEM, "out of memory", text_pool_keep(&pool, "new", &again));
    memory_fail_after(-1);
    assert_ok(text_pool_keep(&pool, "7", &again));
    assert_ptr_equal(again, kept[7]);
}
