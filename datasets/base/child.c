/* Starts child processes with posix_spawnp, with pipes for their input and output. */
#include "datasets/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time to wait for a child that is about to end without being killed. */
enum { PATIENCE_STEPS = 25, PATIENCE_STEP_NS = 10000000 };

/* Exit code of a child that could not execute its program, as in shells. */
enum { NOT_EXECUTED = 126 };

extern char **environ; /* POSIX requires that programs declare `environ` themselves */

/* Opens a pipe whose ends are not inherited by programs that another thread starts meanwhile. Returns 0 or
 * an errno. */
static int pipe_open(int ends[2])
{
    if (pipe(ends) != 0)
        return errno;
    for (int i = 0; i < 2; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
}

static void pipe_close(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* Starts the program with both its outputs connected to a pipe. If `input` is -1, the program inherits this
 * process's input. Signals that this process's threads block are unblocked in the child. Returns 0 or an
 * errno. */
static int child_spawn(char *const arguments[], int input, int output, pid_t *id)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (input >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(id, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static Status child_missing(const Child *child)
{
    return status_make(STATUS_UNAVAILABLE, "%s is not on the PATH; %s", child->program, child->purpose);
}

/* Runs in the forked child: connects its streams, enters the folder, confines itself, and executes the
 * program. Exits with 127 if there is no such program, as posix_spawnp does, and with NOT_EXECUTED on
 * other failures. */
static void child_become(char *const arguments[], const char *folder, bool (*confine)(void), int output)
{
    const int null = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0 || chdir(folder) != 0 || !confine())
        _exit(NOT_EXECUTED);
    execvp(arguments[0], arguments);
    _exit(errno == ENOENT ? 127 : NOT_EXECUTED);
}

Status child_start_confined(char *const arguments[], const char *folder, bool (*confine)(void),
                            const char *purpose, Child *out)
{
    int output[2] = {-1, -1};
    *out = (Child){.purpose = purpose, .output = -1};
    snprintf(out->program, sizeof out->program, "%s", arguments[0]);
    int error = pipe_open(output);
    if (error == 0 && (out->id = fork()) < 0)
        error = errno;
    if (error == 0 && out->id == 0)
        child_become(arguments, folder, confine, output[1]);
    if (error == 0) {
        out->output = output[0];
        output[0] = -1;
    } else {
        out->id = 0;
    }
    pipe_close(output);
    return error == 0 ? status_ok()
                      : status_make(STATUS_SYSTEM, "cannot start %s: %s", out->program, strerror(error));
}

Status child_start(char *const arguments[], const char *purpose, bool fed, Child *out)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    *out = (Child){.purpose = purpose, .output = -1};
    snprintf(out->program, sizeof out->program, "%s", arguments[0]);
    int error = fed ? pipe_open(input) : 0;
    if (error == 0)
        error = pipe_open(output);
    if (error == 0 && fed) {
        out->input = fdopen(input[1], "wb");
        error = out->input ? 0 : errno;
        input[1] = out->input ? -1 : input[1];
    }
    if (error == 0)
        error = child_spawn(arguments, input[0], output[1], &out->id);
    if (error == 0) {
        out->output = output[0];
        output[0] = -1;
    } else if (out->input) {
        fclose(out->input);
        out->input = NULL;
    }
    pipe_close(input);
    pipe_close(output);
    if (error == ENOENT)
        return child_missing(out);
    return error == 0 ? status_ok()
                      : status_make(STATUS_SYSTEM, "cannot start %s: %s", out->program, strerror(error));
}

/* Closes the child's input, reads its output and waits for the child to end. Returns the exit status in the
 * form of waitpid. *error is EPIPE if writing the child's input failed, otherwise 0. */
static int child_wait(Child *child, char *text, size_t size, int *error)
{
    int answer = 0;
    *error = child->input && (ferror(child->input) != 0 || fflush(child->input) != 0) ? EPIPE : 0;
    if (child->input)
        fclose(child->input);
    child->input = NULL;
    char piece[512];
    size_t used = 0;
    for (ssize_t got; (got = read(child->output, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR);)
        for (ssize_t i = 0; i < got; i++)
            if (used + 1 < size && !(used == 0 && piece[i] == '\n'))
                text[used++] = piece[i] == '\n' ? ' ' : piece[i];
    text[used] = '\0';
    close(child->output);
    while (waitpid(child->id, &answer, 0) < 0 && errno == EINTR)
        continue;
    child->id = 0;
    return answer;
}

Status child_finish(Child *child, char *text, size_t size)
{
    int error = 0;
    const int answer = child_wait(child, text, size, &error);
    /* posix_spawnp may find out only in the child that the program does not exist. The child then exits
     * with 127. */
    if (WIFEXITED(answer) && WEXITSTATUS(answer) == 127)
        return child_missing(child);
    child->failed_to_start = WIFEXITED(answer) && WEXITSTATUS(answer) == NOT_EXECUTED;
    if (child->failed_to_start)
        return status_make(STATUS_SYSTEM, "cannot start %s: out of memory, or not permitted", child->program);
    if (!WIFEXITED(answer) || WEXITSTATUS(answer) != 0 || error != 0)
        return status_make(STATUS_SYSTEM, "%s failed: %.400s", child->program,
                           WIFSIGNALED(answer) ? strsignal(WTERMSIG(answer)) : text);
    return status_ok();
}

int child_kill_explained(Child *child, char how[64], char *text, size_t size)
{
    int error = 0;
    how[0] = text[0] = '\0';
    if (child->id == 0)
        return -1;
    for (int step = 0; step < PATIENCE_STEPS; step++) {
        siginfo_t ended = {.si_pid = 0};
        if (waitid(P_PID, (id_t)child->id, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
            break;
        nanosleep(&(struct timespec){.tv_nsec = PATIENCE_STEP_NS}, NULL);
    }
    kill(child->id, SIGKILL);
    const int answer = child_wait(child, text, size, &error);
    if (WIFSIGNALED(answer))
        snprintf(how, 64, "%s", strsignal(WTERMSIG(answer)));
    else
        snprintf(how, 64, "exit code %d", WEXITSTATUS(answer));
    return WIFSIGNALED(answer) ? -1 : WEXITSTATUS(answer);
}

void child_kill(Child *child)
{
    char text[2];
    int error = 0;
    if (child->id == 0)
        return;
    kill(child->id, SIGKILL);
    child_wait(child, text, sizeof text, &error);
}

Status child_run_whole(char *const arguments[], const char *purpose, char *text, size_t size)
{
    Child child;
    text[0] = '\0';
    STATUS_TRY(child_start(arguments, purpose, false, &child));
    return child_finish(&child, text, size);
}
