/* SHA-256 of files and of what is in memory, by libmd: SHA256Init, sha256_add for each part, SHA256End. */
#ifndef SKINBENCH_IO_SHA256_H
#define SKINBENCH_IO_SHA256_H

#include "datasets/base/status.h"
#include <sha2.h>
#include <stddef.h>

/* SHA256Update for bytes of any type. */
static inline void sha256_add(SHA2_CTX *sum, const void *bytes, size_t size)
{
    SHA256Update(sum, bytes, size);
}

/* Of a file's bytes, as 64 hexadecimal digits and a NUL: the identity of a data set in results. STATUS_BAD_INPUT
 * when it cannot be read. */
Status file_sha256(const char *path, char digest[SHA256_DIGEST_STRING_LENGTH]);

#endif
