/* Compares the operations counted in a kernel with a count by hand from its formula. */
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include "tests/subjects.h"

/* LBS with K influences and without normals multiplies a point by K 3x4 matrices, multiplies each result by
 * its weight, and adds them up. This takes 12 K multiplications and 12 K - 3 additions. */
TEST(lbs_computes_what_its_formula_says)
{
    OWNED_SUBJECT(subject, "bar", "around=4", "along=9", "frames=2");
    const Dataset *dataset = subject.dataset;
    for (int i = 0; i < BACKEND_COUNT; i++) {
        const Backend *backend = backend_at(i);
        const bool vectors = backend == &backend_simd;
        const SkinnerOptions options = {.entry = skinning_entry_find("lbs"), .backend = backend};
        OWNED_BY(skinner_free) Skinner *skinner = NULL;
        KernelWork work;
        if (backend->is_device ||
            skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner).code != STATUS_OK)
            continue;
        const Status status = skinner_work(skinner, dataset->rig.transforms, vectors ? 4 : 1, &work);
        if (backend == &backend_reference || !COUNTED_REAL) {
            assert_int_equal(status.code, STATUS_UNAVAILABLE);
            continue;
        }
        assert_ok(status);
        const JointSets *sets = skinner_joint_sets(skinner);
        const double influences = (double)sets->first_weight[sets->set_count] / sets->vertex_count;
        assert_true(fabs(work.vertex.multiplications - 12.0 * influences) < 1e-9);
        assert_true(fabs(work.vertex.additions - (12.0 * influences - 3.0)) < 1e-9);
        assert_true(work.vertex.divisions == 0.0);
        /* If all lanes of all vectors were used, the count per lane would equal this bound. Padding
         * increases the count. */
        assert_true(work.lanes.multiplications >= work.vertex.multiplications / (vectors ? 4.0 : 1.0) - 1e-9);
        assert_true(work.result_reals >= 3.0 - 1e-9 && work.loads > 0.0);
        if (backend ==
            &backend_scalar) { /* there is no padding, and only position, weights and matrices are read */
            assert_true(fabs(work.lanes.multiplications - work.vertex.multiplications) < 1e-9);
            assert_true(fabs(work.loads - (3.0 + 13.0 * influences)) < 1e-9 &&
                        fabs(work.result_reals - 3.0) < 1e-9);
        }
    }
}
