/* Finds the value by Hoare's selection on one rank. With several ranks, determines its bits one after
 * another by counting. */
#include "harness/measure/metrics/greatest.h"

Status greatest_init(Greatest *greatest, size_t kept)
{
    *greatest = (Greatest){.kept = kept, .bound = -1.0f, .values = memory_table(2, kept, sizeof(float))};
    return greatest->values ? status_ok() : status_out_of_memory("the metrics");
}

void greatest_clear(Greatest *greatest)
{
    memory_free(greatest->values);
    *greatest = (Greatest){0};
}

/* Hoare's selection: returns the element that would be at index `rank` if the values were sorted. Reorders
 * the values. */
static float value_of_rank(float *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i >= j)
                break;
            float swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

/* If the buffer is full, drops the smaller values, which cannot be among the `kept` largest. */
void greatest_add(Greatest *greatest, const float *values, size_t count)
{
    const size_t kept = greatest->kept;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > greatest->bound))
            continue;
        if (greatest->count == 2 * kept) {
            greatest->bound = value_of_rank(greatest->values, 2 * kept, kept);
            memcpy(greatest->values, greatest->values + kept, kept * sizeof *values);
            greatest->count = kept;
        }
        greatest->values[greatest->count++] = values[i];
    }
}

float greatest_from_top(Greatest *greatest, const Ranks *ranks, size_t from_top)
{
    if (!ranks_are_many(ranks))
        return value_of_rank(greatest->values, greatest->count, greatest->count - from_top);
    /* Floats that are not negative have the same order as their bits. */
    uint32_t bits = 0;
    float value = 0.0f;
    for (int bit = 30; bit >= 0; bit--) {
        uint32_t tried = bits | (uint32_t)1 << bit;
        float min = 0.0f;
        double count = 0.0, rest = 0.0; /* values of all ranks that are at least `min` */
        memcpy(&min, &tried, sizeof min);
        for (size_t i = 0; i < greatest->count; i++)
            count += greatest->values[i] >= min;
        ranks_sum(ranks, &count, &rest, 1);
        if (count >= (double)from_top) {
            bits = tried;
            value = min;
        }
    }
    return value;
}
