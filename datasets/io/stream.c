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
