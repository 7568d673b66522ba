/* Checks that the cases of the conformance pack have one right answer. */
#include "harness/run/identify/conformance.h"
#include "tests/support.h"

/* Two rotations that differ by 180 degrees have quaternions whose product is 0. Rounding then decides the
 * sign with which they are blended. Influences of a vertex are neighbours in the chain, and joint i + k
 * turns by k times the angle of one joint relative to joint i. */
TEST(no_influences_of_dual_quaternions_differ_by_half_a_turn)
{
    for (int c = 0; c < conformance_case_count(); c++) {
        const ConformanceCase *row = conformance_case_at(c);
        const int influences = row->influences > 0 ? row->influences : 2;
        for (int k = 1; k < influences && !row->linear_only; k++)
            for (int frame = 1; frame < CONFORMANCE_FRAMES; frame++) {
                const double angle = k * row->turn * frame / (CONFORMANCE_FRAMES - 1);
                if (fabs(fmod(fabs(angle), 360.0) - 180.0) < 2.0)
                    fail_msg("%s: joints %d apart differ by %g degrees in frame %d", row->name, k, angle,
                             frame);
            }
    }
}
