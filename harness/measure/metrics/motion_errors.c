/* Computes errors of velocity and acceleration: the first and second differences of the error vectors over
 * time. */
#include "harness/measure/metrics/further.h"

void motion_errors_add(const FrameWindow *window, FurtherSums *sums)
{
    const size_t values = 3 * (size_t)window->mesh->vertex_count;
    const float *const *a = window->target, *const *b = window->candidate;
    if (window->count < 2)
        return;
    for (size_t i = 0; i < values; i += 3) {
        double velocity = 0.0, acceleration = 0.0;
        for (size_t k = i; k < i + 3; k++) {
            const double now = (double)b[0][k] - (double)a[0][k], before = (double)b[1][k] - (double)a[1][k];
            velocity += (now - before) * (now - before);
            if (window->count < 3)
                continue;
            const double bend = now - 2.0 * before + ((double)b[2][k] - (double)a[2][k]);
            acceleration += bend * bend;
        }
        sums->velocity += sqrt(velocity);
        sums->acceleration += sqrt(acceleration);
    }
    sums->velocity_count += (double)values / 3.0;
    sums->acceleration_count += window->count < 3 ? 0.0 : (double)values / 3.0;
}
