/* Makes texts from outside (names in files, paths, options) safe for a terminal, a message, a table or
 * JSON. Invalid UTF-8, and characters on which a terminal would act, are written as \xNN, byte by byte. A
 * name thus cannot start a new line, move the cursor or change the direction of the text after it. Escaping
 * a text twice changes nothing. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Maximum length of a formatted text. */
enum { TEXT_FORMAT_BYTES = 8192 };

/* Copies `in` to out [size], where size is at least 1. Escapes control characters (C0, DEL, C1), direction
 * marks, line and paragraph separators, and invalid UTF-8 (including overlong forms, surrogates and code
 * points above U+10FFFF). Stops before a character or escape that does not fit. Returns the length. */
size_t text_escape(char *out, size_t size, const char *in);

/* Copies `in` to out [size], escaping only invalid UTF-8. This is meant for JSON, which has its own escapes
 * for control characters. An `out` of 4 * strlen(in) + 1 bytes is always large enough. */
size_t text_escape_invalid(char *out, size_t size, const char *in);

/* Writes the first character of a non-empty text, escaped as by text_escape. Returns how many bytes of `in`
 * the character takes. */
enum { TEXT_CHARACTER_BYTES = 4 * 4 + 1 };
size_t text_escape_character(const char *in, char out[TEXT_CHARACTER_BYTES]);

/* Whether text_escape leaves a text as it is. */
bool text_is_printable(const char *text);

/* Whether a text is valid UTF-8. */
bool text_is_utf8(const char *text);

/* Formats like vsnprintf and escapes the result. The result is at most TEXT_FORMAT_BYTES long and is cut
 * only between characters. */
void text_format(char *out, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Appends formatted text to a text of capacity `size`. What does not fit is cut after a word: " ...". */
void text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Shortens every path in a text to its last name, in place. A word counts as a path if it begins with a
 * slash, a dot or a tilde. */
void text_drop_folders(char *text);

/* Reads finite numbers from a text. They are separated by the characters of `between`, in this order: "x"
 * reads "4x3", and ", " reads "1,2 3". Blanks may precede a number. Returns how many numbers there are,
 * from 1 to strlen(between) + 1, or 0 if the text is not of this form. */
int text_numbers(const char *text, const char *between, double *numbers);
