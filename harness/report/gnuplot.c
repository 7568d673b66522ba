/* Runs gnuplot and keeps what it prints. */
#include "harness/report/gnuplot.h"

#include "harness/environment/environment.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_BYTES = 8192 };

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

void gnuplot_quote(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 2 < size; text++) {
        if (*text == '\'')
            out[used++] = '\'';
        out[used++] = *text;
    }
    out[used] = '\0';
}

Status gnuplot_plot(const char *script, const char *folder, const char *name, const char *settings)
{
    static const char *const faces[] = {"svg", "pdf", "png"};
    char quoted[COMMAND_BYTES];
    Status status = status_ok();
    gnuplot_quote(folder, quoted, sizeof quoted);
    for (size_t i = 0; i < sizeof faces / sizeof *faces && status.code == STATUS_OK; i++) {
        char before[COMMAND_BYTES], path[COMMAND_BYTES], text[1024];
        snprintf(path, sizeof path, "%s/scripts/plots/%s.gp", environment_home(), script);
        if (snprintf(before, sizeof before, "cd '%s'; face='%s'; output_name='%s.%s'; %s", quoted, faces[i],
                     name, faces[i], settings) >= (int)sizeof before)
            return status_make(STATUS_MACHINE, "the settings of the figure %s are too long", name);
        char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-e"}, before, path, NULL};
        status = gnuplot_run(arguments, text, sizeof text);
    }
    return status;
}
