/* Fuzzes the command line: each line of the input is an argument. Commands that only read named files run
 * unchanged, in an empty folder that no argument can leave. Commands that run for a long time without any
 * input only read their options. Whatever the arguments are, the folder must stay empty. */
#include "tests/fuzz/fuzz.h"

#include "harness/commands/commands.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64, VERBS_MAX = 32 };
static const char *const long_verbs[] = {"bench", "claims", "doctor", "generate", "table", "time-worker"};
static Command verbs[VERBS_MAX + 1]; /* the commands, followed by an empty row */
static const Command *verb;          /* the command that is run */

/* Runs in place of a command that would take a long time. Reads every option of the command as each type of
 * value. */
static Status options_read(const CommandLine *line)
{
    static const Parameter rows[2] = {{"weight", "", PARAMETER_REAL, 0.5, 0.0, 1.0, NULL}};
    ParameterValues values;
    for (const CommandOption *option = verb->options; option && option->name; option++) {
        const char *text = NULL;
        double real = 0.0;
        int integer = 0;
        fuzz_status(command_line_integer(line, option->name, 7, -9, 9, &integer));
        fuzz_status(command_line_real(line, option->name, 0.5, -1.0, 1.0, &real));
        fuzz_status(command_line_required(line, option->name, &text));
        fuzz_require(integer >= -9 && integer <= 9 && real >= -1.0 && real <= 1.0);
        fuzz_require(command_line_flag(line, option->name) == (text != NULL));
    }
    fuzz_require(line->threads >= 1);
    return verb->takes & TAKES_SET ? command_line_parameters(line, rows, "the target", &values) : status_ok();
}

static void verbs_make(void)
{
    for (int i = 0; commands_all[i].name; i++) {
        fuzz_require(i < VERBS_MAX);
        verbs[i] = commands_all[i];
        for (size_t k = 0; k < sizeof long_verbs / sizeof *long_verbs; k++)
            if (strcmp(verbs[i].name, long_verbs[k]) == 0)
                verbs[i].run = options_read;
    }
}

/* Disables OpenCL, because looking for devices is slow. */
int LLVMFuzzerInitialize(UNUSED int *argc, UNUSED char ***argv)
{
    fuzz_require(setenv("OCL_ICD_VENDORS", "none", 1) == 0);
    verbs_make();
    return 0;
}

/* Runs the program with its output discarded. The sanitizers keep the real stderr. */
static void run_quietly(int argc, char **argv)
{
    static FILE *sink;
    FILE *const out = stdout, *const err = stderr;
    const int answers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
    struct sigaction before[sizeof answers / sizeof *answers];
    if (!sink)
        sink = fopen("/dev/null", "w");
    fuzz_require(sink);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        sigaction(answers[i], NULL, &before[i]);
    stdout = stderr = sink;
    const int code = command_line_main(verbs, argc, argv);
    stdout = out;
    stderr = err;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        sigaction(answers[i], &before[i], NULL);
    fuzz_require((code >= 0 && code <= 5) || code == 130);
}

static bool folder_is_empty(void)
{
    DIR *entries = opendir(".");
    bool empty = entries != NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (entries)
        closedir(entries);
    return empty;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[ARGUMENTS_MAX + 2] = {(char[]){"skinbench"}};
    int argc = 1;
    if (memchr(data, '/', size)) /* without a slash, no argument can name a file outside of the folder */
        return 0;
    OWNED_BY(free) char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *rest = text; rest && argc <= ARGUMENTS_MAX;) {
        argv[argc++] = rest;
        rest = strchr(rest, '\n');
        if (rest)
            *rest++ = '\0';
    }
    for (int i = 0; verbs[i].name; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            verb = &verbs[i];
    const int home = open(".", O_RDONLY | O_DIRECTORY);
    const char *folder = fuzz_path("empty");
    (void)mkdir(folder, 0700);
    fuzz_require(home >= 0 && chdir(folder) == 0);
    run_quietly(argc, argv);
    fuzz_require(folder_is_empty());
    fuzz_require(fchdir(home) == 0);
    close(home);
    return 0;
}
