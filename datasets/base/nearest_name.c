#include "datasets/base/nearest_name.h"

#include <string.h>

enum { LETTERS_MAX = 48, BEGINNING_LETTERS = 3 }; /* longer names get no suggestions */

static int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

/* Computes the restricted Damerau-Levenshtein distance, in which no letter is edited after it was
 * swapped. */
static int edits_between(const char *a, const char *b)
{
    int rows[3][LETTERS_MAX + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    int length_a = (int)strlen(a), length_b = (int)strlen(b);
    for (int j = 0; j <= length_b; j++)
        last[j] = j;
    for (int i = 1; i <= length_a; i++) {
        row[0] = i;
        for (int j = 1; j <= length_b; j++) {
            row[j] = smaller_of(last[j - 1] + (a[i - 1] != b[j - 1]), smaller_of(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller_of(row[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[length_b];
}

void nearest_name_add_candidate(NearestName *nearest, const char *name)
{
    size_t length = strlen(name);
    if (length > LETTERS_MAX || strlen(nearest->given) > LETTERS_MAX)
        return;
    size_t begun = strlen(nearest->given);
    int edits = edits_between(nearest->given, name), max = length < 6 ? 1 : (int)length / 3;
    if (begun >= BEGINNING_LETTERS && strncmp(name, nearest->given, begun) == 0)
        edits = smaller_of(edits, max);
    if (edits > max || (nearest->best && edits >= nearest->edits))
        return;
    nearest->best = name;
    nearest->edits = edits;
}

Status nearest_name_suggest(const NearestName *nearest, Status status)
{
    return nearest->best ? status_make(status.code, "%s; did you mean '%s'?", status.text, nearest->best)
                         : status;
}
