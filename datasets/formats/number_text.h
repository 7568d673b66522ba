/* Numbers and words in text files, as the readers of meshes meet them: the text ends in a NUL, which is part
 * of no number, blank or word. */
#pragma once

#include "datasets/base/base.h"

/* Blank but not the end of a line. */
static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Reads the number at *next and steps past it, rounded to the nearest float, ties to even; anything that
 * strtof knows, so it may be infinite or no number. False, and *next as it was, when there is none. */
bool float_read(const char **next, float *value);

/* Reads a whole number; its size is cut to 2^44. False when there is no digit. */
bool integer_read(const char **next, int64_t *value);

/* The word at `next`, up to a blank, the end of the line, or `end`, cut to fit a message. */
enum { WORD_BYTES = 32 };
const char *word_for_message(const char *next, const char *end, char word[WORD_BYTES]);

/* A text whose records stand on lines of their own. */
typedef struct LineText {
    const char *next, *end; /* *end is NUL */
    const char *place;      /* its name for messages */
    int32_t line;           /* of `next`, from 1 */
    char comment;           /* begins a comment; NUL: there are none */
} LineText;

/* Skips blanks; whether the line, or what it holds besides a comment, is over. */
bool line_text_ends(LineText *text);

/* Steps to the next line. False: the text is over. */
bool line_text_step(LineText *text);

/* Skips empty lines and comments. STATUS_BAD_INPUT when the text is over: "ends before <what> <number> of
 * <count>". */
Status line_text_find(LineText *text, const char *what, int64_t number, int64_t count);

/* Reads one value of the record <what> <number>; STATUS_BAD_INPUT unless it is finite and stands by
 * itself. */
Status line_text_float(LineText *text, const char *what, int64_t number, float *value);
Status line_text_real(LineText *text, const char *what, int64_t number, double *value);
Status line_text_integer(LineText *text, const char *what, int64_t number, int64_t *value);

/* Skips a value, whatever it is; false: the line is over. */
bool line_text_skip(LineText *text);
