/* Forks a child process, which drops its rights and answers requests: each byte sent through a socket is
 * one request. Signals from a terminal reach the child as well, but it ignores them and leaves them to the
 * parent. syscall() and CLONE_THREAD are not in POSIX. */
#define _DEFAULT_SOURCE
#include "datasets/io/confined.h"

#include "datasets/base/base.h"
#include "datasets/io/input_file.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#ifdef SKINBENCH_SECCOMP
#include <linux/sched.h>
#include <seccomp.h>
#endif

/* The first page of the memory shared with the child. The memory for requests follows. */
typedef struct Control {
    volatile unsigned char lacked_memory; /* set by the child if it crashes when out of memory */
    Status status;                        /* what the task's `answer` returned */
} Control;

struct Confined {
    ConfinedTask task;
    pid_t process;
    int socket; /* -1 after the child has ended */
    bool overran;
    size_t mapped_bytes;
    Control *control;
};

enum { PAGE_BYTES = 4096, SOCKET = 3, DESCRIPTORS = 6 };
_Static_assert(sizeof(Control) <= PAGE_BYTES, "one page");

/* ---- in the child ---- */

static Control *control; /* for the signal handler */

/* Libraries crash when out of memory, because they do not check every allocation. */
static void crash_note(int signal_number)
{
    (void)signal_number; /* the handler is already reset, so returning repeats the crash and ends the child */
    control->lacked_memory = errno == ENOMEM;
}

static void descriptors_above_close(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    for (int i = first; i < 4096; i++)
        close(i);
}

/* Closes all descriptors except the socket and the file, and replaces the standard streams by the null
 * device. If there is no file, the null device takes its place. */
static bool descriptors_confine(int socket, const ConfinedTask *task)
{
    int null = open("/dev/null", O_RDWR);
    int file = fcntl(task->trusted ? null : task->file, F_DUPFD, CONFINED_FILE + 1);
    socket = fcntl(socket, F_DUPFD, CONFINED_FILE + 1); /* keep it above the descriptors set below */
    if (null < 0 || socket < 0 || file < 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (dup2(null, i) < 0)
            return false;
    if (dup2(socket, SOCKET) < 0 || dup2(file, CONFINED_FILE) < 0)
        return false;
    descriptors_above_close(CONFINED_FILE + 1);
    return true;
}

static void limit_set(int resource, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max)
        limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

#ifdef SKINBENCH_SECCOMP
bool confined_filters(void)
{
    return seccomp_api_get() > 0 &&
           prctl(PR_GET_SECCOMP) >= 0; /* -1 if the kernel has no filters or is emulated */
}

/* Installs a filter that allows only the system calls needed for reading; all other calls fail with EPERM.
 * Files can only be opened for reading. sigaltstack is allowed because the address sanitizer calls it when
 * an exception is thrown. Returns false if out of memory. Returns true if the system has no filters. */
static bool filter_install(void)
{
    static const char *const calls[] = {
        "read",           "pread64",      "readv",       "lseek",      "_llseek",      "fstat",
        "fstat64",        "newfstatat",   "fstatat64",   "statx",      "stat",         "lstat",
        "access",         "readlink",     "readlinkat",  "faccessat",  "mmap",         "mmap2",
        "munmap",         "mremap",       "mprotect",    "madvise",    "brk",          "futex",
        "recvfrom",       "sendto",       "recv",        "send",       "close",        "flock",
        "fcntl",          "fcntl64",      "exit",        "exit_group", "rt_sigreturn", "sigreturn",
        "rt_sigprocmask", "rt_sigaction", "sigaltstack", "setitimer",  "getitimer",    "clock_gettime",
        "gettimeofday",   "getrandom",    "sysinfo",     "getpid",     "gettid",       "sched_yield",
        "clock_gettime64"};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool whole = filter != NULL;
    for (size_t i = 0; whole && i < sizeof calls / sizeof calls[0]; i++) {
        int number = seccomp_syscall_resolve_name(calls[i]);
        if (number != __NR_SCMP_ERROR) /* some architectures lack some of the calls */
            whole = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0) != -ENOMEM;
    }
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
    whole = whole &&
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                             SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY)) != -ENOMEM &&
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                             SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY)) != -ENOMEM &&
            /* abort() sends a signal to its own process, so this must be allowed */
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, UINT32_MAX, (scmp_datum_t)getpid())) != -ENOMEM &&
            seccomp_load(filter) != -ENOMEM;
    if (filter)
        seccomp_release(filter);
    return whole;
}

bool confined_alone(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const bool whole = filter &&
                       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fork), 0) != -ENOMEM &&
                       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(vfork), 0) != -ENOMEM &&
                       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                        SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) != -ENOMEM &&
                       /* a filter cannot see the flags of clone3, which are in memory; if clone3 seems
                        * missing, libraries use clone */
                       seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != -ENOMEM &&
                       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 0) != -ENOMEM &&
                       seccomp_load(filter) != -ENOMEM;
    if (filter)
        seccomp_release(filter);
    return whole;
}
#else
bool confined_filters(void)
{
    return false;
}

bool confined_alone(void)
{
    return true;
}

static bool filter_install(void)
{
    return true;
}
#endif

static void timer_set(double seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void *shared_memory(Control *page)
{
    return (unsigned char *)page + PAGE_BYTES;
}

static _Noreturn void child_run(const ConfinedTask *task, int socket, Control *mapped, pid_t parent)
{
    const double SETUP_S = 1.0;
    char byte = 0;
    /* make this process end when the thread that started it ends, or now if the parent has ended already */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(0);
    control = mapped;
    static const int left_to_parent[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[1 << 16];
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigset_t none;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof left_to_parent / sizeof left_to_parent[0]; i++)
        sigaction(left_to_parent[i], &action, NULL);
    action.sa_handler = SIG_DFL;
    sigaction(SIGPROF, &action, NULL);
    sigaltstack(&alternative, NULL);
    action.sa_handler = crash_note;
    action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        sigaction(crashes[i], &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!descriptors_confine(socket, task))
        _exit(EMFILE); /* the parent explains this exit code; fcntl fails with EINVAL if descriptors above the
                          limit are requested */
    if (!task->trusted) {
        /* After a failed allocation, libseccomp 2.5 may loop forever, so a timer ends the process. */
        control->lacked_memory = 1;
        timer_set(SETUP_S);
        /* limit the address space to its current size, if known, plus the memory of the task */
        long pages = 0, page_bytes = sysconf(_SC_PAGESIZE);
        FILE *file = fopen("/proc/self/statm", "re");
        if (file && fscanf(file, "%ld", &pages) != 1) // NOLINT(cert-err34-c): the kernel's own number
            pages = 0;
        if (file)
            fclose(file);
        size_t space = pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : 0;
        if (space > 0 && task->memory_bytes < SIZE_MAX / 2 - space)
            limit_set(RLIMIT_AS, space + task->memory_bytes);
        limit_set(RLIMIT_CORE, 0);
        limit_set(RLIMIT_FSIZE, 0);
        limit_set(RLIMIT_NOFILE, DESCRIPTORS); /* lets the child open one more file at a time */
        if (!filter_install())
            _exit(ENOMEM);
        timer_set(0.0);
        control->lacked_memory = 0;
    }
    while (recv(SOCKET, &byte, 1, 0) == 1) {
        timer_set(task->processor_s);
        errno = 0;
        control->status = task->answer(task->context, shared_memory(control));
        timer_set(0.0);
        if (send(SOCKET, &byte, 1, 0) != 1)
            break;
    }
    _exit(0);
}

/* ---- in the parent process ---- */

static Status child_start(Confined *confined)
{
    const pid_t parent = getpid();
    int ends[2] = {-1, -1};
    confined->control->lacked_memory = 0;
    const int paired = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    CLEANUP(descriptor_close) int here = ends[0], there = ends[1];
    if (paired != 0 || (confined->process = fork()) < 0) {
        confined->process = 0;
        return status_make(STATUS_SYSTEM, "a process cannot be started: %s", strerror(errno));
    }
    if (confined->process == 0)
        child_run(&confined->task, there, confined->control, parent);
    confined->socket = here;
    here = -1;
    return status_ok();
}

/* Kills the child unless it has ended, and returns its exit status. */
static int child_reap(Confined *confined)
{
    int how = 0;
    if (confined->socket >= 0)
        close(confined->socket);
    confined->socket = -1;
    if (confined->process > 0) {
        kill(confined->process, SIGKILL);
        while (waitpid(confined->process, &how, 0) < 0 && errno == EINTR)
            ;
    }
    confined->process = 0;
    return how;
}

Status confined_start(const ConfinedTask *task, Confined **out)
{
    *out = NULL;
    OWNED_BY(confined_end) Confined *confined = NULL;
    ALLOCATE(confined, 1, "a process");
    *confined = (Confined){.task = *task, .socket = -1, .mapped_bytes = PAGE_BYTES + task->shared_bytes};
    confined->control =
        mmap(NULL, confined->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (confined->control == MAP_FAILED)
        return status_make(STATUS_SYSTEM, "a process cannot be started: %s", strerror(errno));
    STATUS_TRY(child_start(confined));
    *out = TAKE(confined);
    return status_ok();
}

void confined_end(Confined *confined)
{
    if (!confined)
        return;
    (void)child_reap(confined);
    if (confined->control != MAP_FAILED)
        munmap(confined->control, confined->mapped_bytes);
    memory_free(confined);
}

void *confined_shared(const Confined *confined)
{
    return shared_memory(confined->control);
}

/* Returns the status for a child that ran out of memory. The file is to blame if the parent can allocate as
 * much memory as the file's limit. */
static Status lack_explain(const Confined *confined)
{
    const size_t bytes = confined->task.memory_of_file ? confined->task.memory_bytes : 0;
    void *volatile had = bytes > 0 ? malloc(bytes) : NULL; /* volatile: else compilers leave the call out */
    if (!had)
        return status_make(STATUS_SYSTEM, "out of memory");
    free(had);
    return bad_input("takes more than %.0f MB of memory, which is more than a file of its size should need",
                     (double)bytes / (1 << 20));
}

/* Converts the child's exit status to a status. */
static Status death_explain(Confined *confined)
{
    enum { LOADER_LACKS_MEMORY = 127 }; /* exit code of the dynamic loader if it cannot continue */
    const char *does = confined->task.trusted ? "runs" : "reads";
    const StatusCode fault = confined->task.trusted ? STATUS_SYSTEM : STATUS_BAD_INPUT;
    if (confined->process == 0)
        return status_make(fault, "the process that %s it has ended", does);
    int how = child_reap(confined);
    if (confined->control->lacked_memory || (WIFEXITED(how) && WEXITSTATUS(how) == LOADER_LACKS_MEMORY))
        return lack_explain(confined);
    if (WIFEXITED(how) && WEXITSTATUS(how) == EMFILE)
        return status_make(STATUS_SYSTEM, "too few file descriptors (ulimit -n) for the process that %s it",
                           does);
    if (!WIFSIGNALED(how))
        return status_make(STATUS_SYSTEM, "the process that %s it could not continue%s%s", does,
                           WEXITSTATUS(how) ? ": " : "", WEXITSTATUS(how) ? strerror(WEXITSTATUS(how)) : "");
    int number = WTERMSIG(how);
    confined->overran = number == SIGPROF;
    if (number == SIGPROF)
        return bad_input("takes more than %.0f s of processor time", confined->task.processor_s);
    if (number == SIGKILL)
        return status_make(STATUS_SYSTEM, "the process that %s it was killed; memory may have run out", does);
    return status_make(fault, "crashes the library that %s it (%s)", does, strsignal(number));
}

void confined_begin(Confined *confined)
{
    const char byte = 0;
    if (confined->socket >= 0) /* confined_finish notices if the child has ended */
        (void)send(confined->socket, &byte, 1, MSG_NOSIGNAL);
}

/* Waits for the answer to one request. An untrusted child may have written any code and any text. */
static Status answer_wait(Confined *confined, const char *place, const Progress *progress)
{
    enum { PATIENCE_MS = 100 };
    char byte = 0;
    struct pollfd wait = {.fd = confined->socket, .events = POLLIN};
    while (confined->socket >= 0 && poll(&wait, 1, PATIENCE_MS) <= 0)
        if (progress_stopped(progress)) {
            (void)child_reap(confined);
            return status_make(STATUS_STOPPED, "%sstopped while reading", place);
        }
    if (confined->socket < 0 || recv(confined->socket, &byte, 1, 0) != 1) {
        const Status death = death_explain(confined);
        return status_make(death.code, "%s%s", place, death.text);
    }
    Status status = confined->control->status;
    status.text[sizeof status.text - 1] = '\0';
    if (status.code == STATUS_OK || confined->task.trusted)
        return status;
    return status_make(status.code == STATUS_SYSTEM ? STATUS_SYSTEM : STATUS_BAD_INPUT, "%s", status.text);
}

Status confined_finish(Confined *confined, const char *place, const Progress *progress)
{
    const bool alive = confined->socket >= 0;
    const Status status = answer_wait(confined, place, progress);
    if (status.code != STATUS_BAD_INPUT || !alive || confined->overran || confined->task.trusted)
        return status;
    (void)child_reap(confined);
    const Status started = child_start(confined);
    if (started.code != STATUS_OK)
        return status_make(started.code, "%s%s", place, started.text);
    confined_begin(confined);
    return answer_wait(confined, place, progress);
}

Status confined_ask(Confined *confined, const char *place, const Progress *progress)
{
    confined_begin(confined);
    return confined_finish(confined, place, progress);
}
