/* Escapes, as \xNN, invalid UTF-8 and characters on which a terminal would act. Parses numbers. */
#include "datasets/base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A UTF-8 character: its code point and its length in bytes. The length is 0 if the bytes at this place are
 * not a valid character (RFC 3629). */
typedef struct Character {
    uint32_t number;
    size_t bytes;
} Character;

static Character character_at(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    static const struct {
        unsigned char mask, mark;
        uint32_t min; /* smallest code point that needs a character of this length; smaller ones would be
                         overlong */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t more = 0; more < sizeof forms / sizeof *forms; more++) {
        if ((bytes[0] & forms[more].mask) != forms[more].mark)
            continue;
        uint32_t number = bytes[0] & (unsigned char)~forms[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xc0) != 0x80) /* a NUL that ends the text within the character also stops here */
                return (Character){0, 0};
            number = number << 6 | (bytes[i] & 0x3f);
        }
        if (number < forms[more].min || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff))
            return (Character){0, 0};
        return (Character){number, more + 1};
    }
    return (Character){0, 0};
}

static bool is_acted_on(uint32_t number)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     /* control characters */
        {0x61c, 0x61c},   {0x200e, 0x200f}, /* marks of direction */
        {0x2028, 0x202e}, {0x2066, 0x2069}, /* line and paragraph separators; direction overrides */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (number >= ranges[i][0] && number <= ranges[i][1])
            return true;
    return false;
}

static size_t character_escape(const char *in, bool controls, char out[TEXT_CHARACTER_BYTES])
{
    const Character character = character_at(in);
    const bool kept = character.bytes > 0 && !(controls && is_acted_on(character.number));
    const size_t bytes = character.bytes > 0 ? character.bytes : 1;
    if (kept) {
        memcpy(out, in, bytes);
        out[bytes] = '\0';
        return bytes;
    }
    for (size_t i = 0; i < bytes; i++)
        snprintf(out + 4 * i, TEXT_CHARACTER_BYTES - 4 * i, "\\x%02X", (unsigned char)in[i]);
    return bytes;
}

size_t text_escape_character(const char *in, char out[TEXT_CHARACTER_BYTES])
{
    return character_escape(in, true, out);
}

static size_t escape(char *out, size_t size, const char *in, bool controls)
{
    size_t used = 0;
    while (*in) {
        char character[TEXT_CHARACTER_BYTES];
        in += character_escape(in, controls, character);
        const size_t bytes = strlen(character);
        if (used + bytes >= size)
            break;
        memcpy(out + used, character, bytes);
        used += bytes;
    }
    out[used] = '\0';
    return used;
}

size_t text_escape(char *out, size_t size, const char *in)
{
    return escape(out, size, in, true);
}

size_t text_escape_invalid(char *out, size_t size, const char *in)
{
    return escape(out, size, in, false);
}

bool text_is_printable(const char *text)
{
    for (Character character; *text; text += character.bytes) {
        character = character_at(text);
        if (character.bytes == 0 || is_acted_on(character.number))
            return false;
    }
    return true;
}

bool text_is_utf8(const char *text)
{
    size_t bytes = 1;
    for (; *text && bytes > 0; text += bytes)
        bytes = character_at(text).bytes;
    return bytes > 0;
}

void text_format(char *out, size_t size, const char *format, va_list arguments)
{
    enum { LONGEST_CHARACTER = 4 };
    /* The buffer is a few bytes larger than the longest result. If vsnprintf cuts a character in two,
     * escaping stops before that character. */
    char raw[TEXT_FORMAT_BYTES + LONGEST_CHARACTER];
    size_t bytes = size < TEXT_FORMAT_BYTES ? size : TEXT_FORMAT_BYTES;
    vsnprintf(raw, bytes + LONGEST_CHARACTER, format, arguments);
    (void)text_escape(out, bytes, raw);
}

void text_append(char *text, size_t size, const char *format, ...)
{
    static const char more[] = " ...";
    const size_t used = strlen(text);
    if (used >= sizeof more && strcmp(text + used + 1 - sizeof more, more) == 0)
        return; /* cut before: nothing may follow the mark */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length < size - used)
        return;
    size_t end = size > sizeof more ? size - sizeof more : 0;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end > 0)
        memcpy(text + end, more, sizeof more);
}

int text_numbers(const char *text, const char *between, double *numbers)
{
    const int max = (int)strlen(between) + 1;
    for (int count = 0; count < max; text++) {
        char *end = NULL;
        numbers[count] = strtod(text, &end);
        if (end == text || !isfinite(numbers[count++]))
            return 0;
        text = end;
        if (*text == '\0')
            return count;
        if (count == max || *text != between[count - 1])
            return 0;
    }
    return 0;
}

void text_drop_folders(char *text)
{
    static const char between[] = " \t'\"`()[]{}<>,;=:|";
    char *out = text;
    for (const char *from = text; *from;) {
        const size_t length = strcspn(from, between);
        const char *name = from;
        for (size_t i = 0; i < length && strchr("/.~", from[0]); i++)
            if (from[i] == '/')
                name = from + i + 1;
        const size_t kept = length - (size_t)(name - from) + (from[length] != '\0');
        memmove(out, name, kept);
        out += kept;
        from += length + (from[length] != '\0');
    }
    *out = '\0';
}
