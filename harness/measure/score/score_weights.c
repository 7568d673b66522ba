/* Compares the weights of two rigs vertex by vertex, in columns of joints that belong together. */
#include "harness/measure/score/score_parts.h"

/* Adds the weights of a row to a dense row. `column` maps joints to columns; NULL: they are the same. */
static void row_add(const ScoreWeights *weights, ptrdiff_t vertex, const int32_t *column, double *dense)
{
    for (ptrdiff_t i = vertex * weights->slots; i < (vertex + 1) * weights->slots; i++)
        if (weights->values[i] != 0.0)
            dense[column ? column[weights->joints[i]] : weights->joints[i]] += weights->values[i];
}

/* Sums over vertices. */
typedef struct WeightSums {
    double vertices, both, found, expected; /* influences */
    double precision, recall;               /* of each vertex */
    double row, max, outside, inside, bleed, missed;
    double influences, influences_max, above_4, within[4];
} WeightSums;

Status score_weights(const ScoreTask *task, const ScoreWeights *weights, const ScoreWeights *truth,
                     const RigMatch *match, Score *out)
{
    const double IOU_LIMITS[3] = {0.1, 0.01, 0.001}, WITHIN_LIMITS[4] = {0.001, 0.005, 0.01, 0.05};
    const double NOTHING = 1e-6, SUM_OFF = 0.01, SMOOTHING = 0.001;
    const ParameterValues *parameters = &task->parameters;
    const double threshold = parameters->values[SCORE_INFLUENCE];
    const bool by_vertex = parameters->values[SCORE_POOLING] != 0.0,
               pruned = parameters->values[SCORE_PRUNE_RELATIVE] > 0.0;
    const int true_joints = task->truth->joint_count;
    int columns = true_joints;
    double *values = out->values;
    WeightSums sums = {.vertices = 0.0};
    /* give joints without a partner the columns behind the true joints */
    LOCAL_ARRAY(int32_t, column, task->rig->joint_count, "columns of weights");
    for (int j = 0; j < task->rig->joint_count; j++)
        column[j] = match->column[j] < true_joints ? match->column[j] : columns++;
    LOCAL_TABLE(double, dense, columns, 2, "columns of weights");
    LOCAL_TABLE(double, counts, columns, 6, "columns of weights"); /* both and either at each limit */
    LOCAL_TABLE(double, errors, columns, 4, "columns of weights"); /* sums and counts outside and inside */
    double *true_dense = dense + columns;
    for (ptrdiff_t v = 0; v < weights->vertices; v++) {
        double true_sum = 0.0, both = 0.0, found = 0.0, expected = 0.0, row = 0.0;
        memset(dense, 0, 2 * (size_t)columns * sizeof *dense);
        row_add(weights, v, column, dense);
        row_add(truth, v, NULL, true_dense);
        for (int j = 0; j < true_joints; j++)
            true_sum += true_dense[j];
        if (pruned && fabs(true_sum - 1.0) >= SUM_OFF)
            continue;
        sums.vertices++;
        double influences = 0.0;
        for (int j = 0; j < columns; j++) {
            const double w = dense[j], g = true_dense[j], off = fabs(w - g);
            const bool has = by_vertex ? w >= threshold : w > threshold,
                       is = by_vertex ? g >= threshold : g > threshold;
            const bool is_outside = g < NOTHING;
            found += has;
            expected += is;
            both += has && is;
            row += off;
            influences += w > 0.0;
            for (int t = 0; t < 4; t++)
                sums.within[t] += off < WITHIN_LIMITS[t];
            errors[4 * j + (is_outside ? 0 : 1)] += off;
            errors[4 * j + (is_outside ? 2 : 3)]++;
            sums.bleed += g <= NOTHING ? w : 0.0;
            sums.missed += w <= NOTHING ? g : 0.0;
            for (int t = 0; t < 3 && (w > 0.0 || g > 0.0); t++) {
                counts[6 * j + 2 * t] += w > IOU_LIMITS[t] && g > IOU_LIMITS[t];
                counts[6 * j + 2 * t + 1] += w > IOU_LIMITS[t] || g > IOU_LIMITS[t];
            }
        }
        sums.both += both;
        sums.found += found;
        sums.expected += expected;
        sums.precision += found > 0.0 ? both / found : 0.0;
        sums.recall += expected > 0.0 ? both / expected : 0.0;
        sums.row += row;
        sums.max = fmax(sums.max, row);
        sums.influences += influences;
        sums.influences_max = fmax(sums.influences_max, influences);
        sums.above_4 += influences > 4.0;
    }
    /* 0 / 0 gives NAN, which means that there is no number */
    const double vertices = sums.vertices, entries = vertices * columns;
    values[SCORE_WEIGHT_PRECISION] = by_vertex ? sums.precision / vertices : sums.both / sums.found;
    values[SCORE_WEIGHT_RECALL] = by_vertex ? sums.recall / vertices : sums.both / sums.expected;
    values[SCORE_L1_ROW] = sums.row / vertices;
    values[SCORE_L1_ENTRY] = sums.row / vertices / true_joints;
    values[SCORE_L1_MAX] = vertices > 0.0 ? sums.max : NAN;
    values[SCORE_BLEED] = sums.bleed / vertices;
    values[SCORE_MISSED] = sums.missed / vertices;
    values[SCORE_INFLUENCES_MEAN] = sums.influences / vertices;
    values[SCORE_INFLUENCES_MAX] = vertices > 0.0 ? sums.influences_max : NAN;
    values[SCORE_ABOVE_4] = sums.above_4 / vertices;
    values[SCORE_ACTIVE] = sums.influences / vertices / task->rig->joint_count;
    for (int t = 0; t < 4; t++)
        values[SCORE_WITHIN + t] = sums.within[t] / entries;
    for (int t = 0; t < 3; t++) {
        values[SCORE_SKIN_IOU + t] = 0.0;
        for (int j = 0; j < columns; j++)
            values[SCORE_SKIN_IOU + t] +=
                (counts[6 * j + 2 * t] + SMOOTHING) / (counts[6 * j + 2 * t + 1] + SMOOTHING);
        values[SCORE_SKIN_IOU + t] /= columns;
    }
    for (int side = 0; side < 2; side++) { /* mean over joints that have such vertices */
        double sum = 0.0, count = 0.0;
        for (int j = 0; j < columns; j++)
            if (errors[4 * j + 2 + side] > 0.0) {
                sum += errors[4 * j + side] / errors[4 * j + 2 + side];
                count++;
            }
        values[side ? SCORE_L1_INSIDE : SCORE_L1_OUTSIDE] = sum / count;
    }
    return status_ok();
}
