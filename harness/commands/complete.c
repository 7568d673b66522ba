/* skinbench complete -- WORD...: suggests how to complete the last word of a command line, for shell
 * completion (packaging/completion).
 *
 * The placeholder of a value in the tables of commands and options decides the suggestions. Words separated
 * by | are the choices themselves. Words in capitals are looked up in `kinds`. Other placeholders, such as
 * numbers, get no suggestion. */
#include "harness/commands/commands.h"

#include "datasets/generate/generate.h"
#include "datasets/rigging/binding.h"
#include "harness/records/papers/published.h"
#include <ctype.h>

enum { WORD_BYTES = 256 };

typedef struct Completion {
    const Command *command;
    const char *word; /* the word to complete */
    size_t kept;      /* number of bytes of the word that are already complete, such as "lbs," in "lbs,dq" or
                         "sign=" in "sign=a" */
    const char *method;  /* value of an earlier --method, or NULL */
    const char *subject; /* first argument before the word, or NULL */
} Completion;

/* Prints a suggestion: the whole word, a tab, and its meaning. */
static void word_complete(const Completion *completion, const char *text, const char *meaning)
{
    char word[2 * WORD_BYTES], about[512];
    const char *begin = completion->word + completion->kept;
    if (strncmp(text, begin, strlen(begin)) != 0)
        return;
    snprintf(word, sizeof word, "%.*s%s", (int)completion->kept, completion->word, text);
    (void)text_escape(about, sizeof about, meaning);
    printf("%s\t%s\n", word, about);
}

/* ---- suggestions of each kind ---- */

static void direct_complete(const Completion *completion)
{
    for (int i = 0; i < skinning_entry_count(); i++)
        word_complete(completion, skinning_entry_at(i)->method->name, skinning_entry_at(i)->method->title);
}

static void decomposition_complete(const Completion *completion)
{
    for (int i = 0; i < decomposition_method_count(); i++)
        word_complete(completion, decomposition_method_at(i)->name, decomposition_method_at(i)->title);
}

static void backend_complete(const Completion *completion)
{
    for (int i = 0; i < BACKEND_COUNT; i++)
        word_complete(completion, backend_at(i)->name, backend_at(i)->title);
}

static void level_complete(const Completion *completion)
{
    const char *levels[SIMD_LEVELS_MAX];
    const int count = simd_levels_here(levels);
    for (int i = 0; i < count; i++)
        word_complete(completion, levels[i], "");
}

static void generator_complete(const Completion *completion)
{
    for (int i = 0; i < generator_count(); i++)
        word_complete(completion, generator_at(i)->name, generator_at(i)->title);
}

static void format_complete(const Completion *completion)
{
    for (int i = 0; i < format_count(); i++) {
        const Format *format = format_at(i);
        if (completion->command->run == export_run ? format->export != NULL : format->import != NULL)
            word_complete(completion, format->name, format->title);
    }
}

static void table_complete(const Completion *completion)
{
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    (void)published_tables_read(NULL, &tables);
    for (int i = 0; i < tables.count; i++)
        word_complete(completion, tables.items[i]->name, tables.items[i]->title);
}

static void parameter_complete(const Completion *completion)
{
    /* find the parameters that --set can set on this command line */
    const char *method = completion->method ? completion->method : "",
               *subject = completion->subject ? completion->subject : "";
    const SkinningEntry *direct = skinning_entry_find(method);
    const DecompositionMethod *decomposition = decomposition_method_find(method);
    const Generator *generator = generator_find(subject);
    const Binding *binding = binding_find(subject);
    const Parameter *rows = NULL;
    if (direct)
        rows = direct->method->parameters;
    else if (decomposition)
        rows = decomposition->parameters;
    else if (generator)
        rows = generator->parameters;
    else if (binding)
        rows = binding->parameters;
    /* suggest names of parameters, or values if a name is already complete */
    const char *begin = completion->word + completion->kept;
    const size_t name = strcspn(begin, "=");
    Completion value = *completion;
    value.kept += name + 1;
    for (int i = 0; rows && rows[i].name; i++) {
        char text[WORD_BYTES];
        if (begin[name] == '\0') {
            snprintf(text, sizeof text, "%s=", rows[i].name);
            word_complete(completion, text, rows[i].meaning);
        } else if (strlen(rows[i].name) == name && strncmp(rows[i].name, begin, name) == 0) {
            for (int k = 0; rows[i].type == PARAMETER_FLAG && k < 2; k++)
                word_complete(&value, k ? "yes" : "no", "");
            for (int k = 0; rows[i].choices && parameter_word(&rows[i], k); k++)
                word_complete(&value, parameter_word(&rows[i], k), "");
        }
    }
}

/* Kinds of placeholders: the shell completes the names of files or folders, or a function offers words. In
 * addition, any placeholder that ends in ".jsonl" is a file. */
static const struct {
    const char *placeholder, *names;
    void (*offer)(const Completion *completion);
} kinds[] = {
    {"FILE", ":files", NULL},
    {"INPUT", ":files", NULL},
    {"OUT", ":files", NULL},
    {"TARGET", ":files", NULL},
    {"OLD", ":files", NULL},
    {"NEW", ":files", NULL},
    {"CANDIDATE", ":files", NULL},
    {"FOLDER", ":folders", NULL},
    {"DIR", ":folders", NULL},
    {"DIRECT", NULL, direct_complete},
    {"METHOD", NULL, direct_complete},
    {"METHOD", NULL, decomposition_complete},
    {"BACKEND", NULL, backend_complete},
    {"DECOMPOSITION", NULL, decomposition_complete},
    {"LEVEL", NULL, level_complete},
    {"GENERATOR", NULL, generator_complete},
    {"FORMAT", NULL, format_complete},
    {"TABLE", NULL, table_complete},
    {"NAME=VALUE", NULL, parameter_complete},
};

/* ---- suggestions by position ---- */

/* Suggests words for a placeholder of this length, such as "FILE", "markdown|csv|latex" or "METHOD,...". */
static void placeholder_complete(const Completion *completion, const char *placeholder, size_t length)
{
    char text[WORD_BYTES];
    Completion here = *completion;
    snprintf(text, sizeof text, "%.*s", (int)length, placeholder);
    char *list = strchr(text, ',');
    if (list) {
        const char *last = strrchr(here.word + here.kept, ',');
        here.kept = last ? (size_t)(last + 1 - here.word) : here.kept;
        *list = '\0';
    }
    char *rest = text;
    for (char *one; (one = strtok_r(rest, "|[].", &rest)) != NULL;) {
        if (strcmp(one, "jsonl") == 0)
            puts(":files");
        else if (islower((unsigned char)one[0]))
            word_complete(&here, one, "");
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strcmp(kinds[i].placeholder, one) == 0 && kinds[i].names)
                puts(kinds[i].names);
            else if (strcmp(kinds[i].placeholder, one) == 0)
                kinds[i].offer(&here);
    }
}

/* Returns the command's option that a word ("-o", "--name" or "--name=value") names, or NULL if it names
 * none. */
static const CommandOption *option_of(const Command *command, const char *word)
{
    const char *name = strcmp(word, "-o") == 0 ? "output" : strncmp(word, "--", 2) == 0 ? word + 2 : "";
    const size_t length = strcspn(name, "=");
    const CommandOption *option = NULL;
    for (int i = 0; (option = command_option_at(command, i)) != NULL; i++)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            break;
    return option;
}

/* Completes an argument according to the command's synopsis; `before` is the number of arguments in front
 * of it. Options in the synopsis are skipped, together with their values. If the synopsis allows an
 * argument to be left out ("[FORMAT] INPUT..."), suggestions for the next argument are printed, too. */
static void argument_complete(const Completion *completion, int before)
{
    bool taken = false, optional = false;
    size_t length = 0;
    for (const char *cursor = completion->command->synopsis; *cursor;
         cursor += length + strspn(cursor + length, " ")) {
        length = strcspn(cursor, " ");
        const char *word = cursor + strspn(cursor, "[");
        if (taken || *word == '|') {
            taken = false;
        } else if (*word == '-') {
            char text[WORD_BYTES];
            snprintf(text, sizeof text, "%.*s", (int)strcspn(word, " ]"), word);
            const CommandOption *option = option_of(completion->command, text);
            taken = option && option->argument;
        } else if (before-- <= 0 ||
                   (length > 3 && strstr(cursor, "...") && strstr(cursor, "...") < cursor + length)) {
            placeholder_complete(completion, word, length - (size_t)(word - cursor));
            optional = *cursor == '[';
            if (!optional)
                return;
        }
    }
}

Status complete_run(const CommandLine *line)
{
    const int last = line->argument_count - 1;
    Completion completion = {.word = command_line_argument(line, last)};
    const CommandOption *awaited = NULL; /* option whose value is the next word */
    int arguments = 0;
    if (strlen(completion.word) >= WORD_BYTES)
        return status_ok();
    if (last == 0) {
        for (const Command *command = line->commands; command->name; command++)
            word_complete(&completion, command->name, command->summary);
        word_complete(&completion, "--help", "the commands and the exit codes");
        word_complete(&completion, "--version", "what was built");
        return status_ok();
    }
    /* read the words before the one to complete */
    completion.command = command_find(line->commands, command_line_argument(line, 0));
    for (int i = 1; completion.command && i < last; i++) {
        const char *word = command_line_argument(line, i);
        if (awaited) {
            if (strcmp(awaited->name, "method") == 0)
                completion.method = word;
            awaited = NULL;
            continue;
        }
        const CommandOption *option = option_of(completion.command, word);
        if (option && option->argument && !strchr(word, '='))
            awaited = option;
        else if (option && strcmp(option->name, "method") == 0)
            completion.method = strchr(word, '=') + 1;
        else if (word[0] != '-' && arguments++ == 0)
            completion.subject = word;
    }
    if (!completion.command)
        return status_ok();
    /* complete the word as the value of an option, as an option, or as an argument */
    const CommandOption *here =
        strchr(completion.word, '=') ? option_of(completion.command, completion.word) : NULL;
    if (!awaited && here && here->argument) {
        completion.kept = strcspn(completion.word, "=") + 1;
        awaited = here;
    }
    if (awaited)
        placeholder_complete(&completion, awaited->argument, strlen(awaited->argument));
    else if (completion.word[0] == '-') {
        const CommandOption *option = NULL;
        for (int i = 0; (option = command_option_at(completion.command, i)) != NULL; i++) {
            char text[WORD_BYTES];
            snprintf(text, sizeof text, "--%s", option->name);
            word_complete(&completion, text, option->meaning);
        }
    } else
        argument_complete(&completion, arguments);
    return status_ok();
}
