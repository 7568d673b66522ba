#include "datasets/base/status.h"

#include "datasets/base/text.h"

#include <errno.h>

Status status_text(const char *format, ...)
{
    Status status;
    status.code = STATUS_OK;
    va_list arguments;
    va_start(arguments, format);
    text_format(status.text, sizeof status.text, format, arguments);
    va_end(arguments);
    return status;
}

Status status_in(const char *place, Status status)
{
    return status.code == STATUS_OK ? status : status_make(status.code, "%s: %s", place, status.text);
}

StatusCode status_code_of(int error, StatusCode otherwise)
{
    static const int machine[] = {ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO};
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++)
        if (error == machine[i])
            return STATUS_SYSTEM;
    return otherwise;
}
