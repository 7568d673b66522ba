/* Tests which paths output may replace, and which it may not. */
#include "tests/support.h"

#include "datasets/io/atomic_path.h"
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static void assert_resolved(const char *path, OutputKind kind, const char *expected)
{
    OWNED char *result = NULL;
    assert_ok(output_path_resolve(path, kind, &result));
    assert_string_equal(result, expected);
}

TEST(names_that_are_free_or_files)
{
    const char *folder = path_of(""), *path = path_of("out");
    assert_resolved(path, OUTPUT_FILE, path);
    assert_resolved(text_of("%s//", path), OUTPUT_FOLDER, path);
    assert_resolved("plain-name-that-is-not-there", OUTPUT_FILE, "plain-name-that-is-not-there");
    text_write(path, "");
    assert_resolved(path, OUTPUT_FILE, path);
    assert_bad_input("is a file, but the output is a folder", output_path_resolve(path, OUTPUT_FOLDER, NULL));
    assert_bad_input("is a folder", output_path_resolve(folder, OUTPUT_FILE, NULL));
    assert_resolved(folder, OUTPUT_FOLDER, folder);
    if (access("/dev/shm", W_OK) == 0)
        assert_resolved("/dev/shm/skinbench-test.h5", OUTPUT_FILE, "/dev/shm/skinbench-test.h5");
    assert_int_equal(files_in(folder), 1);
}

static void assert_not_replaced(const char *path, const char *what)
{
    const char *named = text_of("%s: is %s, which is never replaced; write to a file", path, what);
    assert_bad_input(named, output_path_resolve(path, OUTPUT_FILE, NULL));
    assert_bad_input(named, output_path_resolve(path, OUTPUT_FOLDER, NULL));
}

TEST(what_is_no_file_stays)
{
    static const char process[] = "the system's name for an open file";
    const char *path = path_of("link");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    assert_not_replaced(path_of("fifo"), "a FIFO");
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path_of("socket"));
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(end >= 0 && bind(end, (struct sockaddr *)&address, sizeof address) == 0);
    assert_not_replaced(address.sun_path, "a socket");
    close(end);
    assert_not_replaced("/dev/null", "a device");
    assert_not_replaced("/dev/stdout", process);
    assert_not_replaced("/dev/fd/1", process);
    assert_not_replaced("/proc/self/fd/1", process);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_not_replaced(path, "a device");
    unlink(path);
    assert_int_equal(symlink("/dev/stderr", path), 0);
    assert_not_replaced(path, process);
    unlink(path);
    assert_int_equal(symlink("link", path), 0);
    assert_bad_input("symbolic links", output_path_resolve(path, OUTPUT_FILE, NULL));
    unlink(path);
    assert_int_equal(symlink("none/file", path), 0);
    assert_bad_input("/link: cannot be written, because there is no folder",
                     output_path_resolve(path, OUTPUT_FILE, NULL));
}
