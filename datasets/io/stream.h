/* What became of text written to a stream. */
#pragma once

#include "datasets/base/base.h"

#include <dirent.h>

DEFINE_OWNED_BY(FILE, fclose)
DEFINE_OWNED_BY(DIR, closedir)

/* Flushes. Returns 0, or the errno because of which something that was written, now or before, is lost. */
int stream_flush(FILE *stream);

/* The same, and closes. NULL is allowed: 0. */
int stream_close(FILE *stream);
