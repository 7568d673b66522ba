/* Formats numbers with their intervals, and differences, as text. */
#include "harness/show/text/interval_text.h"

int number_decimals(double value, int digits)
{
    const int before = fabs(value) > 0.0 ? (int)floor(log10(fabs(value))) + 1 : 1;
    return digits > before ? digits - before : 0;
}

void interval_text(const SampledNumber *number, int digits, char text[INTERVAL_TEXT_BYTES])
{
    const double share = 0.5 * (number->high - number->low) / fabs(number->value);
    const double size = fabs(number->value);
    char after[40] = "", value[40];
    if (!isfinite(number->value)) { /* The number comes from a file. It was so large that converting its unit
                                       made it infinite. */
        snprintf(text, INTERVAL_TEXT_BYTES, "-");
        return;
    }
    if (number->samples > 0 && size >= 1e-3 &&
        size < 1e6) /* a measured number keeps trailing zeros, because they are significant */
        snprintf(value, sizeof value, "%.*f", number_decimals(number->value, digits), number->value);
    else
        snprintf(value, sizeof value, "%.*g", digits, number->value);
    if (number->samples > 0 && isnan(share))
        snprintf(after, sizeof after, " (%d sample%s)", number->samples, number->samples == 1 ? "" : "s");
    else if (number->samples > 0 && share > 0.0)
        snprintf(after, sizeof after, share < 0.1 ? " ± %.1f %%" : " ± %.0f %%", 100.0 * share);
    if (number->samples > 0 && share > 1.0)
        snprintf(text, INTERVAL_TEXT_BYTES, "not measured%s", number->disturbed ? " " DISTURBED_MARK : "");
    else
        snprintf(text, INTERVAL_TEXT_BYTES, "%s%s%s", value, after,
                 number->disturbed ? " " DISTURBED_MARK : "");
}

/* Formats a factor with three digits, or with all digits before the point if there are more. */
static void factor_text(double factor, const char *after, char text[INTERVAL_TEXT_BYTES])
{
    snprintf(text, INTERVAL_TEXT_BYTES, factor < 9.95 ? "%.1f%s" : "%.0f%s", factor, after);
}

void difference_text(double measured, double published, bool is_time, char text[INTERVAL_TEXT_BYTES])
{
    const double ratio = measured / published, percent = 100.0 * (ratio - 1.0);
    if (ratio > 2.0)
        factor_text(ratio, is_time ? " times slower" : " times", text);
    else if (ratio > 0.0 && ratio < 0.5 && is_time)
        factor_text(1.0 / ratio, " times faster", text);
    else if (ratio > 0.0 && ratio < 0.5)
        snprintf(text, INTERVAL_TEXT_BYTES, 1.0 / ratio < 9.95 ? "1/%.1f" : "1/%.0f", 1.0 / ratio);
    else if (fabs(percent) >= 9.5)
        snprintf(text, INTERVAL_TEXT_BYTES, "%+.0f %%", percent);
    else if (fabs(percent) >= 0.001)
        snprintf(text, INTERVAL_TEXT_BYTES, "%+.2g %%", percent);
    else
        snprintf(text, INTERVAL_TEXT_BYTES, "0 %%");
}
