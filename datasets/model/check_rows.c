/* Functions that all checks use: reporting a fault, and checking that the values of an array are within a
 * bound. */
#include "datasets/model/check.h"

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

Status check_row_run(const CheckRow *row, const Dataset *dataset, bool first_only, CheckFinding *finding)
{
    *finding = (CheckFinding){.code = row->code, .severity = row->severity, .first_only = first_only};
    if (!row->look)
        return row->run(dataset, finding);
    row->look(dataset, finding);
    return status_ok();
}

double check_bound(CheckBound bound)
{
    static const double bounds[] = {
        [CHECK_BOUND_LENGTH] = 1e9, [CHECK_BOUND_TRANSFORM] = 1e18, [CHECK_BOUND_SCALE] = 1e3,
        [CHECK_BOUND_WEIGHT] = 1e3, [CHECK_BOUND_MODEL] = 1e18,     [CHECK_BOUND_CORRECTION] = 1e12};
    return bounds[bound];
}

/* Whether any value is not finite or exceeds the bound. The loop has no early exit, so that compilers can
 * vectorise it. */
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

static double value_at(const CheckArray *array, int64_t i)
{
    return array->floats ? (double)array->floats[i] : array->doubles ? array->doubles[i] : 0.0;
}

static void value_fault(const CheckArray *array, int64_t index, CheckFinding *finding)
{
    const double value = value_at(array, index);
    char place[96] = "";
    if (finding->count > 0) { /* later faults are only counted */
        check_fault(finding, "%s", "");
        return;
    }
    int64_t indices[4];
    for (int d = array->rank; d-- > 0; index /= array->extents[d])
        indices[d] = array->first[d] + index % array->extents[d];
    for (int d = 0, used = 0; d < array->rank; d++)
        used += snprintf(place + used, sizeof place - (size_t)used, "%s%lld", d > 0 ? "," : "",
                         (long long)indices[d]);
    if (isfinite(value))
        check_fault(finding, "%s[%s] is %g, expected no more than %g", array->object, place, value,
                    check_bound(array->bound));
    else
        check_fault(finding, "%s[%s] is %g, expected a finite number", array->object, place, value);
}

void check_array(const CheckArray *array, CheckFinding *finding)
{
    enum { BLOCK = 4096 };
    const double bound = check_bound(array->bound);
    int64_t count = array->floats || array->doubles ? 1 : 0;
    for (int d = 0; d < array->rank; d++)
        count *= array->extents[d];
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t end = count - first < BLOCK ? count : first + BLOCK;
        if (array->floats ? !floats_beyond(array->floats + first, end - first, (float)bound)
                          : !doubles_beyond(array->doubles + first, end - first, bound))
            continue;
        for (int64_t i = first; i < end; i++)
            if (!(fabs(value_at(array, i)) <= bound)) {
                value_fault(array, i, finding);
                if (finding->first_only)
                    return;
            }
    }
}

void check_finite(const Dataset *dataset, CheckFinding *finding)
{
    static const struct {
        const char *code, *path;
        CheckBound bound;
    } rows[] = {
        {"rest-finite", "mesh/rest", CHECK_BOUND_LENGTH},
        {"weight-finite", "rig/weights/values", CHECK_BOUND_WEIGHT},
        {"rest-frame-finite", "rig/rest", CHECK_BOUND_LENGTH},
        {"transform-finite", "rig/transforms", CHECK_BOUND_TRANSFORM},
        {"scale-finite", "rig/scale", CHECK_BOUND_SCALE},
        {"centers-finite", "rig/centers", CHECK_BOUND_LENGTH},
        {"positions-finite", "animation/positions", CHECK_BOUND_LENGTH},
        {"normals-finite", "animation/normals", CHECK_BOUND_LENGTH},
        {"model-finite", "model/basis", CHECK_BOUND_MODEL},
        {"model-finite", "model/coefficients", CHECK_BOUND_MODEL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].code, finding->code) != 0 || (finding->first_only && finding->count > 0))
            continue;
        const DatasetArray *looked = dataset_array_find(rows[i].path);
        const void *values = dataset_array_values(dataset, looked);
        CheckArray array = {.object = looked->path, .bound = rows[i].bound};
        array.rank = dataset_array_extents(dataset, looked, array.extents);
        if (looked->element == ARRAY_FLOAT64)
            array.doubles = values;
        else
            array.floats = values;
        check_array(&array, finding);
    }
}
