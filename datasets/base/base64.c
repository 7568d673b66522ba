#include "datasets/base/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *file, const unsigned char *bytes, size_t count)
{
    char text[4096];
    size_t used = 0;
    for (size_t first = 0; first < count; first += 3) {
        const size_t left = count - first;
        const unsigned group = (unsigned)bytes[first] << 16 |
                               (left > 1 ? (unsigned)bytes[first + 1] << 8 : 0u) |
                               (left > 2 ? (unsigned)bytes[first + 2] : 0u);
        text[used++] = digits[group >> 18];
        text[used++] = digits[group >> 12 & 63];
        text[used++] = left > 1 ? digits[group >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[group & 63] : '=';
        if (used == sizeof text || left <= 3) {
            (void)fwrite(text, 1, used, file);
            used = 0;
        }
    }
}

int base64_value(char character)
{
    const char *match = character ? strchr(digits, character) : NULL;
    return match ? (int)(match - digits) : -1;
}
