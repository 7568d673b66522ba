#include "datasets/io/stream.h"

int stream_flush(FILE *stream)
{
    if (fflush(stream) != 0)
        return errno;
    if (!ferror(stream))
        return 0;
    /* The errno of the failed write is lost, so write again to obtain it. */
    return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

int stream_close(FILE *stream)
{
    int error = stream ? stream_flush(stream) : 0;
    return stream && fclose(stream) != 0 && error == 0 ? errno : error;
}

static Status written_status(int error, const char *name)
{
    return error == 0 ? status_ok()
                      : status_make(STATUS_SYSTEM, "%s: cannot be written: %s", name, strerror(error));
}

Status stream_create(const char *path, const char *mode, const char *name, FILE **out)
{
    *out = fopen(path, mode);
    return written_status(*out ? 0 : errno, name);
}

Status stream_finish(FILE *stream, const char *name)
{
    return written_status(stream_close(stream), name);
}
