#include "datasets/base/natural_order.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static size_t digits_at(const char *text)
{
    size_t count = 0;
    while (isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* Compares the numbers at *a and *b and steps past them. */
static int numbers_compare(const char **a, const char **b)
{
    while (**a == '0' && isdigit((unsigned char)(*a)[1]))
        ++*a;
    while (**b == '0' && isdigit((unsigned char)(*b)[1]))
        ++*b;
    size_t length_a = digits_at(*a), length_b = digits_at(*b);
    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    int order = memcmp(*a, *b, length_a);
    *a += length_a;
    *b += length_b;
    return order;
}

int natural_compare(const char *a, const char *b)
{
    const char *next_a = a, *next_b = b;
    while (*next_a && *next_b) {
        int order = 0;
        if (isdigit((unsigned char)*next_a) && isdigit((unsigned char)*next_b))
            order = numbers_compare(&next_a, &next_b);
        else
            order = (unsigned char)*next_a++ - (unsigned char)*next_b++;
        if (order != 0)
            return order;
    }
    if (*next_a || *next_b)
        return *next_a ? 1 : -1;
    return strcmp(a, b);
}
