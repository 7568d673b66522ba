/* Tests how a command ends if it receives a signal, whether or not it polls for signals, and how it ends if
 * a library calls exit. */
#include "tests/support.h"

#include "datasets/io/atomic_path.h"
#include "harness/commands/command_line.h"
#include "harness/commands/interrupts.h"
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Runs a command with the arguments SIGNAL WHAT FOLDER. It begins a file in the folder, raises the signal,
 * and continues in the way that WHAT names. */
static Status probe_run(const CommandLine *line)
{
    const char *what = command_line_argument(line, 1), *place = command_line_argument(line, 2);
    int number = (int)strtol(command_line_argument(line, 0), NULL, 10);
    AtomicPath atomic;
    STATUS_TRY(atomic_path_start(text_of("%s/out", place), OUTPUT_FILE, &atomic));
    Status status = status_ok();
    text_write(atomic.temporary, "");
    if (number > 0) {
        struct sigaction before;
        sigaction(number, NULL, &before);
        kill(getpid(), number);
        const bool stops =
            number == SIGINT || number == SIGTERM || (number == SIGHUP && before.sa_handler != SIG_IGN);
        while (stops && !interrupts_arrived()) /* waits until the handling thread has seen the signal */
            sched_yield();
    }
    if (strcmp(what, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(what, "exit") == 0)
        exit(1); // NOLINT(concurrency-mt-unsafe)
    if (strcmp(what, "poll") == 0 && !progress_report(&line->progress, "probe", 0.5))
        status = status_make(STATUS_STOPPED, "stopped as asked");
    if (status.code == STATUS_OK)
        status = atomic_path_commit(&atomic);
    atomic_path_discard(&atomic);
    return status;
}

static const Command commands[] = {{.name = "probe",
                                    .synopsis = "SIGNAL WHAT FOLDER",
                                    .summary = "a verb for this test",
                                    .arguments_min = 3,
                                    .arguments_max = 3,
                                    .run = probe_run},
                                   {.name = NULL}};

/* Runs the command in its own process and returns its exit code. `left` receives the number of files that
 * remain in the folder. */
static int run(int number, const char *what, const char *expected_error, int *left)
{
    char message[512] = "", *place = text_of("%s", test_folder());
    char *argv[] = {
        text_of("skinbench"), text_of("probe"), text_of("%d", number), text_of("%s", what), place, NULL};
    int ends[2], how = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        _exit(command_line_main(commands, 5, argv));
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_true(read(ends[0], message, sizeof message - 1) >= 0);
    close(ends[0]);
    if (!strstr(message, expected_error) || (expected_error[0] == '\0' && message[0] != '\0'))
        fail_msg("'%s' does not say '%s'", message, expected_error);
    *left = files_in(place);
    return WEXITSTATUS(how);
}

TEST(verbs_end_with_the_code_of_the_signal)
{
    static const struct {
        int number, code, left;
        const char *what, *message;
    } cases[] = {{0, 0, 1, "poll", ""},
                 {SIGINT, 130, 0, "poll", "stopped as asked"},
                 {SIGTERM, 130, 0, "poll", "stopped as asked"},
                 {SIGHUP, 129, 0, "poll", "stopped as asked"},
                 {SIGXFSZ, 0, 1, "poll", ""},
                 {SIGPIPE, 0, 1, "poll", ""},                /* SIGPIPE from a pipe other than stdout */
                 {SIGINT, 130, 0, "work", "is not written"}, /* this command does not poll for signals */
                 {SIGINT, 130, 0, "hang", "stopped; no unfinished file is left"},
                 {SIGHUP, 129, 0, "hang", "stopped; no unfinished file is left"},
                 {0, 5, 0, "exit", "a library ended the program"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int left = -1;
        assert_int_equal(run(cases[i].number, cases[i].what, cases[i].message, &left), cases[i].code);
        assert_int_equal(left, cases[i].left);
    }
}

TEST(hang_ups_may_be_ignored)
{
    int left = -1;
    signal(SIGHUP, SIG_IGN);
    assert_int_equal(run(SIGHUP, "poll", "", &left), 0);
    assert_int_equal(left, 1);
    signal(SIGHUP, SIG_DFL);
}
