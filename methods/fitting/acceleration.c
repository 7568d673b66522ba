/* Limited-memory BFGS by the two-loop recursion, with the sweep's own step in place of a scaled identity. */
#include "methods/fitting/acceleration.h"

Status acceleration_make(Acceleration *acceleration, int window, size_t size)
{
    *acceleration = (Acceleration){
        .window = window < ACCELERATION_WINDOW_MAX ? window : ACCELERATION_WINDOW_MAX, .size = size};
    ALLOCATE(acceleration->last_point, size, "the steps of the acceleration");
    ALLOCATE(acceleration->last_slope, size, "the steps of the acceleration");
    ALLOCATE(acceleration->last_step, size, "the steps of the acceleration");
    ALLOCATE(acceleration->slope, size, "the steps of the acceleration");
    ALLOCATE(acceleration->step, size, "the steps of the acceleration");
    for (CurvaturePair *pair = acceleration->pairs; pair < acceleration->pairs + acceleration->window;
         pair++) {
        ALLOCATE(pair->move, size, "the steps of the acceleration");
        ALLOCATE(pair->gradient, size, "the steps of the acceleration");
        ALLOCATE(pair->step, size, "the steps of the acceleration");
    }
    return status_ok();
}

void acceleration_clear(Acceleration *acceleration)
{
    FREE_ALL(acceleration->last_point, acceleration->last_slope, acceleration->last_step, acceleration->slope,
             acceleration->step);
    for (int i = 0; i < acceleration->window; i++) {
        FREE_ALL(acceleration->pairs[i].move, acceleration->pairs[i].gradient, acceleration->pairs[i].step);
    }
    *acceleration = (Acceleration){0};
}

void acceleration_reset(Acceleration *acceleration)
{
    acceleration->count = acceleration->next = 0;
    acceleration->has_last = false;
}

/* Returns the inner product of two vectors. The terms are added in a fixed order that suits vector
 * instructions. */
static double inner_product(const double *a, const double *b, size_t size)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

/* target += factor * other */
static void add_scaled(double *restrict target, double factor, const double *restrict other, size_t size)
{
    for (size_t i = 0; i < size; i++)
        target[i] += factor * other[i];
}

/* Returns the k-th most recent pair of differences. */
static CurvaturePair *pair_back(Acceleration *acceleration, int k)
{
    int window = acceleration->window;
    return &acceleration->pairs[(acceleration->next - 1 - k + 2 * window) % window];
}

/* Replaces the oldest pair by the differences between the last sweep and this one, unless their curvature
 * is negative. */
static void pair_remember(Acceleration *acceleration, const double *point)
{
    size_t size = acceleration->size;
    CurvaturePair *pair = &acceleration->pairs[acceleration->next];
    for (size_t i = 0; i < size; i++) {
        pair->move[i] = point[i] - acceleration->last_point[i];
        pair->gradient[i] = acceleration->slope[i] - acceleration->last_slope[i];
        pair->step[i] = acceleration->last_step[i] - acceleration->step[i];
    }
    pair->curvature = inner_product(pair->move, pair->gradient, size);
    if (!(pair->curvature > 0.0))
        return;
    acceleration->next = (acceleration->next + 1) % acceleration->window;
    if (acceleration->count < acceleration->window)
        acceleration->count++;
}

/* Computes the accelerated step from the stored pairs by the two-loop recursion, most recent pair first.
 * The preconditioner M of the sweeps satisfies step = -M^-1 slope. */
static void step_lengthen(Acceleration *acceleration)
{
    size_t size = acceleration->size;
    double shares[ACCELERATION_WINDOW_MAX], *slope = acceleration->slope, *step = acceleration->step;
    for (int k = 0; k < acceleration->count; k++) {
        const CurvaturePair *pair = pair_back(acceleration, k);
        shares[k] = inner_product(pair->move, slope, size) / pair->curvature;
        add_scaled(slope, -shares[k], pair->gradient, size);
        add_scaled(step, shares[k], pair->step, size);
    }
    for (int k = acceleration->count - 1; k >= 0; k--) {
        const CurvaturePair *pair = pair_back(acceleration, k);
        double share = shares[k] + inner_product(pair->gradient, step, size) / pair->curvature;
        add_scaled(step, -share, pair->move, size);
    }
}

void acceleration_next(Acceleration *acceleration, double *point, const double *image, const double *gradient)
{
    size_t size = acceleration->size;
    double *slope = acceleration->slope, *step = acceleration->step;
    for (size_t i = 0; i < size; i++) {
        step[i] = image[i] - point[i];
        slope[i] = gradient ? gradient[i] : -step[i];
    }
    if (acceleration->has_last && acceleration->window > 0)
        pair_remember(acceleration, point);
    memcpy(acceleration->last_point, point, size * sizeof(double));
    memcpy(acceleration->last_slope, slope, size * sizeof(double));
    memcpy(acceleration->last_step, step, size * sizeof(double));
    acceleration->has_last = true;
    step_lengthen(acceleration);
    add_scaled(point, 1.0, step, size);
}
