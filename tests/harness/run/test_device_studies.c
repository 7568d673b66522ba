/* Tests studies of devices on an OpenCL device, if there is one. The measured values must be positive, and
 * they must have a plausible order. The kernel taken from a textbook must skin like the reference. */
#include "tests/rigs.h"
#include "tests/studies.h"

/* Returns a rig whose 137 vertices do not fill whole blocks. It has at most four influences per vertex, as
 * the textbook's kernel requires. */
static Dataset *rig_of(int influences)
{
    return rig_make(
        PLAN(.vertices = 137, .joints = 5, .influences = influences, .frames = 3, .angle = 0.4, .seed = 11));
}

TEST(limits_of_a_device)
{
    static const char *const names[][3] = {
        {"copy_gb_per_s", "read_gb_per_s", "write_gb_per_s"},
        {"gflop_per_s", "launch_us", "pinned_up_gb_per_s"},
        {"pinned_down_gb_per_s", "pageable_up_gb_per_s", "pageable_down_gb_per_s"}};
    test_needs(backend_opencl);
    MEASURED(measures, "device-limits", "{'backend':'opencl','megabytes':2,'rounds':1}", NULL, 1);
    for (size_t i = 0; i < 9; i++)
        assert_true(measures_value(&measures, names[i / 3][i % 3]) > 0.0);
}

TEST(the_textbooks_kernel)
{
    test_needs(backend_opencl);
    for (int influences = 3; influences <= 4; influences++) {
        OWNED_BY(dataset_free) Dataset *dataset = rig_of(influences);
        const Subject subject = {.dataset = dataset};
        MEASURED(measures, "device-peer", "{'backend':'opencl','rounds':1}", &subject, 1);
        assert_true(measures_value(&measures, "textbook_ns") > 0.0 &&
                    measures_value(&measures, "lbs_file_ns") > 0.0);
    }
    OWNED_BY(dataset_free) Dataset *five = rig_of(5);
    const Subject subject = {.dataset = five};
    assert_int_equal(study_refused("device-peer", "{'backend':'opencl'}", &subject).code, STATUS_BAD_INPUT);
}

/* One of the tested settings is the device's default, so the best setting cannot be slower than the
 * default. */
TEST(tuning_of_a_device)
{
    test_needs(backend_opencl);
    OWNED_BY(dataset_free) Dataset *dataset = rig_of(4);
    const Subject subject = {.dataset = dataset};
    MEASURED(measures, "device-tuning", "{'backend':'opencl','rounds':1}", &subject, 1);
    assert_true(measures_value(&measures, "own_ns") >= measures_value(&measures, "best_ns"));
    assert_true(measures_value(&measures, "gain_percent") >= 0.0);
}

TEST(what_is_no_device_is_refused)
{
    OWNED_BY(dataset_free) Dataset *dataset = rig_of(4);
    const Subject subject = {.dataset = dataset};
    assert_int_equal(study_refused("device-limits", "{'backend':'simd'}", NULL).code, STATUS_UNAVAILABLE);
    assert_int_equal(study_refused("device-tuning", "{'backend':'simd'}", &subject).code, STATUS_UNAVAILABLE);
    assert_int_equal(study_refused("device-tuning", "{'backend':'opencl'}", NULL).code, STATUS_BAD_INPUT);
}
