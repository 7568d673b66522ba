/* Tests the rule by which the command `advise` recommends methods, on invented numbers with a known
 * answer. */
#include "harness/records/advice/advice.h"
#include "tests/support.h"

enum { LBS, FAST, SLOW, WORSE, TORN, METHODS };

static AdviceMethod methods[METHODS];
static AdviceJoint joint;

/* Returns advice in which the methods have made-up losses of shape, relative to lbs: fast 0.6, slow 0.4,
 * worse 0.7, torn 0.1. They are approximate, because the rule ignores 0.05 per cent, and lbs itself loses
 * 10 per cent. */
static Advice advice_made(void)
{
    static const double losses[METHODS] = {10.0, 6.0, 4.0, 7.0, 1.0},
                        costs[METHODS] = {1.0, 1.3, 2.0, 1.8, 1.1};
    static const char *const names[METHODS] = {"lbs", "fast", "slow", "worse", "torn"};
    joint = (AdviceJoint){.name = "left elbow", .difference = 1.0};
    for (int m = 0; m < METHODS; m++) {
        methods[m] = (AdviceMethod){.cost = costs[m]};
        snprintf(methods[m].name, sizeof methods[m].name, "%s", names[m]);
        methods[m].values[ADVICE_STRETCH] = methods[m].values[ADVICE_AREA] =
            methods[m].values[ADVICE_COLLAPSE] = losses[m];
        methods[m].values[ADVICE_DIFFERENCE] = m == LBS ? 0.0 : 1.0;
    }
    methods[TORN].values[ADVICE_GAP] = 5.0;
    return (Advice){.budget = INFINITY,
                    .methods = methods,
                    .method_count = METHODS,
                    .lbs = LBS,
                    .joints = &joint,
                    .joint_used = 1};
}

static void conclude(Advice *advice)
{
    advice_dominate(advice);
    advice_conclude(advice);
}

TEST(the_sentence_names_what_pays)
{
    Advice advice = advice_made();
    conclude(&advice);
    assert_string_equal(advice.sentence, "Use slow: it loses 60 % less shape than lbs at 2 times its cost; "
                                         "fast loses 40 % less at 1.3 times; the difference shows at left "
                                         "elbow");
    assert_string_equal(advice.caveat, "In no measure is it more than 10 % worse than lbs.");
    assert_int_equal(advice.chosen, SLOW);
    assert_int_equal(methods[WORSE].dominated_by, FAST);
    assert_int_equal(methods[FAST].dominated_by,
                     -1); /* methods that tear the skin dominate no other method */
    assert_string_equal(advice_fault(&advice, TORN), "tears the skin");
    assert_false(advice_names(&advice, TORN));
}

/* A method is not recommended if it increases edge stretch or area change by half, even if it loses little
 * volume. Methods of equal cost are compared, too. */
TEST(what_strains_the_skin_is_not_named)
{
    Advice advice = advice_made();
    for (int m = 0; m < METHODS; m++)
        methods[m].values[ADVICE_STRETCH] = methods[m].values[ADVICE_AREA] =
            0.2 * methods[m].values[ADVICE_COLLAPSE];
    methods[FAST].values[ADVICE_AREA] = 3.0;
    methods[SLOW].values[ADVICE_AREA] = 2.3;
    methods[WORSE].cost_low = 0.9;
    methods[WORSE].cost_high = 1.9;
    conclude(&advice);
    assert_string_equal(advice_fault(&advice, FAST), "strains the skin");
    assert_null(advice_fault(&advice, SLOW));
    assert_string_equal(advice.sentence, "Use slow: it loses 47 % less shape than lbs at 2 times its cost; "
                                         "worse loses 29 % less at 0.9 to 1.9 times; the difference shows at "
                                         "left elbow");
    assert_string_equal(
        advice.caveat, "Worse than with lbs: the skin distorts its area more (2.3 % against "
                       "2 %). The parts of the measure disagree, so it cannot tell: look at both, or compare "
                       "with --reference elastic.");
    methods[SLOW].cost_low = 0.8; /* if both methods may cost what lbs costs, only the better one is named */
    methods[SLOW].cost_high = 2.1;
    advice_conclude(&advice);
    assert_string_equal(advice.sentence, "Use slow: it loses 47 % less shape than lbs at 0.8 to 2.1 times "
                                         "its cost; the difference shows at left "
                                         "elbow");
    methods[SLOW].cost_low = 0.98;
    methods[SLOW].cost_high = 1.03;
    advice_conclude(&advice);
    assert_holds(advice.sentence, "than lbs at the same cost; ");
    snprintf(advice.reference, sizeof advice.reference,
             "file"); /* only the distance to the reference counts */
    assert_null(advice_fault(&advice, FAST));
}

TEST(a_budget_leaves_out_what_costs_more)
{
    Advice advice = advice_made();
    advice.budget = 1.5;
    conclude(&advice);
    assert_int_equal(advice.chosen, FAST);
    assert_lacks(advice.sentence, "slow");
    advice.budget = 1.0;
    advice_conclude(&advice);
    assert_int_equal(advice.chosen, LBS);
    assert_string_equal(advice.sentence,
                        "LBS suffices: no safe method that differs visibly and costs at most "
                        "1 times as much loses 10 % less shape");
}

/* Edge stretch counts four times as much as area distortion or as collapse and bulge, and a bulge three times
 * as much as a collapse: (4 * 0.5 + 1 + 1) / 6, and (4 + 1 + 0.5) / 6. */
TEST(parts_of_the_loss_have_weights)
{
    Advice advice = advice_made();
    for (int m = 1; m < METHODS; m++)
        methods[m].values[ADVICE_STRETCH] = methods[m].values[ADVICE_AREA] =
            methods[m].values[ADVICE_COLLAPSE] = 10.0;
    methods[FAST].values[ADVICE_STRETCH] = 4.975;
    methods[SLOW].values[ADVICE_COLLAPSE] = 1.975;
    methods[SLOW].values[ADVICE_BULGE] = 1.0;
    advice_dominate(&advice);
    assert_near(methods[FAST].harm, 4.0 / 6.0, 1e-12);
    assert_near(methods[SLOW].harm, 5.5 / 6.0, 1e-12);
    assert_near(methods[WORSE].harm, 1.0, 1e-12);
}

/* A method that costs more than another is named only if it loses at least 5 % less shape. */
TEST(more_cost_must_buy_more_shape)
{
    Advice advice = advice_made();
    for (int i = 0; i < 3; i++)
        methods[SLOW].values[(AdviceMeasure[]){ADVICE_STRETCH, ADVICE_AREA, ADVICE_COLLAPSE}[i]] = 5.8;
    methods[FAST].cost = 98.6;
    methods[SLOW].cost = 870.4;
    methods[WORSE].cost = 99.0;
    conclude(&advice);
    assert_int_equal(advice.chosen, FAST);
    assert_string_equal(advice.sentence,
                        "Use fast: it loses 40 % less shape than lbs at 99 times its cost; the "
                        "difference shows at left elbow");
    for (int i = 0; i < 3; i++)
        methods[SLOW].values[(AdviceMeasure[]){ADVICE_STRETCH, ADVICE_AREA, ADVICE_COLLAPSE}[i]] = 5.6;
    conclude(&advice);
    assert_holds(advice.sentence, "Use slow: it loses 44 % less shape than lbs at 870 times its cost; fast ");
}

TEST(where_nothing_is_seen_lbs_suffices)
{
    Advice advice = advice_made();
    for (int m = 1; m < METHODS; m++)
        methods[m].values[ADVICE_DIFFERENCE] = 0.1;
    conclude(&advice);
    assert_int_equal(advice.chosen, LBS);
    assert_string_equal(
        advice.sentence,
        "LBS suffices: no other method moves the skin at any joint by more than 0.1 % of the diagonal");
}

/* A method that refuses the rig is not recommended and dominates no other method. */
TEST(what_is_refused_counts_for_nothing)
{
    Advice advice = advice_made();
    snprintf(methods[FAST].reason, sizeof methods[FAST].reason, "blends up to 2 influences");
    conclude(&advice);
    assert_lacks(advice.sentence, "fast");
    assert_int_equal(methods[WORSE].dominated_by, -1);
}

/* If there is a reference, methods are compared by their distance to it instead of their loss of shape. A
 * method that is not nearer to the reference dominates another method only if it needs no more bytes. */
TEST(a_reference_takes_the_place_of_shape)
{
    Advice advice = advice_made();
    static const double errors[METHODS] = {1.0, 0.6, 0.0, 0.7, 0.1}, bytes[METHODS] = {8, 90, 8, 10, 8};
    snprintf(advice.reference, sizeof advice.reference, "slow");
    for (int m = 0; m < METHODS; m++) {
        methods[m].values[ADVICE_ERROR] = errors[m];
        methods[m].data_bytes = bytes[m];
    }
    conclude(&advice);
    assert_string_equal(
        advice.sentence,
        "Use fast: it comes 40 % nearer to slow than lbs at 1.3 times its cost; the difference shows at left "
        "elbow");
    assert_int_equal(methods[WORSE].dominated_by,
                     -1); /* slower and farther from the reference than `fast`, but with fewer bytes */
    assert_int_equal(methods[SLOW].dominated_by, -1);
    methods[FAST].data_bytes = 10;
    advice_dominate(&advice);
    assert_int_equal(methods[WORSE].dominated_by, FAST);
    /* the reference dominates what costs more, and is used itself if nothing cheaper comes near to it */
    methods[FAST].cost = 2.5;
    methods[WORSE].cost = 2.2;
    conclude(&advice);
    assert_int_equal(methods[FAST].dominated_by, SLOW);
    assert_int_equal(advice.chosen, SLOW);
    assert_string_equal(advice.sentence,
                        "Use slow itself: no safe method that costs less comes 10 % nearer to it than lbs");
}

/* The stress test is told, but does not decide. */
TEST(poses_beyond_the_ranges_do_not_count)
{
    Advice advice = advice_made();
    for (int m = 0; m < METHODS; m++)
        methods[m].beyond[ADVICE_STRETCH] = methods[m].beyond[ADVICE_AREA] =
            methods[m].beyond[ADVICE_COLLAPSE] = m == SLOW ? 15.05 : 10.0;
    conclude(&advice);
    assert_int_equal(advice.chosen, SLOW);
    assert_string_equal(advice.stress, "Stress test, in poses beyond the joints' ranges, which do not count: "
                                       "slow loses 50 % more shape than lbs.");
}
