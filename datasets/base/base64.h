/* Base64 (RFC 4648 section 4): encodes bytes as letters, digits, + and /. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes bytes [count] as Base64 text, padded at the end with '='. If `count` is a multiple of 3, there is
 * no padding, and a later call can append to the text. */
void base64_write(FILE *file, const unsigned char *bytes, size_t count);

/* Returns the value of a Base64 character, 0 to 63, or -1 for any other character. */
int base64_value(char character);
