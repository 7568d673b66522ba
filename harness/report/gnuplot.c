#include "harness/report/gnuplot.h"

#include "harness/environment/environment.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_BYTES = 8192 };

/* Runs gnuplot with these arguments in `folder` (NULL: here); what it says is kept in text [size], its first
 * line only. */
static Status gnuplot_run(const char *folder, char *const arguments[], char *text, size_t size)
{
    int ends[2];
    text[0] = '\0';
    if (pipe(ends) != 0)
        return status_make(STATUS_MACHINE, "cannot start gnuplot: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return status_make(STATUS_MACHINE, "cannot start gnuplot: %s", strerror(errno));
    }
    if (child == 0) {
        if (dup2(ends[1], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0 ||
            (folder && chdir(folder) != 0))
            _exit(126);
        close(ends[0]);
        close(ends[1]);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    size_t used = 0;
    char piece[512];
    for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR);)
        for (ssize_t i = 0; i < got; i++)
            if (used + 1 < size && !(used == 0 && piece[i] == '\n'))
                text[used++] = piece[i];
    text[used] = '\0';
    close(ends[0]);
    int answer = 0;
    while (waitpid(child, &answer, 0) < 0 && errno == EINTR)
        continue;
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    if (WIFEXITED(answer) && WEXITSTATUS(answer) == 127)
        return status_make(STATUS_UNAVAILABLE, "gnuplot is not on the PATH; figures cannot be drawn");
    if (!WIFEXITED(answer) || WEXITSTATUS(answer) != 0)
        return status_make(STATUS_MACHINE, "gnuplot failed: %.400s", text);
    return status_ok();
}

Status gnuplot_probe(char *text, size_t size)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"--version"}, NULL};
    return gnuplot_run(NULL, arguments, text, size);
}

Status gnuplot_plot(const char *script, const char *folder, const char *name, const char *settings)
{
    static const char *const faces[] = {"svg", "pdf", "png"};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof faces / sizeof *faces && status.code == STATUS_OK; i++) {
        char before[COMMAND_BYTES], path[COMMAND_BYTES], text[1024];
        snprintf(path, sizeof path, "%s/scripts/plots/%s.gp", environment_home(), script);
        if (snprintf(before, sizeof before, "face='%s'; output_name='%s.%s'; %s", faces[i], name, faces[i],
                     settings) >= (int)sizeof before)
            return status_make(STATUS_MACHINE, "the settings of the figure %s are too long", name);
        char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-e"}, before, path, NULL};
        status = gnuplot_run(folder, arguments, text, sizeof text);
    }
    return status;
}
