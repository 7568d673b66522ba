/* Base64 (RFC 4648 section 4): bytes as letters, digits, + and /. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes bytes [count] as text, padded at its end: a count that is a multiple of 3 can be followed by
 * more. */
void base64_write(FILE *file, const unsigned char *bytes, size_t count);

/* What a character stands for, 0 to 63; -1: it is none of them. */
int base64_value(char character);
