/* Turns a suite into requests to a worker: names and settings in fields separated by tabs. */
#include "harness/run/binary/binary_cells.h"

/* Appends a field. STATUS_USAGE if the request becomes too long or the field contains a tab or a line
 * end. */
static Status request_add(char request[REQUEST_BYTES], const char *field)
{
    const size_t used = strlen(request), length = strlen(field);
    if (strpbrk(field, "\t\n"))
        return bad_usage("'%.100s' contains a tab or a line break, so it cannot be sent to the two builds",
                         field);
    if (used + length + 2 > REQUEST_BYTES)
        return bad_usage("'%.100s' is too long to be sent to the two builds", field);
    snprintf(request + used, REQUEST_BYTES - used, "\t%s", field);
    return status_ok();
}

static Status timed_cell_add(BinaryCells *out, const Cell *cell, const char *request, const char *stage)
{
    GROW(out->cells, out->cell_count, "the cells of a comparison");
    BinaryCell *added = &out->cells[out->cell_count++];
    *added = (BinaryCell){.data = out->data_count - 1, .same = -1, .lbs = -1, .active = true};
    added->judgement.verdict = TIME_UNSURE;
    added->to_lbs = (Interval){NAN, NAN, NAN};
    snprintf(added->request, sizeof added->request, "%s", request);
    snprintf(added->stage, sizeof added->stage, "%s", stage);
    snprintf(added->method, sizeof added->method, "%s", cell->method);
    snprintf(added->backend, sizeof added->backend, "%s", cell->backend);
    cell_format(cell, added->name, sizeof added->name);
    return status_ok();
}

static Status timed_skinning_add(const SkinningPlan *plan, BinaryCells *out)
{
    char request[REQUEST_BYTES], settings[256];
    CLEANUP(cell_clear) Cell cell = {0};
    const int first = out->cell_count;
    STATUS_TRY(skinning_plan_cell(plan, &cell));
    cell_parameters_format(&cell, settings, sizeof settings);
    snprintf(request, sizeof request, "skin\t%s\t%s", plan->entry->method->name, plan->backend->name);
    /* write each setting as a field such as "a=1 b=2" */
    for (char *rest = settings, *field; (field = strtok_r(rest, " ", &rest));)
        STATUS_TRY(request_add(request, field));
    STATUS_TRY(timed_cell_add(out, &cell, request, stage_names[STAGE_SKIN]));
    for (int i = 0; plan->backend == &backend_simd && i < 2; i++) {
        STATUS_TRY(timed_cell_add(out, &cell, request, stage_names[i == 0 ? STAGE_POSE : STAGE_FRAME]));
        out->cells[first + 1 + i].same = first;
    }
    return status_ok();
}

static Status timed_fit_add(const FitPlan *fit, BinaryCells *out)
{
    char request[REQUEST_BYTES];
    FitPlan alone = *fit;
    CLEANUP(cell_clear) Cell cell = {0};
    alone.threads = 1;
    STATUS_TRY(fit_plan_cell(&alone, &cell));
    snprintf(request, sizeof request, "fit\t%s\t%d\t%d\t%d", fit->method, fit->bones, fit->influences,
             fit->iterations);
    for (int i = 0; i < fit->setting_count; i++)
        STATUS_TRY(request_add(request, fit->settings[i]));
    return timed_cell_add(out, &cell, request, stage_names[STAGE_TOTAL]);
}

static bool method_wanted(const char *const *methods, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(methods[i], name) == 0)
            return true;
    return count == 0;
}

Status binary_cells_make(const Suite *suite, int frames, const char *const *methods, int method_count,
                         BinaryCells *out)
{
    *out = (BinaryCells){0};
    size_t capacity = 1;
    for (int p = 0; p < suite->part_count; p++)
        capacity += (size_t)suite->parts[p].dataset_count;
    ALLOCATE(out->data, capacity, "the cells of a comparison");
    for (int p = 0; p < suite->part_count; p++)
        for (int d = 0; d < suite->parts[p].dataset_count; d++) {
            /* add the data set */
            const SuiteDataset *dataset = &suite->parts[p].datasets[d];
            BinaryData *data = &out->data[out->data_count++];
            const bool file = dataset->path[0] != '\0';
            snprintf(data->request, sizeof data->request, "dataset\t%d\t%s", frames,
                     file ? "file" : "generate");
            STATUS_TRY(request_add(data->request, file ? dataset->path : dataset->generator));
            for (int i = 0; i < dataset->setting_count; i++)
                STATUS_TRY(request_add(data->request, dataset->settings[i]));
            /* add every way to skin, and every fit, of this part of the suite */
            const SuitePart *part = &suite->parts[p];
            for (int i = 0; i < part->plan_count; i++) {
                const SkinningPlan *plan = &part->plans[i];
                const bool timed = plan->threads == 1 && !plan->backend->is_device && !plan->normals &&
                                   !plan->two_phase && plan->level[0] == '\0';
                if (timed && method_wanted(methods, method_count, plan->entry->method->name))
                    STATUS_TRY(timed_skinning_add(plan, out));
                out->left_out += !timed;
            }
            for (int i = 0; i < part->fit_count; i++)
                if (method_wanted(methods, method_count, part->fits[i].method))
                    STATUS_TRY(timed_fit_add(&part->fits[i], out));
        }
    if (out->cell_count == 0)
        return bad_usage("there is nothing to time");
    for (int i = 0; i < out->cell_count; i++) {
        /* find the last cell of LBS with default settings on the same data, backend and stage */
        char lbs[REQUEST_BYTES];
        BinaryCell *cell = &out->cells[i];
        const char *backend = strchr(cell->request + strlen("skin\t"), '\t');
        if (strncmp(cell->request, "skin\t", 5) != 0 || !backend)
            continue;
        snprintf(lbs, sizeof lbs, "skin\tlbs%.*s", (int)(1 + strcspn(backend + 1, "\t")), backend);
        for (int k = 0; k < out->cell_count; k++)
            if (k != i && out->cells[k].data == cell->data && strcmp(out->cells[k].stage, cell->stage) == 0 &&
                strcmp(out->cells[k].request, lbs) == 0)
                cell->lbs = k;
    }
    return status_ok();
}

void binary_data_name(BinaryCells *cells, int data, const char *name)
{
    char text[BINARY_CELL_BYTES];
    text_escape(cells->data[data].name, sizeof cells->data[data].name, name);
    for (int i = 0; i < cells->cell_count; i++) {
        BinaryCell *cell = &cells->cells[i];
        if (cell->data != data)
            continue;
        memcpy(text, cell->name, sizeof text);
        snprintf(cell->name, sizeof cell->name, "%s%.300s", cells->data[data].name, text);
    }
}

void binary_cells_clear(BinaryCells *cells)
{
    for (int i = 0; i < cells->cell_count; i++)
        memory_free(cells->cells[i].visits);
    FREE_ALL(cells->cells, cells->data);
    *cells = (BinaryCells){0};
}
