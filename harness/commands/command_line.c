/* Parses the command line with getopt_long, from the option tables of the command and of all commands. */
#include "harness/commands/command_line.h"

#include "datasets/base/nearest_name.h"
#include "datasets/io/atomic_path.h"
#include "harness/commands/interrupts.h"
#include "harness/measure/environment/environment.h"
#include "harness/measure/environment/processors.h"
#include "methods/reduction/dense.h"

#include <assert.h>
#include <getopt.h>
#include <sys/stat.h>

static const CommandOption shared_options[] = {
    {"json", NULL, "print one JSON object per line on stdout; messages go to stderr"}, /* keep first */
    {"quiet", NULL, "print no progress and no notes"},
    {"memory-limit", "SIZE",
     "fail if the arrays would need more memory than this, such as 512M or 4G (default: the machine's "
     "memory)"},
    {"help", NULL, "print this text"},
    {NULL, NULL, NULL},
};

static const CommandOption threads_option[] = {
    {"threads", "N", "number of OpenMP threads (default: the cores this process may use)"},
    {NULL, NULL, NULL}};
static const CommandOption set_option[] = {
    {"set", "NAME=VALUE", "set a parameter of the method or generator; may be repeated"}, {NULL, NULL, NULL}};

const CommandOption command_exit_codes[] = {
    {"0", NULL, "success"},
    {"1", NULL, "a comparison or check failed, or a result is wrong"},
    {"2", NULL, "usage"},
    {"3", NULL, "bad input"},
    {"4", NULL, "a needed device, library or program is missing"},
    {"5", NULL, "the system ran out of memory or disk space, or the output could not be printed"},
    {"130", NULL,
     "interrupted by SIGINT or SIGTERM; skinbench ends within a second and leaves no unfinished file"},
    {"129", NULL, "interrupted by SIGHUP"},
    {"141", NULL, "stdout was closed by its reader"},
    {NULL, NULL, NULL},
};

const char command_program_summary[] =
    "benchmark of skeletal skinning and of the decomposition of animated meshes";

const CommandOption *command_option_at(const Command *command, int index)
{
    enum { OPTION_TABLES = 4 };
    const CommandOption *const tables[OPTION_TABLES] = {
        command->options, command->takes & TAKES_SET ? set_option : NULL,
        command->takes & TAKES_THREADS ? threads_option : NULL,
        command->takes & PRINTS_TEXT ? shared_options + 1 : shared_options};
    for (int i = 0; i < OPTION_TABLES; i++)
        for (const CommandOption *option = tables[i]; option && option->name; option++)
            if (index-- == 0)
                return option;
    return NULL;
}

void command_option_format(const CommandOption *option, char *text, size_t size)
{
    snprintf(text, size, "%s--%s%s%s", strcmp(option->name, "output") == 0 ? "-o, " : "", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
}

/* Appends the time that the work will probably still take, once it has run for two seconds. If the share
 * falls, other work has begun. */
static void time_left_append(CommandLine *line, double share, double now, char *text, size_t size)
{
    if (line->bar_shown < 0 || share < line->bar_share) {
        line->bar_begun_s = now;
        line->bar_begun_share = share;
    }
    line->bar_share = share;
    const double spent_s = now - line->bar_begun_s, done = share - line->bar_begun_share;
    const double left_s = spent_s * (1.0 - share) / done;
    if (done > 0.0 && spent_s > 2.0)
        text_append(text, size, ", about %.0f %s left", left_s < 90.0 ? left_s : left_s / 60.0,
                    left_s < 90.0 ? "s" : "min");
}

static bool bar_report(void *context, const char *what, double share)
{
    CommandLine *line = context;
    if (line->bar_wanted && what) {
        int per_mille = (int)(share * 1000.0);
        double now = clock_now_s();
        const double shown_s = now - line->bar_drawn_s;
        if (shown_s > 1.0 || (per_mille != line->bar_shown && (shown_s > 0.1 || per_mille >= 1000))) {
            char bar[31];
            for (int i = 0; i < 30; i++)
                bar[i] = share * 30.0 > i ? '#' : '.';
            bar[30] = '\0';
            char text[256];
            text_escape(text, sizeof text, what);
            time_left_append(line, share, now, text, sizeof text);
            fprintf(stderr, "\r\033[K[%s] %5.1f %%  %s", bar, share * 100.0, text);
            if (per_mille >= 1000)
                fprintf(stderr, "\r\033[K");
            fflush(stderr);
            line->bar_shown = per_mille;
            line->bar_drawn_s = now;
        }
    }
    return !interrupts_arrived();
}

/* Returns the row of an option in the command's options, or -1 if the command has no such option. */
static int row_find(const CommandLine *line, const char *name)
{
    for (int row = 0; row < line->row_count; row++)
        if (strcmp(line->rows[row]->name, name) == 0)
            return row;
    return -1;
}

/* Splits argv into options and arguments. */
static Status line_parse(CommandLine *line, int argc, char **argv)
{
    struct option table[OPTIONS_MAX + 1];
    memset(table, 0, sizeof table);
    for (int i = 0; i < line->row_count; i++) {
        table[i].name = line->rows[i]->name;
        table[i].has_arg = line->rows[i]->argument ? required_argument : no_argument;
    }
    opterr = 0;
    optind = 0; /* restart parsing, even if an earlier call ended inside a group of short options */
    for (;;) {
        int row = -1;
        int answer = getopt_long(argc, argv, ":ho:", table, &row);
        if (answer == -1)
            break;
        if (answer == ':')
            return bad_usage("%s needs a value", argv[optind - 1]);
        if (answer == 'h' || answer == 'o')
            row = row_find(line, answer == 'h' ? "help" : "output");
        if ((answer != 0 && answer != 'h' && answer != 'o') || row < 0) {
            /* Refuse an option that the command does not have, or an ambiguous abbreviation. */
            const char *given = argv[optind - 1];
            if (answer == '?' && optopt != 0 && (given[0] != '-' || given[strlen(given) - 1] != optopt))
                given = argv[optind]; /* a group of letters, in which getopt has not come to the end */
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
            char with_dashes[OPTIONS_MAX][64];
            NearestName nearest = {.given = name};
            for (int k = 0; k < line->row_count; k++) {
                snprintf(with_dashes[k], sizeof with_dashes[k], "--%s", line->rows[k]->name);
                nearest_name_add_candidate(&nearest, with_dashes[k]);
            }
            return nearest_name_suggest(
                &nearest,
                bad_usage("no option '%s'; `skinbench %s --help` lists them", given, line->command->name));
        }
        if (line->given_count == OPTION_VALUES_MAX)
            return bad_usage("more than %d options", OPTION_VALUES_MAX);
        line->given_row[line->given_count] = row;
        line->given_value[line->given_count++] = optarg ? optarg : "";
    }
    line->arguments = (const char *const *)argv + optind;
    line->argument_count = argc - optind;
    return status_ok();
}

Status command_line_size(const CommandLine *line, const char *name, size_t *bytes)
{
    static const char units[] = "KMGT";
    const char *text = command_line_value(line, name);
    char *end = NULL;
    *bytes = 0;
    if (!text)
        return status_ok();
    double size = strtod(text, &end);
    const char *unit = *end != '\0' && end != text ? strchr(units, *end) : NULL;
    for (const char *prefix = units; unit && prefix <= unit; prefix++)
        size *= 1024.0;
    if (end == text || (*end != '\0' && (!unit || end[1] != '\0')) || !(size >= 0x1p20 && size <= 0x1p60))
        return bad_usage("--%s is '%s', expected 1M or more, such as 512M or 4G", name, text);
    *bytes = (size_t)size;
    return status_ok();
}

static Status line_check(CommandLine *line)
{
    const Command *command = line->command;
    if (line->argument_count < command->arguments_min ||
        (command->arguments_max >= 0 && line->argument_count > command->arguments_max))
        return bad_usage("usage: skinbench %s %s", command->name, command->synopsis);
    const bool completes = strstr(command->synopsis, "WORD"); /* the word to complete may be empty */
    for (int i = 0; i < line->argument_count; i++)
        if (!line->arguments[i][0] && !completes)
            return bad_usage("argument %d is empty; usage: skinbench %s %s", i + 1, command->name,
                             command->synopsis);
    for (int i = 0; i < line->given_count; i++) {
        const CommandOption *option = line->rows[line->given_row[i]];
        if (option->argument && strstr(option->argument, "FILE") && !line->given_value[i][0])
            return bad_usage("--%s is empty, expected %s", option->name, option->argument);
    }
    size_t bytes = 0;
    STATUS_TRY(command_line_size(line, "memory-limit", &bytes));
    memory_limit_set(bytes);
    line->threads = processors_usable("").usable;
    if (command->takes & TAKES_THREADS)
        STATUS_TRY(command_line_integer(line, "threads", line->threads, 1, 1024, &line->threads));
    linear_algebra_set_threads(line->threads);
    return status_ok();
}

const Command *command_find(const Command *commands, const char *name)
{
    for (; commands->name; commands++)
        if (strcmp(commands->name, name) == 0)
            return commands;
    return NULL;
}

/* Prints the final message and returns the exit code. `command` is "" if no command was named; `launch` may
 * be NULL. */
static int command_line_end(const char *command, Launch *launch, Status status)
{
    char rank[24] = "";
    int error = stream_flush(stdout);
    if (error != 0 && status.code == STATUS_OK)
        status = status_make(STATUS_SYSTEM, "cannot write to standard output: %s", strerror(error));
    int code = interrupts_end(&status);
    if (launch && launch_size() > 1 && code != 0) {
        if (!launch->plugin && launch_rank() > 0)
            status.text[0] = '\0'; /* if several ranks fail, only rank 0 reports the error */
        /* Errors in the command or its input occur on all ranks. Wait until rank 0 has printed the message
         * and ended the other ranks. */
        if (launch->plugin && launch_rank() > 0)
            nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        snprintf(rank, sizeof rank, ", rank %d", launch_rank());
    }
    if (status.code != STATUS_OK && status.text[0] != '\0')
        fprintf(stderr, "skinbench%s%s%s: %s\n", command[0] ? " " : "", command, rank, status.text);
    if (launch && code != 0)
        launch_end_all(launch, code);
    else if (launch)
        launch_finalize(launch);
    return code;
}

static Status input_keep(const char *input, const char *output)
{
    struct stat from, target;
    if (stat(input, &from) != 0 || stat(output, &target) != 0 || !S_ISREG(target.st_mode) ||
        from.st_dev != target.st_dev || from.st_ino != target.st_ino)
        return status_ok();
    return bad_usage("%s: is the input %s, which is never overwritten; choose another name", output, input);
}

/* Refuses an --output whose name implies another format, or that is also an argument or the value of
 * another option. Call this before any work is done. While files are read, input_file_keep protects them as
 * well. */
static Status line_output_check(const CommandLine *line)
{
    const int row = row_find(line, "output");
    const char *output = row >= 0 ? command_line_value(line, "output") : NULL;
    if (!output)
        return status_ok();
    const char *argument = line->rows[row]->argument, *ending = strchr(argument, '.');
    if (ending)
        STATUS_TRY(output_ending_check(output, strcmp(ending, ".jsonl") == 0 ? ".jsonl .json" : ending));
    else if (strcmp(argument, "FILE") == 0)
        STATUS_TRY(output_ending_check(output, DATASET_ENDINGS));
    if (line->command->takes & UPDATES_OUTPUT)
        return status_ok();
    for (int i = 0; i < line->argument_count; i++)
        STATUS_TRY(input_keep(line->arguments[i], output));
    for (int i = 0; i < line->given_count; i++)
        if (line->given_row[i] != row)
            STATUS_TRY(input_keep(line->given_value[i], output));
    return status_ok();
}

/* Puts the command's file before a message about bad input that names none of its files. */
static Status file_name_add(const CommandLine *line, Status status)
{
    const char *file = NULL;
    if (status.code != STATUS_BAD_INPUT)
        return status;
    for (int i = line->argument_count - 1; i >= 0; i--) {
        const size_t length = strlen(line->arguments[i]);
        if (strncmp(status.text, line->arguments[i], length) == 0 && status.text[length] == ':')
            return status; /* a file that does not exist, or any other */
        if (access(line->arguments[i], F_OK) != 0)
            continue;
        if (strstr(status.text, line->arguments[i]))
            return status;
        file = line->arguments[i];
    }
    for (int i = 0; i < line->given_count; i++) {
        const char *value = line->given_value[i], *start = status.text + (status.text[0] == '\'');
        const size_t length = strlen(value); /* a single letter stands in many messages by chance */
        if ((length > 1 && strstr(status.text, value)) ||
            (strncmp(start, value, length) == 0 && (start[length] == ':' || start[length] == '\'')))
            return status;
    }
    return file ? status_in(file, status) : status;
}

static Status command_run(CommandLine *line)
{
    line->bar_wanted = isatty(STDERR_FILENO) && !command_line_flag(line, "quiet");
    line->progress = (Progress){bar_report, line};
    json_memory_init();
    Status status = status_ok();
    if (line->command->takes & TAKES_RANKS)
        status = launch_join(&line->launch);
    if (!ranks_is_first(&line->launch.ranks)) { /* only rank 0 draws the bar and handles interrupts */
        line->bar_wanted = false;
        line->progress = (Progress){0};
    }
    OWNED_BY(free) char *output = NULL;
    if (status.code == STATUS_OK && line->json && line->command->takes & PRINTS_OUTPUT) {
        const char *path = command_line_value(line, "output");
        if (path) /* a missing --output is reported by the command itself */
            status = output_json_line(json_pack("{s:o*}", "output", json_text(path)), &output);
    }
    if (status.code == STATUS_OK)
        status = file_name_add(line, line->command->run(line));
    if (status.code == STATUS_OK && output)
        puts(output);
    /* If an allocation failed, report lack of memory, because any other failure may be a consequence
     * of it. */
    if (status.code != STATUS_SYSTEM && status.code != STATUS_STOPPED && memory_failures() > 0)
        status = status_out_of_memory("it");
    if (line->bar_shown >= 0)
        fprintf(stderr, "\r\033[K");
    return status;
}

int command_line_main(const Command *commands, int argc, char **argv)
{
    interrupts_start(argc < 2 ? "" : argv[1]);
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        printf("skinbench: %s\n\nusage: skinbench COMMAND ...; `skinbench COMMAND --help` explains it, "
               "`skinbench --version` describes the build\n\n",
               command_program_summary);
        for (; commands->name; commands++)
            printf("  %-15s %s\n", commands->name, commands->summary);
        printf("\nexit codes\n");
        for (const CommandOption *code = command_exit_codes; code->name; code++)
            printf("  %-15s %s\n", code->name, code->meaning);
        return command_line_end("", NULL, argc < 2 ? bad_usage("%s", "") : status_ok());
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        terminal_print("skinbench %s\n", environment_build());
        return command_line_end("", NULL, status_ok());
    }
    /* find the command and its options */
    const Command *command = command_find(commands, argv[1]);
    if (!command) {
        NearestName nearest = {.given = argv[1]};
        for (; commands->name; commands++)
            nearest_name_add_candidate(&nearest, commands->name);
        const Status missing = bad_usage("no command '%s'; `skinbench --help` lists them", argv[1]);
        return command_line_end("", NULL, nearest_name_suggest(&nearest, missing));
    }
    CommandLine line = {.commands = commands, .command = command, .bar_shown = -1};
    for (const CommandOption *option; (option = command_option_at(command, line.row_count)) != NULL;) {
        assert(line.row_count < OPTIONS_MAX);
        line.rows[line.row_count++] = option;
    }
    Status status = line_parse(&line, argc - 1, argv + 1);
    line.json = !(command->takes & PRINTS_TEXT) && command_line_flag(&line, "json");
    if (status.code == STATUS_OK && command_line_flag(&line, "help")) {
        printf("usage: skinbench %s %s\n\n%s\n\n", command->name, command->synopsis, command->summary);
        const CommandOption *option = NULL;
        for (int i = 0; (option = command_option_at(command, i)) != NULL; i++) {
            char left[64];
            command_option_format(option, left, sizeof left);
            printf("  %-24s %s\n", left, option->meaning);
        }
        return command_line_end(command->name, NULL, status);
    }
    if (status.code == STATUS_OK)
        status = line_check(&line);
    if (status.code == STATUS_OK)
        status = line_output_check(&line);
    if (status.code == STATUS_OK)
        status = command_run(&line);
    return command_line_end(command->name, &line.launch, status);
}

const char *command_line_argument(const CommandLine *line, int index)
{
    return index < line->argument_count ? line->arguments[index] : NULL;
}

static int row_of(const CommandLine *line, const char *name)
{
    int row = row_find(line, name);
    assert(row >= 0 && "the option is not in the command's table");
    return row;
}

const char *command_line_value_at(const CommandLine *line, const char *name, int index)
{
    int row = row_of(line, name);
    for (int i = 0; i < line->given_count; i++)
        if (line->given_row[i] == row && index-- == 0)
            return line->given_value[i];
    return NULL;
}

const char *command_line_value(const CommandLine *line, const char *name)
{
    int row = row_of(line, name);
    const char *value = NULL;
    for (int i = 0; i < line->given_count; i++)
        if (line->given_row[i] == row)
            value = line->given_value[i];
    return value;
}

bool command_line_flag(const CommandLine *line, const char *name)
{
    return command_line_value(line, name) != NULL;
}

Status command_line_real(const CommandLine *line, const char *name, double fallback, double minimum,
                         double maximum, double *value)
{
    const char *text = command_line_value(line, name);
    *value = fallback;
    if (!text)
        return status_ok();
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < minimum || number > maximum)
        return bad_usage("--%s is '%s', expected a number from %.10g to %.10g", name, text, minimum, maximum);
    *value = number;
    return status_ok();
}

Status command_line_whole(const CommandLine *line, const char *name, double fallback, double minimum,
                          double maximum, double *value)
{
    STATUS_TRY(command_line_real(line, name, fallback, minimum, maximum, value));
    return *value == floor(*value)
               ? status_ok()
               : bad_usage("--%s is '%s', expected a whole number", name, command_line_value(line, name));
}

Status command_line_integer(const CommandLine *line, const char *name, int fallback, int minimum, int maximum,
                            int *value)
{
    double number = fallback;
    STATUS_TRY(command_line_whole(line, name, fallback, minimum, maximum, &number));
    *value = (int)number;
    return status_ok();
}

Status command_line_parameters(const CommandLine *line, const Parameter *rows, const char *owner,
                               ParameterValues *values)
{
    *values = parameters_default(rows);
    const char *assignment = NULL;
    for (int i = 0; (assignment = command_line_value_at(line, "set", i)) != NULL; i++)
        STATUS_TRY(parameters_set(rows, owner, assignment, values));
    return status_ok();
}

Status command_line_required(const CommandLine *line, const char *name, const char **value)
{
    *value = command_line_value(line, name);
    if (!*value)
        return bad_usage("--%s is missing; usage: skinbench %s %s", name, line->command->name,
                         line->command->synopsis);
    return status_ok();
}

Status command_line_output(const CommandLine *line, const char **path)
{
    STATUS_TRY(command_line_required(line, "output", path));
    return output_path_resolve(*path, OUTPUT_FILE, NULL);
}

/* ---- printing ---- */

Status output_json_line(json_t *object, char **line)
{
    *line = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    if (*line && memory_failures() == 0)
        return status_ok();
    free(*line); /* if an allocation failed, members may be missing from the line */
    *line = NULL;
    return status_out_of_memory("the output");
}

Status output_json(json_t *object)
{
    OWNED_BY(free) char *line = NULL;
    STATUS_TRY(output_json_line(object, &line));
    puts(line);
    return status_ok();
}

void output_note(const CommandLine *line, const char *format, ...)
{
    char text[TEXT_FORMAT_BYTES];
    if (command_line_flag(line, "quiet") || !ranks_is_first(&line->launch.ranks))
        return;
    va_list arguments;
    va_start(arguments, format);
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", text);
}

void output_note_text(void *line, const char *text)
{
    output_note(line, "%s", text);
}
