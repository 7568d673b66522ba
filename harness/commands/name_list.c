/* Reads the values of options that are words, and checks names of methods. */
#include "harness/commands/name_list.h"

#include "methods/registry.h"

Status option_choice(const CommandLine *line, const char *option, int *choice)
{
    const char *given = command_line_value(line, option);
    const CommandOption *row = NULL;
    char expected[128] = "";
    for (int i = 0; (row = command_option_at(line->command, i)) && strcmp(row->name, option) != 0;)
        i++;
    const char *word = row && given ? row->argument : NULL;
    for (int i = 0; word; i++) {
        const int size = (int)strcspn(word, "|");
        const char *next = word[size] ? word + size + 1 : NULL;
        if ((int)strlen(given) == size && strncmp(word, given, (size_t)size) == 0) {
            *choice = i;
            return status_ok();
        }
        text_append(expected, sizeof expected, "%s%.*s", i == 0 ? "" : next ? ", " : " or ", size, word);
        word = next;
    }
    return given ? bad_usage("--%s is '%s', expected %s", option, given, expected) : status_ok();
}

Status names_split(const CommandLine *line, const char *option, NameList *list)
{
    const char *given = command_line_value(line, option);
    list->count = 0;
    if (!given)
        return status_ok();
    if (strlen(given) >= sizeof list->text)
        return bad_usage("--%s is too long", option);
    snprintf(list->text, sizeof list->text, "%s", given);
    bool within = false; /* whether `cursor` points into a name */
    for (char *cursor = list->text; *cursor; cursor++) {
        const bool ends = *cursor == ',' && cursor[1] != ' ';
        if (!ends && !within && list->count == 32)
            return bad_usage("--%s lists more than 32 names", option);
        if (!ends && !within)
            list->names[list->count++] = cursor;
        within = !ends;
        if (ends)
            *cursor = '\0';
    }
    return list->count > 0 ? status_ok() : bad_usage("--%s is empty", option);
}

bool names_hold(const NameList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return list->count == 0;
}

Status methods_check(const NameList *methods)
{
    for (int i = 0; i < methods->count; i++)
        STATUS_TRY(method_name_check(methods->names[i]));
    return status_ok();
}
