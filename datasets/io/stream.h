/* What became of text written to a stream. */
#pragma once

#include <stdio.h>

/* Flushes. Returns 0, or the errno because of which something that was written, now or before, is lost. */
int stream_flush(FILE *stream);

/* The same, and closes. NULL is allowed: 0. */
int stream_close(FILE *stream);
