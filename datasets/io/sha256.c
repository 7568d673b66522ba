/* Computes SHA-256 (FIPS 180-4) with libcrypto, which uses the SHA instructions of processors and which
 * HDF5 needs anyway. Its deprecated functions are used because they allocate nothing, read no configuration
 * and cannot fail. Every step of the newer interface EVP may fail. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "datasets/io/sha256.h"

#include "datasets/io/input_file.h"

void sha256_begin(Sha256 *sum)
{
    (void)SHA256_Init(&sum->state);
}

void sha256_add(Sha256 *sum, const void *bytes, size_t size)
{
    (void)SHA256_Update(&sum->state, bytes, size);
}

void sha256_end(Sha256 *sum, char digest[SHA256_TEXT_BYTES])
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    (void)SHA256_Final(bytes, &sum->state);
    for (size_t i = 0; i < sizeof bytes; i++) {
        digest[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        digest[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    digest[2 * sizeof bytes] = '\0';
}

void sha256_of(const void *bytes, size_t size, char digest[SHA256_TEXT_BYTES])
{
    Sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, bytes, size);
    sha256_end(&sum, digest);
}

int descriptor_sha256(int file, char digest[SHA256_TEXT_BYTES])
{
    unsigned char buffer[1 << 16];
    ssize_t got = 0;
    Sha256 sum;
    sha256_begin(&sum);
    while ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        sha256_add(&sum, buffer, got > 0 ? (size_t)got : 0);
    sha256_end(&sum, digest);
    return got < 0 ? errno : 0;
}

Status file_sha256(const char *path, char digest[SHA256_TEXT_BYTES])
{
    CLEANUP(descriptor_close) int file = -1;
    STATUS_TRY(input_file_open(path, &file, NULL));
    const int error = descriptor_sha256(file, digest);
    if (error != 0)
        return status_make(status_code_of(error, STATUS_BAD_INPUT), "%s: cannot be read: %s", path,
                           strerror(error));
    return status_ok();
}
