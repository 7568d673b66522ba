/* SHA-256 (FIPS 180-4). */
#include "datasets/io/sha256.h"

#include "datasets/io/input_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

Status file_sha256(const char *path, char digest[SHA256_DIGEST_STRING_LENGTH])
{
    FILE *file = NULL;
    unsigned char buffer[1 << 14];
    SHA2_CTX sum;
    Status status = input_stream_open(path, &file, NULL);
    if (status.code != STATUS_OK)
        return status;
    SHA256Init(&sum);
    for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        SHA256Update(&sum, buffer, got);
    SHA256End(&sum, digest);
    if (ferror(file))
        status = status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: cannot be read: %s", path,
                             strerror(errno));
    fclose(file);
    return status;
}
