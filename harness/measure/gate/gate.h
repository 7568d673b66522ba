/* What an asset pipeline asks of a rig before it accepts the file: numbers with limits. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum GateNumber {
    GATE_ERRORS,
    GATE_NOT_FINITE,
    GATE_SUMS,
    GATE_INFLUENCES,
    GATE_FEW_INFLUENCES,
    GATE_QUANTISED,
    GATE_SEAMS,
    GATE_BLEED,
    GATE_UNREACHED,
    GATE_COUNT
} GateNumber;

typedef struct GateRow {
    const char *name, *title, *unit;
    double limit; /* default limit; INFINITY: the number is only shown */
} GateRow;

extern const GateRow gate_rows[GATE_COUNT];

enum { GATE_PLACE_BYTES = 160 };

typedef struct Gate {
    double values[GATE_COUNT]; /* NAN if a number could not be measured */
    char places[GATE_COUNT]
               [GATE_PLACE_BYTES]; /* where the largest value or the first fault is; "" if nowhere */
} Gate;

typedef struct GateTask {
    const Dataset *dataset; /* as read without checks */
    double sum_low,
        sum_high;         /* range of the sums of weights in the file, if an importer scaled them; else 1 */
    int influences, bits; /* what the engine stores of each vertex */
    const Progress *progress; /* may be NULL */
} GateTask;

/* Measures all numbers. Errors are distances in linear blend skinning, in % of the diagonal of the rest pose,
 * over the frames of the rig, or over GATE_POSES random poses (rig_pose_randomly) if it has none. Numbers
 * beyond GATE_SUMS need a data set without errors. */
Status gate_measure(const GateTask *task, Gate *out);
enum { GATE_POSES = 10 };
