/* The supervisor is a fork of this process. It reads the program's output through a pipe, samples the memory
 * of its descendants from /proc, and writes the outcome to memory that it shares with this process. It is a
 * subreaper: a process whose parent has died becomes its child, even if that process left the session. */
#define _DEFAULT_SOURCE
#include "datasets/base/limited_child.h"

#include "datasets/base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TREE_MAX = 4096, SAMPLE_MS_MAX = 50, GRACE_MS = 200, DESCRIPTORS_MAX = 4096 };

typedef struct Supervision {
    LimitedOutcome outcome;
    bool whole;      /* whether the supervisor finished its work */
    bool stopped;    /* whether it was asked to stop */
    int start_errno; /* why the program could not be started; 0 if it could */
} Supervision;

/* ---- the descendants of the supervisor ---- */

typedef struct Tree {
    int ids[TREE_MAX], parents[TREE_MAX];
    double resident_bytes[TREE_MAX];
    bool inside[TREE_MAX]; /* whether the process is a living descendant */
    int count;
} Tree;

/* Reads the parent and the resident memory of a process. Returns false for one that has ended. */
static bool process_read(int id, int *parent, double *resident_bytes)
{
    char path[64], text[1024], state = 'Z';
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", id);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return false;
    text[size] = '\0';
    const char *after = strrchr(text, ')');   /* the name before it may contain anything */
    const bool found = after && sscanf(after, // NOLINT(cert-err34-c): the kernel's own numbers
                                       ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                                       "%*d %*d %*u %*u %ld",
                                       &state, parent, &pages) == 3;
    *resident_bytes = (double)pages * (double)sysconf(_SC_PAGESIZE);
    return found && state != 'Z' && state != 'X';
}

/* Finds the living descendants of this process. Returns how many there are, and adds up their memory. */
static int tree_read(Tree *tree, double *resident_bytes)
{
    DIR *folder = opendir("/proc");
    int inside = 0, before = -1;
    tree->count = 0;
    *resident_bytes = 0.0;
    for (struct dirent *entry = NULL; folder && (entry = readdir(folder)) && tree->count < TREE_MAX;) {
        const int id = (int)strtol(entry->d_name, NULL, 10), i = tree->count;
        tree->ids[i] = id;
        tree->inside[i] = false;
        tree->count += id > 0 && process_read(id, &tree->parents[i], &tree->resident_bytes[i]);
    }
    if (folder)
        closedir(folder);
    while (inside != before) { /* until no process is added */
        before = inside;
        for (int i = 0; i < tree->count; i++) {
            bool child = tree->parents[i] == getpid();
            for (int k = 0; k < tree->count && !child; k++)
                child = tree->inside[k] && tree->ids[k] == tree->parents[i];
            if (!child || tree->inside[i])
                continue;
            tree->inside[i] = true;
            *resident_bytes += tree->resident_bytes[i];
            inside++;
        }
    }
    return inside;
}

/* Kills all descendants. Those of a killed process become children of this one, and are found next time. */
static void tree_kill(Tree *tree)
{
    double resident_bytes = 0.0;
    const double end_s = clock_now_s() + 10.0;
    while (tree_read(tree, &resident_bytes) > 0 && clock_now_s() < end_s) {
        for (int i = 0; i < tree->count; i++)
            if (tree->inside[i])
                kill(tree->ids[i], SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        usleep(1000);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

/* ---- the supervisor ---- */

/* Becomes the program, in a session of its own. */
static _Noreturn void program_become(const LimitedTask *task, int output, Supervision *shared)
{
    static const char *const variables[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"};
    const int null = open("/dev/null", O_RDONLY);
    const rlim_t memory = (rlim_t)task->memory_bytes;
    char threads[16];
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    snprintf(threads, sizeof threads, "%d", task->threads);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        setenv(variables[i], threads, 1);
    setrlimit(RLIMIT_DATA, &(struct rlimit){memory, memory});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && chdir(task->folder) == 0) {
        for (int i = STDERR_FILENO + 1; i < DESCRIPTORS_MAX; i++)
            close(i);
        execvp(task->arguments[0], task->arguments);
    }
    shared->start_errno = errno;
    _exit(127);
}

/* Appends output to the last words, of which the end is kept. Returns false at the end of the output. */
static bool words_read(int output, LimitedOutcome *outcome)
{
    char piece[LIMITED_WORDS_BYTES / 2];
    const ssize_t got = read(output, piece, sizeof piece);
    size_t kept = strlen(outcome->words);
    for (ssize_t i = 0; i < got; i++)
        if (piece[i] == '\0')
            piece[i] = ' ';
    if (got > 0 && kept + (size_t)got >= sizeof outcome->words) {
        const size_t dropped = kept + (size_t)got + 1 - sizeof outcome->words;
        memmove(outcome->words, outcome->words + dropped, kept - dropped);
        kept -= dropped;
    }
    if (got > 0) {
        memcpy(outcome->words + kept, piece, (size_t)got);
        outcome->words[kept + (size_t)got] = '\0';
    }
    return got > 0;
}

/* Starts the program and waits until it ends or exceeds a limit. Returns whether it ended; *how is its exit
 * status in the form of waitpid. */
static bool program_watch(const LimitedTask *task, int signals, Tree *tree, Supervision *shared, int *how)
{
    LimitedOutcome *out = &shared->outcome;
    int output[2], status = 0;
    double resident_bytes = 0.0, next_sample_s = 0.0;
    if (pipe(output) != 0) {
        shared->start_errno = errno;
        return true;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    const double start_s = clock_now_s();
    const pid_t program = fork();
    if (program == 0)
        program_become(task, output[1], shared);
    if (program < 0) /* else the process of the program may have set it already */
        shared->start_errno = errno;
    close(output[1]);
    bool ended = program < 0;
    while (!ended && !out->fault[0] && !shared->stopped) {
        struct signalfd_siginfo signal = {.ssi_signo = 0};
        struct pollfd waits[] = {{.fd = signals, .events = POLLIN}, {.fd = output[0], .events = POLLIN}};
        const int patience_ms = clock_now_s() - start_s < 0.1 ? 2 : SAMPLE_MS_MAX;
        poll(waits, 2, patience_ms);
        if (waits[0].revents && read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal)
            shared->stopped = signal.ssi_signo == SIGTERM;
        if (waits[1].revents && !words_read(output[0], out) && errno != EAGAIN) {
            close(output[0]);
            output[0] = -1; /* poll ignores it */
        }
        for (pid_t id; (id = waitpid(-1, &status, WNOHANG)) > 0;)
            if (id == program) {
                ended = true;
                *how = status;
            }
        out->wall_s = clock_now_s() - start_s;
        if (ended || out->wall_s < next_sample_s)
            continue;
        tree_read(tree, &resident_bytes);
        next_sample_s = out->wall_s + 1e-3 * patience_ms;
        out->peak_bytes = fmax(out->peak_bytes, resident_bytes);
        if (resident_bytes > task->memory_bytes)
            snprintf(out->fault, sizeof out->fault, "used more than %.0f MB of memory",
                     0x1p-20 * task->memory_bytes);
        else if (out->wall_s > task->time_limit_s)
            snprintf(out->fault, sizeof out->fault, "ran longer than %g s", task->time_limit_s);
    }
    while (output[0] >= 0 && words_read(output[0], out))
        continue;
    if (output[0] >= 0)
        close(output[0]);
    return ended;
}

/* Runs the program, ends all that it left, and describes the outcome. */
static _Noreturn void supervise(const LimitedTask *task, Supervision *shared, pid_t parent)
{
    static Tree tree;
    LimitedOutcome *out = &shared->outcome;
    struct rusage used;
    sigset_t signals;
    double resident_bytes = 0.0;
    int left = 0, how = 0;
    sigfillset(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL); /* signals of a terminal are left to the parent */
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    const int file = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (file < 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ||
        getppid() != parent)
        _exit(1);
    const bool ended = program_watch(task, file, &tree, shared, &how);
    const double grace_s = clock_now_s() + 1e-3 * GRACE_MS; /* for children that are about to end */
    while (ended && (left = tree_read(&tree, &resident_bytes)) > 0 && clock_now_s() < grace_s) {
        poll(NULL, 0, 5);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
    }
    tree_kill(&tree);
    getrusage(RUSAGE_CHILDREN, &used);
    out->processor_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    out->exit_code = ended && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    if (ended && WIFSIGNALED(how))
        snprintf(out->fault, sizeof out->fault, "ended by a signal: %s", strsignal(WTERMSIG(how)));
    else if (ended && out->exit_code != 0)
        snprintf(out->fault, sizeof out->fault, "exit code %d", out->exit_code);
    else if (left > 0)
        snprintf(out->fault, sizeof out->fault, "left %d processes running", left);
    shared->whole = true;
    _exit(0);
}

/* ---- this process ---- */

static void shared_release(Supervision *const *shared)
{
    if (*shared != MAP_FAILED)
        munmap(*shared, sizeof **shared);
}

Status limited_child_run(const LimitedTask *task, LimitedOutcome *out)
{
    const pid_t parent = getpid();
    *out = (LimitedOutcome){.exit_code = -1};
    CLEANUP(shared_release)
    Supervision *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t supervisor = shared == MAP_FAILED ? -1 : fork();
    if (supervisor < 0)
        return status_make(STATUS_SYSTEM, "a process cannot be started: %s", strerror(errno));
    if (supervisor == 0)
        supervise(task, shared, parent);
    bool asked = false;
    for (pid_t ended = 0; ended != supervisor && !(ended < 0 && errno != EINTR);) {
        ended = waitpid(supervisor, NULL, WNOHANG);
        if (ended == 0)
            poll(NULL, 0, 5);
        if (ended == 0 && !asked && progress_stopped(task->progress)) {
            asked = true;
            kill(supervisor, SIGTERM);
        }
    }
    *out = shared->outcome;
    if (asked)
        return status_make(STATUS_STOPPED, "stopped while %s ran", task->arguments[0]);
    if (!shared->whole)
        return status_make(STATUS_SYSTEM, "the process that watches %s ended", task->arguments[0]);
    if (shared->start_errno != 0)
        snprintf(out->fault, sizeof out->fault, "%.64s cannot be started: %s", task->arguments[0],
                 strerror(shared->start_errno));
    return status_ok();
}
