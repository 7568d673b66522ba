/* Reads requests, binds cells with the functions of harness/run/bench, and times single visits by the
 * processor clock of the thread. */
#include "harness/run/binary/binary_worker.h"

#include "harness/run/bench/skinning_cell.h"
#include "harness/run/suites/suite.h"

/* A data set that the worker has loaded. It stays in memory when another one is loaded, because cells
 * borrow it. */
typedef struct WorkerData {
    Subject subject;
    Posing posing;
} WorkerData;

typedef struct WorkerCell {
    const WorkerData *data;
    SkinningCell skinning; /* the cell, if it is a way to skin */
    FitPlan fit;           /* plan of a fit */
    TimedTask total;
} WorkerCell;

typedef struct Worker {
    WorkerData **data;
    WorkerCell **cells;
    int data_count, cell_count;
    const Progress *progress;
    char answer[STATUS_TEXT_BYTES + 64];
} Worker;

typedef struct WorkerRequest {
    char *fields[BINARY_FIELDS_MAX];
    int count;
} WorkerRequest;

/* Returns the remaining fields of a request, beginning with number `first`. */
static const char *const *request_rest(const WorkerRequest *request, int first)
{
    return (const char *const *)request->fields + first;
}

static Status field_integer(const WorkerRequest *request, int field, int minimum, int *out)
{
    const char *text = field < request->count ? request->fields[field] : "";
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (*end != '\0' || end == text || value < minimum || value > INT32_MAX)
        return bad_usage("field %d of a request must be a whole number of at least %d, but is %.64s", field,
                         minimum, text);
    *out = (int)value;
    return status_ok();
}

static void data_free(WorkerData *data)
{
    if (!data)
        return;
    subject_clear(&data->subject);
    posing_clear(&data->posing);
    memory_free(data);
}

static void cell_free(WorkerCell *cell)
{
    if (cell)
        skinning_cell_clear(&cell->skinning);
    memory_free(cell);
}

DEFINE_OWNED_BY(WorkerCell, cell_free)

static void worker_clear(Worker *worker)
{
    for (int i = 0; i < worker->cell_count; i++)
        cell_free(worker->cells[i]);
    for (int i = 0; i < worker->data_count; i++)
        data_free(worker->data[i]);
    FREE_ALL(worker->cells, worker->data);
}

DEFINE_OWNED_BY(WorkerData, data_free)

/* Requests for data: dataset FRAMES file PATH, and dataset FRAMES generate NAME [SETTING...]. */
static Status answer_dataset(Worker *worker, const WorkerRequest *request)
{
    int frames = 0;
    GROW(worker->data, worker->data_count, "the data sets of a worker");
    OWNED_BY(data_free) WorkerData *data = NULL;
    ALLOCATE(data, 1, "the data sets of a worker");
    STATUS_TRY(field_integer(request, 1, 1, &frames));
    if (strcmp(request->fields[2], "file") == 0)
        STATUS_TRY(subject_read(request->fields[3], worker->progress, &data->subject));
    else
        STATUS_TRY(subject_generate(request->fields[3], request_rest(request, 4), request->count - 4,
                                    worker->progress, &data->subject));
    STATUS_TRY(posing_init(data->subject.dataset, frames, 0, &data->posing));
    STATUS_TRY(posing_results_make(&data->posing, data->subject.dataset->mesh.vertex_count, false));
    snprintf(worker->answer, sizeof worker->answer, "ok\t%s", data->subject.name);
    worker->data[worker->data_count++] = TAKE(data);
    return status_ok();
}

static Status skinning_bind(const WorkerData *data, const WorkerRequest *request, WorkerCell *cell)
{
    SkinningPlan plan = {.entry = NULL};
    SkinningCell *skinning = &cell->skinning;
    STATUS_TRY(skinning_plan_make(request->fields[1], request_rest(request, 3), request->count - 3, &plan));
    STATUS_TRY(backend_find(request->fields[2], &plan.backend));
    STATUS_TRY(skinning_cell_plan(skinning, &plan, &data->subject, &data->posing));
    STATUS_TRY(skinner_run_once(&plan, &data->subject, &data->posing, NULL, &skinning->skinner));
    STATUS_TRY(skinning_cell_make_tasks(skinning, 1));
    for (int w = 0; w < TIMED_STAGES; w++)
        skinning->tasks[w].clock = clock_thread_s;
    return status_ok();
}

static Status run_fit(void *context)
{
    const WorkerCell *cell = context;
    const FitPlan *fit = &cell->fit;
    const Dataset *dataset = cell->data->subject.dataset;
    const DecompositionMethod *method = NULL;
    const DecompositionInput input = {&dataset->mesh, &dataset->animation, 1.0, NULL};
    ParameterValues values;
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    STATUS_TRY(fit_plan_resolve(fit, &method, &values));
    const DecompositionOptions options = {.bones = fit->bones,
                                          .influences = fit->influences,
                                          .iterations = fit->iterations,
                                          .threads = 1,
                                          .seed = 1,
                                          .parameters = values.values,
                                          .methods = decomposition_registry};
    return decomposition_fit(method, &input, &options, &result);
}

static Status fit_bind(const WorkerRequest *request, WorkerCell *cell)
{
    FitPlan *fit = &cell->fit;
    snprintf(fit->method, sizeof fit->method, "%s", request->fields[1]);
    STATUS_TRY(field_integer(request, 2, 1, &fit->bones));
    STATUS_TRY(field_integer(request, 3, 1, &fit->influences));
    STATUS_TRY(field_integer(request, 4, 0, &fit->iterations));
    for (int i = 5; i < request->count && i - 5 < SETTINGS_MAX; i++)
        snprintf(fit->settings[fit->setting_count++], SETTING_BYTES, "%s", request->fields[i]);
    cell->total = (TimedTask){.run = run_fit, .context = cell, .alone = true, .clock = clock_thread_s};
    return run_fit(cell);
}

/* Requests that bind a cell: skin METHOD BACKEND [SETTING...], and fit METHOD BONES INFLUENCES ITERATIONS
 * [SETTING...]. */
static Status answer_cell(Worker *worker, const WorkerRequest *request)
{
    if (worker->data_count == 0)
        return bad_usage("a request for a cell came before any request for a data set");
    const WorkerData *data = worker->data[worker->data_count - 1];
    GROW(worker->cells, worker->cell_count, "the cells of a worker");
    OWNED_BY(cell_free) WorkerCell *cell = NULL;
    ALLOCATE(cell, 1, "the cells of a worker");
    cell->data = data;
    if (request->fields[0][0] == 's')
        STATUS_TRY(environment_kernel_times_check());
    STATUS_TRY(request->fields[0][0] == 's' ? skinning_bind(data, request, cell) : fit_bind(request, cell));
    snprintf(worker->answer, sizeof worker->answer, "cell\t%d", worker->cell_count);
    worker->cells[worker->cell_count++] = TAKE(cell);
    return status_ok();
}

static Status task_find(Worker *worker, const WorkerRequest *request, TimedTask **out)
{
    int index = 0;
    Stage stage = STAGE_POSE;
    STATUS_TRY(field_integer(request, 1, 0, &index));
    if (index >= worker->cell_count || !stage_find(request->fields[2], &stage))
        return bad_usage("there is no cell %d with a stage named %.64s", index, request->fields[2]);
    WorkerCell *cell = worker->cells[index];
    const bool fit = cell->total.run != NULL;
    if (fit ? stage != STAGE_TOTAL : stage < STAGE_POSE || stage > STAGE_FRAME)
        return bad_usage("cell %d has no stage named %.64s", index, request->fields[2]);
    *out = fit ? &cell->total : &cell->skinning.tasks[stage - STAGE_POSE];
    return status_ok();
}

static Status answer_calibrate(Worker *worker, const WorkerRequest *request)
{
    TimedTask *task = NULL;
    STATUS_TRY(task_find(worker, request, &task));
    STATUS_TRY(task_calibrate(task));
    snprintf(worker->answer, sizeof worker->answer, "inner\t%d", task->inner);
    return status_ok();
}

/* Times a visit several times and returns the smallest time. Other work on the machine can only increase a
 * time, so the smallest is closest to the time on an idle machine. */
static Status answer_visit(Worker *worker, const WorkerRequest *request)
{
    TimedTask *task = NULL;
    double least_s = INFINITY, seconds = 0.0;
    int inner = 0, blocks = 0;
    STATUS_TRY(task_find(worker, request, &task));
    STATUS_TRY(field_integer(request, 3, 1, &inner));
    STATUS_TRY(field_integer(request, 4, 1, &blocks));
    task->inner = 1;
    STATUS_TRY(
        task_visit(task, &seconds)); /* run once without timing, to bring data and code into the caches */
    task->inner = inner;
    for (int i = 0; i < blocks; i++) {
        STATUS_TRY(task_visit(task, &seconds));
        least_s = fmin(least_s, seconds);
    }
    snprintf(worker->answer, sizeof worker->answer, "time\t%.9e", least_s);
    return status_ok();
}

static Status worker_answer(Worker *worker, const WorkerRequest *request)
{
    static const struct {
        const char *name;
        int fields; /* at least */
        Status (*answer)(Worker *worker, const WorkerRequest *request);
    } requests[] = {
        {"visit", 5, answer_visit},     {"calibrate", 3, answer_calibrate},
        {"dataset", 4, answer_dataset}, {"skin", 3, answer_cell},
        {"fit", 5, answer_cell},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (request->count >= requests[i].fields && strcmp(request->fields[0], requests[i].name) == 0)
            return requests[i].answer(worker, request);
    return bad_usage("the protocol has no request named %.64s", request->count > 0 ? request->fields[0] : "");
}

static Status answer_write(FILE *out, const char *answer)
{
    if (fprintf(out, "%s\n", answer) < 0 || fflush(out) != 0)
        return status_make(STATUS_SYSTEM, "the answer of a worker cannot be written");
    return status_ok();
}

Status binary_worker_serve(FILE *in, FILE *out, const Progress *progress)
{
    CLEANUP(worker_clear) Worker worker = {.progress = progress};
    char line[BINARY_LINE_BYTES];
    snprintf(worker.answer, sizeof worker.answer, BINARY_GREETING " %d", BINARY_PROTOCOL);
    STATUS_TRY(answer_write(out, worker.answer));
    while (fgets(line, sizeof line, in)) {
        WorkerRequest request = {.count = 0};
        line[strcspn(line, "\n")] = '\0';
        for (char *rest = line, *field;
             request.count < BINARY_FIELDS_MAX && (field = strtok_r(rest, "\t", &rest));)
            request.fields[request.count++] = field;
        const Status answered = worker_answer(&worker, &request);
        if (answered.code != STATUS_OK)
            snprintf(worker.answer, sizeof worker.answer, "no\t%d\t%s", (int)answered.code, answered.text);
        STATUS_TRY(answer_write(out, worker.answer));
        if (progress_stopped(progress))
            return status_make(STATUS_STOPPED, "stopped");
    }
    return status_ok();
}
