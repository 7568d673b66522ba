#include "datasets/base/status.h"

#include <stdarg.h>
#include <stdio.h>

Status status_text(const char *format, ...)
{
    Status status;
    status.code = STATUS_OK;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.text, sizeof status.text, format, arguments);
    va_end(arguments);
    return status;
}
