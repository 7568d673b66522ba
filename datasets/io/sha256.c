/* SHA-256 (FIPS 180-4). */
#include "datasets/io/sha256.h"

#include "datasets/base/memory.h"
#include "datasets/io/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* FIPS 180-4, section 6.2.2; K and the start are the first 32 bits of the fractional parts of the cube and
 * square roots of the first primes. */
static void block_add(uint32_t state[8], const unsigned char *block)
{
    static const uint32_t K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + K[t] + w[t];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_start(Sha256 *sum)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(sum, 0, sizeof *sum);
    memcpy(sum->state, start, sizeof start);
}

void sha256_add(Sha256 *sum, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size > 0) {
        size_t used = sum->length % 64, part = 64 - used < size ? 64 - used : size;
        memcpy(sum->block + used, next, part);
        sum->length += part;
        next += part;
        size -= part;
        if (used + part == 64)
            block_add(sum->state, sum->block);
    }
}

void sha256_finish(Sha256 *sum, char digest[65])
{
    uint64_t bits = sum->length * 8;
    unsigned char tail[8];
    for (int i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(sum, "\x80", 1);
    while (sum->length % 64 != 56)
        sha256_add(sum, "", 1);
    sha256_add(sum, tail, sizeof tail);
    for (int i = 0; i < 8; i++)
        snprintf(digest + (size_t)i * 8, 9, "%08lx", (unsigned long)sum->state[i]);
}

Status file_sha256(const char *path, char digest[65])
{
    enum { BUFFER_BYTES = 1 << 16 };
    Status status = status_ok();
    FILE *file = fopen(path, "rb");
    unsigned char *buffer = memory_array(BUFFER_BYTES, 1);
    Sha256 sum;
    if (!file) {
        status = status_make(STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
        goto done;
    }
    if (!buffer) {
        status = status_out_of_memory("a file's checksum");
        goto done;
    }
    sha256_start(&sum);
    for (size_t got = 0; (got = fread(buffer, 1, BUFFER_BYTES, file)) > 0;)
        sha256_add(&sum, buffer, got);
    if (ferror(file)) {
        status = status_make(STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    sha256_finish(&sum, digest);
done:
    memory_free(buffer);
    if (file)
        fclose(file);
    return status;
}
