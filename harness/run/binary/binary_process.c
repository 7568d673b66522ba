/* Lines to and from a child process, with a limit on how long an answer may take. */
#include "harness/run/binary/binary_process.h"

#include "datasets/base/clock.h"
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the longest fit of a suite takes, many times over. */
static const double ANSWER_LIMIT_S = 120.0;
enum { STOP_POLL_MS = 100 };

Status binary_process_check(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return bad_input("%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode) || access(path, X_OK) != 0)
        return bad_input("%s: is not an executable file", path);
    return status_ok();
}

/* Ends the process and says what was wrong with it, how it ended and what it printed last. */
static Status process_failed(BinaryProcess *process, const char *what)
{
    char how[64], text[200];
    const int exit_code = child_kill_explained(&process->child, how, text, sizeof text);
    process->line[process->filled] = '\0';
    process->line[strcspn(process->line, "\n")] = '\0';
    const char *printed = process->line[0] ? process->line : text;
    return status_make(exit_code == STATUS_SYSTEM ? STATUS_SYSTEM : STATUS_BAD_INPUT,
                       "%.180s: %s (%s)%s%.180s", process->path, what, how,
                       printed[0] ? "; it printed: " : "", printed);
}

/* Reads until the buffer holds a line. */
static Status line_wait(BinaryProcess *process)
{
    const double start_s = clock_now_s();
    while (!memchr(process->line, '\n', process->filled)) {
        struct pollfd output = {.fd = process->child.output, .events = POLLIN};
        if (process->filled + 1 >= sizeof process->line)
            return process_failed(process, "prints something that is not an answer of a worker");
        const int ready = poll(&output, 1, STOP_POLL_MS);
        if (progress_stopped(process->progress))
            return status_make(STATUS_STOPPED, "stopped");
        if (ready <= 0 && clock_now_s() - start_s > ANSWER_LIMIT_S)
            return process_failed(process, "gives no answer any more");
        if (ready <= 0)
            continue;
        const ssize_t got = read(process->child.output, process->line + process->filled,
                                 sizeof process->line - 1 - process->filled);
        if (got == 0 || (got < 0 && errno != EINTR))
            return process_failed(process, "ended before its work was done");
        process->filled += got > 0 ? (size_t)got : 0;
    }
    return status_ok();
}

/* Takes the first line out of the buffer. */
static void line_take(BinaryProcess *process, char *answer)
{
    const size_t length = (size_t)((char *)memchr(process->line, '\n', process->filled) - process->line);
    memcpy(answer, process->line, length);
    answer[length] = '\0';
    process->filled -= length + 1;
    memmove(process->line, process->line + length + 1, process->filled);
}

Status binary_process_start(const char *path, const Progress *progress, BinaryProcess *out)
{
    char place[1024], greeting[BINARY_LINE_BYTES];
    *out = (BinaryProcess){.path = path, .progress = progress};
    /* A name without a slash would be looked for on the PATH. */
    if (snprintf(place, sizeof place, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof place)
        return bad_usage("%.200s...: the path is too long", path);
    char worker[] = "time-worker", *const arguments[] = {place, worker, NULL};
    STATUS_TRY(child_start(arguments, "times cannot be compared", true, &out->child));
    STATUS_TRY(line_wait(out));
    if (strncmp(out->line, BINARY_GREETING " ", sizeof BINARY_GREETING) != 0)
        return process_failed(out,
                              "is not a skinbench that `compare --binary` can time, or is an older build");
    line_take(out, greeting);
    const long version = strtol(greeting + sizeof BINARY_GREETING, NULL, 10);
    if (version != BINARY_PROTOCOL)
        return bad_input("%.200s: speaks version %ld of time-worker, this program %d", path, version,
                         BINARY_PROTOCOL);
    return status_ok();
}

Status binary_process_ask(BinaryProcess *process, const char *request)
{
    if (fprintf(process->child.input, "%s\n", request) < 0 || fflush(process->child.input) != 0)
        return process_failed(process, "ended before its work was done");
    return status_ok();
}

Status binary_process_answer(BinaryProcess *process, const char *expected, char *answer)
{
    const size_t length = strlen(expected);
    STATUS_TRY(line_wait(process));
    if (strncmp(process->line, "no\t", 3) == 0) {
        line_take(process, answer);
        const char *tab = strchr(answer + 3, '\t'), *reason = tab ? tab + 1 : "";
        if (strtol(answer + 3, NULL, 10) == STATUS_SYSTEM)
            return status_make(STATUS_SYSTEM, "%.180s: %.320s", process->path, reason);
        return status_make(STATUS_CHECK_FAILED, "%s", reason);
    }
    if (strncmp(process->line, expected, length) != 0 || !strchr("\t\n", process->line[length]))
        return process_failed(process, "prints something that is not an answer of a worker");
    line_take(process, answer);
    return status_ok();
}

void binary_process_end(BinaryProcess *process, bool failed)
{
    char text[STATUS_TEXT_BYTES];
    if (process->child.id == 0)
        return;
    if (failed)
        child_kill(&process->child);
    else
        (void)child_finish(&process->child, text, sizeof text);
}
