/* Fuzzes reports made from a result file. Whatever its texts and numbers are, all files of the report must
 * consist of lines without control characters. The data and programs for gnuplot must contain only finite
 * numbers and terminated strings. */
#define _DEFAULT_SOURCE /* strsep */
#include "tests/fuzz/fuzz.h"

#include "harness/show/report/report.h"
#include <dirent.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 24, PLACE_BYTES = 512 };

int LLVMFuzzerInitialize(UNUSED int *argc, UNUSED char ***argv)
{
    fuzz_require(setenv("PATH", "", 1) ==
                 0); /* hides gnuplot; its data and programs are written nevertheless */
    return 0;
}

static bool name_ends(const char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* Checks that numbers in a table for gnuplot are finite. gnuplot does not execute text in tables. */
static void cells_check(char *line)
{
    for (char *rest = line, *cell = NULL; (cell = strsep(&rest, "\t"));) {
        char *end = NULL;
        const double number = strtod(cell, &end);
        fuzz_require(end == cell || *end != '\0' || isfinite(number) || strcmp(cell, "NaN") == 0 ||
                     strcmp(cell, "nan") == 0);
    }
}

/* Checks the settings at the head of a gnuplot program. They must contain no shell commands, and every
 * string must end on its own line. */
static void settings_check(const char *line)
{
    char quote = '\0';
    for (const char *cursor = line; *cursor && !(quote == '\0' && *cursor == '#'); cursor++) {
        if (quote == '\0' && (*cursor == '\'' || *cursor == '"'))
            quote = *cursor;
        else if (*cursor == quote)
            quote = '\0'; /* at a doubled quote, the string ends here and the second quote begins it again */
        else
            fuzz_require(quote == '\'' || *cursor != '`');
    }
    fuzz_require(quote == '\0');
}

static void file_check(const char *path, const char *name)
{
    static char text[TEXT_BYTES];
    FILE *file = fopen(path, "r");
    fuzz_require(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const bool is_table = name_ends(name, ".tsv"), is_program = name_ends(name, ".gp");
    for (size_t i = 0; i < length; i++)
        fuzz_require((unsigned char)text[i] >= ' ' || text[i] == '\n' || (is_table && text[i] == '\t'));
    bool head = true;
    for (char *rest = text, *line = NULL; (line = strsep(&rest, "\n"));) {
        head = head && line[0] != '\0';
        if (is_table)
            cells_check(line);
        else if (is_program && head && strcmp(name, "common.gp") != 0)
            settings_check(line);
    }
}

/* Checks the files of a folder and removes it. */
static void folder_check(const char *folder)
{
    DIR *entries = opendir(folder);
    fuzz_require(entries);
    for (struct dirent *entry = NULL; (entry = readdir(entries)) != NULL;) {
        char path[PLACE_BYTES];
        fuzz_require(snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < PLACE_BYTES);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        fuzz_require(strspn(entry->d_name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") ==
                     strlen(entry->d_name));
        fuzz_require(entry->d_name[0] != '.' && entry->d_name[0] != '-');
        if (strcmp(entry->d_name, "page") == 0) { /* the subfolder with the files of the page */
            folder_check(path);
            continue;
        }
        if (!name_ends(entry->d_name, ".js"))
            file_check(path, entry->d_name);
        fuzz_require(unlink(path) == 0);
    }
    closedir(entries);
    fuzz_require(rmdir(folder) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[PLACE_BYTES];
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    const char *path = fuzz_file("run.jsonl", data, size);
    const Status status = record_store_read(&path, 1, &store);
    fuzz_status(status);
    if (!store)
        return 0;
    snprintf(folder, sizeof folder, "%s", fuzz_path("report"));
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    const Status written = report_write(store, "run.jsonl", NULL, folder, NULL, left_out);
    fuzz_status(written);
    fuzz_require(written.code == STATUS_OK || written.code == STATUS_UNAVAILABLE);
    folder_check(folder);
    return 0;
}
