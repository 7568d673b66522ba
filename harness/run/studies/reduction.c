/* Measures the dimension and time of every way to reduce an animation at the same threshold (FESAM Table
 * 1). All strategies run in every round, so that disturbances of the machine affect all of them.
 *
 *   parameters
 *     threshold        largest residual, in units of E_RMS
 *     rounds           number of rounds
 *     seconds          time after which no round begins
 *   measures of each strategy NAME
 *     dimension_NAME   dimension of the reduced animation
 *     time_s_NAME      median time over the rounds
 *     e_rms_NAME       residual */
#include "harness/run/studies/study.h"

#include "harness/measure/metrics/metrics_stream.h"
#include "methods/reduction/reduction.h"

enum { STRATEGIES = 6 };

typedef struct Strategy {
    double times_s[STUDY_ROUNDS_MAX];
    int dimension;
    double residual; /* ||A - B C||_F^2 */
} Strategy;

Status study_reduction(const StudyInput *input, Measures *measures)
{
    double unit_radius = 0.0;
    int rounds = 0;
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->animation.frame_count < 1)
        return bad_input("there is no animation to reduce");
    double entries = 3.0 * dataset->animation.frame_count * dataset->mesh.vertex_count;
    STATUS_TRY(metrics_unit_radius(&dataset->animation, dataset->mesh.vertex_count, &unit_radius));
    double threshold = 1e-3 * study_number(input, "threshold", 0.5) * unit_radius * sqrt(entries);
    LOCAL_ARRAY(Strategy, strategies, STRATEGIES, "a study");
    const int wanted = study_rounds(input, 3.0);
    double limit = clock_now_s() + study_number(input, "seconds", 30.0);
    for (rounds = 0; rounds < wanted && (rounds == 0 || clock_now_s() < limit); ++rounds)
        for (int i = 0; i < STRATEGIES; i++) {
            Strategy *strategy = &strategies[i];
            ReductionOptions options = {.strategy = (ReductionStrategy)i,
                                        .threshold = threshold,
                                        .stabilize = true,
                                        .threads =
                                            (int)fmax(study_number(input, "threads", input->threads), 1.0),
                                        .progress = input->progress};
            Reduction reduction = {0};
            double start = clock_now_s();
            Status status =
                reduction_init(&dataset->animation, dataset->mesh.vertex_count, &options, &reduction);
            strategy->times_s[rounds] = clock_now_s() - start;
            strategy->dimension = reduction.dimension;
            strategy->residual = reduction.residual;
            reduction_clear(&reduction);
            STATUS_TRY(status);
        }
    for (int i = 0; i < STRATEGIES; i++) {
        const Strategy *strategy = &strategies[i];
        const char *name = reduction_strategy_names[i];
        char text[MEASURE_NAME_BYTES];
        study_number_add(measures, strategy->dimension, "dimension_%s", name);
        snprintf(text, sizeof text, "time_s_%s", name);
        measures_add_samples(measures, text, strategy->times_s, rounds);
        study_number_add(measures, 1000.0 * sqrt(strategy->residual / entries) / unit_radius, "e_rms_%s",
                         name);
    }
    /* the number of rounds counts as a time, because it may vary if the time limit ends the rounds early */
    measures_add_timed(measures, "rounds", rounds);
    return status_ok();
}
