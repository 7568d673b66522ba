/* Runs a fuzz target on the files of folders without libFuzzer, so that its corpus becomes an ordinary
 * test.
 *   fuzz_<target> [-option...] FOLDER...     options of libFuzzer are ignored */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma weak LLVMFuzzerInitialize

size_t LLVMFuzzerMutate(UNUSED uint8_t *data, size_t size, UNUSED size_t capacity)
{
    return size;
}

static int replayed;

static void file_replay(const char *name)
{
    FILE *file = fopen(name, "rb");
    struct stat facts;
    fuzz_require(file && fstat(fileno(file), &facts) == 0);
    if (S_ISREG(facts.st_mode)) {
        uint8_t *data = malloc(
            (size_t)facts.st_size); /* exactly the file's size, so that the sanitizer detects overreads */
        size_t size = fread(data, 1, (size_t)facts.st_size, file);
        alarm(60); /* a hang must end the test */
        fuzz_require(LLVMFuzzerTestOneInput(data, size) == 0);
        free(data);
        replayed++;
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            continue;
        DIR *folder = opendir(argv[i]);
        fuzz_require(folder);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char name[4096];
            snprintf(name, sizeof name, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                file_replay(name);
        }
        closedir(folder);
    }
    fprintf(stderr, "%d inputs\n", replayed);
    return replayed == 0;
}
