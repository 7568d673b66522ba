/* Tests sources of frames: stored in a file, posed from a rig, and computed from a low-rank model. Also
 * tests which input is refused. */
#include "tests/subjects.h"

#include "harness/measure/metrics/frame_source.h"

TEST(frames_come_from_rigs_and_models)
{
    OWNED_SUBJECT(subject, "walk", "vertices=1000", "frames=20");
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *posed = NULL, *modelled = NULL, *cut = NULL;
    FrameSource *none = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    const Dataset *d = subject.dataset;
    assert_ok(frame_source_of_parts("stored", &d->mesh, &d->animation, &d->rig, NULL, 1, &target));
    assert_int_equal(target->origin, FRAMES_STORED);
    assert_ok(frame_source_of_parts("posed", &d->mesh, NULL, &d->rig, NULL, 1, &posed));
    assert_int_equal(posed->origin, FRAMES_POSED);
    assert_ok(frame_sources_measure(
        target, posed, &metrics)); /* the animation of the walk is the linear blend of its own rig */
    assert_true(metric_named("distance_max", &metrics) < 1e-6);
    metrics_clear(&metrics);
    assert_bad_input("posed: has no animation/positions", frame_sources_measure(posed, target, &metrics));

    /* With one basis vector, coordinate k of frame f is (3 f + k) times the vertex number. */
    double basis[3 * 20];
    float coefficients[1000], frame[3000];
    for (int i = 0; i < 60; i++)
        basis[i] = i;
    for (int v = 0; v < 1000; v++)
        coefficients[v] = (float)v;
    LowRank model = {1, 60, basis, coefficients};
    assert_ok(frame_source_of_parts("model", &d->mesh, NULL, NULL, &model, 1, &modelled));
    assert_int_equal(modelled->frame_count, 20);
    assert_ok(frame_source_read(modelled, 7, 1, frame));
    assert_true(frame[3 * 11 + 2] == 23.0f * 11.0f);
    assert_bad_input("frames 19 to 20", frame_source_read(modelled, 19, 2, frame));
    model.row_count = 57;
    assert_ok(frame_source_of_parts("short", &d->mesh, NULL, NULL, &model, 1, &cut));
    assert_bad_input("stored has 20 frames, but short has 19", frame_sources_measure(target, cut, &metrics));
    subject.dataset->rig.weight_values[0] *= 0.5f;
    assert_bad_input("half: the weights of vertex 0 have the sum",
                     frame_source_of_parts("half", &d->mesh, NULL, &d->rig, NULL, 1, &none));
    assert_bad_input("nothing: has neither",
                     frame_source_of_parts("nothing", &d->mesh, NULL, NULL, NULL, 1, &none));
}
