/* Names, texts and data files of figures, and gnuplot, which draws them. memmem is GNU's. */
#define _GNU_SOURCE
#include "harness/report/figure_parts.h"

#include "datasets/base/text.h"
#include "datasets/io/stream.h"
#include "harness/environment/environment.h"
#include "harness/tables/published.h"
#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_BYTES = 65536, FIGURE_TEXT_BYTES = 1024 };

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
    *file = fopen(path, "we");
    return *file ? status_ok()
                 : status_make(STATUS_MACHINE, "%s.%s: cannot be written: %s", name, extension,
                               strerror(errno));
}

Status report_file_close(FILE *file, const char *name, Status before)
{
    int error = stream_close(file);
    return error != 0 && before.code == STATUS_OK
               ? status_make(STATUS_MACHINE, "%s: cannot be written: %s", name, strerror(error))
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
        return status_make(STATUS_MACHINE, "gnuplot failed: %.400s",
                           WIFSIGNALED(answer) ? strsignal(WTERMSIG(answer)) : text);
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

/* gnuplot does not look at what becomes of what it writes: whether a file ends as those of its kind do. */
static Status face_check(const char *folder, const char *name, const char *face, const char *end)
{
    char path[COMMAND_BYTES], last[16];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, face);
    FILE *file = fopen(path, "r+e");
    bool whole = false;
    int error = file ? 0 : errno;
    if (file && fseek(file, -(long)sizeof last, SEEK_END) == 0 &&
        fread(last, 1, sizeof last, file) == sizeof last)
        whole = memmem(last, sizeof last, end, strlen(end)) != NULL;
    if (file && !whole) { /* the next write meets the reason */
        static const char more[BUFSIZ];
        (void)fseek(file, 0, SEEK_END);
        (void)fwrite(more, 1, sizeof more, file);
        error = stream_flush(file);
    }
    if (file)
        (void)fclose(file);
    return whole ? status_ok()
                 : status_make(STATUS_MACHINE, "%s.%s: cannot be written: %s", name, face,
                               error != 0 ? strerror(error) : "gnuplot left it unfinished");
}

Status figure_draw(const char *script, const char *folder, const char *name, const char *heading,
                   const char *more, bool *drawn)
{
    static const struct {
        const char *name, *end; /* what its files end with, within 16 bytes */
    } faces[] = {{"svg", "</svg>"}, {"pdf", "%%EOF"}, {"png", "IEND"}};
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
                     place, faces[i].name, name, faces[i].name, home, title, name,
                     more) >= (int)sizeof settings)
            return status_make(STATUS_MACHINE, "the settings of the figure %s are too long", name);
        char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-e"}, settings, path, NULL};
        status = gnuplot_run(arguments, text, sizeof text);
        if (status.code == STATUS_OK)
            status = face_check(folder, name, faces[i].name, faces[i].end);
    }
    *drawn = status.code == STATUS_OK;
    return status;
}
