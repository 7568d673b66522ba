/* In each round, starts new processes that time all open cells alternately. Then decides which cells need
 * more rounds. */
#include "harness/run/binary/binary_rounds.h"

#include "datasets/base/child.h"
#include "harness/run/binary/binary_worker.h"
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct BinaryProcess {
    const char *path; /* path of the executable, borrowed */
    const Progress *progress;
    Child child; /* process; its id is 0 if it was not started */
    char line[BINARY_LINE_BYTES];
    size_t filled; /* number of bytes in `line` that belong to the next answer */
} BinaryProcess;

/* Time limit for an answer. It is many times the duration of the longest fit in a suite. */
static const double ANSWER_LIMIT_S = 120.0;
enum { STOP_POLL_MS = 100 };

/* Returns STATUS_BAD_INPUT unless the path is an executable file. */
static Status binary_process_check(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return bad_input("%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode) || access(path, X_OK) != 0)
        return bad_input("%s: is not an executable file", path);
    return status_ok();
}

/* Ends the process. Returns a status whose message says what failed, how the process ended, and what it
 * printed last. */
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

static const char ENDED[] = "ended before its work was done";

/* Reads from the process until the buffer contains a line. `ended` says what it means if the process ends
 * before. */
static Status line_wait(BinaryProcess *process, const char *ended)
{
    const double start_s = clock_now_s();
    while (!memchr(process->line, '\n', process->filled)) {
        struct pollfd output = {.fd = process->child.output, .events = POLLIN};
        if (process->filled + 1 >= sizeof process->line)
            return process_failed(process, "printed a line that is not an answer of `skinbench time-worker`");
        const int ready = poll(&output, 1, STOP_POLL_MS);
        if (progress_stopped(process->progress))
            return status_make(STATUS_STOPPED, "stopped");
        if (ready <= 0 && clock_now_s() - start_s > ANSWER_LIMIT_S)
            return process_failed(process, "stopped answering");
        if (ready <= 0)
            continue;
        const ssize_t got = read(process->child.output, process->line + process->filled,
                                 sizeof process->line - 1 - process->filled);
        if (got == 0 || (got < 0 && errno != EINTR))
            return process_failed(process, ended);
        process->filled += got > 0 ? (size_t)got : 0;
    }
    return status_ok();
}

/* Moves the first line of the buffer to `answer`. */
static void line_pop(BinaryProcess *process, char *answer)
{
    const size_t length = (size_t)((char *)memchr(process->line, '\n', process->filled) - process->line);
    memcpy(answer, process->line, length);
    answer[length] = '\0';
    process->filled -= length + 1;
    memmove(process->line, process->line + length + 1, process->filled);
}

/* Starts `path time-worker` and reads its greeting. STATUS_BAD_INPUT if the program sends no greeting: it
 * is an older build or not skinbench. End the process with binary_process_end, also on failure. */
static Status binary_process_start(const char *path, const Progress *progress, BinaryProcess *out)
{
    char place[1024], greeting[BINARY_LINE_BYTES];
    *out = (BinaryProcess){.path = path, .progress = progress};
    /* prefix a name without a slash by "./", because it would otherwise be searched on the PATH */
    if (snprintf(place, sizeof place, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof place)
        return bad_usage("%.200s...: the path is too long", path);
    char worker[] = "time-worker", *const arguments[] = {place, worker, NULL};
    STATUS_TRY(child_start(arguments, "times cannot be compared", true, &out->child));
    STATUS_TRY(line_wait(out, "ended before its work was done, so it may not be a skinbench"));
    if (strncmp(out->line, BINARY_GREETING " ", sizeof BINARY_GREETING) != 0)
        return process_failed(out, "is not a skinbench that `compare --binary` can time, or is too old");
    line_pop(out, greeting);
    const long version = strtol(greeting + sizeof BINARY_GREETING, NULL, 10);
    if (version != BINARY_PROTOCOL)
        return bad_input(
            "%.200s: speaks version %ld of the time-worker protocol, but this program speaks version %d",
            path, version, BINARY_PROTOCOL);
    return status_ok();
}

/* Sends a request (without line end). Another call reads the answer, so that several processes can work at
 * the same time. The answer [BINARY_LINE_BYTES] has fields separated by tabs.
 *
 * STATUS_BAD_INPUT if the process ends or does not answer within ANSWER_LIMIT_S. STATUS_CHECK_FAILED if it
 * refuses the request; it then accepts further ones. STATUS_STOPPED if progress stops it; STATUS_SYSTEM if
 * out of memory. */
static Status binary_process_ask(BinaryProcess *process, const char *request)
{
    if (fprintf(process->child.input, "%s\n", request) < 0 || fflush(process->child.input) != 0)
        return process_failed(process, ENDED);
    return status_ok();
}

static Status binary_process_answer(BinaryProcess *process, const char *expected, char *answer)
{
    const size_t length = strlen(expected);
    STATUS_TRY(line_wait(process, ENDED));
    if (strncmp(process->line, "no\t", 3) == 0) {
        line_pop(process, answer);
        const char *tab = strchr(answer + 3, '\t'), *reason = tab ? tab + 1 : "";
        if (strtol(answer + 3, NULL, 10) == STATUS_SYSTEM)
            return status_make(STATUS_SYSTEM, "%.180s: %.320s", process->path, reason);
        return status_make(STATUS_CHECK_FAILED, "%s", reason);
    }
    if (strncmp(process->line, expected, length) != 0 || !strchr("\t\n", process->line[length]))
        return process_failed(process, "printed a line that is not an answer of `skinbench time-worker`");
    line_pop(process, answer);
    return status_ok();
}

enum { OLD, OLD_AGAIN, NEW, BUILDS };
/* Number of blocks in a visit; the time of the fastest block counts. A block consists of a quarter of the
 * runs that a long enough sample needs. If a single run is long, a visit consists of fewer blocks of one
 * run each. */
enum { BLOCKS = 8, BLOCKS_OF_LONG = 3 };

typedef struct RoundState {
    BinaryRounds *rounds;
    BinaryCells *cells;
    BinaryProcess processes[BUILDS];
    int *bound[BUILDS]; /* [cell_count] number that each process uses for each cell; -1: not bound */
    int *order;
} RoundState;

/* Sends a request to all processes, so that they work at the same time, and reads their answers. refused[b]
 * says why process b refuses its request. */
static Status processes_ask(RoundState *state, const char *const requests[BUILDS], const char *expected,
                            char answers[BUILDS][BINARY_LINE_BYTES], Status refused[BUILDS])
{
    for (int b = 0; b < BUILDS; b++)
        STATUS_TRY(binary_process_ask(&state->processes[b], requests[b]));
    for (int b = 0; b < BUILDS; b++) {
        refused[b] = binary_process_answer(&state->processes[b], expected, answers[b]);
        if (refused[b].code != STATUS_OK && refused[b].code != STATUS_CHECK_FAILED)
            STATUS_TRY(refused[b]);
    }
    return status_ok();
}

/* ---- binding ---- */

/* Stores the reasons why builds refuse a cell. A cell that any build refuses is not timed. */
static void cell_declined(BinaryCell *cell, const Status refused[BUILDS])
{
    for (int b = 0; b < BUILDS; b++)
        if (refused[b].code != STATUS_OK) {
            cell->active = false;
            memcpy(cell->refused[b == NEW], refused[b].text, STATUS_TEXT_BYTES);
        }
}

/* Whether a cell must be bound: it is still timed itself, or another cell that is still timed uses its
 * bound skinner. */
static bool cell_needed(const BinaryCells *cells, int index)
{
    if (cells->cells[index].active)
        return true;
    for (int i = index + 1; i < cells->cell_count; i++)
        if (cells->cells[i].same == index && cells->cells[i].active)
            return true;
    return false;
}

static Status cells_bind(RoundState *state)
{
    char answers[BUILDS][BINARY_LINE_BYTES];
    Status refused[BUILDS];
    BinaryCells *cells = state->cells;
    int bound_data = -1;
    for (int i = 0; i < cells->cell_count; i++) {
        BinaryCell *cell = &cells->cells[i];
        if (!cell_needed(cells, i))
            continue;
        /* load the data set of the cell unless the previous cell had the same data set */
        BinaryData *data = &cells->data[cell->data];
        if (cell->data != bound_data) {
            const char *const requests[BUILDS] = {data->request, data->request, data->request};
            STATUS_TRY(processes_ask(state, requests, "ok", answers, refused));
            for (int b = 0; b < BUILDS; b++)
                if (refused[b].code != STATUS_OK)
                    return bad_input("%.200s: %s", state->processes[b].path, refused[b].text);
            const char *name = strchr(answers[OLD], '\t');
            if (!data->name[0])
                binary_data_name(cells, cell->data, name ? name + 1 : "");
            bound_data = cell->data;
        }
        /* bind the cell, or use the binding of an earlier cell for another stage */
        if (cell->same < 0) {
            const char *const requests[BUILDS] = {cell->request, cell->request, cell->request};
            STATUS_TRY(processes_ask(state, requests, "cell", answers, refused));
            for (int b = 0; b < BUILDS; b++)
                if (refused[b].code == STATUS_OK)
                    state->bound[b][i] = (int)strtol(answers[b] + sizeof "cell", NULL, 10);
            cell_declined(cell, refused);
        } else {
            const BinaryCell *same = &cells->cells[cell->same];
            for (int b = 0; b < BUILDS; b++)
                state->bound[b][i] = state->bound[b][cell->same];
            memcpy(cell->refused, same->refused, sizeof cell->refused);
            cell->active = cell->active && !same->refused[0][0] && !same->refused[1][0];
        }
    }
    return status_ok();
}

/* ---- visits ---- */

/* Lets all processes visit a cell, directly after each other and in random order. */
static Status cell_visit(RoundState *state, int index, Random *random)
{
    BinaryCell *cell = &state->cells->cells[index];
    double seconds[BUILDS] = {0.0};
    int turns[BUILDS] = {0};
    GROW(cell->visits, cell->visit_count, "the times of a cell");
    random_order(random, BUILDS, turns);
    for (int i = 0; i < BUILDS; i++) {
        const int build = turns[i];
        BinaryProcess *process = &state->processes[build];
        char request[REQUEST_BYTES], answer[BINARY_LINE_BYTES];
        snprintf(request, sizeof request, "visit\t%d\t%s\t%d\t%d", state->bound[build][index], cell->stage,
                 cell->runs, cell->blocks);
        STATUS_TRY(binary_process_ask(process, request));
        const Status status = binary_process_answer(process, "time", answer);
        if (status.code == STATUS_CHECK_FAILED)
            return bad_input("%.150s: %.150s, %s: %.150s", process->path, cell->name, cell->stage,
                             status.text);
        STATUS_TRY(status);
        seconds[build] = strtod(answer + sizeof "time", NULL);
        if (!(seconds[build] > 0.0) || !isfinite(seconds[build]))
            return bad_input("%.200s: answered %.64s, which is not a positive time", process->path,
                             answer + sizeof "time");
    }
    cell->visits[cell->visit_count++] = (TimedVisit){seconds[OLD], seconds[OLD_AGAIN], seconds[NEW]};
    return status_ok();
}

static int open_count(const BinaryCells *cells)
{
    int count = 0;
    for (int i = 0; i < cells->cell_count; i++)
        count += cells->cells[i].active;
    return count;
}

static Status round_visits(RoundState *state, int round)
{
    const int count = state->cells->cell_count;
    Random random = {UINT64_C(20101) + (uint64_t)round * UINT64_C(0xd1342543de82ef95)};
    for (int b = 0; b < BUILDS; b++)
        STATUS_TRY(binary_process_start(b == NEW ? state->rounds->new_path : state->rounds->old_path,
                                        state->rounds->progress, &state->processes[b]));
    STATUS_TRY(cells_bind(state));
    /* Ask the old build how many runs fill the minimum time of one measurement. All processes use this
     * number. A build without the measured stage answers with a refusal. */
    char texts[BUILDS][REQUEST_BYTES], answers[BUILDS][BINARY_LINE_BYTES];
    const char *const requests[BUILDS] = {texts[OLD], texts[OLD_AGAIN], texts[NEW]};
    Status refused[BUILDS];
    for (int i = 0; i < state->cells->cell_count; i++) {
        BinaryCell *cell = &state->cells->cells[i];
        if (!cell->active || cell->runs > 0)
            continue;
        for (int b = 0; b < BUILDS; b++)
            snprintf(texts[b], REQUEST_BYTES, "calibrate\t%d\t%s", state->bound[b][i], cell->stage);
        STATUS_TRY(processes_ask(state, requests, "inner", answers, refused));
        cell_declined(cell, refused);
        if (!cell->active)
            continue;
        const int inner = (int)strtol(answers[OLD] + sizeof "inner", NULL, 10);
        cell->runs = inner >= 4 ? inner / 4 : 1;
        cell->blocks = inner >= 4 ? BLOCKS : inner > 1 ? 2 * inner : BLOCKS_OF_LONG;
    }
    for (int pass = 0; pass < VISITS_PER_START; pass++) {
        random_order(&random, count, state->order);
        for (int i = 0; i < count; i++)
            if (state->cells->cells[state->order[i]].active)
                STATUS_TRY(cell_visit(state, state->order[i], &random));
    }
    return status_ok();
}

static void round_state_clear(RoundState *state)
{
    memory_free(state->order);
    for (int b = 0; b < BUILDS; b++)
        memory_free(state->bound[b]);
}

Status binary_rounds_run(BinaryRounds *rounds, BinaryCells *cells)
{
    CLEANUP(round_state_clear) RoundState state = {.rounds = rounds, .cells = cells};
    const double end_s = clock_now_s() + rounds->time_budget_s;
    rounds->rounds = 0;
    STATUS_TRY(binary_process_check(rounds->old_path));
    STATUS_TRY(binary_process_check(rounds->new_path));
    ALLOCATE(state.order, cells->cell_count, "the rounds of a comparison");
    for (int b = 0; b < BUILDS; b++)
        ALLOCATE(state.bound[b], cells->cell_count, "the rounds of a comparison");
    do {
        /* run rounds until the next judgement is due or the time is used up */
        const int done = rounds->rounds, next = done == 0 ? rounds->rounds_first : done + (done + 1) / 2;
        const int target = int_min(next, rounds->rounds_max);
        char what[64];
        do {
            snprintf(what, sizeof what, "%d cells, round %d of %d", open_count(cells), rounds->rounds + 1,
                     target);
            if (!progress_report(rounds->progress, what, (double)rounds->rounds / target))
                return status_make(STATUS_STOPPED, "stopped");
            const Status status = round_visits(&state, rounds->rounds++);
            for (int k = 0; k < BUILDS; k++) {
                Child *child = &state.processes[k].child;
                char text[STATUS_TEXT_BYTES];
                if (child->id != 0 && status.code != STATUS_OK)
                    child_kill(child);
                else if (child->id != 0)
                    (void)child_finish(child, text, sizeof text);
            }
            STATUS_TRY(status);
        } while (rounds->rounds < target && clock_now_s() < end_s);
        /* judge the open cells and close those that are decided */
        for (int i = 0; i < cells->cell_count; i++) {
            BinaryCell *cell = &cells->cells[i];
            if (!cell->active)
                continue;
            const TimeVerdict before = cell->judgement.verdict;
            STATUS_TRY(time_judge(cell->visits, cell->visit_count / VISITS_PER_START, VISITS_PER_START,
                                  &cell->judgement));
            cell->judged_count = cell->visit_count;
            const TimeVerdict verdict = cell->judgement.verdict;
            if (verdict != TIME_SLOWER && verdict != TIME_FASTER)
                cell->change_count = 0;
            else if (cell->change_count == 0 || verdict != before)
                cell->change_count = cell->judged_count;
            const bool confirmed = cell->change_count > 0 && cell->judged_count >= 2 * cell->change_count;
            cell->active = verdict != TIME_SAME && !confirmed;
        }
    } while (open_count(cells) > 0 && rounds->rounds < rounds->rounds_max && clock_now_s() < end_s);
    /* compute how the ratio to LBS changed, over the rounds that timed both the cell and LBS */
    for (int i = 0; i < cells->cell_count; i++) {
        BinaryCell *cell = &cells->cells[i];
        const BinaryCell *lbs = cell->lbs < 0 ? NULL : &cells->cells[cell->lbs];
        if (!lbs)
            continue;
        const int common = int_min(cell->visit_count, lbs->visit_count);
        if (common >= STARTS_MIN * VISITS_PER_START)
            STATUS_TRY(time_ratio_to(cell->visits, lbs->visits, common / VISITS_PER_START, VISITS_PER_START,
                                     &cell->to_lbs));
    }
    return status_ok();
}
