/* The numbers of the standard streams. */
#pragma once

#include <fcntl.h>
#include <unistd.h>

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
