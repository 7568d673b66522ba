/* skinbench manual: prints the manual page (man, section 1) from the tables behind --help. */
#include "harness/commands/commands.h"

#include "harness/measure/environment/environment.h"

static const CommandOption variables[] = {
    {"SKINBENCH_HOME", NULL,
     "the folder that holds the papers' tables, plot scripts and data set list (default: found relative to "
     "the program)"},
    {"OMP_NUM_THREADS", NULL, "number of threads, unless --threads is given"},
    {"OMP_WAIT_POLICY", NULL, "how threads wait (default: they sleep)"},
    {"SKINBENCH_RECORDS", NULL,
     "folder in which runs without --output keep their results (default: skinbench in XDG_STATE_HOME or "
     "~/.local/state); if empty, they are not kept"},
    {"TMPDIR", NULL, "folder in which temporary folders are made"},
    {NULL, NULL, NULL},
};

/* Escapes text for roff: backslashes, hyphens as minus signs, and requests at the start of a line. */
static void roff_print(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '"')
            fputs("\\(dq", stdout);
        else
            putchar(*text);
}

static void row_print(const char *name, const char *meaning)
{
    fputs(".TP\n\\fB", stdout);
    roff_print(name);
    fputs("\\fR\n", stdout);
    roff_print(meaning);
    putchar('\n');
}

static void rows_print(const char *title, const CommandOption *rows)
{
    printf(".SH %s\n", title);
    for (; rows->name; rows++)
        row_print(rows->name, rows->meaning);
}

/* Prints a JSON object for every command, with its options. */
static Status manual_to_json(const CommandLine *line)
{
    for (const Command *command = line->commands; command->name; command++) {
        const CommandOption *option = NULL;
        json_t *options = json_array();
        for (int i = 0; (option = command_option_at(command, i)) != NULL; i++)
            json_array_append_new(options, json_pack("{s:s, s:s?, s:s}", "name", option->name, "argument",
                                                     option->argument, "meaning", option->meaning));
        STATUS_TRY(
            output_json(json_pack("{s:s, s:s, s:s, s:o}", "name", command->name, "synopsis",
                                  command->synopsis, "summary", command->summary, "options", options)));
    }
    return status_ok();
}

Status manual_run(const CommandLine *line)
{
    if (line->json)
        return manual_to_json(line);
    printf(
        ".\\\" Written by `skinbench manual`.\n.TH SKINBENCH 1 \"%s\" \"skinbench %s\" \"User Commands\"\n",
        environment_date(), environment_version());
    printf(".SH NAME\nskinbench \\- ");
    roff_print(command_program_summary);
    printf("\n.SH SYNOPSIS\n.B skinbench\n.I COMMAND\n.RI [ ARGUMENT ...]\n.br\n.B skinbench\n.I COMMAND\n"
           ".B \\-\\-help\n.br\n.B skinbench \\-\\-version\n"
           ".SH DESCRIPTION\n"
           "Measures which direct method of skeletal skinning deforms a skin best, and how fast, and which\n"
           "decomposition method finds the best rig for an animated mesh; runs the tables of the papers that "
           "the\n"
           "methods come from, and prints published beside measured numbers.\n"
           "Data sets are HDF5 files, results are JSON Lines.\n"
           ".PP\n`skinbench list methods' prints methods and their parameters, `skinbench doctor' what is\n"
           "present on this machine and what is missing.\n.SH COMMANDS\n");
    /* print every command with its options */
    for (const Command *command = line->commands; command->name; command++) {
        const CommandOption *option = NULL;
        printf(".SS \"%s ", command->name);
        roff_print(command->synopsis);
        printf("\"\n");
        roff_print(command->summary);
        printf(".\n");
        for (int i = 0; (option = command_option_at(command, i)) != NULL; i++) {
            char left[64];
            command_option_format(option, left, sizeof left);
            row_print(left, option->meaning);
        }
    }
    rows_print("EXIT STATUS", command_exit_codes);
    rows_print("ENVIRONMENT", variables);
    printf(".SH EXAMPLES\n.nf\nskinbench generate walk \\-o walk.h5\n"
           "skinbench fit walk.h5 \\-\\-method coordinate\\-descent \\-\\-bones 10 \\-o rig.h5\n"
           "skinbench skin rig.h5 \\-\\-method dqs \\-o skinned.h5\n"
           "skinbench measure walk.h5 skinned.h5\n"
           "skinbench bench rig.h5 \\-\\-methods lbs,dqs \\-o run.jsonl\n"
           "skinbench report run.jsonl \\-o report\n.fi\n");
    return status_ok();
}
