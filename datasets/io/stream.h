/* What became of text written to a stream, and the numbers of the standard streams. */
#pragma once

#include "datasets/base/base.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

DEFINE_OWNED_BY(FILE, fclose)
DEFINE_OWNED_BY(DIR, closedir)

/* Flushes. Returns 0, or the errno because of which something that was written, now or before, is lost. */
int stream_flush(FILE *stream);

/* The same, and closes. NULL is allowed: 0. */
int stream_close(FILE *stream);

/* Takes the numbers of standard streams that the program was started without, so that no file which is opened
 * later gets what is printed. Writing to them fails, as it would have. */
static inline void standard_streams_reserve(void)
{
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file > STDERR_FILENO)
        close(file);
}
