/* The main of every program of unit tests.
 *   PROGRAM UNIT          runs the tests of a unit that have no optional requirements
 *   PROGRAM UNIT NEED     runs the tests that need NEED: data (the real data sets) or nvrtc
 *   PROGRAM UNIT TEST     runs one test
 * Exits with 77, which ctest counts as skipped, if nothing failed but a requirement was missing. */
#include "tests/support.h"

#include "datasets/io/temporary_folder.h"

enum { TESTS_MAX = 512, FOLDERS_MAX = 256 };

typedef struct Test {
    const char *file, *name;
    CMUnitTestFunction run;
} Test;

/* Texts that text_of has returned, the latest first. */
typedef struct MadeText {
    struct MadeText *next;
    char text[];
} MadeText;

static Test tests[TESTS_MAX];
static MadeText *texts; /* texts of the running test */
static int test_count, lacking;
static char *folders[FOLDERS_MAX]; /* folders of the running test */
static int folder_count;
static const char *paths_folder; /* the folder that path_of uses; NULL until it is created */

void test_add(const char *file, const char *name, CMUnitTestFunction test)
{
    if (test_count == TESTS_MAX)
        abort();
    tests[test_count++] = (Test){file, name, test};
}

void test_lacks(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_message("SKIPPED: %s\n", text);
    lacking++;
}

char *text_of(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    MadeText *text = malloc(sizeof *text + (size_t)length + 1);
    assert_non_null(text);
    *text = (MadeText){texts};
    texts = text;
    vsnprintf(text->text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text->text;
}

const char *test_folder(void)
{
    assert_true(folder_count < FOLDERS_MAX);
    folders[folder_count] = mkdtemp(text_of("/tmp/skinbench-test-XXXXXX"));
    assert_non_null(folders[folder_count]);
    return folders[folder_count++];
}

const char *path_of(const char *name)
{
    if (!paths_folder)
        paths_folder = test_folder();
    return text_of("%s%s%s", paths_folder, name[0] ? "/" : "", name);
}

static FILE *file_open(const char *path, const char *mode)
{
    FILE *file = fopen(path[0] == '/' ? path : path_of(path), mode);
    fail_if(!file, "%s cannot be opened", path);
    return file;
}

void bytes_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = file_open(path, "wb");
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void text_write(const char *path, const char *text)
{
    bytes_write(path, text, strlen(text));
}

char *file_read(const char *path, size_t *length)
{
    FILE *file = file_open(path, "rb");
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file);
    char *bytes = memory_array(size + 1, 1);
    rewind(file);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    if (length)
        *length = size;
    return bytes;
}

const char *quoted(const char *text)
{
    char *copy = text_of("%s", text);
    for (char *c = copy; (c = strchr(c, '\'')) != NULL;)
        *c = '"';
    return copy;
}

void assert_file_holds(const char *path, const char *part)
{
    OWNED char *text = file_read(path, NULL);
    fail_if(!strstr(text, part), "%s does not hold '%s'", path, part);
}

void assert_file_lacks(const char *path, const char *part)
{
    OWNED char *text = file_read(path, NULL);
    fail_if(strstr(text, part), "%s holds '%s'", path, part);
}

static int test_end(void **state)
{
    (void)state;
    while (folder_count > 0)
        folder_remove(folders[--folder_count]);
    paths_folder = NULL;
    for (MadeText *next; texts; texts = next) {
        next = texts->next;
        free(texts);
    }
    return 0;
}

/* Returns whether a test belongs to the unit, that is, whether its file is .../test_UNIT.c. */
static bool is_of_unit(const Test *test, const char *unit)
{
    const char *slash = strrchr(test->file, '/'), *name = (slash ? slash + 1 : test->file) + strlen("test_");
    return strncmp(name, unit, strlen(unit)) == 0 && strcmp(name + strlen(unit), ".c") == 0;
}

/* Returns the optional requirement of a test, judged by its name, or "" if it has none. */
static const char *need_of(const Test *test)
{
    static const char *const needs[] = {"data", "nvrtc"};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strncmp(test->name, needs[i], strlen(needs[i])) == 0 && test->name[strlen(needs[i])] == '_')
            return needs[i];
    return "";
}

int main(int argc, char **argv)
{
    struct CMUnitTest chosen[TESTS_MAX];
    const char *wanted = argc > 2 ? argv[2] : "";
    size_t count = 0;
    for (int i = 0; argc > 1 && i < test_count; i++)
        if (is_of_unit(&tests[i], argv[1]) &&
            (strcmp(need_of(&tests[i]), wanted) == 0 || strcmp(tests[i].name, wanted) == 0))
            chosen[count++] = (struct CMUnitTest){tests[i].name, tests[i].run, NULL, test_end, NULL};
    if (count == 0) {
        fprintf(stderr, "usage: %s UNIT [data | nvrtc | TEST]\n", argv[0]);
        return 2;
    }
    const int failed = _cmocka_run_group_tests(argv[1], chosen, count, NULL, NULL);
    return failed == 0 && lacking > 0 ? 77 : failed;
}
