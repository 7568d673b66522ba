#include "datasets/base/status.h"

#include <stdarg.h>
#include <stdio.h>

Status status_ok(void)
{
    Status status;
    status.code = STATUS_OK;
    status.text[0] = '\0';
    return status;
}

Status status_make(StatusCode code, const char *format, ...)
{
    Status status;
    status.code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.text, sizeof status.text, format, arguments);
    va_end(arguments);
    return status;
}

Status status_out_of_memory(const char *what)
{
    return status_make(STATUS_MACHINE, "out of memory for %s", what);
}
