/* Replaces values in a line by numbers and texts at the limits of the grammar, because random bytes would
 * only make the line unreadable. Every fourth mutation is done by libFuzzer itself. */
#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *const numbers[] = {"0",    "-1",         "1e60", "-1e60", "1e-300", "1e10",
                                      "1e-9", "0.5",        "1",    "null",  "1e307",  "1e9",
                                      "3",    "2147483647", "64",   "1e20",  "-0.0"};
static const char *const texts[] = {
    "a",         "",     "ok",    "wrong", "failed", "skipped",    "lbs",          "dqs",        "simd",
    "reference", "cuda", "svd",   "a b",   "'",      "`a`",        "$(a)",         "\\\"",       "\\\\",
    "<b>",       "%s",   "a_b^c", "&{}~#", "=a()",   "a|b",        "\\u202e",      "\\u001b[1m", "Ä",
    "{/a}",      "@a",   "!a",    "../a",  "-a",     "2026-01-02", "fesam-table2", "sbs-table2", "horse"};

/* Returns the position of the value after the n-th colon, opening bracket, or comma of a list. */
static size_t value_find(const uint8_t *data, size_t size, unsigned number)
{
    size_t offset = size;
    unsigned count = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || count > 0); pass++) {
        const unsigned wanted = pass == 0 ? UINT32_MAX : number % count;
        count = 0;
        for (size_t i = 1; i < size; i++)
            if (strchr(":[,", data[i - 1]) &&
                (data[i] == '"' || data[i] == '-' || isdigit(data[i]) || data[i] == 'n'))
                if (count++ == wanted)
                    offset = i;
    }
    return offset;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    const size_t from = value_find(data, size, seed / 8);
    size_t end = from + 1;
    if (seed % 4 == 0 || from == size)
        return LLVMFuzzerMutate(data, size, capacity);
    const bool is_text = data[from] == '"';
    if (is_text)
        for (; end < size && data[end] != '"'; end++)
            end += data[end] == '\\';
    else
        for (; end < size && !strchr(",]}", data[end]);)
            end++;
    end += is_text ? 1 : 0;
    char value[64];
    snprintf(value, sizeof value, is_text ? "\"%s\"" : "%s",
             is_text ? texts[seed / 64 % (sizeof texts / sizeof *texts)]
                     : numbers[seed / 64 % (sizeof numbers / sizeof *numbers)]);
    const size_t length = strlen(value);
    if (end > size || size - (end - from) + length > capacity)
        return LLVMFuzzerMutate(data, size, capacity);
    memmove(data + from + length, data + end, size - end);
    memcpy(data + from, value, length);
    return size - (end - from) + length;
}
