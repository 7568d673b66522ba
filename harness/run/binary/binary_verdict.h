/* Whether one build is slower than another, from visits of both that alternated (binary_rounds.h).
 *
 * Two runs of one executable differ by 1 to 3 % in the same kernel: where its stack, heap and pages came to
 * lie decides (Mytkowicz, Diwan, Hauswirth and Sweeney 2009, Producing wrong data without doing anything
 * obviously wrong; Curtsinger and Berger 2013, Stabilizer). More visits of one process do not average that
 * out, more processes do. So the sample is the start of fresh processes, and visits of one start belong
 * together: intervals resample starts, with all their visits (a cluster bootstrap). In the middle stands the
 * median: on a machine with other load, where one visit in ten is off by 10 % or more, its standard error was
 * 0.12 % after 40 starts of 3 visits, that of the mean 0.6 %, of means with 10 and 20 % trimmed off each end
 * 0.19 and 0.14 %.
 *
 * A visit gives the processor times of OLD, of OLD in a second process, and of NEW, and of them
 *   ratio   NEW over the geometric mean of both OLD
 *   again   the second OLD over the first: equals, so what its ratio is off by is the machine's own noise
 * whose errors do not depend on each other. The rule, for intervals of 99 %:
 *   noise   the distance of the farther end of the interval of again from 1
 *   bound   1 + the greater of 2 % and three times the noise
 *   slower  all of the ratio's interval lies above the bound
 *   faster  all of it lies below 1 / bound
 *   same    all of it lies between 1 / 1.02 and 1.02
 *   unsure  anything else: more rounds are needed */
#pragma once

#include "harness/records/record/timing.h"

typedef enum TimeVerdict { TIME_SAME, TIME_SLOWER, TIME_FASTER, TIME_UNSURE, TIME_VERDICTS } TimeVerdict;

/* "same", "slower", "faster", "unsure". */
extern const char *const time_verdict_names[TIME_VERDICTS + 1]; /* NULL-terminated */

/* Fewer starts give no verdict but TIME_UNSURE: of fewer clusters a bootstrap's interval is too narrow. */
enum { STARTS_MIN = 10 };

/* Processor times of one visit, seconds. */
typedef struct TimedVisit {
    double old_s, again_s, new_s;
} TimedVisit;

typedef struct TimeJudgement {
    TimeVerdict verdict;
    Interval ratio, again; /* 99 % */
    double noise, bound;
    double old_s, new_s; /* medians */
} TimeJudgement;

/* Judges visits [starts][visits]. STATUS_SYSTEM: out of memory. */
Status time_judge(const TimedVisit *visits, int starts, int visits_per_start, TimeJudgement *out);

/* The ratio of a cell, over that of another in the same visits: what it became to the other (of a method to
 * LBS), whatever slowed down both. other may have more starts. */
Status time_ratio_to(const TimedVisit *visits, const TimedVisit *other, int starts, int visits_per_start,
                     Interval *out);

/* The median of values [starts][visits_per_start] and its 99 % interval by the bootstrap of starts. */
Status clustered_median(const double *values, int starts, int visits_per_start, Interval *out);
