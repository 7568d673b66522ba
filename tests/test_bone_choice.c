/* The choice among candidate bones: one that is taken first because it serves all a little gives way to those
 * that serve some in full. */
#include "methods/fitting/bone_choice.h"

#include "datasets/base/memory.h"
#include "tests/support.h"

enum { VERTICES = 6, CANDIDATES = 4 };

/* One frame of vertices at -1 and at +1 on the x axis, and bones that put every vertex where the bone says.
 */
static SkinFit fit_make(const double *places)
{
    SkinFit fit = {.threads = 1, .vertex_count = VERTICES, .bone_count = CANDIDATES, .influence_count = 1};
    fit.target = (Trajectories){.row_count = 3, .vertex_count = VERTICES};
    fit.target.values = memory_array(3 * VERTICES, sizeof(float));
    fit.target.offset = memory_array(3, sizeof(double));
    fit.rest = memory_array(3 * VERTICES, sizeof(double));
    fit.maps = memory_table(4 * CANDIDATES, 3, sizeof(double));
    assert_true(fit.target.values && fit.target.offset && fit.rest && fit.maps);
    for (int i = 0; i < VERTICES; i++)
        fit.target.values[3 * i] = i < VERTICES / 2 ? -1.0f : 1.0f;
    for (int bone = 0; bone < CANDIDATES; bone++)
        fit.maps[3 * (4 * bone + 3)] = places[bone];
    return fit;
}

static void idle_bones_are_exchanged(void **state)
{
    (void)state;
    /* Alone, 0 leaves 6, -1 or +1 leave 12 each; 0 with either leaves 3; -1 and +1 leave nothing. */
    static const double places[CANDIDATES] = {-1.0, 0.0, 5.0, 1.0};
    SkinFit fit = fit_make(places);
    assert_ok(skin_fit_choose(&fit, 2));
    assert_int_equal(fit.bone_count, 2);
    double a = fit.maps[3 * 3], b = fit.maps[3 * (4 + 3)];
    if (!((a == -1.0 && b == 1.0) || (a == 1.0 && b == -1.0)))
        fail_msg("%g and %g are kept", a, b);
    skin_fit_clear(&fit);
}

static void the_best_single_bone_stays(void **state)
{
    (void)state;
    static const double places[CANDIDATES] = {-1.0, 0.0, 5.0, 1.0};
    SkinFit fit = fit_make(places);
    assert_ok(skin_fit_choose(&fit, CANDIDATES)); /* all are wanted: nothing to choose */
    assert_int_equal(fit.bone_count, CANDIDATES);
    assert_ok(skin_fit_choose(&fit, 1));
    assert_int_equal(fit.bone_count, 1);
    assert_true(fit.maps[3 * 3] == 0.0);
    skin_fit_clear(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_bones_are_exchanged),
        cmocka_unit_test(the_best_single_bone_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
