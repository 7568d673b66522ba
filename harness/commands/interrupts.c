/* Waits for signals in a separate thread, which ends a command that does not return by itself. Also handles
 * exits made by libraries.
 *
 * All other threads block the stopping signals, so that no library's signal handler runs. For example, the
 * LLVM that PoCL compiles with would abort its work and print its own error. Signal handlers of this file
 * only serve threads that libraries started earlier. */
#include "harness/commands/interrupts.h"

#include "datasets/io/temporary_folder.h"
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static const double PATIENCE_S = 0.5;

enum { STEP_MS = 10, STACK_BYTES = 256 << 10 };
enum { EXIT_HUNG_UP = 129, EXIT_PIPE_CLOSED = 141 };

static volatile sig_atomic_t stop_signal; /* number of the signal that arrived; 0: none */
static volatile sig_atomic_t
    must_end; /* whether the waiting thread is about to end the process unless the command returns soon */
static volatile sig_atomic_t first_only_asks; /* whether interrupts_allow_output has been called */
static const char *running_command;
static sem_t begun;
static sigset_t stopping, mask_before; /* stopping: the signals that stop a command */
static pthread_t waiting_thread;
static volatile sig_atomic_t is_waiting;
static pid_t owner;      /* the process to end; a forked child is not ended */
static atomic_bool over; /* set when the command has returned, or by the thread that ends the process */

/* Async-signal-safe. */
static void stop_note(int number)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    bool counts = number != SIGPIPE || (poll(&output, 1, 0) > 0 && (output.revents & POLLERR));
    if (!counts)
        return;
    if (!first_only_asks || stop_signal || number == SIGPIPE) {
        temporary_renames_forbid(true);
        must_end = 1;
    }
    if (!stop_signal)
        stop_signal = number;
}

static void stop_on_signal(int number)
{
    int before = errno;
    stop_note(number);
    if (is_waiting)
        pthread_kill(waiting_thread, SIGPIPE);
    errno = before;
}

static void write_fails(int number)
{
    (void)number;
}

static int signal_exit_code(int number)
{
    return number == SIGHUP ? EXIT_HUNG_UP : number == SIGPIPE ? EXIT_PIPE_CLOSED : STATUS_STOPPED;
}

/* Ends the process while the command is still running. */
static void process_end(const char *why, int code)
{
    char text[256];
    temporary_folders_remove_all();
    int length = snprintf(text, sizeof text, "%sskinbench %s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                          running_command, why);
    if (why[0] && write(STDERR_FILENO, text, (size_t)length) < 0)
        code += 0; /* stderr may be closed, and then the failure cannot be reported */
    _exit(code);
}

static void *wait_for_stop(void *unused)
{
    (void)unused;
    sigset_t awaited = stopping;
    sigaddset(&awaited, SIGPIPE); /* a signal sent only to this thread, to make it check the flags */
    sem_post(&begun);
    while (!must_end && !atomic_load(&over)) {
        int number = SIGPIPE;
        sigwait(&awaited, &number);
        if (number != SIGPIPE)
            stop_note(number);
    }
    for (double start_s = clock_now_s(); clock_now_s() - start_s < PATIENCE_S && !atomic_load(&over);)
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    if (!atomic_exchange(&over, true))
        process_end(stop_signal == SIGPIPE ? "" : "stopped; no unfinished file is left",
                    signal_exit_code(stop_signal));
    return NULL;
}

static void end_by_library(void)
{
    if (running_command && owner == getpid() && !atomic_exchange(&over, true))
        process_end("a library ended the program, as libraries do when they run out of memory",
                    STATUS_SYSTEM);
}

/* Unblocks the signals in forked children, so that they can be stopped like any program. */
static void child_unblock(void)
{
    if (!is_waiting)
        return;
    is_waiting = 0;
    for (int number = 1; number <= SIGTERM; number++)
        if (sigismember(&stopping, number) == 1)
            signal(number, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}

static void waiting_start(void)
{
    pthread_attr_t attributes;
    sigset_t all;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &mask_before); /* the new thread inherits this mask */
    is_waiting = pthread_create(&waiting_thread, &attributes, wait_for_stop, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    pthread_attr_destroy(&attributes);
    /* Wait until the thread has started. A thread that is starting may hold locks, such as those of the
     * address sanitizer's allocator. A process forked meanwhile would inherit these locks, and nothing in
     * it would release them. */
    while (is_waiting && sem_wait(&begun) != 0)
        continue;
    if (is_waiting)
        pthread_sigmask(SIG_BLOCK, &stopping, NULL);
}

void interrupts_start(const char *command)
{
    static bool registered;
    running_command = command;
    stop_signal = must_end = first_only_asks = 0;
    owner = getpid();
    atomic_store(&over, false);
    temporary_renames_forbid(false);
    if (!registered)
        registered = atexit(end_by_library) == 0 && pthread_atfork(NULL, NULL, child_unblock) == 0;
    struct sigaction action = {.sa_handler = stop_on_signal, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGINT);
    sigaddset(&stopping, SIGTERM);
    if (sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
        sigaddset(&stopping, SIGHUP);
    for (int number = 1; number <= SIGTERM; number++)
        if (sigismember(&stopping, number) == 1 || number == SIGPIPE)
            sigaction(number, &action, NULL);
    action.sa_handler = write_fails;
    sigaction(SIGXFSZ, &action, NULL);
    if (sem_init(&begun, 0, 0) == 0)
        waiting_start();
}

void interrupts_allow_output(void)
{
    first_only_asks = 1;
}

bool interrupts_arrived(void)
{
    return stop_signal != 0;
}

int interrupts_end(Status *status)
{
    if (atomic_exchange(&over, true))
        for (;;) /* another thread is ending the process */
            pause();
    if (is_waiting) {
        pthread_kill(waiting_thread, SIGPIPE);
        pthread_join(waiting_thread, NULL);
        is_waiting = 0;
        for (int number; (number = sigtimedwait(&stopping, NULL, &(struct timespec){0})) > 0;)
            stop_note(number);
        pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    }
    running_command = NULL;
    if (stop_signal == 0 || (status->code == STATUS_OK && stop_signal != SIGPIPE))
        return (int)status->code;
    if (stop_signal == SIGPIPE)
        status->text[0] = '\0';
    return signal_exit_code(stop_signal);
}
