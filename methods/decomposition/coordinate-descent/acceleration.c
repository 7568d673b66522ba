/* Anderson acceleration (Anderson 1965; Peng et al. 2018): the mix of the last steps whose residual is
 * least. */
#include "methods/decomposition/coordinate-descent/acceleration.h"

#include "datasets/base/memory.h"
#include "methods/reduction/dense.h"

#include <string.h>

enum { WINDOW_MAX = 16 };

Status acceleration_make(Acceleration *acceleration, int window, size_t size)
{
    size_t steps = (size_t)(window < WINDOW_MAX ? window : WINDOW_MAX);
    *acceleration = (Acceleration){.window = (int)steps, .size = size};
    acceleration->last_step = memory_array(size, sizeof(double));
    acceleration->last_image = memory_array(size, sizeof(double));
    acceleration->step_deltas = memory_table(steps, size, sizeof(double));
    acceleration->image_deltas = memory_table(steps, size, sizeof(double));
    if (acceleration->last_step && acceleration->last_image && acceleration->step_deltas &&
        acceleration->image_deltas)
        return status_ok();
    acceleration_clear(acceleration);
    return status_out_of_memory("the steps of the acceleration");
}

void acceleration_clear(Acceleration *acceleration)
{
    memory_free(acceleration->last_step);
    memory_free(acceleration->last_image);
    memory_free(acceleration->step_deltas);
    memory_free(acceleration->image_deltas);
    *acceleration = (Acceleration){0};
}

void acceleration_reset(Acceleration *acceleration)
{
    acceleration->count = acceleration->next = 0;
    acceleration->has_last = false;
}

/* In a fixed order of summation that vector instructions can keep. */
static double inner_product(const double *a, const double *b, size_t size)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Remembers the differences to the sweep before, over the oldest. */
static void deltas_remember(Acceleration *acceleration, const double *point, const double *image)
{
    size_t size = acceleration->size;
    double *step_delta = acceleration->step_deltas + (size_t)acceleration->next * size;
    double *image_delta = acceleration->image_deltas + (size_t)acceleration->next * size;
    for (size_t i = 0; i < size; i++) {
        step_delta[i] = image[i] - point[i] - acceleration->last_step[i];
        image_delta[i] = image[i] - acceleration->last_image[i];
    }
    acceleration->next = (acceleration->next + 1) % acceleration->window;
    if (acceleration->count < acceleration->window)
        acceleration->count++;
}

/* The mix of remembered steps that cancels the present one best in the least-squares sense. */
static Status mix_solve(const Acceleration *acceleration, double mix[WINDOW_MAX])
{
    double square[WINDOW_MAX * WINDOW_MAX], greatest = 0.0;
    int n = acceleration->count;
    size_t size = acceleration->size;
    bool singular = false;
    for (int a = 0; a < n; a++) {
        const double *delta = acceleration->step_deltas + (size_t)a * size;
        for (int b = 0; b <= a; b++)
            square[a * n + b] = square[b * n + a] =
                inner_product(delta, acceleration->step_deltas + (size_t)b * size, size);
        mix[a] = inner_product(delta, acceleration->last_step, size);
        greatest = square[a * n + a] > greatest ? square[a * n + a] : greatest;
    }
    for (int a = 0; a < n; a++)
        square[a * n + a] += 1e-12 * greatest;
    return dense_solve(square, n, mix, 1, &singular);
}

Status acceleration_next(Acceleration *acceleration, double *point, const double *image)
{
    size_t size = acceleration->size;
    double mix[WINDOW_MAX] = {0.0};
    if (acceleration->has_last && acceleration->window > 0)
        deltas_remember(acceleration, point, image);
    for (size_t i = 0; i < size; i++) {
        acceleration->last_step[i] = image[i] - point[i];
        acceleration->last_image[i] = image[i];
    }
    acceleration->has_last = true;
    if (acceleration->count > 0) {
        Status status = mix_solve(acceleration, mix);
        if (status.code != STATUS_OK)
            return status;
    }
    memcpy(point, image, size * sizeof(double));
    for (int a = 0; a < acceleration->count; a++) {
        const double *delta = acceleration->image_deltas + (size_t)a * size;
        for (size_t i = 0; i < size; i++)
            point[i] -= mix[a] * delta[i];
    }
    return status_ok();
}
