/* Bytes as a text in a script: gzip (RFC 1952), which browsers unpack, in base64. The same bytes give the
 * same text. */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/base/status.h"
#include <stddef.h>
#include <stdio.h>

typedef struct PackedText PackedText;

/* Writes to `file`, whose errors are met when it is closed. STATUS_SYSTEM: out of memory. Release with
 * packed_text_close, which writes what is left; NULL is allowed. */
Status packed_text_open(FILE *file, PackedText **out);
void packed_text_add(PackedText *text, const unsigned char *bytes, size_t count);
void packed_text_close(PackedText *text);
DEFINE_OWNED_BY(PackedText, packed_text_close)
