/* Compares SHA-256 digests with the examples that NIST publishes with FIPS 180. */
#include "tests/support.h"

#include "datasets/io/sha256.h"

TEST(published_examples)
{
    static const struct {
        const char *text;
        int repeats;
        const char *digest;
    } rows[] = {{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
                {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    char digest[SHA256_TEXT_BYTES];
    const char *path = path_of("bytes");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Sha256 sum;
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        sha256_begin(&sum);
        for (int k = 0; k < rows[i].repeats; k++) {
            sha256_add(&sum, rows[i].text, strlen(rows[i].text));
            fputs(rows[i].text, file);
        }
        assert_int_equal(fclose(file), 0);
        sha256_end(&sum, digest);
        assert_string_equal(digest, rows[i].digest);
        assert_ok(file_sha256(path, digest));
        assert_string_equal(digest, rows[i].digest);
    }
    unlink(path);
    assert_bad_input("cannot be opened", file_sha256(path, digest));
    assert_bad_input("is a folder, not a plain file", file_sha256("/tmp", digest));
}
