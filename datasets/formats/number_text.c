/* Reads decimal numbers with exact rounding. A fast path is used if its result is provably exact. Also
 * reads texts with one record per line. */
#include "datasets/formats/number_text.h"

/* Computes digits * 10^exponent in double and rounds it to float. Returns false if the float might not be
 * the nearest one. The double is off by at most two units in its last place, so the result is uncertain
 * only if the double is that close to the midpoint of two floats. */
static bool decimal_to_float(uint64_t digits, int exponent, float *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits == 0) {
        *value = 0.0f;
        return true;
    }
    if (exponent < -22 || exponent > 22)
        return false;
    double number = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    if (number < 1.2e-38 || number > 3.4e38)
        return false;
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    int64_t from_middle = (int64_t)(bits & 0x1fffffff) - 0x10000000;
    *value = (float)number;
    return from_middle < -4 || from_middle > 4;
}

/* Parses the usual forms of a number directly and all other forms with strtof. With strtof alone (the last
 * five lines), obj_parse returns the same floats but takes 2.0 to 2.3 times as long. This was measured
 * alternately on each of the 428 files of crane, horse-gallop and elasticCow in memory: medians of 15
 * rounds. */
bool float_read(const char **next, float *value)
{
    const char *c = *next;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+')
        c++;
    uint64_t digits = 0;
    int count = 0, exponent = 0;
    const char *first = c;
    for (; is_digit(*c); c++, count += digits != 0)
        digits = digits * 10 + (uint64_t)(*c - '0');
    bool any = c > first;
    if (*c == '.') {
        const char *fraction = ++c;
        for (; is_digit(*c); c++, count += digits != 0)
            digits = digits * 10 + (uint64_t)(*c - '0');
        any = any || c > fraction;
        /* strtof below reads numbers with more than 19 digits, which overflow `digits`. */
        exponent = count <= 19 && c - fraction < 1000 ? -(int)(c - fraction) : -1000;
    }
    if (any && (*c == 'e' || *c == 'E')) {
        const char *mark = c++;
        int sign = *c == '-' ? -1 : 1, power = 0;
        if (*c == '-' || *c == '+')
            c++;
        const char *digit = c;
        for (; is_digit(*c); c++)
            power = power < 1000 ? power * 10 + (*c - '0') : power;
        if (c == digit)
            c = mark;
        else
            exponent += sign * power;
    }
    if (any && count <= 19 && decimal_to_float(digits, exponent, value)) {
        *value = negative ? -*value : *value;
        *next = c;
        return true;
    }
    char *end = NULL;
    *value = strtof(*next, &end);
    bool found = end > *next;
    *next = end;
    return found;
}

bool integer_read(const char **next, int64_t *value)
{
    bool negative = **next == '-';
    const char *c = *next + (negative || **next == '+');
    const char *first = c;
    int64_t number = 0;
    for (; is_digit(*c); c++)
        number = number < INT64_C(1) << 40 ? number * 10 + (*c - '0') : number;
    *next = c;
    *value = negative ? -number : number;
    return c > first;
}

const char *word_for_message(const char *next, const char *end, char word[WORD_BYTES])
{
    size_t length = 0;
    while (length < WORD_BYTES - 1 && next + length < end && !is_blank(next[length]) && next[length] != '\n')
        length++;
    memcpy(word, next, length);
    word[length] = '\0';
    return word;
}

bool line_text_ends(LineText *text)
{
    while (is_blank(*text->next))
        text->next++;
    return text->next >= text->end || *text->next == '\n' || (text->comment && *text->next == text->comment);
}

bool line_text_step(LineText *text)
{
    const char *stop = memchr(text->next, '\n', (size_t)(text->end - text->next));
    text->next = stop ? stop + 1 : text->end;
    text->line += stop != NULL && text->line < INT32_MAX;
    return stop != NULL;
}

Status line_text_find(LineText *text, const char *what, int64_t number, int64_t count)
{
    while (line_text_ends(text))
        if (!line_text_step(text))
            return bad_input("%s:%" PRId32 ": ends before %s %" PRId64 " of %" PRId64 " that it declares",
                             text->place, text->line, what, number, count);
    return status_ok();
}

/* Refuses a value. `wanted` describes in the message what was expected. */
static Status value_refuse(const LineText *text, const char *start, const char *what, int64_t number,
                           const char *wanted)
{
    char word[WORD_BYTES];
    return bad_input("%s:%" PRId32 ": %s %" PRId64 " has '%s', expected %s", text->place, text->line, what,
                     number, word_for_message(start, text->end, word), wanted);
}

static bool is_separate(const LineText *text)
{
    return text->next >= text->end || is_blank(*text->next) || *text->next == '\n';
}

Status line_text_float(LineText *text, const char *what, int64_t number, float *value)
{
    const bool over = line_text_ends(text);
    const char *start = text->next;
    if (over || !float_read(&text->next, value) || !is_separate(text) || !isfinite(*value))
        return value_refuse(text, start, what, number, "a finite number");
    return status_ok();
}

Status line_text_real(LineText *text, const char *what, int64_t number, double *value)
{
    const bool over = line_text_ends(text);
    const char *start = text->next;
    char *end = NULL;
    *value = over ? 0.0 : strtod(start, &end);
    text->next = end ? end : start;
    if (end == start || !end || !is_separate(text) || !isfinite(*value))
        return value_refuse(text, start, what, number, "a finite number");
    return status_ok();
}

Status line_text_integer(LineText *text, const char *what, int64_t number, int64_t *value)
{
    const bool over = line_text_ends(text);
    const char *start = text->next;
    if (over || !integer_read(&text->next, value) || !is_separate(text))
        return value_refuse(text, start, what, number, "a whole number");
    return status_ok();
}

bool line_text_skip(LineText *text)
{
    if (line_text_ends(text))
        return false;
    while (!is_separate(text))
        text->next++;
    return true;
}
