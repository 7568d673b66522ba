/* Names, texts and data files of figures, and gnuplot, which draws them. */
#include "harness/report/figure_parts.h"

#include "datasets/base/text.h"
#include "harness/environment/environment.h"
#include "harness/tables/published.h"
#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_BYTES = 8192, FIGURE_TEXT_BYTES = 1024 };

void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES])
{
    size_t used = (size_t)snprintf(name, FIGURE_NAME_BYTES, "%s", prefix);
    for (; *text && used + 1 < FIGURE_NAME_BYTES; text++)
        if (isalnum((unsigned char)*text))
            name[used++] = *text;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

void figure_text(const char *text, char *out, size_t size)
{
    enum { LONGEST_CHARACTER = 4 };
    char plain[FIGURE_TEXT_BYTES];
    size_t used = 0;
    text_escape(plain, sizeof plain, text);
    for (const char *at = plain; *at; at++) {
        if (used + LONGEST_CHARACTER >= size && ((unsigned char)*at & 0xc0) != 0x80)
            break;
        if (strchr("_^{}@&~\\", *at))
            out[used++] = '\\';
        if (*at == '\'')
            out[used++] = '\'';
        out[used++] = *at == '"' ? ' ' : *at;
    }
    out[used] = '\0';
}

Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file)
{
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
    *file = fopen(path, "w");
    return *file ? status_ok() : status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
}

Status report_file_close(FILE *file, const char *name, Status before)
{
    bool failed = file && ferror(file) != 0;
    failed = (file && fclose(file) != 0) || failed;
    return failed && before.code == STATUS_OK
               ? status_make(STATUS_MACHINE, "%s: this file of the report cannot be written", name)
               : before;
}

/* ---- gnuplot, found at run time on the PATH ---- */

extern char **environ; /* which POSIX leaves to the program to declare */

/* Reads all that comes from a pipe, line breaks as blanks; what is past `size` is dropped. */
static void pipe_read(int end, char *text, size_t size)
{
    char piece[512];
    size_t used = 0;
    for (ssize_t got; (got = read(end, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR);)
        for (ssize_t i = 0; i < got; i++)
            if (used + 1 < size && !(used == 0 && piece[i] == '\n'))
                text[used++] = piece[i] == '\n' ? ' ' : piece[i];
    text[used] = '\0';
}

/* Starts gnuplot with both its outputs going to the end of a pipe; an errno, 0: it runs. */
static int gnuplot_spawn(char *const arguments[], const int ends[2], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    for (int i = 0; i < 2 && error == 0; i++)
        error = posix_spawn_file_actions_addclose(&actions, ends[i]);
    if (error == 0)
        error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Runs gnuplot; what it prints is kept in text [size], in one line. */
static Status gnuplot_run(char *const arguments[], char *text, size_t size)
{
    int ends[2], answer = 0;
    pid_t child = 0;
    text[0] = '\0';
    if (pipe(ends) != 0)
        return status_make(STATUS_MACHINE, "cannot start gnuplot: %s", strerror(errno));
    int error = gnuplot_spawn(arguments, ends, &child);
    close(ends[1]);
    if (error == 0)
        pipe_read(ends[0], text, size);
    close(ends[0]);
    while (error == 0 && waitpid(child, &answer, 0) < 0 && errno == EINTR)
        continue;
    /* posix_spawnp may learn only in the child, which then exits with 127, that there is no such program. */
    if (error == ENOENT || (error == 0 && WIFEXITED(answer) && WEXITSTATUS(answer) == 127))
        return status_make(STATUS_UNAVAILABLE, "gnuplot is not on the PATH; figures cannot be drawn");
    if (error != 0)
        return status_make(STATUS_MACHINE, "cannot start gnuplot: %s", strerror(error));
    if (!WIFEXITED(answer) || WEXITSTATUS(answer) != 0)
        return status_make(STATUS_MACHINE, "gnuplot failed: %.400s", text);
    return status_ok();
}

Status gnuplot_probe(char *text, size_t size)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"--version"}, NULL};
    return gnuplot_run(arguments, text, size);
}

/* A text as it stands between single quotes. */
static void gnuplot_quote(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 2 < size; text++) {
        if (*text == '\'')
            out[used++] = '\'';
        out[used++] = *text;
    }
    out[used] = '\0';
}

Status figure_draw(const char *script, const char *folder, const char *name, const char *heading,
                   const char *more, bool *drawn)
{
    static const char *const faces[] = {"svg", "pdf", "png"};
    char path[COMMAND_BYTES], place[COMMAND_BYTES], home[1024], title[512];
    Status status = status_ok();
    gnuplot_quote(folder, place, sizeof place);
    gnuplot_quote(environment_home(), home, sizeof home);
    figure_text(heading, title, sizeof title);
    snprintf(path, sizeof path, "%s/scripts/plots/%s.gp", environment_home(), script);
    for (size_t i = 0; i < sizeof faces / sizeof *faces && status.code == STATUS_OK; i++) {
        char settings[COMMAND_BYTES], text[1024];
        if (snprintf(settings, sizeof settings,
                     "cd '%s'; face='%s'; output_name='%s.%s'; home='%s'; heading='%s'; data='%s.tsv'; %s",
                     place, faces[i], name, faces[i], home, title, name, more) >= (int)sizeof settings)
            return status_make(STATUS_MACHINE, "the settings of the figure %s are too long", name);
        char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-e"}, settings, path, NULL};
        status = gnuplot_run(arguments, text, sizeof text);
    }
    *drawn = status.code == STATUS_OK;
    return status;
}
