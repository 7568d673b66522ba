/* Tests how numbers and their intervals are written as text. */
#include "harness/show/text/interval_text.h"
#include "harness/show/text/text_table.h"
#include "tests/support.h"

TEST(numbers_carry_their_intervals)
{
    static const struct {
        SampledNumber number;
        int digits;
        const char *text;
    } cases[] = {
        {{1.41, 1.38, 1.44, 12, false, NULL}, 3, "1.41 ± 2.1 %"},
        {{1.41, 1.20, 1.62, 12, true, NULL}, 3, "1.41 ± 15 % †"},
        {{1.0, 1.0, 1.0, 12, false, NULL}, 3, "1.00"}, /* a ratio to itself */
        {{1340.4, NAN, NAN, 1, false, NULL}, 3, "1340 (1 sample)"},
        {{0.25, NAN, NAN, 4, true, NULL}, 2, "0.25 (4 samples) †"},
        {{2e-5, 1e-5, 0.2, 6, false, NULL}, 3, "not measured"}, /* the interval would be ± 500000 % */
        {{12.5, 12.5, 12.5, 0, false, NULL}, 4, "12.5"},
        {{NAN, NAN, NAN, 7, true, NULL}, 4, "-"},
        {{INFINITY, 1.0, INFINITY, 7, false, NULL}, 3, "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[INTERVAL_TEXT_BYTES];
        interval_text(&cases[i].number, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(differences_are_shares_or_factors)
{
    static const struct {
        double measured, published;
        bool is_time;
        const char *text;
    } cases[] = {{1.08, 1.0, false, "+8 %"},
                 {0.5, 670.0, true, "1340 times faster"},
                 {3.1, 1.0, true, "3.1 times slower"},
                 {3.1, 1.0, false, "3.1 times"},
                 {1.0, 4.0, false, "1/4.0"},
                 {0.75, 1.0, true, "-25 %"},
                 {1.0, 1.0, true, "0 %"},
                 {12.0, 1.0, false, "12 times"},
                 {-1.0, 1.0, false, "-200 %"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[INTERVAL_TEXT_BYTES];
        difference_text(cases[i].measured, cases[i].published, cases[i].is_time, text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(a_table_explains_its_marks)
{
    static const char *const cells[] = {"1.5", "1.5 ± 2.0 %", "1.5 †"};
    for (int i = 0; i < 3; i++) {
        char text[1024] = "";
        OWNED_BY(text_table_free) TextTable *table = text_table_create("", "time");
        FILE *file = fmemopen(text, sizeof text, "w");
        text_table_row(table, cells[i], NULL);
        text_table_write(table, TABLE_MARKDOWN, file);
        fclose(file);
        assert_int_equal(strstr(text, "95 % interval") != NULL, i == 1);
        assert_int_equal(strstr(text, "†: disturbed") != NULL, i == 2);
    }
}
