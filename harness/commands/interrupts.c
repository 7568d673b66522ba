/* Signals, the thread that ends a verb which does not return, and the end that a library may bring. Handlers only set
 * flags and wake the thread. */
#include "harness/commands/interrupts.h"

#include "datasets/base/clock.h"
#include "datasets/io/temporary_folder.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE_S = 0.5;

enum { STEP_MS = 10, STACK_BYTES = 256 << 10 };
enum { EXIT_HUNG_UP = 129, EXIT_PIPE_CLOSED = 141 };

static volatile sig_atomic_t stop_signal;     /* 0: none arrived */
static volatile sig_atomic_t first_only_asks; /* interrupts_allow_output */
static const char *running_verb;
static sem_t wake, begun;
static pthread_t waiting_thread;
static bool is_waiting;
static pid_t owner;      /* a forked child is not ended by what follows */
static atomic_bool over; /* the verb has returned, or whoever set this ends the process */

static void stop_on_signal(int number)
{
    int before = errno;
    struct pollfd output = {.fd = STDOUT_FILENO};
    bool counts = number != SIGPIPE || (poll(&output, 1, 0) > 0 && (output.revents & POLLERR));
    const bool asks = first_only_asks && !stop_signal && number != SIGPIPE;
    if (counts && !stop_signal)
        stop_signal = number;
    if (counts && !asks) {
        temporary_renames_forbid(true);
        sem_post(&wake);
    }
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

/* Ends the process from outside of the verb. */
static void process_end(const char *why, int code)
{
    char text[256];
    temporary_folders_remove_all();
    int length = snprintf(text, sizeof text, "%sskinbench %s: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                          running_verb, why);
    if (why[0] && write(STDERR_FILENO, text, (size_t)length) < 0)
        code += 0; /* there is nowhere left to say so */
    _exit(code);
}

static void *wait_for_stop(void *unused)
{
    (void)unused;
    sem_post(&begun);
    while (sem_wait(&wake) != 0)
        continue;
    for (double start_s = clock_now_s(); clock_now_s() - start_s < PATIENCE_S && !atomic_load(&over);)
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    if (!atomic_exchange(&over, true))
        process_end(stop_signal == SIGPIPE ? "" : "stopped; no unfinished file is left",
                    signal_exit_code(stop_signal));
    return NULL;
}

static void end_by_library(void)
{
    if (running_verb && owner == getpid() && !atomic_exchange(&over, true))
        process_end("a library ended the program, as libraries do when memory is out", STATUS_MACHINE);
}

static void waiting_start(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* inherited by the thread: handlers run elsewhere */
    is_waiting = pthread_create(&waiting_thread, &attributes, wait_for_stop, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    /* A process that is forked while a thread starts has its copy of what that holds locked, for ever: under the
     * address sanitizer the locks of its allocator. From here on the thread holds nothing. */
    while (is_waiting && sem_wait(&begun) != 0)
        continue;
}

static void handlers_install(void)
{
    static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = stop_on_signal, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++)
        if (stopping[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
    action.sa_handler = write_fails;
    sigaction(SIGXFSZ, &action, NULL);
}

void interrupts_start(const char *verb)
{
    static bool registered;
    running_verb = verb;
    stop_signal = 0;
    first_only_asks = 0;
    owner = getpid();
    atomic_store(&over, false);
    temporary_renames_forbid(false);
    if (!registered)
        registered = atexit(end_by_library) == 0;
    if (sem_init(&wake, 0, 0) == 0 && sem_init(&begun, 0, 0) == 0)
        waiting_start();
    handlers_install();
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
        for (;;) /* the process is being ended */
            pause();
    sem_post(&wake);
    if (is_waiting)
        pthread_join(waiting_thread, NULL);
    is_waiting = false;
    running_verb = NULL;
    if (stop_signal == 0 || (status->code == STATUS_OK && stop_signal != SIGPIPE))
        return (int)status->code;
    if (stop_signal == SIGPIPE)
        status->text[0] = '\0';
    return signal_exit_code(stop_signal);
}
