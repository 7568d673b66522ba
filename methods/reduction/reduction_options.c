#include "methods/reduction/reduction_options.h"

const char *const reduction_strategy_names[] = {"gram", "max", "gs", "pm1", "pm2", "svd", NULL};

int tail_rule_choose(const double *values, int n, const void *context)
{
    const TailRule *rule = context;
    int count = n;
    double tail = 0.0;
    while (count > 1) {
        double next = values[count - 1] > 0.0 ? values[count - 1] : 0.0;
        bool rounding = next <= rule->floor * values[0];
        if (!rounding && tail + next > rule->allowed)
            break;
        tail += next;
        count--;
    }
    return rule->dimension_max > 0 && rule->dimension_max < count ? rule->dimension_max : count;
}
