/* Texts from outside (names in files, paths, options) on their way to a terminal, a message, a table or JSON.
 * What a terminal would act on, or what is not UTF-8, is written as \xNN, byte by byte: a name can neither
 * start a line of its own nor move the cursor nor turn the direction of what follows. Texts that were escaped
 * before stay as they are. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A formatted text holds no more than this. */
enum { TEXT_FORMAT_BYTES = 8192 };

/* Copies `in` into out [size], size at least 1. Valid UTF-8 stays; control characters (C0, DEL, C1), marks
 * that turn the direction of text, separators of lines and paragraphs, and bytes that are no valid UTF-8
 * (overlong forms, surrogates and numbers above U+10FFFF among them) are escaped. Cut where the next
 * character or escape does not fit. Returns the length. */
size_t text_escape(char *out, size_t size, const char *in);

/* The same, but only what is not valid UTF-8 is escaped: for JSON, which escapes control characters itself.
 * An `out` of 4 * strlen(in) + 1 bytes is always enough. */
size_t text_escape_invalid(char *out, size_t size, const char *in);

/* Escapes the first character of a text that is not empty, as text_escape does. Returns how many bytes of the
 * text it takes. */
enum { TEXT_CHARACTER_BYTES = 4 * 4 + 1 };
size_t text_escape_character(const char *in, char out[TEXT_CHARACTER_BYTES]);

/* Whether text_escape leaves a text as it is. */
bool text_is_printable(const char *text);

/* As vsnprintf, escaped, and cut at a whole character; no more than TEXT_FORMAT_BYTES. */
void text_format(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Appends to a text [size], cut where it is full. */
void text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads numbers with the characters of `between` between them, in turn, and blanks before them: "4x3" with
 * "x", "1,2 3" with ", ". Returns how many there are, from 1 to strlen(between) + 1; 0 where anything else
 * stands in the text, or a number is not finite. */
int text_numbers(const char *text, const char *between, double *numbers);
