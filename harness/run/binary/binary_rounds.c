/* Rounds of fresh processes, alternating visits, and which cells need more of them. */
#include "harness/run/binary/binary_rounds.h"

#include "datasets/base/clock.h"
#include "datasets/base/random.h"
#include "harness/run/binary/binary_process.h"

enum { OLD, OLD_AGAIN, NEW, BUILDS };
/* A visit is this many blocks of a quarter of the runs that last long enough for a sample, of which the least
 * counts; of runs that are longer, fewer blocks of one. */
enum { BLOCKS = 8, BLOCKS_OF_LONG = 3 };

typedef struct RoundState {
    BinaryRounds *rounds;
    BinaryCells *cells;
    BinaryProcess processes[BUILDS];
    int *bound[BUILDS]; /* [cell_count] numbers that the processes gave their cells; -1: not bound */
    int *order;
} RoundState;

/* Asks all processes, so that they work at once; refused[b]: why one cannot. */
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

/* What only one build takes, or none, is not timed. */
static void cell_declined(BinaryCell *cell, const Status refused[BUILDS])
{
    for (int b = 0; b < BUILDS; b++)
        if (refused[b].code != STATUS_OK) {
            cell->active = false;
            memcpy(cell->refused[b == NEW], refused[b].text, STATUS_TEXT_BYTES);
        }
}

/* Whether a cell is open, or what it bound is needed by one that is. */
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
        /* its data set, where the cell before was of another */
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
        /* the cell, or what it shares with another stage */
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

static Status process_visit(BinaryProcess *process, int bound, const BinaryCell *cell, double *seconds)
{
    char request[REQUEST_BYTES], answer[BINARY_LINE_BYTES];
    snprintf(request, sizeof request, "visit\t%d\t%s\t%d\t%d", bound, cell->stage, cell->runs, cell->blocks);
    Status status = binary_process_ask(process, request);
    if (status.code == STATUS_OK)
        status = binary_process_answer(process, "time", answer);
    if (status.code == STATUS_CHECK_FAILED)
        return bad_input("%.150s: %.150s, %s: %.150s", process->path, cell->name, cell->stage, status.text);
    if (status.code != STATUS_OK)
        return status;
    *seconds = strtod(answer + sizeof "time", NULL);
    if (!(*seconds > 0.0) || !isfinite(*seconds))
        return bad_input("%.200s: gives %.64s as a time", process->path, answer + sizeof "time");
    return status;
}

/* All processes visit a cell, directly after each other, in an order of their own. */
static Status cell_visit(RoundState *state, int index, Random *random)
{
    BinaryCell *cell = &state->cells->cells[index];
    double seconds[BUILDS] = {0.0};
    int turns[BUILDS] = {0};
    GROW(cell->visits, cell->visit_count, "the times of a cell");
    random_order(random, BUILDS, turns);
    for (int i = 0; i < BUILDS; i++) {
        const int build = turns[i];
        STATUS_TRY(
            process_visit(&state->processes[build], state->bound[build][index], cell, &seconds[build]));
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
    /* how often OLD has to run a cell for a visit to last long enough: for all processes the same. A build
     * that does not know the stage does not take the cell. */
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
        /* rounds until the next look, or until the time is spent */
        const int done = rounds->rounds, next = done == 0 ? rounds->rounds_first : done + (done + 1) / 2;
        const int target = int_min(next, rounds->rounds_max);
        char what[64];
        do {
            snprintf(what, sizeof what, "%d cells, round %d of %d", open_count(cells), rounds->rounds + 1,
                     target);
            if (!progress_report(rounds->progress, what, (double)rounds->rounds / target))
                return status_make(STATUS_STOPPED, "stopped");
            const Status status = round_visits(&state, rounds->rounds++);
            for (int k = 0; k < BUILDS; k++)
                binary_process_end(&state.processes[k], status.code != STATUS_OK);
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
    /* what became of the ratios to LBS, over the rounds that both were in */
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
