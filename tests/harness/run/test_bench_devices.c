/* Tests the benchmark on devices. It records the device's own time measurements in addition to the timed
 * rounds. */
#include "tests/benches.h"

#include "harness/run/bench/group.h"

static const Record *first_skinning(const Bench *bench)
{
    const Record *record = NULL;
    do
        record = record_store_next(bench->store, record);
    while (record && record->cell.kind != CELL_SKINNING);
    assert_non_null(record);
    return record;
}

/* The device skins 64 frames of a bar with OpenCL. Its own measurements are recorded and read back. */
TEST(devices_are_held_against_copies)
{
    BENCH(bench);
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    const char *const paths[] = {path_of("run.jsonl")};
    SkinningPlan lbs = {.entry = skinning_entry_find("lbs"), .backend = &backend_opencl, .threads = 1};
    test_needs(backend_opencl);
    OWNED_SUBJECT(subject, "bar", "around=4", "along=9", "frames=2");
    assert_ok(skinning_group_run(&bench, &subject, &lbs, 1));
    const Record *written = first_skinning(&bench);
    const DeviceTiming *device = &written->timing.device;
    const int frames = written->cell.frames;
    const Rig *rig = &subject.dataset->rig;
    double weights = 0.0, vertices = subject.dataset->mesh.vertex_count;
    for (size_t i = 0; i < (size_t)vertices * (size_t)rig->influence_count; i++)
        weights += rig->weight_values[i] > 0.0f;
    assert_near(device->moved_bytes,
                4.0 * (3.0 * vertices + weights) + frames * (48.0 * rig->joint_count + 12.0 * vertices), 0.0);
    assert_true(device->kernel_s > 0.0 && device->cold_kernel_s > 0.0 && device->copy_s > 0.0 &&
                device->cold_copy_s > 0.0 && device->frame_kernel_s > 0.0 && device->upload_s > 0.0 &&
                device->download_s >= 0.0);
    assert_true(record_stage_median_s(written, STAGE_FIRST_FRAME) > 0.0);
    assert_ok(record_store_read(paths, 1, &store));
    const Record *read = record_store_find(store, &written->cell, bench.environment.machine);
    assert_memory_equal(&read->timing.device, device, sizeof *device);
}

static double small_gpu(void)
{
    return 12000.0;
}
static double large_gpu(void)
{
    return 1e9;
}

/* A GPU skins enough frames to reach a given number of vertices, or fewer if its memory is too small.
 * Frames of the rig are repeated if necessary. A processor skins each frame once, so times are compared per
 * frame. */
TEST(frames_are_repeated_on_gpus)
{
    test_needs(backend_opencl);
    for (int small = 0; small < 2; small++) {
        Backend gpu = backend_opencl;
        OWNED_SUBJECT(subject, "bar", "around=4", "along=9", "frames=2");
        SkinningPlan plans[] = {
            {.entry = skinning_entry_find("lbs"), .backend = &backend_scalar, .threads = 1},
            {.entry = skinning_entry_find("lbs"), .backend = &gpu, .threads = 1}};
        gpu.gpu_bytes = small ? small_gpu : large_gpu;
        const int vertices = subject.dataset->mesh.vertex_count;
        unlink(path_of("run.jsonl"));
        BENCH(bench);
        bench.frames_cap = 2;
        bench.gpu_vertex_frames = 1000.0;
        assert_ok(skinning_group_run(&bench, &subject, plans, 2));
        const Record *scalar = first_skinning(&bench), *on_gpu = record_store_next(bench.store, scalar);
        const Interval *ratio = record_derived(on_gpu, DERIVED_RATIO_TO_SCALAR);
        assert_int_equal(scalar->cell.frames, 2);
        assert_string_equal(on_gpu->cell.backend, "opencl");
        assert_int_equal(on_gpu->status, RECORD_OK);
        /* A cell and its baseline may each use half of 12000 bytes of GPU memory. A frame with 38 vertices
         * and 2 joints takes 4 * (3 * 38 + 32 * 2) bytes. */
        assert_int_equal(vertices, 38);
        assert_int_equal(on_gpu->cell.frames, small ? 12000 / 2 / 2 / 712 : (1000 + 37) / 38);
        /* The ratio compares times per frame. Medians of only three rounds scatter, but by less than the
         * ratio of the two numbers of frames. */
        assert_near(log(ratio->median),
                    log(record_derived(on_gpu, DERIVED_NS_PER_VERTEX)->median /
                        record_derived(scalar, DERIVED_NS_PER_VERTEX)->median),
                    log(6.0));
        assert_true(isnan(record_stage_median_s(on_gpu, STAGE_DELIVER)));
    }
}
