/* Computes the keys of cells and their names for people. */
#include "harness/records/record/cell.h"

#include "datasets/io/sha256.h"
#include "harness/measure/score/score.h"
#include "methods/registry.h"

const char *const cell_kind_names[CELL_KIND_COUNT + 1] = {
    [CELL_SKINNING] = "skinning", [CELL_DECOMPOSITION] = "decomposition",
    [CELL_STUDY] = "study",       [CELL_ROW] = "row",
    [CELL_NOISE] = "noise",       [CELL_PEER] = "peer",
    [CELL_SCORE] = "score"};

void cell_clear(Cell *cell)
{
    argument_free(cell->parameters);
    *cell = (Cell){0};
}

/* Returns the key of a cell. No call of a formatting function gets more than 14 values. With more, glibc
 * would allocate memory once a library (libquadmath) has registered its own conversion. */
char *cell_key(const Cell *cell)
{
    char numbers[64], of_row[sizeof cell->study + sizeof cell->table + sizeof cell->row + 4] = "";
    char *parameters = argument_key(cell->parameters), *key = NULL;
    size_t size = 0;
    snprintf(numbers, sizeof numbers, "%d|%d|%d|%d", cell->threads, cell->frames, cell->normals,
             cell->two_phase);
    /* The same fit may be used by several tables. A study, or a record of a row's data, belongs to one row
     * of one table, and a score to one pair of rigs. */
    if (cell->kind == CELL_STUDY || cell->kind == CELL_ROW || cell->kind == CELL_SCORE)
        snprintf(of_row, sizeof of_row, "%s|%s|%s|", cell->study, cell->table, cell->row);
    for (int pass = 0; pass < 2 && parameters && (pass == 0 || key); pass++) {
        size = 1 + (size_t)snprintf(key, size, "%s|%s|%s|%s|%s|%s|%s%s", cell_kind_names[cell->kind],
                                    cell->dataset.sha256, cell->method, cell->backend, cell->level, numbers,
                                    of_row, parameters);
        if (pass == 0)
            key = memory_array(size, 1);
    }
    free(parameters);
    return key;
}

Status cell_digest(const Cell *cell, char digest[CELL_DIGEST_BYTES])
{
    OWNED char *key = cell_key(cell);
    char whole[65];
    ALLOCATED(key, "the key of a cell");
    sha256_of(key, strlen(key), whole);
    snprintf(digest, CELL_DIGEST_BYTES, "%.16s", whole);
    return status_ok();
}

bool cell_same_setting(const Cell *a, const Cell *b)
{
    return a->kind == b->kind && strcmp(a->method, b->method) == 0 && strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->level, b->level) == 0 && a->threads == b->threads && a->normals == b->normals &&
           a->two_phase == b->two_phase && argument_equal(a->parameters, b->parameters);
}

/* Whether the name of a cell omits a parameter, because its value is usual. This holds for a preset with
 * its default value, and for a value that follows from the preset. */
static bool is_usual(const Parameter *rows, const ParameterValues *usual, const char *name, const char *shown)
{
    char text[128];
    const Parameter *row = parameter_find(rows, name);
    if (!row)
        return strcmp(name, "time_limit_s") == 0 && strcmp(shown, "0") == 0;
    const double value = row->type == PARAMETER_PRESET ? row->default_value : usual->values[row - rows];
    parameter_format(row, value, text, sizeof text);
    if (row->type == PARAMETER_REAL || row->type == PARAMETER_INTEGER)
        snprintf(text, sizeof text, "%g", value);
    return strcmp(text, shown) == 0;
}

void cell_parameters_without(const Cell *cell, const char *const *without, char *text, size_t size)
{
    /* Parameters of the method, and the values that they have if only the presets are set. NULL if the
     * method is not built in. */
    const SkinningEntry *skinning = skinning_entry_find(cell->method);
    const DecompositionMethod *fit = decomposition_method_find(cell->method);
    const bool is_fit = cell->kind == CELL_DECOMPOSITION;
    const Parameter *rows = cell->kind == CELL_SCORE ? score_parameters
                            : is_fit                 ? (fit ? fit->parameters : NULL)
                                                     : (skinning ? skinning->method->parameters : NULL);
    ParameterValues usual = parameters_default(rows);
    for (int i = 0; rows && rows[i].name; i++) {
        const char *word = argument_text(argument_find(cell->parameters, rows[i].name), "");
        char setting[128];
        snprintf(setting, sizeof setting, "%s=%s", rows[i].name, word);
        if (rows[i].type == PARAMETER_PRESET && word[0] != '\0')
            (void)parameters_set(rows, cell->method, setting, &usual);
    }
    const char *name = NULL;
    json_t *value = NULL;
    text[0] = '\0';
    json_object_foreach(cell->parameters, name, value)
    {
        char shown[128];
        bool wanted = true;
        for (int i = 0; without[i]; i++)
            wanted = wanted && strcmp(without[i], name) != 0;
        argument_format(value, shown, sizeof shown);
        if (wanted && !is_usual(rows, &usual, name, shown))
            text_append(text, size, "%s%s=%s", text[0] ? " " : "", name, shown);
    }
}

void cell_parameters_format(const Cell *cell, char *text, size_t size)
{
    cell_parameters_without(cell, (const char *const[]){NULL}, text, size);
}

void cell_format(const Cell *cell, char *text, size_t size)
{
    char parameters[256];
    if (cell->kind == CELL_STUDY || cell->kind == CELL_ROW) {
        snprintf(text, size, "%s, %s%s%s", cell->table, cell->row, cell->study[0] ? ": study " : "",
                 cell->study);
        return;
    }
    cell_parameters_format(cell, parameters, sizeof parameters);
    if (cell->kind == CELL_SCORE) {
        snprintf(text, size, "%s: %s %s", cell->row, cell->method, parameters);
        return;
    }
    snprintf(text, size, "%s: %s%s%s on %s%s%s, threads %d%s%s", cell->dataset.name, cell->method,
             parameters[0] ? " " : "", parameters, cell->backend, cell->level[0] ? " " : "", cell->level,
             cell->threads, cell->normals ? ", normals" : "", cell->two_phase ? ", two phases" : "");
}
