/* Flushes and closes streams and returns their errors. Also reserves the descriptors of the standard
 * streams. */
#pragma once

#include "datasets/base/base.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

DEFINE_OWNED_BY(FILE, fclose)
DEFINE_OWNED_BY(DIR, closedir)

/* Flushes the stream. Returns 0, or the errno if this write or an earlier one lost data. */
int stream_flush(FILE *stream);

/* Flushes and closes the stream. Returns 0 or an errno, like stream_flush. Returns 0 if the stream is
 * NULL. */
int stream_close(FILE *stream);

/* Open a file for writing in a mode of fopen, and close it. Messages name it `name`: "`name`: cannot be
 * written: ...". Closing finds the errors of all writes. STATUS_SYSTEM on failure. */
Status stream_create(const char *path, const char *mode, const char *name, FILE **out);
Status stream_finish(FILE *stream, const char *name);

/* Occupies the descriptors of standard streams that were closed when the program started. Otherwise a file
 * that is opened later could get such a descriptor and receive printed output. Writing to such a stream
 * still fails. */
static inline void standard_streams_reserve(void)
{
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file > STDERR_FILENO)
        close(file);
}
