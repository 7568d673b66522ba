/* SHA-256 of files and of what is in memory, by libcrypto: sha256_begin, sha256_add for each part,
 * sha256_end. */
#pragma once

#include "datasets/base/base.h"

#include <openssl/sha.h>

enum { SHA256_TEXT_BYTES = 2 * SHA256_DIGEST_LENGTH + 1 };

/* A sum under way; on the caller's stack, nothing to release, and nothing that can fail. */
typedef struct Sha256 {
    SHA256_CTX state;
} Sha256;

void sha256_begin(Sha256 *sum);
void sha256_add(Sha256 *sum, const void *bytes, size_t size);
/* As 64 hexadecimal digits and a NUL. */
void sha256_end(Sha256 *sum, char digest[SHA256_TEXT_BYTES]);

/* Of a file's bytes: the identity of a data set in results. STATUS_BAD_INPUT when it cannot be read. */
Status file_sha256(const char *path, char digest[SHA256_TEXT_BYTES]);
