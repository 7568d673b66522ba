/* SHA-256 of files and of memory, by libcrypto. Call sha256_begin, then sha256_add for each part, then
 * sha256_end. */
#pragma once

#include "datasets/base/base.h"

#include <openssl/sha.h>

enum { SHA256_TEXT_BYTES = 2 * SHA256_DIGEST_LENGTH + 1 };

/* State of a checksum, on the caller's stack. Nothing needs to be released, and nothing can fail. */
typedef struct Sha256 {
    SHA256_CTX state;
} Sha256;

void sha256_begin(Sha256 *sum);
void sha256_add(Sha256 *sum, const void *bytes, size_t size);
/* Finishes a checksum and writes it as 64 hexadecimal digits and a NUL. */
void sha256_end(Sha256 *sum, char digest[SHA256_TEXT_BYTES]);

/* Computes the SHA-256 of `size` bytes in memory. */
void sha256_of(const void *bytes, size_t size, char digest[SHA256_TEXT_BYTES]);

/* Computes the SHA-256 of an open file, from its current position to its end. Returns 0 or an errno. */
int descriptor_sha256(int file, char digest[SHA256_TEXT_BYTES]);

/* Computes the SHA-256 of a file, by which results identify a data set. STATUS_BAD_INPUT if the file cannot
 * be read. */
Status file_sha256(const char *path, char digest[SHA256_TEXT_BYTES]);
