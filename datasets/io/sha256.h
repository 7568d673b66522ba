/* SHA-256 (FIPS 180-4) in parts. Eighty lines here rather than one more library: nothing else of a
 * cryptographic library is needed, and the sum only names files. */
#ifndef SKINBENCH_IO_SHA256_H
#define SKINBENCH_IO_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct Sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} Sha256;

void sha256_start(Sha256 *sum);
void sha256_add(Sha256 *sum, const void *bytes, size_t size);

/* 64 hexadecimal digits and a NUL. */
void sha256_finish(Sha256 *sum, char digest[65]);

#endif
