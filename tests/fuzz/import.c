/* Fuzzes the import formats with one file, which is an archive of frames or the format's own file. An
 * imported data set must be readable. Most readers start a process, so an input goes only to the format
 * that it resembles (or to formats without a signature) and to one chosen by its size. If the input is a tar
 * archive, the mutator corrects its checksums, so that damage reaches the code behind them. */
#include "tests/fuzz/fuzz.h"

#include "datasets/formats/formats.h"
#include "datasets/io/sha256.h"
#include "datasets/io/store.h"
#include <unistd.h>

/* Stops slow inputs after 1000 reports of progress, because a small archive may unpack to a lot of data. */
static bool go_on(void *context, UNUSED const char *what, UNUSED double share)
{
    return ++*(int *)context < 1000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char input[128], output[128];
    snprintf(input, sizeof input, "%s", fuzz_file("input", data, size));
    snprintf(output, sizeof output, "%s", fuzz_path("output.h5"));
    const Format *alike = NULL;
    fuzz_feedback(format_detect(input, &alike));
    for (int i = 0; i < format_count(); i++) {
        int reports = 0;
        const char *inputs[] = {input};
        const Progress progress = {go_on, &reports};
        const ImportOptions options = {
            .inputs = inputs, .input_count = 1, .scale = 1.0, .fps = 30.0, .progress = &progress};
        const Format *format = format_at(i);
        const bool tried =
            format == alike || (!alike && !format->recognise) || (int)(size % (size_t)format_count()) == i;
        if (!format || !format->import || !tried)
            continue;
        Status status = format->import(&options, output);
        fuzz_feedback(status);
        fuzz_require((access(output, F_OK) == 0) == (status.code == STATUS_OK));
        if (status.code == STATUS_OK) {
            Dataset *dataset = NULL;
            status = dataset_read(output, NULL, &dataset);
            fuzz_require(status.code == STATUS_OK);
            for (size_t k = 0; k < 3 * (size_t)dataset->mesh.vertex_count; k++)
                fuzz_require(isfinite(dataset->mesh.rest[k]));
            dataset_free(dataset);
            char once[SHA256_TEXT_BYTES], twice[SHA256_TEXT_BYTES];
            fuzz_require(file_sha256(output, once).code == STATUS_OK);
            reports = 0;
            fuzz_require(format->import(&options, output).code == STATUS_OK);
            fuzz_require(file_sha256(output, twice).code == STATUS_OK && strcmp(once, twice) == 0);
            unlink(output);
        }
    }
    return 0;
}

/* Corrects the checksums of a tar archive, which consists of 512-byte blocks. A header block has a magic
 * number and, in octal digits, the sum of its bytes, for which these digits count as blanks. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    enum { BLOCK = 512, SUM_AT = 148, SUM_BYTES = 8, MAGIC_AT = 257 };
    size = LLVMFuzzerMutate(data, size, capacity);
    for (size_t offset = 0; seed % 8 != 0 && offset + BLOCK <= size; offset += BLOCK) {
        unsigned sum = 0;
        if (memcmp(data + offset + MAGIC_AT, "ustar", 5) != 0)
            continue;
        memset(data + offset + SUM_AT, ' ', SUM_BYTES);
        for (size_t i = 0; i < BLOCK; i++)
            sum += data[offset + i];
        char digits[SUM_BYTES];
        snprintf(digits, sizeof digits, "%06o", sum);
        memcpy(data + offset + SUM_AT, digits, SUM_BYTES - 1);
    }
    return size;
}
