/* Reads numbers and words in text files, such as meshes. The text must end with a NUL, because reading
 * stops there. */
#pragma once

#include "datasets/base/base.h"

/* Whether a character is white space other than a line feed. */
static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Reads the number at *next, rounded to the nearest float (ties to even), and advances past it. Accepts
 * everything that strtof does, including infinities and NaN. Returns false and leaves *next unchanged if
 * there is no number. */
bool float_read(const char **next, float *value);

/* Reads an integer and clamps its magnitude to 2^44. Returns false if there is no digit. */
bool integer_read(const char **next, int64_t *value);

/* Copies the word that begins at `next` and ends at a blank, the end of the line, or `end`. Truncates a
 * word that is too long for a message. */
enum { WORD_BYTES = 32 };
const char *word_for_message(const char *next, const char *end, char word[WORD_BYTES]);

/* A text with one record per line. */
typedef struct LineText {
    const char *next, *end; /* next: current position; end: end of the text, where there is a NUL */
    const char *place;      /* name of the text in messages */
    int32_t line;           /* line number of `next`, from 1 */
    char comment;           /* character that starts a comment; NUL: no comments */
} LineText;

/* Skips blanks. Returns true if the line has nothing left, or only a comment. */
bool line_text_ends(LineText *text);

/* Advances to the next line. Returns false at the end of the text. */
bool line_text_step(LineText *text);

/* Skips empty lines and comments. At the end of the text, returns STATUS_BAD_INPUT with a message such as
 * "ends before vertex 7 of 12", made from `what`, `number` and `count`. */
Status line_text_find(LineText *text, const char *what, int64_t number, int64_t count);

/* Read one value of a record. Messages call the record `what` and state its `number`. STATUS_BAD_INPUT if
 * the value is not finite, or is not followed by a blank or the end of the line. */
Status line_text_float(LineText *text, const char *what, int64_t number, float *value);
Status line_text_real(LineText *text, const char *what, int64_t number, double *value);
Status line_text_integer(LineText *text, const char *what, int64_t number, int64_t *value);

/* Skips one value of any kind. Returns false at the end of the line. */
bool line_text_skip(LineText *text);
