/* Sets and checks guard words and marks around the values that a method writes (watched_values.h). */
#include "methods/runtime/watched_values.h"

/* A quiet NaN with a distinctive payload, which arithmetic never produces. */
static const uint64_t MARK = UINT64_C(0x7ff8536b696e6221);

/* Number of guard words in addition to one for each value. A stage that writes up to twice as many values
 * per row as allowed therefore stays within the guard words. */
enum { GUARD_MIN = 64 };

static size_t value_count(const WatchedValues *watched)
{
    return watched->rows * watched->per_row;
}

static size_t guard_count(const WatchedValues *watched)
{
    return watched->check_outputs ? value_count(watched) + GUARD_MIN : 0;
}

static bool is_marked(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == MARK;
}

Status watched_values_init(WatchedValues *out, size_t rows, int per_row, bool check_outputs, const char *what)
{
    *out = (WatchedValues){.rows = rows, .per_row = (size_t)per_row, .check_outputs = check_outputs};
    if (check_outputs && out->rows > 0 && out->per_row > (SIZE_MAX - GUARD_MIN) / 2 / out->rows)
        return status_out_of_memory(what);
    out->values = check_outputs ? memory_array(value_count(out) + guard_count(out), sizeof(double))
                                : memory_table(out->rows, out->per_row, sizeof(double));
    ALLOCATED(out->values, what);
    return status_ok();
}

void watched_values_begin(WatchedValues *watched)
{
    for (size_t i = 0; watched->check_outputs && i < value_count(watched) + guard_count(watched); i++)
        memcpy(&watched->values[i], &MARK, sizeof MARK);
}

Status watched_values_end(const WatchedValues *watched, const char *method, const char *row,
                          const char *member)
{
    if (!watched->check_outputs)
        return status_ok();
    for (size_t i = 0; i < guard_count(watched); i++)
        if (!is_marked(watched->values[value_count(watched) + i]))
            return bad_usage("method %s writes past the values of the last %s; its %s is %zu", method, row,
                             member, watched->per_row);
    for (size_t index = 0; index < watched->rows; index++) {
        /* number of values that still contain the mark */
        size_t marked = 0;
        for (size_t i = 0; i < watched->per_row; i++)
            marked += is_marked(watched->values[index * watched->per_row + i]);
        if (marked > 0)
            return bad_usage("method %s leaves %zu of the %zu values of %s %zu unset; its %s is %zu", method,
                             marked, watched->per_row, row, index, member, watched->per_row);
    }
    return status_ok();
}
