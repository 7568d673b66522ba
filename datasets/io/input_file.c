/* Opens plain files only, and without waiting. */
#include "datasets/io/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

Status input_file_open(const char *path, int *file, double *size_bytes)
{
    struct stat found;
    Status status = status_ok();
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*file < 0)
        return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: cannot be opened: %s", path,
                           strerror(errno));
    if (fstat(*file, &found) != 0)
        status = status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(found.st_mode))
        status = S_ISDIR(found.st_mode)
                     ? bad_input("%s: is a folder, not a plain file", path)
                     : bad_input("%s: is a %s, not a plain file; save its output to a file and pass that",
                                 path, S_ISFIFO(found.st_mode) ? "FIFO or pipe" : "device");
    if (status.code != STATUS_OK) {
        close(*file);
        *file = -1;
    } else if (size_bytes) {
        *size_bytes = (double)found.st_size;
    }
    return status;
}

Status input_stream_open(const char *path, FILE **stream, double *size_bytes)
{
    int file = -1;
    *stream = NULL;
    STATUS_TRY(input_file_open(path, &file, size_bytes));
    *stream = fdopen(file, "rb");
    if (*stream)
        return status_ok();
    close(file);
    return status_make(STATUS_SYSTEM, "%s: cannot be opened: %s", path, strerror(errno));
}

void descriptor_close(const int *file)
{
    if (*file >= 0)
        close(*file);
}
