/* Tests the confined process. If its code crashes, hangs, uses too much memory or opens forbidden files,
 * the parent process receives a status. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/support.h"

#include "datasets/io/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

typedef struct Exchange {
    int request, answer;
} Exchange;

enum {
    ANSWER,
    CRASH,
    CRASH_WITHOUT_MEMORY,
    ABORT,
    HANG,
    HOARD,
    OPEN_TWO,
    OPEN_TO_WRITE,
    CONNECT,
    READ_FILE,
    EXIT,
    LOADER_EXIT,
    FAIL_ONCE,
    FAIL
};

/* Runs requests in the confined process, including crashes. Sanitizers are disabled here, as in a library
 * that is built without them. */
__attribute__((no_sanitize("undefined", "address"))) static Status serve(void *context, void *shared)
{
    Exchange *exchange = shared;
    static int *volatile nowhere;
    char byte = 0;
    switch (exchange->request) {
    case CRASH_WITHOUT_MEMORY:
        errno = ENOMEM;
        *nowhere = 1; // NOLINT(clang-analyzer-core.NullDereference): that is the point
        break;
    case CRASH:
        *nowhere = 1; // NOLINT(clang-analyzer-core.NullDereference): that is the point
        break;
    case ABORT:
        abort();
    case HANG:
        while (!*(volatile int *)context)
            ;
        break;
    case HOARD:
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the leak is intended */
        for (exchange->answer = 0; exchange->answer < 1024; exchange->answer++)
            if (!malloc(1 << 20))
                break;
        break;
    case OPEN_TWO:
        exchange->answer = open("/dev/null", O_RDONLY) >= 0;
        exchange->answer = exchange->answer && open("/dev/zero", O_RDONLY) < 0;
        break;
    case OPEN_TO_WRITE:
        exchange->answer = open("/dev/null", O_WRONLY) < 0 ? errno : 0;
        break;
    case CONNECT:
        exchange->answer = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
        break;
    case READ_FILE:
        exchange->answer = read(CONFINED_FILE, &byte, 1) == 1 ? byte : -1;
        break;
    case EXIT:
        exit(7);
    case LOADER_EXIT:
        _exit(127);
    case FAIL_ONCE:
        return exchange->answer++ == 0 ? bad_input("is damaged") : status_ok();
    case FAIL:
        exchange->answer++;
        return status_make(STATUS_USAGE, "is damaged");
    default:
        exchange->answer = exchange->request + 1;
    }
    return status_ok();
}

static Confined *started(void)
{
    static int never, file = -1; /* a second child needs the file, too */
    Confined *confined = NULL;
    file = file < 0 ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : file;
    assert_ok(confined_start(&(ConfinedTask){.file = file,
                                             .memory_bytes = 100 << 20,
                                             .processor_s = 1.0,
                                             .shared_bytes = sizeof(Exchange),
                                             .answer = serve,
                                             .context = &never},
                             &confined));
    return confined;
}

static Status asked(Confined *confined, int request, const Progress *progress, int *answer)
{
    Exchange *exchange = confined_shared(confined);
    *exchange = (Exchange){.request = request};
    Status status = confined_ask(confined, "", progress);
    *answer = exchange->answer;
    return status;
}

static void assert_ends(int request, StatusCode code, const char *part)
{
    OWNED_BY(confined_end) Confined *confined = started();
    int answer = 0;
    assert_ok(asked(confined, ANSWER, NULL, &answer));
    assert_refused(code, part, asked(confined, request, NULL, &answer));
    assert_bad_input("has ended", asked(confined, ANSWER, NULL, &answer));
}

TEST(answers_come_back)
{
    OWNED_BY(confined_end) Confined *confined = started();
    for (int i = 100; i < 110; i++) {
        int answer = 0;
        assert_ok(asked(confined, i, NULL, &answer));
        assert_int_equal(answer, i + 1);
    }
    int answer = 0;
    assert_ok(asked(confined, READ_FILE, NULL, &answer));
    assert_int_equal(answer, 0x7f); /* first byte of an ELF file */
    confined_end(NULL);
}

TEST(crashes_are_bad_input)
{
    assert_ends(CRASH, STATUS_BAD_INPUT, "crashes");
    assert_ends(ABORT, STATUS_BAD_INPUT, "crashes");
    assert_ends(EXIT, STATUS_SYSTEM, "could not continue");
    assert_ends(CRASH_WITHOUT_MEMORY, STATUS_SYSTEM, "out of memory");
}

/* A second child repeats a request that fails, and answers further requests. Only the codes of a damaged file
 * and of a lack of memory are passed on. */
TEST(failures_are_repeated)
{
    OWNED_BY(confined_end) Confined *confined = started();
    int answer = 0;
    assert_ok(asked(confined, FAIL_ONCE, NULL, &answer));
    assert_int_equal(answer, 2);
    assert_ok(asked(confined, 100, NULL, &answer));
    assert_int_equal(answer, 101);
    assert_bad_input("is damaged", asked(confined, FAIL, NULL, &answer));
    assert_true(answer >= 1);
}

TEST(hangs_end)
{
    assert_ends(HANG, STATUS_BAD_INPUT, "more than 1 s of processor time");
}

static bool never_go_on(void *context, const char *what, UNUSED double share)
{
    ++*(int *)context;
    assert_null(what);
    return false;
}

TEST(progress_stops)
{
    int reports = 0, answer = 0;
    OWNED_BY(confined_end) Confined *confined = started();
    const Progress stop = {never_go_on, &reports};
    assert_refused(STATUS_STOPPED, "stopped", asked(confined, HANG, &stop, &answer));
    assert_int_equal(reports, 1);
}

TEST(rights_are_few)
{
    int answer = 0;
    OWNED_BY(confined_end) Confined *confined = started();
    assert_ok(asked(confined, OPEN_TWO, NULL, &answer));
    assert_int_equal(answer, 1);
    confined_end(confined);
    confined = started();
#if !defined(__SANITIZE_ADDRESS__) /* the address sanitizer would end the process itself */
    assert_ok(asked(confined, HOARD, NULL, &answer));
    assert_in_range(answer, 10, 110);
#endif
    if (confined_filters()) {
        assert_ok(asked(confined, OPEN_TO_WRITE, NULL, &answer));
        assert_int_equal(answer, EPERM);
        assert_ok(asked(confined, CONNECT, NULL, &answer));
        assert_int_equal(answer, EPERM);
    } else {
        print_message("SKIPPED: system calls are not filtered here\n");
    }
}

/* If the dynamic loader runs out of memory, the status says so. If memory ran out because of the file, the
 * file is reported as bad input. */
TEST(lack_of_memory_is_the_files_fault)
{
    Exchange *exchange = NULL;
    assert_ends(LOADER_EXIT, STATUS_SYSTEM, "out of memory");
    for (int request = 0; request < 2; request++) {
        OWNED_BY(confined_end) Confined *confined = NULL;
        int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), answer = 0;
        assert_ok(confined_start(&(ConfinedTask){.file = file,
                                                 .memory_bytes = 100 << 20,
                                                 .memory_of_file = true,
                                                 .processor_s = 1.0,
                                                 .shared_bytes = sizeof *exchange,
                                                 .answer = serve},
                                 &confined));
        assert_bad_input("takes more than 100 MB of memory",
                         asked(confined, request == 0 ? LOADER_EXIT : CRASH_WITHOUT_MEMORY, NULL, &answer));
        close(file);
    }
}

static Status serve_and_hang(void *context, UNUSED void *shared)
{
    *(volatile pid_t *)context = getpid();
    while (*(volatile pid_t *)context)
        continue;
    return status_ok();
}

/* If the parent is killed, its confined process ends, too, even in the middle of a request. */
TEST(ends_with_its_parent)
{
    volatile pid_t *reader =
        mmap(NULL, sizeof *reader, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(reader != MAP_FAILED);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        Confined *confined = NULL;
        const ConfinedTask task = {.file = STDIN_FILENO,
                                   .memory_bytes = 100 << 20,
                                   .processor_s = 100.0,
                                   .shared_bytes = 64,
                                   .answer = serve_and_hang,
                                   .context = (void *)(uintptr_t)reader};
        if (confined_start(&task, &confined).code == STATUS_OK)
            (void)confined_ask(confined, "", NULL);
        _exit(1);
    }
    while (*reader == 0 && waitpid(parent, NULL, WNOHANG) == 0)
        ;
    assert_true(*reader > 0);
    int how = 0;
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(waitpid(*reader, &how, 0), *reader);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    munmap((void *)(uintptr_t)reader, sizeof *reader);
}
