/* Decides whether one build is slower than another, from alternating visits of both (binary_rounds.h).
 *
 * Two runs of one executable differ by 1 to 3 % in the same kernel, depending on where stack, heap and
 * pages are (Mytkowicz, Diwan, Hauswirth and Sweeney 2009, Producing wrong data without doing anything
 * obviously wrong; Curtsinger and Berger 2013, Stabilizer). More processes average this out; more visits of
 * one process do not. Therefore the sampling unit is the start of a process, and intervals resample starts
 * with all their visits (a cluster bootstrap). The estimate is the median. On a machine with other load,
 * where one visit in ten was off by 10 % or more, the standard errors after 40 starts of 3 visits were 0.12
 * % for the median, 0.6 % for the mean, and 0.19 and 0.14 % for means trimmed by 10 and 20 % at each end.
 *
 * A visit gives the processor times of OLD, of OLD in a second process, and of NEW, and two ratios with
 * independent errors:
 *   ratio   NEW over the geometric mean of both OLD
 *   again   the second OLD over the first; its deviation from 1 is the machine's own noise
 * The rule, for 99 % intervals:
 *   noise   distance of the farther end of the interval of `again` from 1
 *   bound   1 + 2 % or three times the noise, whichever is larger
 *   slower  the whole interval of `ratio` is above the bound
 *   faster  the whole interval is below 1 / bound
 *   same    the whole interval is between 1 / 1.02 and 1.02
 *   unsure  anything else: more rounds are needed */
#pragma once

#include "harness/records/record/timing.h"

typedef enum TimeVerdict { TIME_SAME, TIME_SLOWER, TIME_FASTER, TIME_UNSURE, TIME_VERDICTS } TimeVerdict;

/* Names of the verdicts: "same", "slower", "faster", "unsure". */
extern const char *const time_verdict_names[TIME_VERDICTS + 1]; /* NULL-terminated */

/* Number of starts below which the verdict is TIME_UNSURE, because a bootstrap of fewer clusters gives
 * intervals that are too narrow. */
enum { STARTS_MIN = 10 };

/* Processor times of one visit, in seconds. */
typedef struct TimedVisit {
    double old_s, again_s, new_s;
} TimedVisit;

typedef struct TimeJudgement {
    TimeVerdict verdict;
    Interval ratio, again; /* 99 % */
    double noise, bound;
    double old_s, new_s; /* medians */
} TimeJudgement;

/* Judges visits [starts][visits_per_start]. STATUS_SYSTEM if out of memory. */
Status time_judge(const TimedVisit *visits, int starts, int visits_per_start, TimeJudgement *out);

/* Computes the change of a cell's time relative to another cell (LBS) in the same visits, which cancels
 * disturbances that slowed both. `other` may have more starts. */
Status time_ratio_to(const TimedVisit *visits, const TimedVisit *other, int starts, int visits_per_start,
                     Interval *out);

/* Computes the median of values [starts][visits_per_start] and its 99 % interval by the bootstrap of
 * starts. */
Status clustered_median(const double *values, int starts, int visits_per_start, Interval *out);
