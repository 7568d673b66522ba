/* What the rows of the checks share: faults, and arrays of values within a bound. */
#include "datasets/model/check_rows.h"

#include "datasets/base/text.h"
#include "datasets/base/widest_vectors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *check_severity_name(CheckSeverity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

void check_fault(CheckFinding *finding, const char *format, ...)
{
    if (finding->count++ > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    text_format(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

double check_bound(CheckBound bound)
{
    static const double bounds[] = {
        [CHECK_BOUND_LENGTH] = 1e9, [CHECK_BOUND_TRANSFORM] = 1e18, [CHECK_BOUND_SCALE] = 1e3,
        [CHECK_BOUND_WEIGHT] = 1e3, [CHECK_BOUND_MODEL] = 1e18,     [CHECK_BOUND_CORRECTION] = 1e12};
    return bounds[bound];
}

/* Whether any value is beyond the bound or not finite: without an exit, so that the loop is vectorised. */
WIDEST_VECTORS
static int floats_beyond(const float *values, int64_t count, float bound)
{
    int beyond = 0;
    for (int64_t i = 0; i < count; i++)
        beyond |= !(fabsf(values[i]) <= bound);
    return beyond;
}

WIDEST_VECTORS
static int doubles_beyond(const double *values, int64_t count, double bound)
{
    int64_t beyond = 0;
    for (int64_t i = 0; i < count; i++)
        beyond |= !(fabs(values[i]) <= bound);
    return beyond != 0;
}

/* The first value from `from` on that is beyond the bound, `count` where there is none. */
static int64_t beyond_next(const CheckArray *array, int64_t from, int64_t count)
{
    enum { BLOCK = 4096 };
    const double bound = check_bound(array->bound);
    for (int64_t i = from; i < count; i += BLOCK) {
        const int64_t block = count - i < BLOCK ? count - i : BLOCK;
        if (array->floats ? !floats_beyond(array->floats + i, block, (float)bound)
                          : !doubles_beyond(array->doubles + i, block, bound))
            continue;
        while (fabs(array->floats ? (double)array->floats[i] : array->doubles[i]) <= bound)
            i++;
        return i;
    }
    return count;
}

void check_array(const CheckArray *array, CheckFinding *finding)
{
    int64_t count = array->floats || array->doubles ? 1 : 0;
    for (int d = 0; d < array->rank; d++)
        count *= array->extents[d];
    for (int64_t i = beyond_next(array, 0, count); i < count; i = beyond_next(array, i + 1, count)) {
        const double value = array->floats ? (double)array->floats[i] : array->doubles[i];
        char place[96] = "";
        int64_t left = i, at[4];
        for (int d = array->rank; d-- > 0; left /= array->extents[d])
            at[d] = array->first[d] + left % array->extents[d];
        for (int d = 0, used = 0; d < array->rank; d++)
            used += snprintf(place + used, sizeof place - (size_t)used, "%s%lld", d > 0 ? "," : "",
                             (long long)at[d]);
        if (isfinite(value))
            check_fault(finding, "%s[%s] is %g, expected no more than %g", array->object, place, value,
                        check_bound(array->bound));
        else
            check_fault(finding, "%s[%s] is %g", array->object, place, value);
        if (finding->first_only)
            return;
    }
}
